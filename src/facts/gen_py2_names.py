"""Prints py2_names.def: the Python 2 to 3 name tables of the interpreter that runs it.

The tables are _compat_pickle.NAME_MAPPING and IMPORT_MAPPING; they are the same in CPython 3.6 to
3.12, so the committed file was made with 3.11. 3.13 lost Tix, 3.15 CGIHTTPServer: UNTIL names the
rule (decode.h) of those that have it."""
import sys
import _compat_pickle as tables


UNTIL = {"Tix": "TIX", "CGIHTTPServer": "CGI"}


def main():
    print("/* facts/py2_names.def - made by gen_py2_names.py with CPython %d.%d. Do not edit.\n"
          " * PY2_NAME(module, name, new module, new name), sorted; PY2_MODULE(module, new module), sorted\n"
          " * PY2_MODULE_UNTIL(module, new module, rule): only by interpreters with this rule */"
          % sys.version_info[:2])
    for (module, name), (new_module, new_name) in sorted(tables.NAME_MAPPING.items()):
        print('PY2_NAME("%s", "%s", "%s", "%s")' % (module, name, new_module, new_name))
    for module, new_module in sorted(tables.IMPORT_MAPPING.items()):
        rule = UNTIL.get(module)
        print('PY2_MODULE%s("%s", "%s"%s)' % ("_UNTIL" if rule else "", module, new_module, ", " + rule if rule else ""))


main()
