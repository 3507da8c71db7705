"""Random payloads: random_payloads.py OUT SEED COUNT. Python 3.6 and later; cloudpickle is used when it is importable."""
import collections
import datetime
import decimal
import fractions
import functools
import io
import operator
import os
import pathlib
import pickle
import pickletools
import random
import sys
import uuid

sys.argv[1:] = [os.path.abspath(sys.argv[1])] + sys.argv[2:]
import common  # noqa: E402

OUT, SEED, COUNT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
R = random.Random(SEED)
try:
    import cloudpickle
except ImportError:
    cloudpickle = None
MAIN = common.fresh_main("""
import collections, enum
Point = collections.namedtuple("Point", "x y")
class Color(enum.Enum):
    RED = 1
    BLUE = 2
class Plain:
    def __init__(self, **kw):
        self.__dict__.update(kw)
class Slotted:
    __slots__ = ("a", "b")
class WithState:
    value = None
    def __getstate__(self):
        return (self.value,)
    def __setstate__(self, state):
        self.value = state[0]
class External:
    pass
def work(x):
    return x
""")
TEXT = "abcXYZ 09_-/\\'\"\n\t\0\x7f\x80\xe9\u0394\u20ac\uffff\U0001f600"


def text():
    kind = R.random()
    if kind < 0.05:
        return "".join(R.choice(TEXT) for _ in range(R.choice((254, 255, 256, 257, 1000))))
    if kind < 0.08:
        return R.choice(("\ud800", "x\udc00y", "\ud83d\ude00"))
    return "".join(R.choice(TEXT) for _ in range(R.randrange(12)))


def integer():
    return R.choice((1, -1)) * R.getrandbits(R.choice((1, 4, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 200, 2047, 2050)))


def leaf():
    return R.choice((
        lambda: None, lambda: R.random() < 0.5, integer, integer, text, text, lambda: text().encode("utf-8", "replace"),
        lambda: bytearray(R.getrandbits(8) for _ in range(R.randrange(9))), lambda: R.uniform(-1e9, 1e9),
        lambda: R.choice((0.0, -0.0, float("inf"), 5e-324)), lambda: complex(R.random(), 1), lambda: Ellipsis,
        lambda: datetime.datetime(2000 + R.randrange(99), 1 + R.randrange(12), 1, R.randrange(24),
                                  tzinfo=R.choice((None, datetime.timezone.utc))),
        lambda: datetime.date(2024, 1 + R.randrange(12), 5), lambda: datetime.timedelta(R.randrange(9), R.randrange(99)),
        lambda: decimal.Decimal(R.randrange(10**6)) / 100, lambda: fractions.Fraction(R.randrange(99), 7),
        lambda: uuid.UUID(int=R.getrandbits(128)), lambda: pathlib.PurePosixPath("/data", str(R.randrange(99))),
        lambda: range(R.randrange(9), R.randrange(99), 2), lambda: slice(None, R.randrange(5)),
        lambda: MAIN.Color.RED, lambda: MAIN.Point(R.randrange(9), text()),
        lambda: R.choice((len, int, MAIN.work, MAIN.Plain, operator.add, os.path.join, collections.OrderedDict)),
        lambda: functools.partial(int, base=R.randrange(2, 37)), lambda: operator.itemgetter(R.randrange(9)),
        lambda: ValueError(text(), R.randrange(9))))()


def key():
    return R.choice((text, text, lambda: R.randrange(1000), lambda: (R.randrange(9), text()), lambda: None,
                     lambda: frozenset((R.randrange(9),))))()


def instance(depth, seen):
    made = R.choice((MAIN.Plain, MAIN.Slotted, MAIN.WithState))()
    if type(made) is MAIN.Plain:
        made.__dict__.update(("f%d" % n, value(depth, seen)) for n in range(R.randrange(4)))
    elif type(made) is MAIN.Slotted:
        made.a, made.b = value(depth, seen), R.randrange(9)
    else:
        made.value = value(depth, seen)
    return made


def value(depth, seen):
    """seen: objects made before, to share or to close a loop."""
    kind = R.random()
    if depth <= 0 or kind < 0.3:
        return leaf()
    if kind < 0.38 and seen:
        return R.choice(seen)
    size = R.choice((0, 1, 2, 3, 4, 7)) if R.random() < 0.98 else 1005
    inner = depth - 1 if size < 100 else 0
    which = R.randrange(10)
    if which < 3:
        made = []
        seen.append(made)
        made.extend(value(inner, seen) for _ in range(size))
    elif which < 6:
        made = R.choice((dict, dict, collections.OrderedDict, lambda: collections.defaultdict(list)))()
        seen.append(made)
        for _ in range(size):
            made[key()] = value(inner, seen)
    elif which == 6:
        made = tuple(value(inner, seen) for _ in range(min(size, 9)))
        seen.append(made)
    elif which == 7:
        made = R.choice((set, frozenset))(R.randrange(10**5) for _ in range(size))
    elif which == 8:
        made = collections.deque((value(inner, seen) for _ in range(min(size, 9))), R.choice((None, 5)))
    else:
        made = instance(inner, seen)
        seen.append(made)
    return made


SOURCES = (
    "k = {a}\npayload = lambda x: x * {a} + k\n",
    "import json, os.path\ndef payload(x, y={a}):\n    return json.dumps([x, y, os.path.sep, {s!r}])\n",
    "def outer(a):\n    b = a + {a}\n    def inner(x):\n        return x + a + b\n    return inner\npayload = outer({a})\n",
    "class C(object):\n    field = {s!r}\n    def __init__(self, n):\n        self.n = n\n    def get(self):\n"
    "        return [self.n, {a}]\npayload = C({a})\n",
    "class S:\n    def __getstate__(self):\n        return {{'n': {a}}}\n    def __setstate__(self, state):\n"
    "        self.__dict__.update(state)\npayload = [S(), S()]\n",
    "def payload(n):\n    try:\n        for i in range(n):\n            yield i * {a}\n    finally:\n        print({s!r})\n",
    "import functools\ndef f(a, b):\n    return a, b\npayload = functools.partial(f, {a}, b={s!r})\n",
    "import enum\nclass E(enum.Enum):\n    A = {a}\n    B = {s!r}\npayload = [E.A, E]\n",
    "async def payload(x):\n    async with x as y:\n        return [z async for z in y if z != {a}]\n",
)


def one():
    """(bytes, load, what)"""
    protocol = R.randrange(pickle.HIGHEST_PROTOCOL + 1)
    kind = R.random()
    if cloudpickle and kind < 0.4:
        number = R.randrange(len(SOURCES))
        main = common.fresh_main(SOURCES[number].format(a=R.randrange(1, 10**R.randrange(1, 9)), s=text().encode(
            "ascii", "replace").decode()))
        thing = main.payload
        if R.random() < 0.5:
            thing = (thing, (leaf(), value(1, [])), {"key": leaf()})
        version = cloudpickle.__version__
        sys.modules["__main__"] = main
        made = cloudpickle.dumps(thing, protocol=R.choice((None, None, protocol)))
        sys.modules["__main__"] = MAIN
        return made, "-", "cloudpickle %s, source %d" % (version, number)
    sys.modules["__main__"] = MAIN
    thing = value(R.randrange(1, 6), [])
    sink = io.BytesIO()
    if kind < 0.5:
        class Writer(pickle.Pickler):
            def persistent_id(self, thing):
                return "id7" if isinstance(thing, MAIN.External) else None
        Writer(sink, protocol).dump([MAIN.External(), thing])
        return sink.getvalue(), "persid", "persistent id and data"
    if kind < 0.55 and protocol == 5:
        buffers = []
        pickle.Pickler(sink, 5, buffer_callback=buffers.append).dump(
            [thing] + [pickle.PickleBuffer(bytes(n)) for n in range(R.randrange(1, 4))])
        return sink.getvalue(), "buffers=%d" % len(buffers), "out-of-band buffers and data"
    if kind < 0.65:
        pickle._Pickler(sink, protocol).dump(thing)
        return sink.getvalue(), "-", "data, pure Python pickler"
    made = pickle.dumps(thing, protocol)
    if kind < 0.72:
        return pickletools.optimize(made), "-", "data, optimized"
    return made, "-", "data"


def main():
    with open(os.path.join(OUT, "made.tsv"), "w") as listing:
        listing.write("#file\tprotocol\tload\twhat\n")
        made = tries = 0
        while made < COUNT and tries < 20 * COUNT + 100:
            tries += 1
            try:
                data, load, what = one()
            except (pickle.PicklingError, TypeError, RecursionError, UnicodeError, ValueError, AttributeError):
                continue  # not everything can be pickled at every protocol
            name = "%04d.pkl" % made
            with open(os.path.join(OUT, name), "wb") as sink:
                sink.write(data)
            listing.write("%s\t%d\t%s\t%s\n" % (name, common.protocol_of(data), load, what))
            made += 1
    print("%d payloads, seed %d, %s%s" % (made, SEED, common.producer(),
                                          ", cloudpickle " + cloudpickle.__version__ if cloudpickle else ""))
    return 0 if made == COUNT else 1


if __name__ == "__main__":
    sys.exit(main())
