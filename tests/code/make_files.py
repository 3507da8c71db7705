#!/usr/bin/env python
"""Write .pyc files, marshal streams and pickles of marshal.loads(...) as this interpreter makes them.

    PYTHON make_files.py DIR

VERSION.pyc, VERSION.marshal, VERSION-loads-pN.pkl; from 3.7 on VERSION-hash.pyc; with cloudpickle
VERSION-package.pkl, a function of module pkg.sub.mod by value. The same bytes every time.
"""
import marshal
import os
import pickle
import py_compile
import sys
import tempfile
import types

OUT = os.path.abspath(sys.argv[1])
NAME = ("pypy" if hasattr(sys, "pypy_version_info") else "cp") + "%d%d" % sys.version_info[:2]
SOURCE = """\
import os
from . import sibling
from ..up import a as b, c


def f(x, y=1):
    import json
    from .deep import q, r
    for i in x:
        if i in (1, 2, ("a", b"\\x00z")):
            print(i, u"\\x1b[0m\\u202e")
    return lambda z: z + y
"""


class Loads(object):
    def __init__(self, data):
        self.data = data

    def __reduce__(self):
        return marshal.loads, (self.data,)


def write(name, data):
    with open(os.path.join(OUT, NAME + name), "wb") as out:
        out.write(data)


def main():
    os.chdir(tempfile.mkdtemp())
    with open("job.py", "w") as source:
        source.write(SOURCE)
    os.utime("job.py", (1700000000, 1700000000))
    py_compile.compile("job.py", os.path.join(OUT, NAME + ".pyc"), "job.py", True)
    if sys.version_info >= (3, 7):
        mode = py_compile.PycInvalidationMode.CHECKED_HASH
        py_compile.compile("job.py", os.path.join(OUT, NAME + "-hash.pyc"), "job.py", True,
                           invalidation_mode=mode)
    code = compile(SOURCE, "job.py", "exec", 0, True)
    write(".marshal", marshal.dumps(code))
    for protocol in (0, 2, 4)[:2 if sys.version_info[0] == 2 else 3]:
        write("-loads-p%d.pkl" % protocol, pickle.dumps(Loads(marshal.dumps(code)), protocol))
    try:
        import cloudpickle
    except ImportError:
        return
    for name in ("pkg", "pkg.sub", "pkg.sub.mod"):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__package__ = name.rsplit(".", 1)[0]
    module = sys.modules["pkg.sub.mod"]
    exec(compile(SOURCE[SOURCE.index("def f"):], "job.py", "exec", 0, True), module.__dict__)
    cloudpickle.register_pickle_by_value(module)
    write("-package.pkl", cloudpickle.dumps(module.f))


main()
