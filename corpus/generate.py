#!/usr/bin/env python3
"""Make the payloads of this corpus again with real interpreters, or random ones for other tests.

    generate.py                     rebuild payloads/, more/ and MANIFEST.tsv; what cannot be made here keeps its old file
    generate.py --check             rebuild in a temporary folder and compare with MANIFEST.tsv
    generate.py --only GLOB         only the runs whose name matches, such as 'cp311*' or '*cloudpickle-3.1.2*'
    generate.py --seed N --out DIR --count K [--python EXE] [--cloudpickle VERSION]
                                    write K random payloads (the same ones for the same seed and interpreter)

Interpreters are looked for under $HOME/.pyenv/versions and on PATH; those that are missing are named. Libraries are
installed into a temporary folder only. Needs CPython 3.8 or later itself.
"""
import argparse
import fnmatch
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv

HERE = os.path.dirname(os.path.abspath(__file__))
GEN = os.path.join(HERE, "gen")
COLUMNS = ("file", "sha256", "bytes", "producer", "library", "protocol", "load", "what", "command", "folder")
CPYTHONS = ("2.7", "3.6", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13")
NODE = {"3.14-wasm": ("pyodide-314", "pyodide-314@npm:pyodide@314.0.7")}

CLOUDPICKLE = {
    "0.5.3": ("2.7", "3.6"), "0.8.1": ("3.7",), "1.1.1": ("3.6", "3.8"), "1.3.0": ("2.7", "3.8"),
    "1.6.0": ("3.7", "3.9"), "2.0.0": ("3.6", "3.10"), "2.2.1": ("3.7", "3.8", "3.11"), "3.0.0": ("3.9", "3.12"),
    "3.1.2": ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "pypy-3.9", "3.14-wasm"),
}
DILL = {"0.2.9": ("2.7", "3.6"), "0.3.4": ("3.7", "3.9"), "0.3.6": ("3.8", "3.10", "3.11"), "0.4.0": ("3.12",),
        "0.4.1": ("3.13",)}
NUMPY = {"2.7": "1.16.6", "3.6": "1.19.5", "3.8": "1.24.4", "3.12": "1.26.4", "3.13": "2.1.3"}
JOBLIB = {"2.7": "0.11", "3.6": "0.17.0", "3.8": "1.1.0", "3.12": "1.3.2", "3.13": "1.5.3"}


def runs():
    """(name, interpreter, script, libraries)"""
    yield "py27-plain", "2.7", "plain2.py", ()
    for python in CPYTHONS[1:] + ("pypy-3.9", "3.14-wasm"):
        yield "%s-plain" % short(python), python, "plain3.py", ()
    for script, table in (("cloud.py", CLOUDPICKLE), ("dilled.py", DILL)):
        library = {"cloud.py": "cloudpickle", "dilled.py": "dill"}[script]
        for version, pythons in table.items():
            for python in pythons:
                yield "%s-%s-%s" % (short(python), library, version), python, script, ("%s==%s" % (library, version),)
    for python, version in NUMPY.items():
        yield "%s-numpy-%s" % (short(python), version), python, "arrays.py", ("numpy==" + version,)
        yield "%s-joblib-%s" % (short(python), JOBLIB[python]), python, "joblibbed.py", (
            "joblib==" + JOBLIB[python], "numpy==" + version)


def short(python):
    kind = "pypy" if python.startswith("pypy") else "py" if python.startswith("2") else "cp"
    return kind + python.replace("pypy-", "").replace("-wasm", "").replace(".", "")


# ---- interpreters and libraries -----------------------------------------------------------------------------------
def answers(exe, implementation, version):
    code = "import sys,platform;print('%s %d.%d' % ((platform.python_implementation().lower(),)+sys.version_info[:2]))"
    try:
        out = subprocess.run([exe, "-S", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return out.stdout.decode().strip() == "%s %s" % (implementation, version)


def find(python):
    """Path of an interpreter, or None."""
    if python.startswith("pypy-"):
        names, pattern, implementation, version = ("pypy" + python[5:], "pypy3"), "pypy%s*" % python[5:], "pypy", python[5:]
    else:
        names, pattern, implementation, version = ("python" + python, "python"), python + ".*", "cpython", python
    versions = os.path.join(os.environ.get("HOME", ""), ".pyenv", "versions")
    found = sorted(glob.glob(os.path.join(versions, pattern, "bin", "python")), reverse=True)
    for exe in found + [shutil.which(name) for name in names]:
        if exe and answers(exe, implementation, version):
            return exe
    return None


class Libraries:
    """Installs a library for a Python once, into a folder of its own."""

    def __init__(self, work):
        self.work = work
        self.pip = None

    def get(self, spec, python):
        binary = spec.startswith("numpy")
        folder = os.path.join(self.work, "lib", spec + ("-" + python if binary else ""))
        if os.path.isdir(folder):
            return folder
        if self.pip is None:
            venv.create(os.path.join(self.work, "venv"), with_pip=True)
            self.pip = os.path.join(self.work, "venv", "bin", "python")
        command = [self.pip, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--no-compile",
                   "--ignore-requires-python", "--target", folder, spec]
        if binary:
            command += ["--only-binary=:all:", "--implementation", "cp", "--python-version", python]
            command.remove("--ignore-requires-python")
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return folder

    def node(self, python):
        """Folder with the wasm build, or None."""
        package, spec = NODE[python]
        folder = os.path.join(self.work, "node")
        if not os.path.isdir(os.path.join(folder, "node_modules", package)):
            if not shutil.which("node") or not shutil.which("npm"):
                return None
            os.makedirs(folder, exist_ok=True)
            if subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", spec], cwd=folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
                return None
        return folder


def environment(paths):
    keep = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "LD_LIBRARY_PATH")}
    keep.update(PYTHONHASHSEED="0", PYTHONDONTWRITEBYTECODE="1", PYTHONPATH=os.pathsep.join(paths), TZ="UTC",
                LC_ALL="C.UTF-8", OMP_NUM_THREADS="1")
    return keep


def run_one(name, python, script, specs, libraries, cases=()):
    """Run one script; returns the folder with its payloads, or a reason why not."""
    out = os.path.join(libraries.work, "out", name)
    os.makedirs(out)
    try:
        paths = [libraries.get(spec, python) for spec in specs]
    except subprocess.CalledProcessError:
        return None, "could not install " + ", ".join(specs)
    script = os.path.join(GEN, script)
    if python in NODE:
        folder = libraries.node(python)
        if folder is None:
            return None, "no %s under node" % python
        env = environment(())
        env["NODE_PYTHONPATH"] = ":".join("/host" + p for p in paths)
        command = ["node", os.path.join(GEN, "node_python.mjs"), NODE[python][0], script, "/host" + out]
        cwd = folder
    else:
        exe = find(python)
        if exe is None:
            return None, "no interpreter %s" % python
        env, cwd = environment(()), out
        links = ["site-packages" + str(n or "") for n in range(len(paths))]
        for link, folder in zip(links, paths):  # a relative folder: some libraries pickle functions of their own
            os.symlink(folder, os.path.join(out, link))
        env["CORPUS_LIBRARIES"] = ":".join(links)
        command = [exe, "-W", "ignore", script, out]
    done = subprocess.run(command + list(cases), cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode("utf-8", "replace").strip()
    if text:
        print("\n".join("  " + line for line in text.splitlines()[-12:]))
    if done.returncode:
        return None, "%s ended with %d" % (os.path.basename(script), done.returncode)
    return out, None


# ---- manifest -----------------------------------------------------------------------------------------------------
def read_manifest(path):
    rows = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as source:
            for line in source:
                if line.strip() and not line.startswith("#"):
                    row = dict(zip(COLUMNS, line.rstrip("\n").split("\t")))
                    rows[row["file"]] = row
    return rows


def write_manifest(path, rows):
    with open(path, "w", encoding="utf-8", newline="\n") as sink:
        sink.write("#" + "\t".join(COLUMNS) + "\n")
        for name in sorted(rows):
            sink.write("\t".join(str(rows[name][column]) for column in COLUMNS) + "\n")


def collect(out):
    rows = {}
    listing = os.path.join(out, "made.jsonl")
    if not os.path.exists(listing):
        return rows
    private = [os.environ.get("HOME", ""), tempfile.gettempdir(), HERE, os.uname().nodename]
    with open(listing, encoding="utf-8") as source:
        for line in source:
            row = json.loads(line)
            with open(os.path.join(out, row["file"]), "rb") as payload:
                data = payload.read()
            if any(len(text) > 3 and text.encode() in data for text in private):
                print("  left out %s: it holds a path or name of this machine" % row["file"])
                continue
            row["sha256"], row["bytes"] = hashlib.sha256(data).hexdigest(), len(data)
            rows[row["file"]] = row
    return rows


def place(made, known):
    """Which folder each payload belongs to; what says the same bytes as another one is dropped, unless curated."""
    with open(os.path.join(GEN, "curated.txt"), encoding="utf-8") as source:
        patterns = " ".join(line for line in source if not line.startswith("#")).split()
    for row in made.values():
        stem = row["file"][:row["file"].index(".pkl")]
        row["folder"] = "payloads" if any(fnmatch.fnmatch(stem, p) for p in patterns) else "more"
    seen = {row["sha256"] for row in known.values() if row["file"] not in made}
    kept = {}
    for row in sorted(made.values(), key=lambda row: row["folder"] != "payloads"):  # sorting keeps the order of runs
        if row["folder"] == "payloads" or row["sha256"] not in seen:
            kept[row["file"]] = row
            seen.add(row["sha256"])
    return kept


def store(made, work):
    found = {os.path.basename(path): path for path in glob.glob(os.path.join(work, "out", "*", "*.pkl*"))}
    for file, row in made.items():
        os.makedirs(os.path.join(HERE, row["folder"]), exist_ok=True)
        shutil.copyfile(found[file], os.path.join(HERE, row["folder"], file))


def clean(known):
    for folder in ("payloads", "more"):
        for file in os.listdir(os.path.join(HERE, folder)):
            if file not in known or known[file]["folder"] != folder:
                os.remove(os.path.join(HERE, folder, file))


def rebuild(args):
    manifest = os.path.join(HERE, "MANIFEST.tsv")
    known = read_manifest(manifest)
    made, skipped = {}, []
    with tempfile.TemporaryDirectory(prefix="corpus-") as work:
        libraries = Libraries(work)
        for name, python, script, specs in runs():
            if args.only and not fnmatch.fnmatch(name, args.only):
                continue
            out, reason = run_one(name, python, script, specs, libraries)
            rows = collect(out) if out else {}
            print("%-28s %s" % (name, "%d payloads" % len(rows) if out else "SKIPPED: " + reason), flush=True)
            if not out:
                skipped.append("%s (%s)" % (name, reason))
                continue
            for file, row in rows.items():
                if file in made:
                    sys.exit("two runs make %s" % file)
                made[file] = row
        made = place(made, known)
        differ = [file for file in made if file in known and known[file]["sha256"] != made[file]["sha256"]]
        if not args.check:
            store(made, libraries.work)
            if not args.only and not skipped:
                known = {}
            known.update(made)
            write_manifest(manifest, known)
            clean(known)
    if args.check:
        missing = [file for file in made if file not in known]
        print("%d payloads made, %d as in MANIFEST.tsv, %d different, %d not in it, %d of it not made" % (
            len(made), len(made) - len(differ) - len(missing), len(differ), len(missing), len(set(known) - set(made))))
        for file in sorted(differ):
            print("different: " + file)
    else:
        print("%d payloads made, %d in MANIFEST.tsv, %d bytes" % (
            len(made), len(known), sum(int(row["bytes"]) for row in known.values())))
    for line in skipped:
        print("skipped: " + line)
    return 1 if args.check and differ else 0


def random_payloads(args):
    exe = args.python or sys.executable
    out = os.path.abspath(args.out)
    os.makedirs(out, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="corpus-") as work:
        paths = [Libraries(work).get("cloudpickle==" + args.cloudpickle, "")] if args.cloudpickle else []
        return subprocess.run([exe, "-W", "ignore", os.path.join(GEN, "random_payloads.py"), out, str(args.seed),
                               str(args.count)], env=environment(paths), cwd=out).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", metavar="GLOB")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--out")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--python", metavar="EXE")
    parser.add_argument("--cloudpickle", metavar="VERSION")
    args = parser.parse_args()
    if args.seed is not None or args.out:
        if args.seed is None or not args.out:
            parser.error("--seed and --out go together")
        sys.exit(random_payloads(args))
    sys.exit(rebuild(args))


if __name__ == "__main__":
    main()
