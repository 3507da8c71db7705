"""Constructs that Python 3.6 and later compile."""
from . import sibling
from .. import parent as up
from .package.module import thing


def keywords(a, *args, b: int = 3, **rest) -> str:
    x: list = [*args, *rest]
    return f"{a!r:>10} {b} {x}" + f"{rest}"


async def wait(things):
    async with things as t:
        async for item in t:
            await item
    return [x async for x in things if await x]


async def asynchronous(n):
    for i in range(n):
        yield i


def delegate(it):
    result = yield from it
    return result


def unpack(items):
    first, *rest = items
    (a, b), c = rest
    return {**a, "k": b}, [*first, c], {*rest}


class Meta(type):
    def __new__(mcs, name, bases, space, **kw):
        return super().__new__(mcs, name, bases, space)


class Derived(dict, metaclass=Meta):
    field: int = 0
    __slots__ = ()

    def method(self):
        nonlocal_value = 1

        def change():
            nonlocal nonlocal_value
            nonlocal_value += 1
            return __class__
        return change


def many(d):
    try:
        raise KeyError(d) from None
    except KeyError as e:
        del d[e]
    finally:
        for _ in d:
            try:
                continue
            finally:
                d.clear()
    return d @ d


big = [
    "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "b0", "b1", "b2", "b3", "b4", "b5", "b6",
]
