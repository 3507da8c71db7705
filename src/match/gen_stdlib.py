"""Prints stdlib.def: which names the standard library of each Python version has.

    python3 gen_stdlib.py CAPTURES >stdlib.def

CAPTURES is a folder of <version>.json (2.7, 3.6 .. 3.15, pypy3.9) and interpreters.json. A version's
file was captured by importing every module of the standard library in a process of its own (-E -s -S,
Linux x86-64; 3.14 and 3.15: wasm builds), tests and __main__ modules left out. Keys used here:

    modules       dotted names that import
    not_here      known modules that did not import on the capturing platform: absence proves nothing
    attrs, other, module_attrs, nested     module -> names bound to callables; to anything else; to
                  modules; "Outer.Inner" classes
    lazy          module -> names that the module's own __getattr__ answers
    unknown_attrs module -> names that the wasm build lacks and 3.13 has on Linux
    home          module -> name -> "module:qualname" that the object itself claims
    alias         imported name -> real module name

members/<version>.json: module -> class -> what the class has (capture/members.py); "Class." stands for a
class that was asked.

interpreters.json: compat_pickle -> table -> IMPORT_MAPPING (module -> module) and NAME_MAPPING (list of
[[module, name], [module, name]]), the Python 2 renames.

Pairs whose objects are, or once were, the same object get one group number (not 0) within their
name: they claim the same home, or are renames of one another. `home` is set where some version's
object claims to live just there."""
import json
import os
import sys

VERSIONS = ["2.7", "3.6", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.15", "pypy3.9"]
MODULE_BITS, NAME_BITS = 12, 15  # as in stdlib.c
CALLABLE, CONSTANT, MODULE, NESTED, LAZY = 1, 2, 3, 4, 5
PARTS = [("attrs", CALLABLE), ("other", CONSTANT), ("module_attrs", MODULE), ("nested", NESTED), ("lazy", LAZY)]

# Modules that wrap what the operating system has: a name that the capture (Linux) lacks may exist elsewhere.
OS_BOUND = set("""os posix os.path posixpath ntpath socket _socket select selectors signal _signal time fcntl mmap
    subprocess errno termios locale _locale asyncio asyncio.events asyncio.unix_events socketserver ssl _ssl ctypes
    _ctypes ctypes.util multiprocessing.connection multiprocessing.reduction multiprocessing.context _multiprocessing
    resource stat _stat sys faulthandler pty msvcrt nt winreg _winapi""".split())

# Names that vary with micro version are in micro.def, written by hand.


def hashed(text):
    """As hash_text of stdlib.c."""
    data = text.encode()
    size, mask, k = len(data), (1 << 64) - 1, 0x9e3779b97f4a7c15
    part = lambda at, count: int.from_bytes(data[at:at + count], "little")
    if size >= 8:
        words = [part(at, 8) for at in range(0, size - 8, 8)] + [part(size - 8, 8)]
    elif size >= 4:
        words = [part(0, 4) | part(size - 4, 4) << 32]
    else:
        words = [data[0] | data[size // 2] << 8 | data[size - 1] << 16]
    h = size * k & mask
    for word in words:
        h = (h ^ word) * k & mask
        h ^= h >> 32
    return h


def slots(texts, bits):
    table = [0] * (1 << bits)
    for index, text in enumerate(texts):
        at = hashed(text) & len(table) - 1
        while table[at]:
            at = at + 1 & len(table) - 1
        table[at] = index + 1
    return ["{{%s}}," % ",".join(map(str, table[i:i + 16])) for i in range(0, len(table), 16)]


class Groups:
    """Union-find over (module, name). Two objects that claim different homes in one version are not joined."""

    def __init__(self, pairs, claims):
        self.parent = {pair: pair for pair in pairs}
        self.claims = dict(claims)  # pair -> mask of versions in which it is a home

    def find(self, pair):
        while self.parent[pair] != pair:
            self.parent[pair] = pair = self.parent[self.parent[pair]]
        return pair

    def join(self, a, b):
        if a not in self.parent or b not in self.parent:
            return
        a, b = sorted((self.find(a), self.find(b)))
        if a != b and not self.claims.get(a, 0) & self.claims.get(b, 0):
            self.parent[b] = a
            self.claims[a] = self.claims.get(a, 0) | self.claims.get(b, 0)


# Submodules that are attributes of their packages in the captures because the capture itself had imported them.
# In a bare process they are not (asked with -S -E of each); what is left of them is the module.
SIDE_EFFECTS = {
    "importlib": (VERSIONS, ["_abc", "abc", "machinery", "util"]),
    "urllib": (VERSIONS, ["parse"]),
    "collections": (["3.7", "3.8", "3.9", "pypy3.9"], ["abc"]),
}
# Modules that others put into sys.modules as they are imported, which the captures did not try.
MADE = {"3.15": {"math.integer": "_math_integer"}}
# Modules of CPython that its wasm build cannot import: not missing.
NOT_ON_WASM = {"3.14": ["concurrent.interpreters"], "3.15": ["concurrent.interpreters"]}


def correct(version, capture):
    for module, (versions, names) in SIDE_EFFECTS.items():
        if version in versions and module in capture["module_attrs"]:
            capture["module_attrs"][module] = [n for n in capture["module_attrs"][module] if n not in names]
    for name, real in MADE.get(version, {}).items():
        capture["modules"].append(name)
        for part, _ in PARTS:
            if real in capture[part]:
                capture[part][name] = capture[part][real]
    capture["not_here"] = sorted(set(capture["not_here"]) | set(NOT_ON_WASM.get(version, [])))


def add_expat(capture):
    """pyexpat.errors and .model are put into sys.modules by pyexpat; the captures have them under one name only."""
    for name in ("errors", "model"):
        twin, full = "xml.parsers.expat." + name, "pyexpat." + name
        if full in capture["modules"] or "pyexpat" not in capture["modules"]:
            continue
        if twin in capture["modules"]:
            capture["modules"].append(full)
            for part, _ in PARTS:
                if twin in capture[part]:
                    capture[part][full] = capture[part][twin]
        else:
            capture["not_here"].append(full)


def add_members(capture, members):
    for module, classes in members.items():
        nested = capture["nested"].setdefault(module, [])
        for name, found in classes.items():
            nested += [name + "."] + [name + "." + member for member in found if name + "." + member not in nested]


def collect(captures):
    """modules: name -> [present, unknown]; pairs: (module, name) -> [present, unknown, kind]."""
    modules, pairs = {}, {}
    for bit, version in enumerate(VERSIONS):
        capture = captures[version]
        for name in capture["modules"]:
            modules.setdefault(name, [0, 0])[0] |= 1 << bit
        for name in capture["not_here"]:
            modules.setdefault(name, [0, 0])[1] |= 1 << bit
        for part, kind in PARTS:
            for module, names in capture[part].items():
                for name in names:
                    pair = pairs.setdefault((module, name), [0, 0, 0])
                    pair[0] |= 1 << bit
                    if version != "pypy3.9" or not pair[2]:
                        pair[2] = kind
        for module, names in capture["unknown_attrs"].items():
            for name in names:
                pairs.setdefault((module, name), [0, 0, 0])[1] |= 1 << bit
    return modules, pairs


def home_claims(captures):
    """(module, name) -> mask of versions whose object claims to live just there."""
    claims = {}
    for bit, version in enumerate(VERSIONS):
        capture = captures[version]
        for module, names in capture["attrs"].items():
            for name in names:
                if module not in capture["alias"] and name not in capture["home"].get(module, {}):
                    claims[module, name] = claims.get((module, name), 0) | 1 << bit
    return claims


def group(captures, compat, pairs, claims):
    groups = Groups(pairs, claims)
    by_module = {}
    for module, name in pairs:
        by_module.setdefault(module, set()).add(name)
    for version in reversed(VERSIONS):  # a module that took a name from two homes counts with the newer
        capture = captures[version]
        for module, real in capture["alias"].items():
            for name in by_module.get(module, ()):
                groups.join((module, name), (real, name))
        for module, names in capture["home"].items():
            for name, home in names.items():
                home_module, home_name = home.split(":", 1)
                if home_name == name:
                    groups.join((module, name), (home_module, name))
    for table in filter(None, compat.values()):
        for old, new in table["IMPORT_MAPPING"].items():
            for name in by_module.get(old, ()):
                groups.join((old, name), (new, name))
        for old, new in table["NAME_MAPPING"]:
            if old[1] == new[1]:
                groups.join(tuple(old), tuple(new))
    members = {}
    for pair in pairs:
        members.setdefault(groups.find(pair), []).append(pair)
    numbers, of_name = {}, {}
    for root in sorted(members):
        if len(members[root]) > 1:
            number = of_name[root[1]] = of_name.get(root[1], 0) + 1
            assert number < 64
            numbers.update((pair, number) for pair in members[root])
    return numbers


def rows(name, values, per_line):
    print("STDLIB_ROWS(%s)" % name)
    values = [str(value) for value in values]
    for i in range(0, len(values), per_line):
        print("".join(values[i:i + per_line]))
    print("STDLIB_END")


def offsets(texts):
    at = [0]
    for text in texts:
        at.append(at[-1] + len(text))
    return at


def main(folder):
    captures = {v: json.load(open(os.path.join(folder, v + ".json"))) for v in VERSIONS}
    compat = json.load(open(os.path.join(folder, "interpreters.json")))["compat_pickle"]
    for version, capture in captures.items():
        correct(version, capture)
        add_expat(capture)
        add_members(capture, json.load(open(os.path.join(folder, "members", version + ".json"))))
    modules, pairs = collect(captures)
    module_names = sorted(modules)
    index = {name: i for i, name in enumerate(module_names)}
    names = sorted({name for _, name in pairs})
    claims = home_claims(captures)
    grouped = group(captures, compat, pairs, claims)
    classes = sorted({tuple(pair) for pair in pairs.values()})
    class_of = {c: i for i, c in enumerate(classes)}
    by_name = {}
    for module, name in sorted(pairs):
        by_name.setdefault(name, []).append(module)
    assert len(classes) < 512 and len(pairs) < 65536 and len(names) < 65535

    print("/* match/stdlib.def - made by gen_stdlib.py. Do not edit. Included once, by stdlib.c, which says what the\n"
          " * arrays hold. Captured interpreters, bit 0 first:\n * %s */"
          % ",\n * ".join(captures[v]["implementation"] + " " + captures[v]["version"] for v in VERSIONS))
    rows("char, module_text", ('"%s"' % name for name in module_names), 8)
    rows("module_row, modules",
         ("{%d,%d,%d,0x%03x,0x%03x}," % (at, len(name), name in OS_BOUND, *modules[name])
          for at, name in zip(offsets(module_names), module_names)), 4)
    rows("char, name_text", ('"%s"' % name for name in names), 8)
    rows("name_row, names", ("{%d,%d}," % row for row in
                             zip(offsets(names), offsets([by_name[name] for name in names]))), 10)
    rows("pair_row, pairs",
         ("{%d,%d}," % (index[module], class_of[tuple(pairs[module, name])] |
                        grouped.get((module, name), 0) << 9 | ((module, name) in claims) << 15)
          for name in names for module in by_name[name]), 10)
    rows("pks_stdlib_fact, classes", ("{0x%03x,0x%03x,%d,false}," % c for c in classes), 5)
    rows("slot_row, module_slots", slots(module_names, MODULE_BITS), 1)
    rows("slot_row, name_slots", slots(names, NAME_BITS), 1)


if __name__ == "__main__":
    main(sys.argv[1])
