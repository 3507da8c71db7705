"""Facts of the running interpreter: magic, pickle protocols, argument order of the code constructor, _compat_pickle.

Usage: PYTHON interpreters.py OUT.json
       python3 interpreters.py --merge FOLDER interpreters.json     (FOLDER holds <version>.json)
"""
from __future__ import print_function
import sys, json, pickle, types, warnings
warnings.simplefilter("ignore")
if sys.argv[1] == "--merge":
    import os
    inter, tables = {}, {}
    for f in sorted(os.listdir(sys.argv[2])):
        if f.endswith(".json"):
            d = json.load(open(os.path.join(sys.argv[2], f)))
            d.pop("code_doc", None)
            key = next((k for k, v in tables.items() if v == d["compat"]), None)
            if key is None:
                key = f[:-5]
                tables[key] = d["compat"]
            d["compat"] = key
            inter[f[:-5]] = d
    json.dump({"interpreters": inter, "compat_pickle": tables}, open(sys.argv[3], "w"), sort_keys=True)
    print(sorted(inter), "distinct _compat_pickle tables", sorted(tables))
    sys.exit(0)
out = {}
out["version"] = "%d.%d.%d" % sys.version_info[:3]
out["implementation"] = __import__("platform").python_implementation()
out["max_protocol"] = pickle.HIGHEST_PROTOCOL
out["default_protocol"] = getattr(pickle, "DEFAULT_PROTOCOL", 0)
try:
    import importlib.util
    M = importlib.util.MAGIC_NUMBER
except Exception:
    import imp
    M = imp.get_magic()
M = bytearray(M)
out["magic"] = M[0] | M[1] << 8
out["magic_bytes"] = "".join("%02x" % b for b in M)
doc = (types.CodeType.__doc__ or "")
out["code_doc"] = doc[:600]
try:
    out["code_text_signature"] = types.CodeType.__text_signature__
except Exception:
    out["code_text_signature"] = None
def f(a, b=1): return a + b
co = f.__code__
names = ["co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_nlocals", "co_stacksize", "co_flags", "co_code", "co_consts", "co_names",
         "co_varnames", "co_filename", "co_name", "co_qualname", "co_firstlineno", "co_linetable", "co_lnotab", "co_exceptiontable", "co_freevars", "co_cellvars"]
have = [n for n in names if hasattr(co, n)]
ver = sys.version_info[:2]
if ver >= (3, 11): order = [n for n in names if n != "co_lnotab"]
elif ver >= (3, 10): order = [n for n in names if n not in ("co_lnotab", "co_qualname", "co_exceptiontable")]
elif ver >= (3, 8): order = [n for n in names if n not in ("co_linetable", "co_qualname", "co_exceptiontable")]
elif ver >= (3, 0): order = [n for n in names if n not in ("co_linetable", "co_qualname", "co_exceptiontable", "co_posonlyargcount")]
else: order = [n for n in names if n not in ("co_linetable", "co_qualname", "co_exceptiontable", "co_posonlyargcount", "co_kwonlyargcount")]
order = [n for n in order if hasattr(co, n)]
args = [getattr(co, n) for n in order]
try:
    c2 = types.CodeType(*args)
    ok = c2.co_code == co.co_code
except Exception as e:
    ok = type(e).__name__ + ": " + str(e)
out["code_ctor_order"] = order
out["code_ctor_n"] = len(order)
out["code_ctor_full_works"] = ok
acc = []
for n in range(len(order) - 3, len(order) + 1):
    try:
        types.CodeType(*args[:n]); acc.append(n)
    except Exception as e:
        pass
out["code_ctor_accepts"] = acc
try:
    import _compat_pickle as cp
    out["compat"] = {"IMPORT_MAPPING": dict(cp.IMPORT_MAPPING),
        "NAME_MAPPING": sorted([list(k), list(v)] for k, v in cp.NAME_MAPPING.items()),
        "REVERSE_IMPORT_MAPPING": dict(cp.REVERSE_IMPORT_MAPPING),
        "REVERSE_NAME_MAPPING": sorted([list(k), list(v)] for k, v in cp.REVERSE_NAME_MAPPING.items())}
except ImportError:
    out["compat"] = None
import struct
out["pointer_bits"] = struct.calcsize("P") * 8
out["byteorder"] = sys.byteorder
out["recursionlimit"] = sys.getrecursionlimit()
json.dump(out, open(sys.argv[1], "w"), sort_keys=True)
print(out["implementation"], out["version"], out["magic"], out["code_ctor_n"], out["code_ctor_accepts"], ok, len(out["compat"]["NAME_MAPPING"]) if out["compat"] else None, len(out["compat"]["IMPORT_MAPPING"]) if out["compat"] else None)
