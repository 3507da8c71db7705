"""Plain pickles of CPython 3.6 and later and of PyPy: data, standard library objects, references, the odd corners."""
import array
import collections
import copyreg
import datetime
import decimal
import enum
import fractions
import functools
import gzip
import io
import ipaddress
import itertools
import operator
import os
import pathlib
import pickle
import pickletools
import re
import string
import sys
import time
import types
import typing
import uuid
import zlib
from common import PREFIX, PYPY, attempt, finish, fresh_main, put, wanted

V = sys.version_info[:2]
TOP = pickle.HIGHEST_PROTOCOL
ALL = tuple(range(TOP + 1))

MAIN = fresh_main('''
import enum
import collections


class Color(enum.Enum):
    RED = 1
    GREEN = "g"


class Mode(enum.IntFlag):
    READ = 1
    WRITE = 2


Point = collections.namedtuple("Point", "x y")


class New:
    kind = "class attribute"

    def __init__(self, a=1):
        self.a = a


class Slots:
    __slots__ = ("x", "y")


class State:
    def __init__(self):
        self.seen = [1, 2]

    def __getstate__(self):
        return ("state", self.seen)

    def __setstate__(self, state):
        self.seen = state[1]


class NewArgs:
    def __new__(cls, *args):
        return super().__new__(cls)

    def __getnewargs__(self):
        return (1, "two")


class NewArgsEx:
    def __new__(cls, *args, **kwargs):
        return super().__new__(cls)

    def __getnewargs_ex__(self):
        return (1,), {"key": "value", "n": 2}


class Reduced:
    def __init__(self, *args):
        self.args = args

    def __reduce_ex__(self, protocol):
        return (Reduced, (1, 2), {"state": protocol}, iter([10, 20]), iter([("k", "v")]))

    def append(self, item):
        pass

    def __setitem__(self, key, item):
        pass


class Bag(dict):
    pass


class Stack(list):
    pass


class Number(int):
    pass


class Text(str):
    pass


class Outer:
    class Inner:
        class Deep:
            pass

    @staticmethod
    def helper():
        pass


class Failure(Exception):
    def __init__(self, code, why):
        super().__init__(code, why)
        self.extra = [code]


class Table:
    pass


def work(x, y=2):
    return x + y
''')

UTC = datetime.timezone.utc


def basics():
    return {
        "none": None, "true": True, "false": False,
        "ints": [0, 1, -1, 255, 256, 65535, 65536, -65536, 2**31 - 1, -2**31, 2**31, 2**63, -2**63 - 1, 10**30],
        "floats": [0.0, -0.0, 1.5, -2.25e-7, 1e300, float("inf"), float("-inf"), float("nan")],
        "str": ["", "ascii", "caf\u00e9", "\u20ac", "\U0001f600", "nul\0", "line\nbreak"],
        "bytes": [b"", b"abc", bytes(range(256))], "tuples": [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4)],
        "nested": [[], [[1, [2, [3]]]], {}, {"k": {"k": {}}}], 3: "int key", (1, 2): "tuple key", None: "none key",
    }


def ints():
    return [n + d for n in (0, 2**7, 2**8, 2**15, 2**16, 2**31, 2**32, 2**62, 2**63, 2**64) for d in (-1, 0, 1)] + [
        -n for n in (2**7, 2**8, 2**15, 2**31, 2**63, 2**64)] + [2**2031 - 1, -2**2032, 1 << 2040, 10**700]


def strings():
    return ["", "plain", "it's", 'say "hi"', "tab\tnl\ncr\rnul\0", "back\\slash \\u0041", "\x7f\x80\x85\xa0\xff",
            "\u0100\u2028\uffff", "\U00010000\U0010ffff", "\ud800", "\udfff tail", "\ud83d\ude00", "\x1a", "x" * 255,
            "y" * 256, "\u00e9" * 200]


def byte_strings():
    return [b"", b"a", b"nul\0", b"\\", b"'\"", bytes(range(256)), b"z" * 255, b"z" * 256]


def byte_arrays():
    return [bytearray(), bytearray(b"abc"), bytearray(range(200))]


def containers():
    return [(), (1,), (1, 2, 3, 4), [[]] * 3, [[[[[["deep"]]]]]], {"a": {"b": {"c": {}}}},
            {i: str(i) for i in range(40)}, list(range(1001)), dict.fromkeys("abc"), [{}, [], ()]]


def shared():
    inner = {"n": [1]}
    word = "shared text"
    names = ["key%d" % i for i in range(300)]
    return [inner, inner, inner["n"], (word, word), [word, word], names, dict.fromkeys(names, word), (names, names)]


def recursive(protocol):
    items = [1]
    items.append(items)
    table = {"items": items}
    table["self"] = table
    holder = MAIN.New()
    holder.me = holder
    pair = ([],)
    pair[0].append(pair)
    triple = (1, [], 3, 4)
    triple[1].append(triple)
    member = MAIN.New()
    member.group = {member}
    stack = MAIN.Stack()
    stack.append(stack)
    more = [member, stack] if protocol >= 2 else []  # below 2 the pickler itself cannot do these
    return [items, table, holder, pair, triple] + more


def sets():
    return [set(), {1, 2, 3}, frozenset(), frozenset("a"), {frozenset([1]), frozenset([2])}, [frozenset("b")] * 2]


def dates():
    zone = datetime.timezone(datetime.timedelta(hours=5, minutes=30), "IST")
    return [datetime.date(2024, 2, 29), datetime.time(1, 2, 3, 4), datetime.time(1, fold=1, tzinfo=UTC),
            datetime.datetime(2024, 2, 29, 12, 30, 15, 123456), datetime.datetime(1999, 12, 31, tzinfo=UTC),
            datetime.datetime(2024, 10, 27, 2, 30, fold=1, tzinfo=zone), datetime.timedelta(days=-1, seconds=5), UTC]


def numbers():
    return [decimal.Decimal("1.10"), decimal.Decimal("-Infinity"), decimal.Decimal("NaN123"), decimal.Context(prec=7),
            fractions.Fraction(3, 4), fractions.Fraction(-10**30, 7), 1 + 2j, complex("nan"), MAIN.Number(7)]


def paths():
    return [pathlib.PurePosixPath("a/b.txt"), pathlib.PosixPath("/srv/data"), pathlib.PureWindowsPath("C:/x"),
            pathlib.PosixPath("."), uuid.UUID(int=2**127 + 5), uuid.UUID("12345678123456781234567812345678")]


def collection_types():
    ordered = collections.OrderedDict([("b", 1), ("a", 2)])
    ordered.note = "attribute"
    return [collections.OrderedDict([("b", 1), ("a", 2)]), ordered, MAIN.Point(1, y=2), collections.deque([1, 2, 3]),
            collections.deque([1], 2), collections.defaultdict(list, a=[1]), collections.defaultdict(None),
            collections.Counter("abca"), collections.ChainMap({"a": 1}, {"b": 2}), collections.UserDict(a=1),
            types.SimpleNamespace(a=1), MAIN.Bag(a=1), MAIN.Stack([1, 2]), MAIN.Text("t")]


def enums():
    return [MAIN.Color.RED, MAIN.Color.GREEN, MAIN.Mode.READ | MAIN.Mode.WRITE, MAIN.Color, re.I,
            __import__("socket").AF_INET, __import__("http").HTTPStatus.OK, [MAIN.Color.RED] * 2]


def references():
    return [len, int, object, Exception, operator.add, datetime.date, collections.OrderedDict, os.path.join, MAIN.work,
            MAIN.New, MAIN.Point, functools.partial(int, base=2), functools.partial(print, "x", sep="-"),
            operator.itemgetter(1, 2), operator.attrgetter("a.b"), operator.methodcaller("m", 1, k=2), type(None),
            type(...), type(NotImplemented), ..., NotImplemented, [].append, "abc".upper, itertools.chain]


def nested_names():
    return [MAIN.Outer.Inner, MAIN.Outer.Inner.Deep, MAIN.Outer.Inner(), MAIN.Outer.helper, str.join, dict.fromkeys,
            int.from_bytes, datetime.datetime.fromtimestamp, collections.OrderedDict.fromkeys]


def errors():
    caused = ValueError("bad", 3)
    caused.note = "attribute"
    return [caused, KeyError("k"), OSError(2, "no such file", "data.txt"), FileNotFoundError(2, "gone"),
            UnicodeDecodeError("ascii", b"\xff", 0, 1, "ordinal"), StopIteration(5), SystemExit(3),
            ImportError("no module", name="m", path="p"), MAIN.Failure(4, "why"), KeyboardInterrupt()]


def odd_objects():
    made = [re.compile("a+b", re.I | re.X), re.compile(rb"\d"), range(3), range(0, -10, -2), slice(1, None, 2), 3j,
            array.array("i", [1, -2, 3]), array.array("d", [0.5]), iter([1, 2]), iter((1, 2)), iter("ab"),
            enumerate(["a"]), zip([1], "a"), map(str, [1]), reversed([1, 2]), io.BytesIO(b"content"),
            io.StringIO("text"), ipaddress.ip_network("10.0.0.0/8"), string.Template("$x"),
            time.struct_time((2024, 1, 2, 3, 4, 5, 1, 2, 0)), typing.Any]
    if V >= (3, 7):
        made += [typing.Optional[int], typing.Dict[str, int]]
    if V >= (3, 9):
        made += [list[int], dict[str, list[int]]]
    if V >= (3, 10):
        made += [int | None]
    return made


def instances(protocol):
    slots = MAIN.Slots()
    slots.x, slots.y = 1, [2]
    made = [MAIN.New(), MAIN.New("x"), MAIN.State(), MAIN.Failure(1, "w")]
    return made + [slots] if protocol >= 2 else made


def new_args():
    return [MAIN.NewArgs(), MAIN.NewArgsEx(), MAIN.NewArgsEx()]


def reduced():
    return [MAIN.Reduced(), MAIN.Reduced()]


def orders():
    day = datetime.date(2024, 3, 1)
    return [{"id": 1001 + n, "customer": who, "placed": datetime.datetime(2024, 3, 1 + n, 9, 30, tzinfo=UTC),
             "due": day + datetime.timedelta(days=7 * n), "total": decimal.Decimal(total), "paid": n % 2 == 0,
             "lines": [{"sku": "A-%03d" % n, "count": n + 1, "price": decimal.Decimal("4.25")}], "tags": ("web", n)}
            for n, (who, total) in enumerate([("Ada", "12.75"), ("Blaise", "99.00"), ("Grace", "7.10")])]


def pathlib_local():
    return {"model": pathlib.PosixPath("models/v1.bin"), "data": [pathlib.PurePosixPath("train.csv")]}


def at(**plan):
    """cp36="02" -> on CPython 3.6 protocols 0 and 2; 'cp3x' is every CPython 3, 'h' the highest protocol."""
    digits = plan.get(PREFIX, plan.get("cp3x", "") if PREFIX.startswith("cp3") else "")
    return tuple(TOP if d == "h" else int(d) for d in digits if d == "h" or int(d) <= TOP)


CASES = [
    ("basics", "None, bools, ints, floats, str, bytes, tuples, lists, dicts", basics, ALL),
    ("ints", "integers around every size limit, huge ones", ints,
     at(cp36="0", cp37="2", cp39="1", cp311="4", cp312="03", pypy39="04")),
    ("strings", "str: escapes, astral, lone surrogates, 255 and 256 characters", strings,
     at(cp36="04", cp38="0", cp310="1", cp311="0", cp312="2", cp313="5", pypy39="0", cp314="05")),
    ("bytes", "bytes", byte_strings, at(cp36="0", cp37="2", cp38="3", cp310="1", cp313="05", pypy39="2")),
    ("bytearray", "bytearray", byte_arrays, at(cp37="4", cp38="5", cp310="0", cp311="2", cp313="5", pypy39="5")),
    ("containers", "nested lists and dicts, more than 1000 items (two batches)", containers,
     at(cp36="0", cp38="2", cp312="1", cp313="5", pypy39="45")),
    ("shared", "shared references, more than 256 memo entries", shared,
     at(cp36="1", cp37="0", cp39="4", cp311="2", cp313="05", pypy39="4")),
    ("recursive", "list, dict, objects, tuples and a set that hold themselves", recursive,
     at(cp36="2", cp37="4", cp39="0", cp311="5", cp313="3", pypy39="4")),
    ("sets", "set and frozenset", sets, at(cp36="2", cp37="4", cp310="0", cp312="4", cp313="35", pypy39="4")),
    ("dates", "datetime objects, zones, fold", dates,
     at(cp36="2", cp37="4", cp38="3", cp311="0", cp312="5", cp313="14", pypy39="4")),
    ("numbers", "Decimal, Context, Fraction, complex, int subclass", numbers,
     at(cp36="0", cp38="2", cp310="4", cp312="5", cp313="3", pypy39="4")),
    ("paths", "pathlib and UUID", paths, at(cp36="2", cp39="4", cp310="0", cp312="5", cp313="25", cp314="05")),
    ("collections", "collections, SimpleNamespace, subclasses of dict, list, str", collection_types,
     at(cp36="2", cp37="4", cp39="0", cp310="5", cp312="3", cp313="5", pypy39="4")),
    ("enums", "enum members and flags by reference", enums,
     at(cp36="4", cp37="2", cp38="5", cp310="4", cp311="45", cp312="24", cp313="5", pypy39="4")),
    ("references", "functions, classes, singletons, partials, bound methods by reference", references,
     at(cp3x="h", cp36="024", cp39="025", cp313="0125", pypy39="4")),
    ("nested_names", "dotted names: nested classes, methods of classes", nested_names,
     at(cp36="4", cp37="2", cp39="0", cp311="5", cp313="35", pypy39="4")),
    ("errors", "exceptions", errors, at(cp36="2", cp37="4", cp39="0", cp311="5", cp313="1", pypy39="4")),
    ("odd", "patterns, ranges, iterators, arrays, typing, io objects", odd_objects,
     at(cp36="2", cp37="4", cp39="5", cp310="3", cp312="4", cp313="5", pypy39="4")),
    ("instances", "instances of classes of __main__, __slots__, __setstate__", instances,
     at(cp36="03", cp37="1", cp38="4", cp310="2", cp313="5", pypy39="4")),
    ("newargs", "__getnewargs__ and __getnewargs_ex__ (NEWOBJ_EX)", new_args,
     at(cp36="24", cp38="5", cp311="34", cp313="5", pypy39="4")),
    ("reduced", "__reduce_ex__ with state, list items and dict items", reduced,
     at(cp36="0", cp38="4", cp312="2", cp313="5", pypy39="3")),
    ("orders", "records with dates and Decimals", orders, at(cp37="4", cp312="5", cp310="2")),
    ("pathlib_local", "paths; 3.13 names the module pathlib._local", pathlib_local, at(cp312="5", cp313="5", cp314="5")),
]


def make(name, what, build, protocols):
    for protocol in protocols:
        value = build(protocol) if build in (recursive, instances) else build()
        put("%s_p%d" % (name, protocol), pickle.dumps(value, protocol), what, case=name)


# ---- payloads that need more than one call ------------------------------------------------------------------------
def python_pickler():
    """The pure Python pickler frames and memoises a little differently."""
    sink = io.BytesIO()
    pickle._Pickler(sink, TOP).dump(basics())
    put("pypickler_p%d" % TOP, sink.getvalue(), "basics, written by the pure Python pickler", case="python_pickler")


def frames():
    text = "a" * 65530
    if PREFIX in ("cp37", "cp313"):
        put("frame_edge_p4", pickle.dumps([text[:n] for n in (65500, 10, 11)] + [b"tail"], 4),
            "str up to the frame limit of 64 KiB, then more", case="frames")
    if PREFIX == "cp311":
        put("frame_large_p5", pickle.dumps([1, "b" * 65536, b"c" * 65537, "end"], 5),
            "str and bytes of 64 KiB and more, written outside frames", case="frames")
    if PREFIX == "cp39":
        put("frame_many_p4", pickle.dumps(["%04d" % i * 1250 for i in range(30)], 4), "several frames", case="frames")


def persistent():
    class Writer(pickle.Pickler):
        def persistent_id(self, thing):
            return (("table", thing.n) if protocol else "row %d" % thing.n) if isinstance(thing, MAIN.Table) else None

    rows = [MAIN.Table() for _ in range(3)]
    for n, row in enumerate(rows):
        row.n = n
    for protocol in at(cp36="02", cp39="4", cp311="0", cp313="15", pypy39="4"):
        sink = io.BytesIO()
        Writer(sink, protocol).dump({"rows": rows, "first": rows[0]})
        put("persid_p%d" % protocol, sink.getvalue(), "persistent ids", load="persid", case="persistent")


def out_of_band():
    if TOP < 5:
        return
    buffers = []
    data = [pickle.PickleBuffer(b"read only" * 3), pickle.PickleBuffer(bytearray(b"writable")), "in band"]
    put("buffers_p5", pickle.dumps(data, 5, buffer_callback=buffers.append), "out-of-band buffers, %d of them" %
        len(buffers), load="buffers=%d" % len(buffers), case="out_of_band")
    put("buffers_inband_p5", pickle.dumps(data, 5), "the same kept in band", case="out_of_band")
    some = []
    put("buffers_mixed_p5", pickle.dumps(data, 5, buffer_callback=lambda b: some.append(b) or len(some) == 1),
        "one buffer out of band, one in band", load="buffers=1", case="out_of_band")


def extensions():
    codes = [("datetime", "timedelta", 0xF0), ("collections", "OrderedDict", 0x1234), ("fractions", "Fraction", 0x12345678),
             ("__main__", "work", 0xF1)]
    for module, name, code in codes:
        copyreg.add_extension(module, name, code)
    try:
        value = [datetime.timedelta(1), collections.OrderedDict(a=1), fractions.Fraction(1, 2), MAIN.work,
                 datetime.timedelta, datetime.timedelta(2)]
        known = ",".join("%d=%s:%s" % (code, module, name) for module, name, code in codes)
        for protocol in at(cp36="2", cp39="4", cp311="3", cp313="25"):
            put("ext_p%d" % protocol, pickle.dumps(value, protocol), "extension codes: EXT1, EXT2, EXT4",
                load="ext=" + known, case="extensions")
    finally:
        for module, name, code in codes:
            copyreg.remove_extension(module, name, code)


def several():
    sink = io.BytesIO()
    things = [basics(), [MAIN.New(), MAIN.New()], "end"]
    protocols = [0, 2, TOP]
    for protocol, thing in zip(protocols, things):
        pickle.dump(thing, sink, protocol)
    put("several", sink.getvalue(), "three pickles in a row, protocols 0, 2, %d" % TOP,
        protocol="0+2+%d" % TOP, case="several")
    sink = io.BytesIO()
    writer = pickle.Pickler(sink, 2)
    word = ["kept"]
    writer.dump(word)
    writer.dump([word, word])
    put("several_one_memo_p2", sink.getvalue(),
        "two pickles of one Pickler: the second refers to the memo of the first and does not load alone",
        protocol="2+2", load="memo", case="several")


def optimized():
    for protocol in at(cp36="2", cp38="5", cp310="0", cp312="4", cp313="1", pypy39="4"):
        put("optimized_p%d" % protocol, pickletools.optimize(pickle.dumps([basics(), instances(protocol), shared()], protocol)),
            "passed through pickletools.optimize", case="optimized")


def dispatch():
    class Writer(pickle.Pickler):
        dispatch_table = dict(copyreg.dispatch_table)

    Writer.dispatch_table[MAIN.Table] = lambda thing: (MAIN.New, ("instead",), {"a": 2})
    sink = io.BytesIO()
    Writer(sink, 4).dump([MAIN.Table(), complex(1, 2)])
    put("dispatch_p4", sink.getvalue(), "reduced by a dispatch table", case="dispatch")
    if V >= (3, 8):
        class Override(pickle.Pickler):
            def reducer_override(self, thing):
                if isinstance(thing, MAIN.Table):
                    return (MAIN.New, (), {"a": 1}, None, None, operator.setitem)
                return NotImplemented
        sink = io.BytesIO()
        Override(sink, 5).dump(MAIN.Table())
        put("state_setter_p5", sink.getvalue(), "reducer_override, and a state setter that is called", case="dispatch")


def old_names():
    """fix_imports writes the Python 2 names below protocol 3."""
    value = [map, zip, range, filter, input, chr, str, int, functools.reduce, __import__("queue").Queue,
             __import__("http.client").client.HTTPConnection, __import__("urllib.request").request.Request,
             __import__("configparser").RawConfigParser, __import__("socketserver").TCPServer, pickle.loads,
             collections.UserDict, itertools.zip_longest, OSError, __import__("subprocess").getoutput]
    for protocol in at(cp36="02", cp310="2", cp313="12", pypy39="0"):
        put("old_names_p%d" % protocol, pickle.dumps(value, protocol), "names written under their Python 2 spelling",
            case="old_names")
    if PREFIX == "cp311":
        put("old_names_nofix_p2", pickle.dumps(value, 2, fix_imports=False),
            "Python 3 names in protocol 2 (fix_imports=False)", case="old_names")


def compressed():
    data = pickle.dumps(orders(), TOP)
    sink = io.BytesIO()
    with gzip.GzipFile("", "wb", fileobj=sink, mtime=0) as stream:
        stream.write(data)
    put("orders_p%d.pkl.gz" % TOP, sink.getvalue(), "records with dates and Decimals, gzip", load="gzip",
        protocol=TOP, case="compressed")
    put("orders_p%d.pkl.zz" % TOP, zlib.compress(data), "records with dates and Decimals, zlib", load="zlib",
        protocol=TOP, case="compressed")


def zones():
    import zoneinfo
    put("zoneinfo_p%d" % TOP, pickle.dumps([zoneinfo.ZoneInfo("UTC"), datetime.datetime(
        2024, 1, 1, tzinfo=zoneinfo.ZoneInfo("UTC"))], TOP), "zoneinfo", case="zones")


def by_value():
    """PyPy pickles code objects, cells, modules and bound built-in methods of its own accord."""
    made = fresh_main("def outer(n):\n    def add(x, y=1):\n        return x + y + n\n    return add\nadd = outer(3)\n",
                      module="job")
    sys.modules.pop("job")
    for protocol in (2, 4):
        put("code_p%d" % protocol, pickle.dumps(made.outer.__code__, protocol), "code object by value: PyPy's own pickling",
            case="by_value")
    fresh = types.ModuleType("made_here")
    fresh.answer = 42
    put("module_cell_method_p4", pickle.dumps([fresh, made.add.__closure__[0], [].append], 4),
        "module by value, cell, bound built-in method: PyPy's own pickling", case="by_value")


for name, what, build, protocols in CASES:
    if wanted(name) and protocols:
        attempt(name, make, name, what, build, protocols)
EXTRA = {
    "python_pickler": at(cp36="4", cp311="5", cp313="5"), "frames": at(cp37="4", cp39="4", cp311="5", cp313="4"),
    "persistent": True, "out_of_band": at(cp38="5", cp311="5", cp313="5", pypy39="5", cp314="5"), "extensions": True,
    "several": at(cp36="4", cp311="5", cp313="5"), "optimized": True, "dispatch": at(cp37="4", cp39="5", cp313="5"),
    "old_names": True, "compressed": at(cp36="4", cp312="5", cp313="5"), "zones": at(cp39="5", cp313="5"),
    "by_value": PYPY,
}
for name, here in EXTRA.items():
    if wanted(name) and here:
        attempt(name, globals()[name])
finish()
