# Prints a fingerprint of the interpreter that runs it; modules whose attributes are asked for are its arguments.
import json
import os
import pickle
import pkgutil
import platform
import struct
import sys


def attributes(names):
    end, start = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(end)
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 1)
            os.dup2(null, 2)
            said = {}
            for name in names:
                try:
                    __import__(name)
                except BaseException:
                    continue
                module = sys.modules[name]
                said[name] = [sorted(set(vars(module))), hasattr(module, "__getattr__"), hasattr(module, "__path__")]
            data = json.dumps(said).encode()
            while data:
                data = data[os.write(start, data):]
        finally:
            os._exit(0)
    os.close(start)
    data = b""
    while True:
        part = os.read(end, 65536)
        if not part:
            break
        data += part
    os.waitpid(pid, 0)
    return json.loads(data.decode()) if data else {}


def distributions():
    found = {}
    for folder in sys.path:
        for name in os.listdir(folder) if os.path.isdir(folder) else []:
            if name.endswith((".dist-info", ".egg-info")):
                parts = name.rsplit(".", 1)[0].split("-")
                if len(parts) > 1:
                    found[parts[0].lower().replace("_", "-")] = parts[1]
    return found


def main():
    major, minor, micro = sys.version_info[:3]
    pypy = platform.python_implementation() == "PyPy"
    try:
        from importlib.util import MAGIC_NUMBER as magic
    except ImportError:
        import imp
        magic = imp.get_magic()
    modules = {}
    for one in pkgutil.iter_modules():
        if "site-packages" in str(getattr(one[0], "path", "")) or "/lib/" in str(getattr(one[0], "path", "")) and \
                "/lib/python" not in str(getattr(one[0], "path", "")):
            modules[one[1]] = {"k": "p" if one[2] else "m"}
    stdlib = set(n[1] for n in pkgutil.iter_modules([os.path.dirname(os.__file__)]))
    absent, groups = [], {}
    for name in sys.argv[1:]:
        top = name.split(".")[0]
        if top in modules and not (top in stdlib or top in sys.builtin_module_names or top == "__main__"):
            groups.setdefault(top, []).append(name)
    answers = [(name, found.get(name)) for top in groups for found in [attributes(groups[top])] for name in groups[top]]
    for name, said in answers:
        if said:
            modules[name] = {"k": "p" if said[2] else "m", "a": said[0], "open": said[1]}
        else:
            absent.append(name)
    print(json.dumps({
        "schema": "pickle-target/1", "implementation": "pypy" if pypy else "cpython", "version": [major, minor, micro],
        "release": "final", "magic": struct.unpack("<H", magic[:2])[0],
        "code_args": (17 if pypy else 14 if major == 2 else 15 if minor < 8 else 16 if minor < 11 else 18),
        "max_protocol": pickle.HIGHEST_PROTOCOL,
        "platform": {"os": "linux", "machine": platform.machine(), "bits": 64, "byteorder": sys.byteorder},
        "loader": {"name": "pickle", "buffers": True, "persistent_load": False}, "stdlib": "table",
        "complete": ["top_level", "distributions"], "modules": modules, "distributions": distributions(), "absent": absent,
        "main": {"names": [], "open": False}, "extensions": {}}, indent=1, sort_keys=True))


main()
