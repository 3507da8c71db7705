#!/usr/bin/env python3
"""What really happens to the payloads of corpus/forms, and what the tool says: prints tests/data/form_loads.tsv.

    python3 tests/truth/form_loads.py --cache build/truth --tool build/picklesight >tests/data/form_loads.tsv

A line is a payload, a target, what is installed beside (dill or cloudpickle of the writer's line), what its load did
there (loads, fails, crashes) and the verdict. Only the load is tried: `loads` may still be a wrong object."""
import argparse
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import environments  # noqa: E402

LOAD = "import pickle, sys; {0} = __import__('{0}'); {0}.loads(open(sys.argv[1], 'rb').read())"


def libraries(name):
    return [one for one in ("dill", "cloudpickle") if one in name] or ["bare"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cache", default="build/truth")
    parser.add_argument("--tool", default="build/picklesight")
    options = parser.parse_args()
    maker, here = environments.Maker(os.path.abspath(options.cache)), environments.interpreters()
    print("# made by tests/truth/form_loads.py: payload of corpus/forms, target, distributions, what its load really did, verdict")
    for path in sorted(glob.glob(os.path.join(HERE, "../../corpus/forms/*.pkl"))):
        name = os.path.basename(path)
        library = libraries(name)[0]
        for key, environment, specs in environments.rows():
            if key not in here or not environment.startswith(library) or key == "sys311":
                continue
            python = maker.make(key, here[key], environment, specs)
            loader = "dill" if library == "dill" else "pickle"
            done = subprocess.run([python, "-c", LOAD.format(loader), path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  cwd="/", check=False, timeout=60)
            real = "loads" if done.returncode == 0 else "fails" if done.returncode > 0 else "crashes"
            target = "pypy-3.9" if key == "pypy39" else "cpython-%s.%s" % (key[2], key[3:])
            given = [one for spec in specs for one in ("--with", spec)]
            said = subprocess.run([options.tool, "check", "--against", target] + given + ["--loader", loader, path], stdout=subprocess.PIPE,
                                  universal_newlines=True, check=False).stdout
            print("\t".join([name, target, " ".join(specs) or "-", real, said.split("\n")[1].split(": ")[1].split(" ")[0]]))


main()
