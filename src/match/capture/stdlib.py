# -*- coding: utf-8 -*-
"""Capture what the standard library of the running interpreter lets a pickle name.

Usage: PYTHON -E -s -S stdlib.py OUT.json      (about 10 to 60 s; step 1 of 3, see finish.py)

Runs on CPython 2.7, 3.6+ and PyPy 3.9 (each import in a forked child), and on the wasm builds
(corpus/gen/node_python.mjs; no fork: each import in a try).
Nothing outside the interpreter's own library folders and its builtin and frozen tables is imported.
"""
from __future__ import print_function
import json, os, sys, types, zipfile
import time as _time

PY2 = sys.version_info[0] == 2
CAN_FORK = hasattr(os, "fork") and sys.platform != "emscripten"
SKIP_TOP = {"test", "idlelib", "turtledemo", "antigravity", "this", "site-packages", "dist-packages",
            "__phello__", "__hello__", "lib2to3.tests", "ensurepip._bundled", "config", "lib-tk.test",
            "pydoc_data.__main__", "venv.scripts"}
SKIP_PART = {"tests", "test", "idle_test", "__pycache__", "__main__", "_test", "test2",
             "lib-dynload", "plat-linux2"}
SKIP_PREFIX = ("_pyodide", "pyodide", "js", "_hiwire", "_testcapi", "_testbuffer", "_testclinic", "_testinternalcapi", "_testlimitedcapi", "_testmultiphase", "_testimportmultiple", "_testsinglephase", "_testexternalinspection", "_xxtestfuzz", "xxsubtype", "xxlimited", "_ctypes_test", "_testconsole")
NOIMPORT = {"antigravity", "this", "__main__", "idlelib", "turtledemo", "__phello__.foo", "__phello__",
            "__phello__.spam", "__phello__.ham", "__phello__.ham.eggs", "__hello__", "__hello_alias__",
            "__hello_only__", "__phello_alias__", "__phello_alias__.spam"}
METADATA = {"__name__", "__doc__", "__package__", "__loader__", "__spec__", "__path__", "__file__",
            "__cached__", "__builtins__", "__all__", "__annotations__", "__warningregistry__", "__annotate__",
            "__conditional_annotations__", "__annotations_cache__"}


def stdlib_roots():
    import sysconfig
    roots = []
    for k in ("stdlib", "platstdlib"):
        p = sysconfig.get_path(k)
        if p and p not in roots:
            roots.append(p)
    import os as _os
    p = os.path.dirname(_os.__file__)
    if p not in roots:
        roots.append(p)
    # a stdlib kept in a zip (pyodide) and pypy's own lib_pypy
    for p in sys.path:
        b = os.path.basename(p.rstrip("/"))
        if p.endswith(".zip") and os.path.isfile(p) and p not in roots:
            roots.append(p)
        if b in ("lib-dynload", "lib_pypy", "lib-tk", "plat-linux2") and p not in roots:
            roots.append(p)
    for p in list(roots):
        q = os.path.join(p, "lib-dynload")
        if os.path.isdir(q) and q not in roots:
            roots.append(q)
    # pypy keeps both its own lib_pypy and lib-python inside the platstdlib folder
    seen, out = set(), []
    for p in roots:
        r = os.path.realpath(p)
        if r not in seen:
            seen.add(r)
            out.append(r)
    return out


def strip_ext(name):
    """module name of a file name, or None"""
    if name.endswith(".py"):
        return name[:-3], "source"
    for suf in (".so", ".pyd"):
        if name.endswith(suf):
            return name.split(".")[0], "extension"
    if name.endswith(".pyc") and "__pycache__" not in name:
        return name[:-4], "source"
    return None, None


def walk():
    found = {}

    def put(mod, kind):
        parts = mod.split(".")
        if parts[0] in SKIP_TOP or mod in SKIP_TOP:
            return
        for s in parts:
            if s in SKIP_PART:
                return
            if not s.replace("_", "a").isalnum() or s[:1].isdigit():
                return
        # test helpers beside the modules
        if parts[-1].startswith("_test") or parts[-1] in ("_ctypes_test", "xxlimited", "xxlimited_35", "xxsubtype"):
            found.setdefault(mod, "extension-test")
            return
        found.setdefault(mod, kind)

    for root in stdlib_roots():
        if root.endswith(".zip"):
            z = zipfile.ZipFile(root)
            for n in z.namelist():
                m, kind = strip_ext(n)
                if not m:
                    continue
                m = m.replace("/", ".")
                if m.endswith(".__init__"):
                    put(m[:-9], "package")
                else:
                    put(m, kind)
            continue
        for dp, dns, fns in os.walk(root):
            rel = os.path.relpath(dp, root)
            parts = [] if rel == "." else rel.split(os.sep)
            if parts and ("." in parts[-1] or "-" in parts[-1]):
                dns[:] = []
                continue
            if parts and parts[0] in ("test", "idlelib", "turtledemo", "site-packages", "dist-packages", "tests", "config"):
                dns[:] = []
                continue
            dns[:] = [d for d in dns if d not in SKIP_PART and d not in ("site-packages", "dist-packages") and "-" not in d and "." not in d]
            if parts and "__init__.py" not in fns and not any(f.endswith(".py") for f in fns):
                pass
            elif parts and "__init__.py" in fns:
                put(".".join(parts), "package")
            elif parts:
                put(".".join(parts), "namespace")
            for f in fns:
                m, kind = strip_ext(f)
                if not m or m == "__init__":
                    continue
                put(".".join(parts + [m]), kind)
    for m in sys.builtin_module_names:
        if m != "__main__":
            found[m] = "builtin"
    try:
        import _imp
        names = None
        if hasattr(_imp, "_frozen_module_names"):
            names = _imp._frozen_module_names()
        for m in names or ():
            if m in NOIMPORT or m.startswith("__phello") or m.startswith("__hello") or "<" in m or m.endswith(".__init__"):
                continue
            if m not in found:
                found[m] = "frozen"
            found.setdefault(m, "frozen")
    except ImportError:
        pass
    for m in ("_frozen_importlib", "_frozen_importlib_external", "os.path", "xml.parsers.expat.model",
              "xml.parsers.expat.errors", "zipimport", "collections.abc", "importlib._bootstrap",
              "importlib._bootstrap_external", "typing.io", "typing.re", "concurrent.interpreters"):
        if m not in found:
            found[m] = "other"
    for m in getattr(sys, "stdlib_module_names", ()):
        if m not in found and m not in SKIP_TOP:
            found[m] = "listed"
    return found


def text(x):
    return x if not PY2 or not isinstance(x, str) else x.decode("utf-8", "replace")


CLASSES = (type,) if not PY2 else (type, types.ClassType)


def describe(mod):
    ns = vars(mod) if hasattr(mod, "__dict__") else {}
    callables, other, mods, nested, home, alias = [], [], [], [], {}, None
    members = 0
    for name in sorted(k for k in ns if isinstance(k, type("") if not PY2 else basestring)):
        if name in METADATA:
            continue
        v = ns[name]
        if isinstance(v, types.ModuleType):
            mods.append(name)
            continue
        try:
            is_callable = isinstance(v, CLASSES) or callable(v)
        except Exception:
            is_callable = False
        if is_callable:
            callables.append(name)
            try:
                h = getattr(v, "__module__", None)
                q = getattr(v, "__qualname__", None) or getattr(v, "__name__", None)
            except Exception:
                h = q = None
            if isinstance(h, type("")) and isinstance(q, type("")) and (h != mod.__name__ or q != name):
                home[name] = h + ":" + q
            if isinstance(v, CLASSES) and h == mod.__name__:
                stack = [(name, v, 0)]
                while stack:
                    qn, c, depth = stack.pop()
                    for k, w in sorted(vars(c).items(), key=lambda kv: str(kv[0])):
                        members += 1
                        if isinstance(w, CLASSES) and depth < 3 and getattr(w, "__qualname__", "").startswith(qn + "."):
                            nested.append(qn + "." + str(k))
                            stack.append((qn + "." + str(k), w, depth + 1))
        else:
            other.append(name)
    real = getattr(mod, "__name__", None)
    return {"c": callables, "o": other, "m": mods, "n": nested, "h": home, "a": real,
            "g": bool("__getattr__" in ns), "members": members,
            "p": hasattr(mod, "__path__"), "f": bool(getattr(mod, "__file__", None))}


def load(name):
    import warnings
    warnings.simplefilter("ignore")
    __import__(name)
    return describe(sys.modules[name])


def load_forked(name):
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 0
        try:
            os.close(r)
            dn = os.open(os.devnull, os.O_RDWR)
            os.dup2(dn, 0); os.dup2(dn, 1); os.dup2(dn, 2)
            import signal
            signal.alarm(25)
            try:
                out = load(name)
            except BaseException as e:
                out = {"error": type(e).__name__ + ": " + str(e)[:200]}
            data = json.dumps(out)
            if not isinstance(data, bytes):
                data = data.encode("utf-8")
            while data:
                n = os.write(w, data)
                data = data[n:]
        finally:
            os._exit(code)
    os.close(w)
    chunks = []
    while True:
        b = os.read(r, 65536)
        if not b:
            break
        chunks.append(b)
    os.close(r)
    os.waitpid(pid, 0)
    s = b"".join(chunks).decode("utf-8")
    return json.loads(s) if s else {"error": "child died"}


def main(out):
    t0 = _time.time()
    found = walk()
    modules, attrs, other, mods, nested, home, alias, errors, kinds, lazy = [], {}, {}, {}, {}, {}, {}, {}, {}, []
    members = 0
    for name in sorted(found):
        if name in NOIMPORT or found[name] == "extension-test":
            continue
        if name.split(".")[0] in SKIP_PREFIX:
            continue
        if CAN_FORK:
            d = load_forked(name)
        else:
            try:
                d = load(name)
            except BaseException as e:
                d = {"error": type(e).__name__ + ": " + str(e)[:200]}
        if "error" in d:
            errors[name] = d["error"]
            continue
        modules.append(name)
        attrs[name] = d["c"]
        if d["o"]:
            other[name] = d["o"]
        if d["m"]:
            mods[name] = d["m"]
        if d["n"]:
            nested[name] = d["n"]
        if d["h"]:
            home[name] = d["h"]
        if d["a"] != name:
            alias[name] = d["a"]
        if d["g"]:
            lazy.append(name)
        members += d["members"]
        kinds[name] = "package" if d["p"] else found[name]
    try:
        import importlib.util
        magic = int(importlib.util.MAGIC_NUMBER[0]) | (int(importlib.util.MAGIC_NUMBER[1]) << 8)
    except Exception:
        import imp
        m = imp.get_magic()
        magic = ord(m[0]) | (ord(m[1]) << 8)
    import pickle, platform
    doc = {
        "schema": "stdlib-names/1",
        "implementation": platform.python_implementation(),
        "version": "%d.%d.%d" % sys.version_info[:3],
        "release_level": sys.version_info[3],
        "cache_tag": getattr(getattr(sys, "implementation", None), "cache_tag", None),
        "platform": sys.platform,
        "magic": magic,
        "max_protocol": pickle.HIGHEST_PROTOCOL,
        "default_protocol": getattr(pickle, "DEFAULT_PROTOCOL", 0),
        "modules": modules,
        "attrs": attrs,
        "other": other,
        "module_attrs": mods,
        "nested": nested,
        "home": home,
        "alias": alias,
        "module_getattr": lazy,
        "kinds": kinds,
        "errors": errors,
        "stdlib_module_names": sorted(getattr(sys, "stdlib_module_names", ())),
        "builtin_module_names": sorted(sys.builtin_module_names),
    }
    with open(out, "w") as f:
        json.dump(doc, f, indent=None, separators=(",", ":"), sort_keys=True)
    print(doc["implementation"], doc["version"], "magic", magic, "proto", doc["max_protocol"], "modules", len(modules),
          "names", sum(len(v) for v in attrs.values()), "other", sum(len(v) for v in other.values()),
          "nested", sum(len(v) for v in nested.values()), "errors", len(errors), "lazy", lazy,
          "class members", members, "bytes", os.path.getsize(out), "s", round(_time.time() - t0, 1))


if __name__ == "__main__":
    main(sys.argv[1])
