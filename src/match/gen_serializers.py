"""Prints serializers.def: the helpers of cloudpickle and dill by version.

    python3 gen_serializers.py serializer_helpers.json older_serializers.json >serializers.def

serializer_helpers.json was made by laying 31 tags of cloudpickle and 15 of dill side by side: `defined`
(global -> version -> [signature, condition]) by ast from the sources, `importable` (Python -> versions) by
importing each under CPython 2.7 and 3.6 .. 3.13. older_serializers.json has `defined` of releases before
those, by tests/knowledge/serializers.py; they are taken to import where the oldest of the others does. What follows from the sources and is not in it:
cloudpickle_fast of 3.x answers every name of cloudpickle.cloudpickle (module __getattr__); of 1.2.0 - 1.4.1
it does not import before 3.8; dill.dill became dill._dill before 0.2.9; _create_code of dill 0.3.2 -
0.3.5.1 hands its arguments on, of which CPython 3.11 and later take no such number."""
import json
import re
import sys

from gen_stdlib import hashed

PYTHONS = ["2.7", "3.6", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.15"]
ALWAYS = (0, 0xffff)
CONDITIONS = {"": ALWAYS, "PY3": ALWAYS, "not (PY3)": ALWAYS, "OLD37": ALWAYS, "not (OLD37)": ALWAYS,
              "sys.version_info[:2] < (3, 7)": (0, 0x307), "not (sys.version_info[:2] < (3, 7))": (0x307, 0xffff)}
ANY, NOT_KNOWN = 254, 255  # how many arguments at most: any number; nothing is known


def arguments(signature):
    """(min, max) of a signature as `defined` has it."""
    if not signature.startswith("("):
        return 0, NOT_KNOWN
    names = [name.strip() for name in signature[1:-1].split(",") if name.strip()]
    plain = [name for name in names if not name.startswith("*")]
    least = sum(not name.endswith("=") for name in plain)
    return least, ANY if len(plain) < len(names) else len(plain)


def key(version):
    return [int(part) for part in re.findall(r"\d+", version)]


class Library:
    def __init__(self, name, data, older):
        self.name, self.data = name, data
        oldest = min((v for vs in data["importable"].values() for v in vs), key=key)
        for full, forms in older["defined"].items():
            data["defined"].setdefault(full, {}).update(forms)
        for good in data["importable"].values():
            good += older["versions"] if oldest in good else []
        self.versions = sorted({v for by in data["defined"].values() for v in by} |
                               {v for vs in data["importable"].values() for v in vs}, key=key)
        assert len(self.versions) <= 64
        self.rows = {}  # (module, name, since, before, min, max) -> mask

    def mask(self, first=None, last=None):
        low, high = key(first or "0"), key(last or "999")
        return sum(1 << i for i, v in enumerate(self.versions) if low <= key(v) <= high)

    def add(self, module, name, condition, args, mask):
        row = (module, name) + condition + args
        self.rows[row] = self.rows.get(row, 0) | mask

    def read(self):
        defined = self.data["defined"]
        for full, by_version in defined.items():
            path, name = full.split(":")
            module = path[len(self.name) + 1:]
            for version, forms in by_version.items():
                if forms[0][0] == "import":  # the same object as in the first module
                    home = "%s.%s:%s" % (self.name, "cloudpickle" if self.name == "cloudpickle" else "_dill", name)
                    forms = defined.get(home, {}).get(version, [["=", ""]])
                for signature, condition in forms:
                    self.add(module, name, CONDITIONS[condition], arguments(signature), 1 << self.versions.index(version))

    def fails(self):
        """version index -> mask of Pythons on which it was seen not to import; 3.14 and 3.15 as 3.13."""
        masks = {}
        for bit, python in enumerate(PYTHONS):
            good = self.data["importable"].get(python) or self.data["importable"]["3.13"]
            for i, version in enumerate(self.versions):
                if version not in good:
                    masks[i] = masks.get(i, 0) | 1 << bit
        return masks


def show(library, modules):
    name = library.name.upper()
    for i, version in enumerate(library.versions):
        print('SERIALIZER_VERSION(%s, %d, "%s", 0x%03x)' % (name, i, version, library.fails().get(i, 0)))
    for module, (mask, since, before) in modules:
        print('SERIALIZER_MODULE(%s, "%s", 0x%08x, 0x%x, 0x%x)' % (name, module, mask, since, before))
    for (module, helper, since, before, least, most), mask in sorted(library.rows.items()):
        print('SERIALIZER_NAME(%s, "%s", "%s", 0x%08x, 0x%x, 0x%x, %d, %d, 0x%04x)' %
              (name, module, helper, mask, since, before, least, most, hashed(helper) & 0xffff))


def main(path, older_path):
    data, older = json.load(open(path)), json.load(open(older_path))
    cloudpickle = Library("cloudpickle", data["cloudpickle"], older["cloudpickle"])
    dill = Library("dill", data["dill"], older["dill"])
    cloudpickle.read()
    dill.read()
    modern = cloudpickle.mask("3.0.0")
    for (module, name, since, before, least, most), mask in list(cloudpickle.rows.items()):
        if module == "cloudpickle" and mask & modern:
            cloudpickle.add("cloudpickle_fast", name, (since, before), (least, most), mask & modern)
    dill.add("", "_dill", ALWAYS, (0, NOT_KNOWN), dill.mask("0.2.8"))
    code = ("_dill", "_create_code") + ALWAYS + (0, ANY)
    old = dill.mask("0.3.2", "0.3.5.1")
    dill.rows[code] &= ~old
    dill.add("_dill", "_create_code", (0, 0x30b), (14, 16), old)
    dill.add("_dill", "_create_code", (0x30b, 0xffff), (NOT_KNOWN, 0), old)
    print("/* match/serializers.def - made by gen_serializers.py. Do not edit.\n"
          " * SERIALIZER_VERSION(library, index, version, Pythons (bits of versions.def) it does not import on)\n"
          " * SERIALIZER_MODULE(library, module within it, versions that have it, first Python, first Python no more)\n"
          " * SERIALIZER_NAME(library, module, name, versions, first Python, first Python no more, arguments at\n"
          " *   least, at most (254: any number, 255: not known; least above most: no number works), hash of the\n"
          " *   name (match/hash.h, 16 bits)). Names of one module are together. */")
    show(cloudpickle, [("", (cloudpickle.mask(), *ALWAYS)), ("cloudpickle", (cloudpickle.mask(), *ALWAYS)),
                       ("cloudpickle_fast", (cloudpickle.mask("1.2.0", "1.4.1"), 0x308, 0xffff)),
                       ("cloudpickle_fast", (cloudpickle.mask("1.5.0"), *ALWAYS))])
    show(dill, [("", (dill.mask(), *ALWAYS)), ("_dill", (dill.mask("0.2.8"), *ALWAYS)), ("_shims", (dill.mask("0.3.5"), *ALWAYS)),
                ("dill", (dill.mask(None, "0.2.7.9"), *ALWAYS)), ("session", (dill.mask("0.3.6"), *ALWAYS))])


if __name__ == "__main__":
    main(*sys.argv[1:])
