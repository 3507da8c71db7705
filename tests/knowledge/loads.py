"""Pickles of libraries, and what happens when other releases load them.

    python3 tests/knowledge/loads.py --folder DIR [--write]

Installs each set below into DIR (pip install --target), writes its pickles, and loads every pickle with every set, each
in its own interpreter of ~/.pyenv/versions. --write: the pickles (one of each content) go to corpus/libraries, what
happened to tests/data/library_loads.tsv. Pickles of random states and versions of dependencies differ from run
to run, so a new run gives new files: commit both or neither."""
import argparse
import hashlib
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
SETS = {"2019": ("3.7.16", "scikit-learn==0.21.3 numpy==1.16.6 pandas==0.25.3 scipy==1.2.3"),
        "2020a": ("3.8.18", "numpy==1.17.5"),
        "2020b": ("3.8.18", "pandas==1.0.3 numpy==1.19.5 scipy==1.7.3 scikit-learn==0.23.2"),
        "2022": ("3.8.18", "pandas==1.3.5 numpy==1.23.5 scipy==1.10.1 scikit-learn==0.24.2"),
        "2023a": ("3.11.7", "scikit-learn==1.2.2 numpy==1.23.5 pandas==1.5.3 scipy==1.10.1"),
        "2023b": ("3.11.7", "numpy==1.24.4"),
        "2024": ("3.11.7", "scikit-learn==1.3.2 numpy==1.26.4 pandas==2.1.0 scipy==1.12.0"),
        "2025": ("3.11.7", "scikit-learn==1.5.2 numpy==2.1.3 pandas==2.2.3 scipy==1.17.1")}


def python(version):
    return os.path.expanduser("~/.pyenv/versions/%s/bin/python" % version)


def run(name, folder, script, argument):
    env = dict(os.environ, PYTHONPATH=os.path.join(folder, name), PYTHONHASHSEED="0")
    command = [python(SETS[name][0]), os.path.join(HERE, script), argument]
    return subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def installed(folder, name):
    found = [re.match(r"(.+?)-([0-9][^-]*)\.dist-info$", d) for d in os.listdir(os.path.join(folder, name))]
    return " ".join(sorted("%s==%s" % (m.group(1).lower().replace("_", "-"), m.group(2)) for m in found if m))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", required=True)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    pickles = os.path.join(args.folder, "pickles")
    for name, (version, wanted) in SETS.items():
        place = os.path.join(args.folder, name)
        if not os.path.isdir(place):
            subprocess.run([python(version), "-m", "pip", "install", "-q", "--only-binary=:all:", "--target", place] + wanted.split(),
                           check=True)
        os.makedirs(os.path.join(pickles, name), exist_ok=True)
        run(name, args.folder, "write_pickles.py", os.path.join(pickles, name))
    first, rows = {}, set()
    for writer in SETS:
        for file in sorted(os.listdir(os.path.join(pickles, writer))):
            data = open(os.path.join(pickles, writer, file), "rb").read()
            kept = first.setdefault(hashlib.sha256(data).hexdigest(), "%s_%s" % (writer, file))
            if args.write and kept == "%s_%s" % (writer, file):
                open(os.path.join(ROOT, "corpus", "libraries", kept), "wb").write(data)
    names = {(w, f): first[hashlib.sha256(open(os.path.join(pickles, w, f), "rb").read()).hexdigest()]
             for w in SETS for f in os.listdir(os.path.join(pickles, w))}
    for reader, (version, _) in SETS.items():
        target = "cpython-%s %s bare" % (version.rsplit(".", 1)[0], installed(args.folder, reader))
        for writer in SETS:
            for line in run(reader, args.folder, "load_pickles.py", os.path.join(pickles, writer)).splitlines():
                file, outcome, detail = line.split("\t")
                rows.add((names[writer, file], target, outcome, detail))
    head = ("#payload\ttarget\toutcome\tdetail\n# What happened when each file of corpus/libraries was loaded with the libraries of the"
            " others:\n# ok; unusable: it loaded, and failed at its first use; fails. Made by tests/knowledge/loads.py.\n")
    text = head + "".join("\t".join(row).rstrip() + "\n" for row in sorted(rows))
    if args.write:
        open(os.path.join(ROOT, "tests", "data", "library_loads.tsv"), "w").write(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
