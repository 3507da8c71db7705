"""Constructs of 3.10 and later."""


def match(x):
    match x:
        case [1, 2, *rest]:
            return rest
        case {"key": value, **others} if value:
            return others
        case complex(real=0) | int():
            return 0
        case None:
            return None
        case _:
            return x


def both(a, b):
    with (open(a) as f, open(b) as g):
        return f.read() + g.read()
