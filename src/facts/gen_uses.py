"""Prints uses.def: what of a standard library class depends on the version, beside its name.

    python3 gen_uses.py CAPTURES >uses.def

CAPTURES is a folder of <version>.json made by match/capture/uses.py. What was the same in every captured version that has
the class is left out. 3.14 and 3.15 were captured under Node.js (tests/code/python_in_node.mjs);
that build has all classes of 3.13 but for those that moved."""
import json
import os
import sys

VERSIONS = ["2.7", "3.6", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.15", "pypy3.9"]
OS_BOUND = ("socket", "signal", "ssl")  # what they have is the system's


# module, class, slot, versions that have it, versions of which some builds do (a security fix)
SLOTS = [("dataclasses", "Field", "doc", 0x600, 0), ("dataclasses", "Field", "kw_only", 0x7e0, 0),
         ("traceback", "FrameSummary", "_code", 0x600, 0), ("traceback", "FrameSummary", "_line", 0x8fe, 0),
         ("traceback", "FrameSummary", "_lines", 0x700, 0), ("traceback", "FrameSummary", "end_lineno", 0x7c0, 0),
         ("zipfile", "ZipInfo", "_compresslevel", 0xffc, 0), ("zipfile", "ZipInfo", "_end_offset", 0xf00, 0x0fe),
         ("zipfile", "ZipInfo", "compress_level", 0x700, 0)]


def main():
    captures = {}
    for version in VERSIONS:
        text = open(os.path.join(sys.argv[1], version + ".json")).read()
        captures[version] = json.loads(text[text.index('{"'):])
    bits = {version: 1 << bit for bit, version in enumerate(VERSIONS)}
    enums, arities = {}, {}
    for version, capture in captures.items():
        for name, values in capture["enum"].items():
            for value in values:
                enums.setdefault(name, {}).setdefault(value, 0)
                enums[name][value] |= bits[version]
        for name, (least, most) in capture["arity"].items():
            arities.setdefault(name, {}).setdefault((least, most), 0)
            arities[name][least, most] |= bits[version]
    print("/* facts/uses.def - made by gen_uses.py. Do not edit. Masks: bits of versions.def.\n"
          " * USE_VALUE(module, class, value of a member of this enumeration, versions that have it): only where versions\n"
          " *   that have the class differ\n"
          " * USE_ARITY(module, class, versions, arguments at least, at most): the same\n"
          " * USE_SLOT(module, class, slot, versions that have it, versions that may)\n"
          " * USE_OLD(module, class): old-style in Python 2.7 */")
    for name in sorted(enums):
        module, cls = name.split(":")
        having = 0
        for mask in enums[name].values():
            having |= mask
        for value in sorted(enums[name]):
            if enums[name][value] != having and module not in OS_BOUND and all(32 <= ord(c) < 127 and c not in '"\\' for c in value):
                print('USE_VALUE("%s", "%s", "%s", 0x%03x)' % (module, cls, value, enums[name][value]))
    # slots of classes without a __dict__; machine/fast.h knows their names
    for row in SLOTS:
        print('USE_SLOT("%s", "%s", "%s", 0x%03x, 0x%03x)' % row)
    # PyPy writes them with no argument and a state; CPython's are written in C, and want one
    for module, cls in [(m, c) for m in ("_operator", "operator") for c in ("attrgetter", "itemgetter")]:
        print('USE_ARITY("%s", "%s", 0x7ff, 1, 255)' % (module, cls))
    for name in sorted(arities):
        module, cls = name.split(":")
        if len(arities[name]) > 1:
            for (least, most), mask in sorted(arities[name].items()):
                print('USE_ARITY("%s", "%s", 0x%03x, %d, %d)' % (module, cls, mask, least, most))
    for module, cls in sorted(map(tuple, captures["2.7"]["old"])):
        print('USE_OLD("%s", "%s")' % (module, cls))


main()
