"""Prints uses.def: what of a standard library class depends on the version, beside its name.

    python3 gen_uses.py CAPTURES OLD >uses.def

CAPTURES is a folder of <version>.json made by match/capture/uses.py. What was the same in every captured version that has
the class is left out. OLD is what tests/truth/old_classes.py prints under Python 2.7. 3.14 and 3.15 were captured under
Node.js (tests/code/python_in_node.mjs); that build has all classes of 3.13 but for those that moved."""
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
         ("zipfile", "ZipInfo", "compress_level", 0x700, 0), ("dataclasses", "_DataclassParams", "match_args", 0x780, 0),
         ("pathlib", "_PathParents", "_path", 0x780, 0), ("pathlib", "_PathParents", "_pathcls", 0x87e, 0)]
# module, class, key of its __dict__, versions whose methods ask for it (tests/truth/forms.py: AttributeError of a use); http.cookies:
# Morsel has its keys as items, one more from 3.8 on
LACKS = [("argparse", "ArgumentParser", "exit_on_error", 0xff0), ("email.message", "EmailMessage", "policy", 0xffe),
         ("email.message", "Message", "policy", 0xffe), ("http.cookies", "Morsel", "", 0xff8),
         ("json.encoder", "JSONEncoder", "_JSONEncoder__encoder", 0x800), ("logging", "Formatter", "_style", 0xffe), ("logging", "LoggerAdapter", "merge_extra", 0x700),
         ("pprint", "PrettyPrinter", "_sort_dicts", 0xff8), ("reprlib", "Repr", "fillvalue", 0x7c0),
         ("reprlib", "Repr", "indent", 0x780), ("textwrap", "TextWrapper", "tabsize", 0xffe),
         ("unittest.suite", "TestSuite", "_removed_tests", 0xffe)]


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
          " * USE_LACK(module, class, key, versions): whose objects have it; a state without it leaves them without. An empty key:\n"
          " *   those that take more than 8 items\n"
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
    for row in LACKS:
        print('USE_LACK("%s", "%s", "%s", 0x%03x)' % row)
    for name in sorted(arities):
        module, cls = name.split(":")
        if len(arities[name]) > 1:
            for (least, most), mask in sorted(arities[name].items()):
                print('USE_ARITY("%s", "%s", 0x%03x, %d, %d)' % (module, cls, mask, least, most))
    more = set(tuple(line.split()) for line in open(sys.argv[2]))
    for module, cls in sorted(set(map(tuple, captures["2.7"]["old"])) | more):
        print('USE_OLD("%s", "%s")' % (module, cls))


main()
