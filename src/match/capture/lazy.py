"""Which names does a standard library module's own __getattr__ answer?

Usage: PYTHON lazy.py RAW.json TABLES OUT.json      (step 2 of 3, see finish.py)

RAW.json: what stdlib.py wrote with this interpreter. TABLES: a folder of captures or finished tables
of many versions: every name that any of them has in a module is tried.
"""
import glob, importlib, json, os, sys, warnings
warnings.simplefilter("ignore")
raw = json.load(open(sys.argv[1]))
cand = {}
for f in glob.glob(os.path.join(sys.argv[2], "*.json")):
    d = json.load(open(f))
    if "module_getattr" not in d:
        continue
    for part in ("attrs", "other", "module_attrs", "lazy"):
        for m, names in d.get(part, {}).items():
            if m in raw["module_getattr"]:
                cand.setdefault(m, set()).update(names)
out = {}
for m in raw["module_getattr"]:
    try:
        mod = importlib.import_module(m)
    except BaseException:
        continue
    got = []
    for n in sorted(cand.get(m, set()) | set(getattr(mod, "__all__", ())) | set(dir(mod))):
        if n.startswith("__") or n in vars(mod):
            continue
        try:
            getattr(mod, n)
        except BaseException:
            continue
        got.append(n)
    out[m] = got
json.dump(out, open(sys.argv[3], "w"), sort_keys=True)
print(raw["version"], {m: (l if len(l) < 6 else len(l)) for m, l in out.items() if l})
