"""Functions, classes and modules by value, written by whatever cloudpickle is importable here."""
import os
import pickle
import sys
from common import PREFIX, PY2, PYPY, attempt, finish, job, put, wanted
import cloudpickle

VERSION = cloudpickle.__version__
KEY = tuple(int(n) for n in VERSION.split(".")[:2])
TOP = pickle.HIGHEST_PROTOCOL
ANY = [
    ("lambda_task", "task: lambda with a captured global, arguments"),
    ("imports", "function with globals, modules and an import inside"),
    ("closure", "closure over two cells"),
    ("nested", "recursive function with nested function, generator expression and lambda"),
    ("class_methods", "class with base class, property, static and class method"),
    ("setstate", "instance of a class by value whose __setstate__ the load calls"),
    ("namedtuple", "instances of a namedtuple by value"),
    ("generator", "generator function with try and finally"),
    ("partial", "functools.partial of a function by value"),
    ("guarded", "function with a guarded import and a with block"),
    ("exception", "instance of an exception class by value"),
]
PY3 = [
    ("enum_value", "enum by value and its member"),
    ("coroutine", "coroutine function with async for"),
    ("hooks", "dict keyed by instances of a class by value: metaclass, __hash__, __eq__, __set_name__, __init_subclass__"),
    ("dynamic_module", "module that exists only here, and a function of it"),
    ("views", "dict views, module and type by reference"),
]
CASES = ANY + (PY3 if not PY2 else [])
if sys.version_info >= (3, 7):
    CASES.append(("dataclass", "instance of a dataclass by value"))
    if KEY >= (1, 4):
        CASES.append(("generic", "parametrised generic class by value"))
if sys.version_info >= (3, 10):
    CASES.append(("match_statement", "function with a match statement"))


def make(name, what, protocol=None):
    main = job(name)
    data = cloudpickle.dumps(main.payload, protocol=protocol)
    tail = "" if protocol is None else "_p%d" % protocol
    put("cloudpickle_%s_%s%s" % (VERSION, name, tail), data, what, library="cloudpickle " + VERSION, case=name)


def module_value():
    helpers = job("helpers", "helpers", "helpers.py")
    cloudpickle.register_pickle_by_value(helpers)
    try:
        make("module_value", "function and class of a module registered to go by value")
    finally:
        cloudpickle.unregister_pickle_by_value(helpers)


for name, what in CASES:
    if wanted(name):
        attempt(name, make, name, what)
if hasattr(cloudpickle, "register_pickle_by_value") and wanted("module_value"):
    attempt("module_value", module_value)
if wanted("protocols") and PREFIX in ("py27", "cp37", "cp310", "cp311", "cp313"):
    for protocol in (0, 2, 3, 4):
        if protocol < TOP:
            for name in ("closure", "setstate"):
                attempt(name, make, name, dict(CASES)[name] + ", protocol %d" % protocol, protocol)
finish()
