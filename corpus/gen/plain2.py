# -*- coding: utf-8 -*-
"""Plain pickles of CPython 2.7, made by pickle and by cPickle."""
import cPickle
import collections
import ConfigParser
import datetime
import decimal
import fractions
import functools
import operator
import pickle
import Queue
import re
import StringIO
import urllib2
import urlparse
import UserDict
import uuid
from common import attempt, finish, fresh_main, put, wanted

MAIN = fresh_main('''
class Old:
    def __init__(self, a=1):
        self.a = a
        self.b = [a]


class OldArgs:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __getinitargs__(self):
        return (self.a, self.b)


class New(object):
    def __init__(self, a=1):
        self.a = a


class Slots(object):
    __slots__ = ("x", "y")

    def __getstate__(self):
        return (self.x, self.y)

    def __setstate__(self, state):
        self.x, self.y = state


class Bag(dict):
    pass


class Stack(list):
    pass


class Text(unicode):
    pass


def work(x):
    return x + 1
''')


def slots():
    made = MAIN.Slots()
    made.x, made.y = 1, "two"
    return made


def bag():
    made = MAIN.Bag(a=1)
    made.note = u"kept beside the items"
    return [made, MAIN.Stack([1, 2, 3]), MAIN.Text(u"text")]


def recursive():
    items = [1]
    items.append(items)
    table = {"self": None, "items": items}
    table["self"] = table
    holder = MAIN.New()
    holder.me = holder
    pair = ([],)
    pair[0].append(pair)
    return [items, table, holder, pair]


def shared():
    inner = ["shared", {"n": 1}]
    return [inner, inner, (inner, inner)] + [inner] * 3 + [str(i) * 2 for i in range(300)] * 2


CASES = [
    ("scalars", "None, bools, ints, longs, floats", lambda: [
        None, True, False, 0, 1, -1, 255, 256, 65535, 65536, -65536, 2**31 - 1, -2**31, 2**31, 2**63, -2**63 - 1, 7L,
        -7L, 2**100, 1 << 2100, 0.0, -0.5, 1e300, float("inf"), 3.14]),
    ("strings", "str (ASCII) and unicode with escapes", lambda: [
        "", "plain", "it's", 'say "hi"', "tab\tnewline\nnul\0", "back\\slash", u"", u"caf\xe9", u"\u20ac uro",
        u"\U0001f600", u"line\nbreak", u"back\\slash", u"\ud800", "x" * 300]),
    ("nonascii_str", "str with bytes above 127: loading on Python 3 needs an encoding", lambda: {
        "name": "caf\xe9", "raw": "\x00\xff\xfe\x80", "utf8": "\xc3\xa9", "plain": "ok"}),
    ("containers", "tuples, lists, dicts, sets, nested", lambda: [
        (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], [1, [2, [3, []]]], {}, {"a": {"b": {"c": (None,)}}},
        set([1, 2]), frozenset("ab"), range(12), dict.fromkeys(range(5), "v")]),
    ("oldstyle", "instances of old-style classes of __main__ (INST, OBJ)", lambda: [
        MAIN.Old(), MAIN.Old("x"), MAIN.OldArgs(1, "b")]),
    ("newstyle", "instances of new-style classes of __main__", lambda: [MAIN.New(), MAIN.New("x")]),
    ("slots", "instance with __slots__, __getstate__ and __setstate__", slots),
    ("subclasses", "dict, list and unicode subclasses with attributes", bag),
    ("recursive", "list, dict, object and tuple that hold themselves", recursive),
    ("shared", "shared references, more than 256 memo entries", shared),
    ("stdlib", "datetime, decimal, fractions, collections, uuid, regular expression, exception", lambda: [
        datetime.datetime(2015, 5, 17, 12, 30, 15, 7), datetime.date(2015, 5, 17), datetime.timedelta(3, 4, 5),
        decimal.Decimal("1.10"), fractions.Fraction(3, 4), collections.OrderedDict([("a", 1), ("b", 2)]),
        collections.deque([1, 2], 5), collections.defaultdict(list, a=[1]), collections.Counter("aab"),
        uuid.UUID(int=5), re.compile("a+b", re.I), ValueError("bad", 3), IOError(2, "no file"), 1 + 2j,
        xrange(1, 9, 2)]),
    ("moved_names", "references to names that Python 3 moved or renamed", lambda: [
        urllib2.Request, urlparse.urlparse, ConfigParser.RawConfigParser, Queue.Queue, StringIO.StringIO, map, xrange,
        raw_input, reduce, unicode, long, unichr, basestring, UserDict.UserDict, UserDict.IterableUserDict,
        __import__("itertools").izip, __import__("itertools").imap, __import__("cPickle").loads, __import__(
            "commands").getoutput, __import__("httplib").HTTPConnection, __import__("thread").start_new_thread,
        StandardError, KeyError, file, buffer]),
    ("references", "functions and classes by reference, partial, operator objects", lambda: [
        len, operator.add, MAIN.work, MAIN.New, MAIN.Old, functools.partial(int, base=2), datetime.date,
        collections.OrderedDict, type(None).__class__]),
]

PLAN = {  # case -> (module, protocol) pairs
    "default": [("pickle", 0), ("cPickle", 1), ("pickle", 2)],
    "scalars": [(m, p) for m in ("pickle", "cPickle") for p in (0, 1, 2)],
    "strings": [("pickle", 0), ("cPickle", 0), ("pickle", 1), ("cPickle", 2)],
    "nonascii_str": [("pickle", 0), ("cPickle", 1), ("pickle", 2)],
    "oldstyle": [("pickle", 0), ("cPickle", 0), ("pickle", 1), ("cPickle", 2)],
}


def make(name, what, build):
    for module, protocol in PLAN.get(name, PLAN["default"]):
        dumps = {"pickle": pickle, "cPickle": cPickle}[module].dumps
        tag = name if module == "pickle" else "cpickle_" + name
        put("%s_p%d" % (tag, protocol), dumps(build(), protocol), what + " (%s)" % module,
            protocol=protocol, case=name)


def persistent():
    for module, protocol in ((pickle, 0), (cPickle, 0), (pickle, 2)):
        sink = StringIO.StringIO()
        writer = module.Pickler(sink, protocol)
        external = [MAIN.New(), MAIN.New()]
        writer.persistent_id = lambda thing: (
            "row%d" % external.index(thing) if isinstance(thing, MAIN.New) else None)
        writer.dump({"rows": external, "n": 2})
        put("%spersid_p%d" % ("cpickle_" if module is cPickle else "", protocol), sink.getvalue(),
            "persistent ids (%s)" % module.__name__, load="persid", protocol=protocol, case="persistent")


def several():
    sink = StringIO.StringIO()
    for protocol, thing in enumerate(([1, 2], {"a": MAIN.New()}, "end")):
        cPickle.dump(thing, sink, protocol)
    put("several", sink.getvalue(), "three pickles in a row, protocols 0, 1, 2 (cPickle)", protocol="0+1+2",
        case="several")


for name, what, build in CASES:
    if wanted(name):
        attempt(name, make, name, what, build)
for function in (persistent, several):
    if wanted(function.__name__):
        attempt(function.__name__, function)
finish()
