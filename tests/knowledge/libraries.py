"""Which releases of a library have a module or name: writes, or checks, src/match/history.def.

    python3 tests/knowledge/libraries.py --folder DIR [--only DISTRIBUTION] [--write | --check]

Reads names.tsv. For every distribution the first release of each minor version is fetched (pip download, wheels
where there are some) into DIR and looked into without being installed: a module is a file in it; a name is what the
file binds at its top level, by ast, or a text in an extension module. Where two neighbours differ, the
last release before is looked at too. --check compares with what is written; needs the network; no part of
`make check`."""
import argparse
import ast
import io
import os
import re
import subprocess
import sys
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "..", "..", "src", "match", "history.def")
PYTHONS = ["311", "38", "37", "36", "312", "39", "35", "27"]
PLATFORMS = ["manylinux1_x86_64", "manylinux2010_x86_64", "manylinux2014_x86_64", "manylinux_2_17_x86_64",
             "manylinux_2_24_x86_64", "manylinux_2_27_x86_64", "manylinux_2_28_x86_64", "any"]
# Releases that are not looked at: older ones have no wheels, or nobody has reported a pickle of theirs.
OLDEST = {"numpy": "1.13", "pandas": "0.19", "scipy": "1.0", "scikit-learn": "0.18", "pillow": "8.0", "gensim": "3.0",
          "langchain": "0.0.200", "joblib": "0.9", "regex": "2019.1"}


def key(version):
    return [int(part) for part in version.split(".")]


def releases(distribution):
    found = set()
    for python in ("3.12", "3.10", "3.8", "3.7", "3.6"):  # each sees only those that say they take it
        command = [sys.executable, "-m", "pip", "index", "versions", distribution, "--only-binary=:all:", "--python-version", python]
        line = re.search(r"Available versions: (.*)", subprocess.run(command, capture_output=True, text=True).stdout)
        found.update(line.group(1).split(", ") if line else [])
    return sorted((v for v in found if re.fullmatch(r"[0-9.]+", v) and key(v) >= key(OLDEST.get(distribution, "0"))), key=key)


def fetch(folder, distribution, version):
    place = os.path.join(folder, "%s-%s" % (distribution, version))
    base = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--disable-pip-version-check", "-d", place]
    want = "%s==%s" % (distribution, version)
    if os.path.isdir(place) and os.listdir(place):
        return os.path.join(place, os.listdir(place)[0])
    for python in PYTHONS:
        command = base + ["--only-binary=:all:", "--implementation", "cp", "--python-version", python]
        for platform in PLATFORMS:
            command += ["--platform", platform]
        if subprocess.run(command + [want], capture_output=True).returncode == 0:
            return os.path.join(place, os.listdir(place)[0])
    if subprocess.run(base + ["--no-binary=:all:", "--no-build-isolation", want], capture_output=True).returncode == 0:
        return os.path.join(place, os.listdir(place)[0])
    return None


class Release:
    def __init__(self, path):
        self.path = path
        if path.endswith((".whl", ".zip")):
            self.zip = zipfile.ZipFile(path)
            self.names = self.zip.namelist()
            self.read = self.zip.read
        else:
            self.tar = tarfile.open(path)
            self.names = [re.sub(r"^[^/]+/(src/)?", "", name) for name in self.tar.getnames()]
            real = dict(zip(self.names, self.tar.getnames()))
            self.read = lambda name: self.tar.extractfile(real[name]).read()
        self.files = set(self.names)
        self.parsed = {}

    def file_of(self, module):
        stem = module.replace(".", "/")
        for name in (stem + ".py", stem + "/__init__.py"):
            if name in self.files:
                return name
        for name in self.names:
            if name.startswith(stem + ".") and name.endswith((".so", ".pyx")):
                return name
        return None

    def has(self, module, name):
        """True, False, or None: a module __getattr__ or a star import may answer."""
        file = self.file_of(module)
        if file is None or name == "-":
            return file is not None
        data = self.read(file)
        if not file.endswith(".py"):
            return True if name.encode() in data else None  # its names may be kept in another form
        if file not in self.parsed:
            self.parsed[file] = bound(data)
        names, loose = self.parsed[file]
        return True if name in names else None if loose else False


def bound(source):
    names, loose = set(), b"globals()" in source
    try:
        tree = ast.parse(source)
    except SyntaxError:  # Python 2
        return set(re.findall(r"(?m)^(?:class|def|from .* import)?\s*(\w+)", source.decode("latin-1"))), True
    work = list(tree.body)
    while work:
        node = work.pop()
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            names.add(node.name)
            loose = loose or node.name == "__getattr__"
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                names.add((alias.asname or alias.name).split(".")[0])
                loose = loose or alias.name == "*"
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                names.update(n.id for n in ast.walk(target) if isinstance(n, ast.Name))
        elif isinstance(node, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
            work += [n for field in ("body", "orelse", "finalbody") for n in getattr(node, field, [])]
            work += [n for handler in getattr(node, "handlers", []) for n in handler.body]
    return names, loose


def spans(chosen, every, look, fetched):
    """[(state, first version, first version that differs)], "" for no bound. The release at which it changes is looked
    for by halving between two that differ."""
    states = [look(version) for version in chosen]
    out = [[states[0], "", ""]]
    for i in range(1, len(chosen)):
        if states[i] == states[i - 1]:
            continue
        edge = chosen[i]
        inside = [v for v in every if key(chosen[i - 1]) < key(v) < key(edge) and fetched(v)]
        while inside:
            middle = inside[len(inside) // 2]
            if look(middle) == states[i]:
                edge, inside = middle, inside[:len(inside) // 2]
            else:
                inside = inside[len(inside) // 2 + 1:]
        out[-1][2] = edge
        out.append([states[i], edge, ""])
    return out


def rows(folder, only):
    wanted = {}
    for line in open(os.path.join(HERE, "names.tsv")):
        if line.strip() and not line.startswith("#"):
            distribution, module, name, _, star = (line.rstrip("\n") + "\t").split("\t")[:5]
            if only in (None, distribution):
                wanted.setdefault(distribution, []).append((module, name, star))
    for distribution, names in sorted(wanted.items()):
        every = releases(distribution)
        first = {}
        for version in every:
            minor = 1 if key(version)[0] > 2000 else 3 if key(version)[:2] == [0, 0] else 2  # of the year, 0.0.z, x.y
            first.setdefault(tuple(key(version)[:minor]), version)
        if distribution == "langchain":
            first = {tuple(key(v)): v for v in every if key(v)[:2] == [0, 0] and key(v)[2] % 8 == 0} | first
        chosen = sorted(first.values(), key=key)
        if chosen[-1] != every[-1]:
            chosen.append(every[-1])
        known = {}

        def release(version):
            if version not in known:
                path = fetch(folder, distribution, version)
                print("%s %s: %s" % (distribution, version, path and os.path.basename(path)), file=sys.stderr)
                known[version] = Release(path) if path else None
            return known[version]

        chosen = [version for version in chosen if release(version)]
        for module, name, star in names:
            def look(version):
                there = release(version) and release(version).has(module, name)
                return True if there is None and star and key(version) >= key(star) else there
            found = spans(chosen, every, look, release)
            if found == [[False, "", ""]]:  # somebody has seen it in an older one
                found = [[True, "", chosen[0]]]
            if not any(state for state, _, _ in found):
                print("left out: %s %s %s" % (distribution, module, name), file=sys.stderr)
                continue
            for state, since, before in found:
                if state is not False:
                    yield 'HISTORY("%s", "%s", "%s", "%s", "%s", %s)' % (
                        distribution, module, "" if name == "-" else name, since, before, "YES" if state else "MAYBE")
        yield 'LIBRARY("%s", "%s", "%s")' % (distribution, chosen[0], every[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", required=True)
    parser.add_argument("--only")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    out = io.StringIO()
    for row in sorted(set(rows(args.folder, args.only)), key=lambda row: (row[0] != "L", row)):
        out.write(row + "\n")
    if args.write:
        head = open(TABLE).read().split("*/\n", 1)[0] + "*/\n"
        open(TABLE, "w").write(head + out.getvalue())
    elif args.check:
        old = set(line for line in open(TABLE) if line.startswith(("HISTORY", "LIBRARY")))
        new = set(out.getvalue().splitlines(True))
        if args.only:
            old = {line for line in old if line.split('"')[1] == args.only}
        for line in sorted(old ^ new):
            print("-+"[line in new] + line, end="")
        sys.exit(1 if old != new else 0)
    else:
        print(out.getvalue(), end="")


if __name__ == "__main__":
    main()
