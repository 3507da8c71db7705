#!/usr/bin/env python
"""Write the constructor arguments of every code object of some sources, for eval_codes.c.

    PYTHON emit_codes.py [--limit N] [--every N] OUT FILE|DIR...     (FILE.list: one path a line)

Compiles each source with the interpreter that runs this and takes the code objects apart as
cloudpickle does, nested ones first. Sources that do not compile are skipped. Standard library only;
CPython 2.7 and 3.4 or later, PyPy.

The file: "PKSC1\\n", a line with the version ("cpython-3.11"), then records.

    record   u32 size of the rest, i32 module, i32 parent (-1: none; position in this file), values
    value    N None | T/F bool | i i64 | f | s u32 text | y u32 bytes | t u32 values... |
             z u32 values... | c i32 position of the record of a code object | o
"""
from __future__ import print_function

import io
import os
import struct
import sys

VERSION = sys.version_info[:2]
PYPY = hasattr(sys, "pypy_version_info")
PY2 = VERSION[0] == 2
CODE = type((lambda: 0).__code__)
try:
    INTEGERS = (int, long)
    TEXT, BYTES = unicode, str
except NameError:
    INTEGERS = (int,)
    TEXT, BYTES = str, bytes


def fields(co):
    if PY2:
        return [co.co_argcount, co.co_nlocals, co.co_stacksize, co.co_flags, co.co_code, co.co_consts,
                co.co_names, co.co_varnames, co.co_filename, co.co_name, co.co_firstlineno,
                co.co_lnotab, co.co_freevars, co.co_cellvars]
    out = [co.co_argcount]
    if VERSION >= (3, 8):
        out.append(co.co_posonlyargcount)
    out += [co.co_kwonlyargcount, co.co_nlocals, co.co_stacksize, co.co_flags, co.co_code,
            co.co_consts, co.co_names, co.co_varnames, co.co_filename, co.co_name]
    if VERSION >= (3, 11):
        out.append(co.co_qualname)
    out.append(co.co_firstlineno)
    if VERSION >= (3, 10) and not PYPY:
        out.append(co.co_linetable)
    else:
        out.append(co.co_lnotab)
    if VERSION >= (3, 11):
        out.append(co.co_exceptiontable)
    return out + [co.co_freevars, co.co_cellvars]


class Writer(object):
    def __init__(self, out):
        self.out = out
        self.count = 0

    def value(self, v, nested, to):
        if v is None:
            to.append(b"N")
        elif v is True or v is False:
            to.append(b"T" if v else b"F")
        elif isinstance(v, INTEGERS):
            to.append(b"i" + struct.pack("<q", max(min(v, 2**63 - 1), -2**63)))
        elif isinstance(v, float):
            to.append(b"f")
        elif isinstance(v, BYTES) and not (PY2 and nested is None):
            to.append(b"y" + struct.pack("<I", len(v)) + v)
        elif isinstance(v, (TEXT, BYTES)):
            data = v if isinstance(v, BYTES) else v.encode("utf-8", "replace" if PY2 else "surrogatepass")
            to.append(b"s" + struct.pack("<I", len(data)) + data)
        elif isinstance(v, (tuple, frozenset)):
            to.append((b"t" if isinstance(v, tuple) else b"z") + struct.pack("<I", len(v)))
            for item in v:
                self.value(item, nested, to)
        elif isinstance(v, CODE):
            to.append(b"c" + struct.pack("<i", nested.get(id(v), -1)))
        else:
            to.append(b"o")

    def code(self, co, module):
        """Writes co and what is nested in it; its position."""
        todo, order = [co], []
        while todo:  # parents before children, written the other way round
            here = todo.pop()
            order.append(here)
            todo += [c for c in here.co_consts if isinstance(c, CODE)]
        place = {}
        for i, here in enumerate(reversed(order)):
            place[id(here)] = self.count + i
        parent = {}
        for here in order:
            for c in here.co_consts:
                if isinstance(c, CODE):
                    parent[id(c)] = place[id(here)]
        for here in reversed(order):
            parts = []
            values = fields(here)
            names = {6, 7, 8, 9} if PY2 else set()  # Python 2 keeps names as str
            for i, v in enumerate(values):
                if PY2 and (i in names or i in (12, 13)):
                    self.value(v, None, parts)
                else:
                    self.value(v, place, parts)
            body = struct.pack("<ii", module, parent.get(id(here), -1)) + b"".join(parts)
            self.out.write(struct.pack("<I", len(body)) + body)
        self.count += len(order)


def sources(paths):
    for path in paths:
        if path.endswith(".list"):
            with io.open(path, encoding="utf-8") as f:
                for line in f:
                    yield line.rstrip("\n")
        elif os.path.isdir(path):
            for folder, folders, files in os.walk(path):
                folders.sort()
                for name in sorted(files):
                    if name.endswith(".py"):
                        yield os.path.join(folder, name)
        else:
            yield path


def main():
    args = sys.argv[1:]
    limit, every = 1 << 60, 1
    while args[0].startswith("--"):
        if args[0] == "--limit":
            limit = int(args[1])
        else:
            every = int(args[1])
        del args[:2]
    skipped = 0
    with io.open(args[0], "wb") as out:
        out.write(("PKSC1\n%s-%d.%d\n" % (("pypy" if PYPY else "cpython",) + VERSION)).encode())
        writer = Writer(out)
        for module, path in enumerate(sources(args[1:])):
            if module % every:
                continue
            if writer.count >= limit:
                break
            try:
                with io.open(path, "rb") as f:
                    source = f.read()
                code = compile(source, path, "exec", 0, True)
            except (SyntaxError, ValueError, TypeError, OverflowError, MemoryError, RuntimeError, IOError):
                skipped += 1
                continue
            writer.code(code, module)
    print("%s: %d code objects, %d sources skipped" % (args[0], writer.count, skipped))


if __name__ == "__main__":
    import warnings
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(10000)
    main()
