"""Post-process raw captures: drop probes that are no module of that version, note what the platform hides.

Usage: python3 finish.py RAW LAZY OUT      (step 3 of 3; folders of <version>.json, OUT must exist)

  for each interpreter:  PYTHON -E -s -S stdlib.py RAW/<version>.json
                         PYTHON lazy.py RAW/<version>.json TABLES LAZY/<version>.json     (3.7 and later)
  then, once:            python3 finish.py RAW LAZY OUT
RAW must hold 3.13.json if it holds 3.14 or 3.15: the wasm builds hide names that 3.13 shows on Linux.
"""
import json, os, sys
src, lazy, dst = sys.argv[1:4]
PROBES = {"_frozen_importlib", "_frozen_importlib_external", "xml.parsers.expat.model", "xml.parsers.expat.errors", "zipimport",
          "collections.abc", "importlib._bootstrap", "importlib._bootstrap_external", "typing.io", "typing.re", "concurrent.interpreters", "os.path"}
WASM = {"3.14", "3.15"}
ref = json.load(open(os.path.join(src, "3.13.json"))) if os.path.exists(os.path.join(src, "3.13.json")) else None
DROP = ("_pyodide", "_testclinic", "_xxtestfuzz", "setuptools", "pkg_resources", "_distutils_system_mod")
for f in sorted(os.listdir(src)):
    if not f.endswith(".json"): continue
    v = f[:-5]
    d = json.load(open(os.path.join(src, f)))
    d["errors"] = {k: e for k, e in d["errors"].items() if not (k in PROBES and "No module named" in e)}
    for m in [m for m in d["modules"] if m.startswith(DROP)]:
        d["modules"].remove(m)
        for k in ("attrs", "other", "module_attrs", "nested", "home", "alias", "kinds"):
            d[k].pop(m, None)
    listed = set(d["stdlib_module_names"])
    have = set(d["modules"])
    d["errors"] = {k: e.split(" (/")[0].split("'/")[0] for k, e in d["errors"].items()}
    not_here = {k for k in d["errors"]} | {m for m in listed if m not in have}
    d["unknown_attrs"] = {}
    if v in WASM:
        # a wasm build hides OS-bound names; a module of 3.13 on Linux that this capture lacks is unknown, not absent
        for m in ref["modules"]:
            if m in have: continue
            top = m.split(".")[0]
            if top in listed:
                not_here.add(m)  # the wasm bundle strips files (zoneinfo._zoneinfo, _pydecimal, ...): absence proves nothing
        for m in ("os", "posix", "socket", "_socket", "select", "selectors", "signal", "_signal", "time", "fcntl", "mmap", "subprocess", "_posixsubprocess",
                  "multiprocessing", "multiprocessing.connection", "multiprocessing.context", "threading", "_thread", "shutil", "uuid", "hashlib", "ssl", "_ssl",
                  "asyncio", "asyncio.events", "asyncio.unix_events", "locale", "_locale", "errno", "termios", "pty", "os.path", "posixpath", "ctypes", "_ctypes", "socketserver", "sys", "faulthandler", "tempfile", "http.server", "smtplib", "urllib.request", "logging.handlers"):
            if m in have and m in ref["attrs"]:
                a = set(d["attrs"].get(m, ())) | set(d["other"].get(m, ())) | set(d["module_attrs"].get(m, ()))
                b = set(ref["attrs"].get(m, ())) | set(ref["other"].get(m, ())) | set(ref["module_attrs"].get(m, ()))
                miss = sorted(b - a)
                if miss: d["unknown_attrs"][m] = miss
    b = "builtins" if v != "2.7" else "__builtin__"
    d["attrs"][b] = sorted(set(d["attrs"][b]) | {"copyright", "credits", "exit", "help", "license", "quit"})  # put there by site
    lz = os.path.join(lazy, f)
    d["lazy"] = json.load(open(lz)) if os.path.exists(lz) else {}  # names that module __getattr__ answers, of all names any version has
    d["not_here"] = sorted(not_here)
    json.dump(d, open(os.path.join(dst, f), "w"), separators=(",", ":"), sort_keys=True)
    print(v, "modules", len(d["modules"]), "not_here", len(d["not_here"]), "unknown_attrs", sum(map(len, d["unknown_attrs"].values())), "attrs", sum(map(len, d["attrs"].values())), "other", sum(map(len, d["other"].values())), os.path.getsize(os.path.join(dst, f)))
