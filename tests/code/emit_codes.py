#!/usr/bin/env python
"""Write code objects as this interpreter sees them, for eval_codes.c and eval_marshal.c.

    PYTHON emit_codes.py [OPTION...] OUT FILE|DIR...          (FILE.list: one path a line)

    --limit N     stop after so many code objects
    --every N     take every N-th source
    --cd DIR      go there first
    --marshal     write marshal streams instead (below)
    --formats A,B only these marshal formats; "new" is the newest
    --dis TEXT    also write what the interpreter's own dis says, as eval_list.c prints it (3.4 or later)

Compiles each source with the interpreter that runs this and takes the code objects apart as
cloudpickle does, nested ones first. Sources that do not compile are skipped. Standard library only;
CPython 2.7 and 3.4 or later, PyPy.

The file: "PKSC1\\n", a line with the version ("cpython-3.11"), then records.

    record   u32 size of the rest, i32 module, i32 parent (-1: none; position in this file), values
    value    N None | T/F bool | i i64 | f | s u32 text | y u32 bytes | t u32 values... |
             z u32 values... | c i32 position of the record of a code object | o

--marshal: "PKSM1\\n" and the version line, then for each source in each marshal format, and for each
.pyc file given:

    u8 m or p, u32 size, the marshal stream or the file, u32 size, records (module -1, positions from 0)
"""
from __future__ import print_function

import dis
import io
import marshal
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


def resolved(i):
    """What an instruction's argument means, in the words of eval_list.c."""
    op = i.opcode
    if i.arg is None:
        return ""
    if op in dis.hasjrel or op in dis.hasjabs:
        return " to %d" % i.argval if i.opname != "END_ASYNC_FOR" else ""
    if op in dis.hasconst:
        return " const"
    if op in dis.hascompare or i.opname == "BINARY_OP":
        return " " + (i.argval if op in dis.hascompare else i.argrepr)
    if isinstance(i.argval, tuple) and op in dis.haslocal:
        return " " + " ".join(i.argval)
    if op in dis.hasname or op in dis.haslocal or op in dis.hasfree:
        return " " + i.argval
    return ""


def listing(co):
    for i in dis.get_instructions(co):
        if i.opname != "EXTENDED_ARG":
            yield "%d %s %d%s\n" % (i.offset, i.opname, i.arg or 0, resolved(i))


class Writer(object):
    def __init__(self, out, text=None):
        self.out = out
        self.text = text
        self.count = 0

    def value(self, v, place, to):
        if v is None:
            to.append(b"N")
        elif v is True or v is False:
            to.append(b"T" if v else b"F")
        elif isinstance(v, INTEGERS):
            to.append(b"i" + struct.pack("<q", max(min(v, 2**63 - 1), -2**63)))
        elif isinstance(v, float):
            to.append(b"f")
        elif isinstance(v, BYTES):
            to.append(b"y" + struct.pack("<I", len(v)) + v)
        elif isinstance(v, TEXT):
            data = v.encode("utf-8") if PY2 else v.encode("utf-8", "surrogatepass")
            to.append(b"s" + struct.pack("<I", len(data)) + data)
        elif isinstance(v, (tuple, frozenset)):
            to.append((b"t" if isinstance(v, tuple) else b"z") + struct.pack("<I", len(v)))
            items = []
            for item in v:
                parts = []
                self.value(item, place, parts)
                items.append(b"".join(parts))
            to += items if isinstance(v, tuple) else sorted(items)  # a set has no order of its own
        elif isinstance(v, CODE):
            to.append(b"c" + struct.pack("<i", place[id(v)]))
        else:
            to.append(b"o")

    def code(self, co, module):
        """Writes co after what is nested in it."""
        place, parent, order = {}, {}, []
        todo = [(co, False)]
        while todo:
            here, done = todo.pop()
            nested = [c for c in here.co_consts if isinstance(c, CODE)]
            if done:
                if id(here) not in place:
                    place[id(here)] = self.count + len(order)
                    order.append(here)
                for c in nested:
                    parent[id(c)] = here
            elif id(here) not in place:
                todo.append((here, True))
                todo += [(c, False) for c in reversed(nested)]
        for here in order:
            parts = []
            for v in fields(here):
                self.value(v, place, parts)
            up = place[id(parent[id(here)])] if id(here) in parent else -1
            body = struct.pack("<ii", module, up) + b"".join(parts)
            self.out.write(struct.pack("<I", len(body)) + body)
            if self.text:
                for line in listing(here):
                    self.text.write(line.encode("utf-8", "surrogatepass"))
        self.count += len(order)


def marshal_entry(out, kind, data, co):
    records = io.BytesIO()
    Writer(records).code(co, -1)
    records = records.getvalue()
    out.write(kind + struct.pack("<I", len(data)) + data + struct.pack("<I", len(records)) + records)


def marshal_entries(out, path, formats):
    """How many code streams were written for this source or .pyc."""
    with io.open(path, "rb") as f:
        data = f.read()
    if path.endswith((".pyc", ".pyo")):
        header = 8 if PY2 else 16 if VERSION >= (3, 7) else 12
        marshal_entry(out, b"p", data, marshal.loads(data[header:]))
        return 1
    co = compile(data, path, "exec", 0, True)
    for version in formats or range(marshal.version + 1):
        try:
            stream = marshal.dumps(co, version)
            marshal_entry(out, b"m", stream, marshal.loads(stream))
        except ValueError:  # slices and the like need the newest format
            continue
    return 1


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


ERRORS = (SyntaxError, ValueError, TypeError, OverflowError, MemoryError, RuntimeError, IOError, EOFError)


def main():
    args = sys.argv[1:]
    limit, every, streams, text, formats = 1 << 60, 1, False, None, None
    while args[0].startswith("--"):
        if args[0] == "--marshal":
            streams = True
            del args[:1]
            continue
        if args[0] == "--dis":
            text = io.open(args[1], "wb")
        elif args[0] == "--cd":
            os.chdir(args[1])
        elif args[0] == "--formats":
            formats = [marshal.version if f == "new" else int(f) for f in args[1].split(",")]
        elif args[0] == "--limit":
            limit = int(args[1])
        elif args[0] == "--every":
            every = int(args[1])
        else:
            raise SystemExit("emit_codes.py: no option " + args[0])
        del args[:2]
    skipped = count = 0
    with io.open(args[0], "wb") as out:
        out.write((("PKSM1" if streams else "PKSC1") + "\n%s-%d.%d\n"
                   % (("pypy" if PYPY else "cpython",) + VERSION)).encode())
        writer = Writer(out, text)
        for module, path in enumerate(sources(args[1:])):
            if module % every:
                continue
            if max(writer.count, count) >= limit:
                break
            try:
                if streams:
                    count += marshal_entries(out, path, formats)
                else:
                    with io.open(path, "rb") as f:
                        source = f.read()
                    writer.code(compile(source, path, "exec", 0, True), module)
            except ERRORS:
                skipped += 1
    if text:
        text.close()
    print("%s: %d %s, %d sources skipped" % (args[0], count or writer.count,
                                             "streams" if streams else "code objects", skipped))


if __name__ == "__main__":
    import warnings
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(10000)
    main()
