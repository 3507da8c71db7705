#!/usr/bin/env python3
"""Record what real unpicklers look up in every payload of the corpus, without importing or calling any of it.

    record_lookups.py [FOLDER]     writes tests/data/corpus_lookups.tsv (payloads/) and corpus_more_lookups.tsv (more/),
                                   or the same two names in FOLDER

Each payload is read by the C unpickler of the CPython that wrote it; by 3.11 when the writer was older than 3.8 or
not CPython (or is not installed here). find_class and persistent_load are overridden: every name and every
persistent id answers with the same inert type object, so the only code that runs is the unpickler's own.

find_class is called before the Python 2 names are replaced, so that is done here, by the tables of the interpreter
that reads and in the order of the C code: while the last PROTO is below 3, first (module, name), else the module.
Standard library only; needs CPython 3.8 or later. See tests/data/README.md for the columns.
"""
import base64
import gzip
import io
import json
import os
import pickle
import subprocess
import sys
import tempfile
import zlib

COLUMNS = ("file", "offset", "size", "interpreter", "reader", "encoding", "persid", "buffers", "extensions", "ok",
           "exception", "lookups", "persistent_ids", "buffers_used")


# ---- the inert object ---------------------------------------------------------------------------------------------
class InertMeta(type):
    def __call__(cls, *args, **kwargs):
        return Inert

    def __setitem__(cls, key, value):
        pass


def nothing(*args, **kwargs):
    return None


Inert = InertMeta("Inert", (object,), dict(
    {name: staticmethod(nothing) for name in ("append", "extend", "add", "__setstate__")},
    __new__=staticmethod(lambda *args, **kwargs: Inert)))


class WholeBuffer:
    """A file whose peek() shows everything that is left: the unpickler then reads as pickle.loads does."""

    def __init__(self, data, position=0):
        self.data, self.position = data, position

    def read(self, size=-1):
        end = len(self.data) if size is None or size < 0 else self.position + size
        out = self.data[self.position:end]
        self.position += len(out)
        return out

    def readline(self):
        end = self.data.find(b"\n", self.position)
        return self.read(len(self.data) if end < 0 else end + 1 - self.position)

    def readinto(self, buffer):
        out = self.read(len(buffer))
        buffer[:len(out)] = out
        return len(out)

    def peek(self, size=0):
        return self.data[self.position:]


# ---- names --------------------------------------------------------------------------------------------------------
def replaced(module, name, protocol):
    import _compat_pickle
    if protocol < 3:
        if (module, name) in _compat_pickle.NAME_MAPPING:
            return _compat_pickle.NAME_MAPPING[(module, name)]
        module = _compat_pickle.IMPORT_MAPPING.get(module, module)
    return module, name


# ---- readers ------------------------------------------------------------------------------------------------------
def outcome(raised, position, offset, lookups, ids, used):
    return {"offset": offset, "size": None if raised else position - offset, "ok": not raised,
            "exception": type(raised).__name__ if raised else None, "lookups": lookups, "persistent_ids": ids[0],
            "buffers_used": used[0]}


def spare_buffers(count, used):
    for _ in range(count):
        used[0] += 1
        yield bytearray(b"abcd")


def keywords(options, used):
    out = {"encoding": options["encoding"]} if options["encoding"] else {}
    if options["buffers"] is not None:
        out["buffers"] = spare_buffers(options["buffers"], used)
    return out


def run(base, data, offset, options):
    """One load with an overridden unpickler class: what was raised, where it ended, what it asked for."""
    import copyreg
    lookups, ids, used, raised = [], [0], [0], None

    class Reader(base):
        def find_class(self, module, name):
            lookups.append((module, name, getattr(self, "proto", None)))
            return Inert

        if options["persid"]:
            def persistent_load(self, pid):
                ids[0] += 1
                return Inert

    copyreg.clear_extension_cache()
    for code, module, name in options["extensions"]:
        copyreg.add_extension(module, name, code)
    source = WholeBuffer(data, offset)
    try:
        Reader(source, **keywords(options, used)).load()
    except Exception as error:
        raised = error
    finally:
        for code, module, name in options["extensions"]:
            copyreg.remove_extension(module, name, code)
    return raised, source.position, lookups, ids, used


def read_plain(data, offset, options):
    """The C unpickler's answers. It does not tell its current protocol, so the pure Python one, which does, reads the
    same bytes beside it; the two must ask for the same names."""
    raised, position, lookups, ids, used = run(pickle.Unpickler, data, offset, options)
    beside = run(pickle._Unpickler, data, offset, options)[2]
    if [one[:2] for one in lookups] != [one[:2] for one in beside[:len(lookups)]]:
        raise SystemExit("the two unpicklers ask for different names")
    mapped = [replaced(module, name, protocol) for module, name, protocol in beside[:len(lookups)]]
    return [outcome(raised, position, offset, mapped, ids, used)]


class Dtype:
    def __init__(self, spec, *rest):
        self.spec = spec

    def __setstate__(self, state):
        pass


class Wrapper:
    """Stands in for joblib's array wrapper: its state says how many raw bytes follow."""


def read_joblib(data, offset, options):
    lookups, ids, used, raised, nested = [], [0], [0], None, []
    source = WholeBuffer(data, offset)

    class Reader(pickle._Unpickler):
        dispatch = dict(pickle._Unpickler.dispatch)
        proto = 0

        def find_class(self, module, name):
            lookups.append(replaced(module, name, self.proto))
            if name == "NumpyArrayWrapper":
                return Wrapper
            return Dtype if (module, name) == ("numpy", "dtype") else Inert

        def load_build(self):
            super().load_build()
            wrapper = self.stack[-1]
            if isinstance(wrapper, Wrapper):
                self.skip_array(wrapper)

        dispatch[pickle.BUILD[0]] = load_build

        def skip_array(self, wrapper):
            spec = wrapper.dtype.spec
            if spec.startswith("O"):
                inner = read_plain(data, source.position, options)[0]
                inner["reader"] = "joblib-array"
                nested.append(inner)
                source.position += inner["size"]
                return
            if getattr(wrapper, "numpy_array_alignment_bytes", None) is not None:
                source.read(source.read(1)[0])
            count = int("".join(c for c in spec if c.isdigit()))
            for length in wrapper.shape:
                count *= length
            if len(source.read(count)) != count:
                raise EOFError("array is cut short")

    try:
        Reader(source, **keywords(options, used)).load()
    except Exception as error:
        raised = error
    return [outcome(raised, source.position, offset, lookups, ids, used)] + nested


def read_case(data, options):
    rows, offset = [], 0
    while offset < len(data):
        rows += (read_joblib if options["reader"] == "joblib" else read_plain)(data, offset, options)
        last = rows[-1] if options["reader"] != "joblib" else rows[0]
        if not last["ok"]:
            break
        offset += last["size"]
    return rows


def worker(path):
    with open(path, encoding="ascii") as source, open(path + ".out", "w", encoding="ascii") as sink:
        for line in source:
            case = json.loads(line)
            rows = read_case(base64.b64decode(case["data"]), case["options"])
            sink.write(json.dumps({"rows": rows}) + "\n")


# ---- the driver ---------------------------------------------------------------------------------------------------
def variants(load):
    """Every way the payload is read: as its MANIFEST line says, and without what that line asks for."""
    asked = dict(part.partition("=")[::2] for part in load.split(";") if part != "-")
    plain = {"reader": "pickle", "encoding": None, "persid": True, "buffers": None, "extensions": []}
    given = dict(plain, extensions=[])
    if "encoding" in asked:
        given["encoding"] = asked["encoding"]
    if "buffers" in asked:
        given["buffers"] = int(asked["buffers"])
    if "ext" in asked:
        for part in asked["ext"].split(","):
            code, _, name = part.partition("=")
            given["extensions"].append([int(code)] + name.split(":"))
    out = [given]
    if given != plain:
        out.append(plain)
    if "persid" in asked:
        out.append(dict(plain, persid=False))
    if "joblib" in asked:
        out.append(dict(given, reader="joblib"))
    return out


def hexname(text):
    return text.encode("utf-8", "surrogatepass").hex()


def table_rows(case, interpreter, rows):
    options = case["options"]
    for row in rows:
        yield (case["file"], row["offset"], "-" if row["size"] is None else row["size"], interpreter,
               row.get("reader", options["reader"]), options["encoding"] or "", int(options["persid"]),
               "" if options["buffers"] is None else options["buffers"],
               ",".join("%d=%s:%s" % tuple(ext) for ext in options["extensions"]), int(row["ok"]),
               row["exception"] or "-",
               ",".join("%s:%s" % (hexname(m), hexname(n)) for m, n in row["lookups"]) or "-",
               row["persistent_ids"], row["buffers_used"])


def run_worker(generate, libraries, python, cases):
    path = os.path.join(libraries.work, "cases-" + python)
    with open(path, "w", encoding="ascii") as sink:
        for case in cases:
            sink.write(json.dumps({"data": case["data"], "options": case["options"]}) + "\n")
    if python in generate.NODE:
        command = ["node", os.path.join(generate.GEN, "node_python.mjs"), generate.NODE[python][0],
                   os.path.abspath(__file__), "--worker", "/host" + path]
        cwd = libraries.node(python)
    else:
        command, cwd = [generate.find(python), os.path.abspath(__file__), "--worker", path], libraries.work
    subprocess.run(command, cwd=cwd, env=generate.environment(()), check=True)
    with open(path + ".out", encoding="ascii") as source:
        return [json.loads(line)["rows"] for line in source]


def reader_for(producer):
    words = producer.split()
    version = ".".join(words[1].split(".")[:2])
    if words[0] != "cpython" or tuple(int(n) for n in version.split(".")) < (3, 8):
        return "3.11"
    return version + "-wasm" if words[-1] == "wasm32" else version


def main(argv):
    sys.dont_write_bytecode = True
    import generate
    here = generate.HERE
    target = argv[1] if len(argv) > 1 else os.path.join(os.path.dirname(here), "tests", "data")
    groups, available, manifest = {}, {}, generate.read_manifest(os.path.join(here, "MANIFEST.tsv"))
    with tempfile.TemporaryDirectory(prefix="corpus-") as work:
        libraries = generate.Libraries(work)
        for name, entry in sorted(manifest.items()):
            with open(os.path.join(here, entry["folder"], name), "rb") as source:
                data = source.read()
            if name.endswith(".gz"):
                data = gzip.decompress(data)
            elif name.endswith(".zz"):
                data = zlib.decompress(data)
            python = reader_for(entry["producer"])
            if python not in available:
                found = libraries.node(python) if python in generate.NODE else generate.find(python)
                available[python] = bool(found)
                if not found:
                    print("no interpreter %s: its payloads are read by 3.11" % python)
            python = python if available[python] else "3.11"
            for options in variants(entry["load"]):
                groups.setdefault(python, []).append(
                    {"file": name, "options": options, "data": base64.b64encode(data).decode()})
        rows = []
        for python, cases in groups.items():
            for case, found in zip(cases, run_worker(generate, libraries, python, cases)):
                rows += table_rows(case, "cpython-" + python, found)
    order = {"pickle": 0, "joblib": 1, "joblib-array": 2}
    rows.sort(key=lambda row: (row[0], order[row[4]], row[5] == "", -row[6], str(row[7]) == "", row[8] == "", row[1]))
    for folder, name in (("payloads", "corpus_lookups.tsv"), ("more", "corpus_more_lookups.tsv")):
        here = [row for row in rows if manifest[row[0]]["folder"] == folder]
        with open(os.path.join(target, name), "w", encoding="utf-8", newline="\n") as sink:
            sink.write("#" + "\t".join(COLUMNS) + "\n")
            for row in here:
                sink.write("\t".join(str(cell) for cell in row) + "\n")
        print("%s: %d rows for %d payloads, %d of them ok" % (name, len(here), len({row[0] for row in here}),
                                                            sum(row[9] for row in here)))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--worker":
        worker(sys.argv[2])
    else:
        main(sys.argv)
