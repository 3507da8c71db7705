from collections import namedtuple

Point = namedtuple("Point", "x y")
payload = [Point(1, 2), Point(3, 4)]
