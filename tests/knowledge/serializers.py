"""The helpers of cloudpickle and dill by release, read from the releases themselves: prints them in the form that
src/match/gen_serializers.py reads, or compares them with src/match/serializers.def.

    python3 tests/knowledge/serializers.py --folder DIR [--check] [--python PYTHON36] >older.json

Every release is fetched by pip (sources of dill want an old Python) and read by ast, not imported. --check: each
name that a release binds must have a row, and each row of a release a name, with the same arguments. No part of
`make check`."""
import argparse
import ast
import glob
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "..", "..", "src", "match", "serializers.def")
OLDER = {"cloudpickle": ["0.1.1", "0.2.1", "0.2.2", "0.3.0", "0.3.1", "0.4.0", "0.4.1", "0.4.2", "0.4.3", "0.4.4"],
         "dill": ["0.2.4", "0.2.5", "0.2.6", "0.2.7.1", "0.2.8.2"]}


def table():
    """library -> versions; (library, module, name) -> {version: {(least, most)}}"""
    versions, rows = {}, {}
    for line in open(TABLE):
        found = re.match(r'SERIALIZER_VERSION\((\w+), (\d+), "([^"]+)"', line)
        if found:
            versions.setdefault(found.group(1).lower(), {})[int(found.group(2))] = found.group(3)
        found = re.match(r'SERIALIZER_NAME\((\w+), "(\w*)", "(\w+)", (0x[0-9a-f]+)(?:ull)?, \w+, \w+, (\d+), (\d+)', line)
        if found:
            library, module, name, mask = found.group(1).lower(), found.group(2), found.group(3), int(found.group(4), 16)
            for index, version in versions[library].items():
                if mask >> index & 1:
                    rows.setdefault((library, module, name), {}).setdefault(version, set()).add((int(found.group(5)), int(found.group(6))))
    return {library: list(v.values()) for library, v in versions.items()}, rows


def sources(folder, library, version, python):
    place = os.path.join(folder, "%s-%s" % (library, version))
    if not glob.glob(place + "/*"):
        for options in (["--only-binary=:all:"], []):
            command = [python, "-m", "pip", "download", "-q", "--no-deps", "-d", place] + options
            if subprocess.run(command + ["%s==%s" % (library, version)], capture_output=True).returncode == 0:
                break
    out = {}
    for path in glob.glob(place + "/*"):
        if path.endswith((".whl", ".zip")):
            archive = zipfile.ZipFile(path)
            files = [(name, archive.read(name)) for name in archive.namelist() if name.endswith(".py")]
        else:
            archive = tarfile.open(path)
            files = [(m.name, archive.extractfile(m).read()) for m in archive.getmembers() if m.name.endswith(".py")]
        for name, data in files:
            found = re.search(r"(?:^|/)%s/(\w+)\.py$" % library, name)
            if found:
                out["" if found.group(1) == "__init__" else found.group(1)] = data
    return out


def signature(args):
    names = [a.arg for a in args.args]
    least = len(names) - len(args.defaults)
    parts = names[:least] + [name + "=" for name in names[least:]]
    return "(%s)" % ", ".join(parts + (["*" + args.vararg.arg] if args.vararg else []) + (["**" + args.kwarg.arg] if args.kwarg else []))


def functions(source):
    found, work = {}, list(ast.parse(source).body)
    while work:
        node = work.pop(0)
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, set()).add(signature(node.args))
        for field in ("body", "orelse", "finalbody") if isinstance(node, (ast.If, ast.Try)) else ():
            work += getattr(node, field, [])
        for handler in getattr(node, "handlers", []):
            work += handler.body
    return found


def arguments(text):
    names = [name.strip() for name in text[1:-1].split(",") if name.strip()]
    plain = [name for name in names if not name.startswith("*")]
    return sum(not name.endswith("=") for name in plain), 254 if len(plain) < len(names) else len(plain)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    known, rows = table()
    wrong = 0
    out = {}
    for library in OLDER:
        names = {name for lib, _, name in rows if lib == library}
        defined = out.setdefault(library, {"defined": {}, "versions": OLDER[library]})["defined"]
        for version in sorted(set(OLDER[library]) | set(known[library] if args.check else [])):
            modules = sources(args.folder, library, version, args.python)
            if not modules:
                print("%s %s: not to be had" % (library, version), file=sys.stderr)
                continue
            for module, source in modules.items():
                try:
                    found = functions(source)
                except SyntaxError as error:
                    print("%s %s %s: %s" % (library, version, module, error), file=sys.stderr)
                    continue
                for name in sorted(names & set(found)):
                    defined.setdefault("%s.%s:%s" % (library, module, name), {})[version] = [[s, ""] for s in sorted(found[name])]
                    have = rows.get((library, module, name), {}).get(version)
                    if args.check and version in known[library] and not (have and have & {arguments(s) for s in found[name]}):
                        print("%s %s %s.%s: %s, table %s" % (library, version, module, name, sorted(found[name]), have))
                        wrong += 1
    if not args.check:
        json.dump(out, sys.stdout, indent=1, sort_keys=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
