"""Constructs that Python 2.7 and every Python 3 compile."""
import os
import os.path as where
from sys import argv, path as search

NAMES = ("a", "b", "c")
NUMBERS = [1, 2, 3, -4, 5.5, 10 ** 20]
TABLE = {"one": 1, "two": (2, 2), "none": None}


def nothing():
    pass


def documented():
    """Only this
    text."""


def add(a, b):
    return a + b


def compare(a, b):
    if a < b <= 10 or a == b and not a != 3:
        return a in NAMES
    return a is not None and b not in (1, 2, 3)


def call(f, items, options):
    f(1, 2)
    f(*items)
    f(key=1, other=items)
    f(1, *items, **options)
    return f.method(items).other(key=None)


def late_import(flag):
    import json
    if flag:
        import xml.dom.minidom
        return xml.dom.minidom
    from os import getcwd, sep as separator
    return json.dumps(getcwd() + separator)


def loops(items):
    total = 0
    for i, item in enumerate(items):
        if item is None:
            continue
        while total < i:
            total += item
            if total > 1000:
                break
        else:
            total -= 1
    return total


def careful(name):
    try:
        with open(name) as f:
            data = f.read()
    except (IOError, ValueError) as error:
        return str(error)
    except Exception:
        raise
    else:
        return data
    finally:
        print(name)


def nested(n):
    seen = []

    def inner(k):
        seen.append(k)
        return [k * n for k in range(k)]

    return inner, lambda: seen, lambda x, y=n: x if y else seen


def produce(n):
    for i in range(n):
        got = yield i
        if got:
            return


def slices(s):
    s[0] = s[1:3]
    s[::2] = s[:-1]
    del s[0], s[1:]
    return s[1], s[1, 2], s[...]


def text(a):
    return "%s is %r" % (a, a) + "".join(str(x) for x in a) + u"\u20ac"


class Plain(object):
    """A class."""
    limit = 3

    def __init__(self, value):
        super(Plain, self).__init__()
        self.value = value
        self.limit += 1

    @property
    def double(self):
        return self.value * 2

    @staticmethod
    def make():
        return Plain(None)


def globally():
    global counter
    counter = 1
    del counter
    assert NAMES, "names"
    return {k: v for k, v in TABLE.items()}, {x for x in NAMES}, -1, not NAMES, ~2 ** 3


def fib(n, memo={}):
    if n not in memo:
        memo[n] = n if n < 2 else fib(n - 1) + fib(n - 2)
    return memo[n]


identity = lambda x: x
increment = lambda x: x + 1
column = lambda df: df.sum(axis=1)
chained = lambda r: r["a"][0].b.c(r)
if __name__ == "__main__":
    print(identity(argv), search, where, os, column, chained)
