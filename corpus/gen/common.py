"""What every payload script needs: where to write, what to note down, a neutral __main__.

A script is run as   PYTHON SCRIPT.py OUT [CASE...]   and writes payload files into OUT, and one JSON line about each
to OUT/made.jsonl.  Runs on CPython 2.7, 3.6 and later, and PyPy.
"""
from __future__ import print_function
import io
import json
import os
import platform
import sys
import types
import uuid

# Relative folders on purpose: old libraries write the file names of their own functions into payloads.
sys.path[1:1] = [p for p in os.environ.get("CORPUS_LIBRARIES", "").split(":") if p]
PY2 = sys.version_info[0] == 2
PYPY = platform.python_implementation() == "PyPy"
XY = "%d.%d" % sys.version_info[:2]
PREFIX = ("pypy" if PYPY else "py" if PY2 else "cp") + "%d%d" % sys.version_info[:2]
EXE = "pypy3" if PYPY else "python" + XY
OUT = sys.argv[1]
ONLY = set(sys.argv[2:])
HERE = os.path.dirname(os.path.abspath(sys.argv[0]))
SCRIPT = os.path.basename(sys.argv[0])
FAILED = []

# A random id in a payload would make it different in every run.
_counter = [0]


def _uuid4():
    _counter[0] += 1
    return uuid.UUID(int=0x10002000400080000000000000000000 + _counter[0])


uuid.uuid4 = _uuid4


def producer():
    if PYPY:
        return "pypy %d.%d.%d (python %s)" % (tuple(sys.pypy_version_info[:3]) + (platform.python_version(),))
    wasm = " wasm32" if sys.platform == "emscripten" else ""
    return "cpython %s%s" % (platform.python_version(), wasm)


def protocol_of(data):
    head = bytearray(data[:2])
    return head[1] if len(head) == 2 and head[0] == 0x80 else 0


def needs_encoding(data):
    """Python 2 only: does a byte string that is not ASCII travel in it?"""
    import pickletools
    try:
        for opcode, argument, _ in pickletools.genops(data):
            if "STRING" in opcode.name and isinstance(argument, bytes) and any(ord(c) > 127 for c in argument):
                return True
    except ValueError:
        pass  # raw array bytes
    return False


def put(name, data, what, library="-", load="-", protocol=None, case=None):
    """name: without prefix. load: what a reader has to know, as 'key=value' joined by ';'."""
    name = "%s_%s" % (PREFIX, name)
    if not name.endswith((".pkl", ".gz", ".zz")):
        name += ".pkl"
    if PY2 and needs_encoding(data):
        load = "encoding=latin1" if load == "-" else load + ";encoding=latin1"
    with open(os.path.join(OUT, name), "wb") as sink:
        sink.write(data)
    note = {"file": name, "what": what, "library": library, "load": load, "producer": producer(),
            "protocol": protocol_of(data) if protocol is None else protocol,
            "command": " ".join([EXE, "gen/" + SCRIPT, "OUT"] + ([case] if case else []))}
    with open(os.path.join(OUT, "made.jsonl"), "a") as sink:
        sink.write(json.dumps(note, sort_keys=True) + "\n")


def wanted(case):
    return not ONLY or case in ONLY


def attempt(case, function, *args):
    """Run one case; a case that this interpreter or library cannot make is named, not fatal."""
    try:
        function(*args)
    except Exception as error:
        FAILED.append(case)
        print("skipped %s %s: %s: %s" % (PREFIX, case, type(error).__name__, str(error)[:160]))


# ---- the standard library's own file names ----
# namedtuple and dataclass give classes functions whose code names the file of the standard library. Where that is,
# differs between machines; the payloads say /usr/lib/pythonX.Y everywhere.
STDLIB = os.path.dirname(os.path.abspath(io.__file__)) + os.sep
USUAL = "/usr/lib/python%s/" % XY


def neutral(code):
    consts = tuple(neutral(c) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    name = code.co_filename
    for ending in (".pyc", ".pyo"):
        name = name.replace(ending, ".py")
    if name.startswith(STDLIB):
        name = USUAL + name[len(STDLIB):]
    if hasattr(code, "replace"):
        return code.replace(co_consts=consts, co_filename=name)
    args = [code.co_argcount] + ([] if PY2 else [code.co_kwonlyargcount])
    args += [code.co_nlocals, code.co_stacksize, code.co_flags, code.co_code, consts, code.co_names, code.co_varnames,
             name, code.co_name, code.co_firstlineno, code.co_lnotab, code.co_freevars, code.co_cellvars]
    return types.CodeType(*args)


def neutral_stdlib():
    __import__("importlib" if PY2 else "importlib.util")
    loaded = []
    for name in ("collections.abc", "inspect", "collections", "contextlib", "dataclasses", "enum",
                 "functools", "reprlib", "types", "typing"):
        try:
            loaded.append(__import__(name) if "." not in name else None)
        except ImportError:
            continue
    for module in [m for m in loaded if m is not None]:
        name = module.__name__
        for key in ("__file__", "__cached__", "__path__"):
            value = getattr(module, key, None)
            if isinstance(value, str) and value.startswith(STDLIB):
                setattr(module, key, USUAL + value[len(STDLIB):].replace(".pyc", ".py" if PY2 else ".pyc"))
            elif value and isinstance(value, list):
                setattr(module, key, [USUAL + path[len(STDLIB):] for path in value])
        for thing in list(vars(module).values()):
            for found in [thing] + (list(vars(thing).values()) if isinstance(thing, type) else []):
                found = getattr(found, "__func__", found)
                found = getattr(found, "fget", None) or found
                if isinstance(found, types.FunctionType) and found.__module__ == name:
                    found.__code__ = neutral(found.__code__)


if not PYPY:
    neutral_stdlib()

_kept = []


def fresh_main(source, name="job.py", module="__main__"):
    """Run source as if it were the script that was started: __main__, from a file called job.py."""
    made = types.ModuleType(module)
    made.__file__ = name
    made.__builtins__ = sys.modules["builtins" if not PY2 else "__builtin__"]
    _kept.append(sys.modules.get(module))
    sys.modules[module] = made
    code = compile(source, name, "exec", 0, True)
    exec(code, made.__dict__)
    return made


def job(name, module="__main__", filename="job.py"):
    with io.open(os.path.join(HERE, "jobs", name + ".py"), encoding="utf-8") as source:
        text = source.read()
    return fresh_main(text if not PY2 else text.encode("utf-8"), filename, module)


def finish():
    sys.stdout.flush()
