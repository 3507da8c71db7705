"""Which layouts the classes of numpy, pandas, scikit-learn and scipy that are written in Cython take: src/match/checksums.def.

    ENVIRONMENT/bin/python tests/knowledge/checksums.py ask >>ANSWERS      for each environment that has some
    python3 tests/knowledge/checksums.py rows ANSWERS >src/match/checksums.def

A checksum stands in a module's text of the error; __pyx_unpickle_CLASS(object, checksum, None) complains about it, or about
what comes after it."""
import collections
import importlib
import os
import pickle
import re
import sys
import warnings

NUMBERS = re.compile(rb"Incompatible checksums \((?:0x%x|%s) vs \(?((?:0x[0-9a-f]+(?:, )?)+)")
# made anew by each object that has them, or of no use outside one call
LEFT_OUT = ("View.MemoryView", "pandas._libs.index", "pandas._libs.hash", "pandas._libs.reduction", "pandas._libs.prop",
            "pandas._libs.sparse")
HEAD = """/* match/checksums.def - layouts that classes written in Cython take, made by tests/knowledge/checksums.py: what the releases that
 * tests/truth/environments.tsv names say. Those that the newest of them still takes. Columns: rules.def. */"""


def accepts(function, number):
    try:
        function(object, number, None)
    except pickle.PickleError:
        return False
    except BaseException as error:
        return "hecksum" not in str(error)
    return True


def ask_module(distribution, version, name, path):
    with open(path, "rb") as stream:
        data = stream.read()
    if b"__pyx_unpickle_" not in data:
        return
    numbers = set(int(one, 16) for match in NUMBERS.finditer(data) for one in match.group(1).split(b", ") if one)
    try:
        module = importlib.import_module(name)
    except BaseException:
        return
    for key, function in sorted(vars(module).items()):
        if key.startswith("__pyx_unpickle_"):
            for number in sorted(numbers):
                if accepts(function, number):
                    print(distribution, version, function.__module__, key, number)


def ask():
    warnings.simplefilter("ignore")
    for top in ("numpy", "pandas", "sklearn", "scipy"):
        try:
            package = importlib.import_module(top)
        except ImportError:
            continue
        base = package.__path__[0]
        for root, _, files in os.walk(base):
            for name in files if "tests" not in root else ():
                if name.endswith(".so"):
                    path = os.path.join(root, name)
                    module = os.path.relpath(path, os.path.dirname(base)).split(".")[0].replace("/", ".")
                    ask_module({"sklearn": "scikit-learn"}.get(top, top), package.__version__, module, path)


def key(version):
    return [int(part) for part in version.split(".")[:3]]


def rows(path):
    accepted, releases, having = collections.defaultdict(set), collections.defaultdict(set), collections.defaultdict(set)
    for line in open(path):
        distribution, version, module, name, number = line.split()
        releases[distribution].add(version)
        if module.startswith(LEFT_OUT) or "_pairwise_" in module or "_datasets" in module or "IndexerBase" in name:
            continue
        accepted[distribution, module, name, int(number)].add(version)
        having[distribution, module, name].add(version)
    print(HEAD)
    for (distribution, module, name, number), versions in sorted(accepted.items()):
        if max(releases[distribution], key=key) not in versions:
            continue
        since = min(versions, key=key)
        before = [one for one in having[distribution, module, name] if key(one) < key(since)]
        print('CHECKSUM("%s", "%s", "%s", %d, "%s", "%s")' % (distribution, module, name, number, since, max(before, key=key) if before else ""))


if sys.argv[1] == "ask":
    ask()
else:
    rows(sys.argv[2])
