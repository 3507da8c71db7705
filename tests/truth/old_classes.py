"""The old-style classes of Python 2.7's standard library, a module and a name a line: for src/facts/gen_uses.py.

    python2.7 tests/truth/old_classes.py >OLD"""
import os
import signal
import sys
import types

LEFT_OUT = ("site-packages", "test", "tests", "idlelib", "lib2to3", "lib-tk", "ensurepip", "plat-linux2", "lib-dynload", "pydoc_data",
            "config")


def modules():
    names, folder = set(sys.builtin_module_names), os.path.dirname(os.__file__)
    for root, _, files in os.walk(folder):
        parts = os.path.relpath(root, folder).split(os.sep) if root != folder else []
        if set(parts) & set(LEFT_OUT) or (parts and not os.path.exists(os.path.join(root, "__init__.py"))):
            continue
        for name in files:
            if name.endswith(".py"):
                names.add(".".join(parts + ([] if name == "__init__.py" else [name[:-3]])))
    return sorted(names - set(["", "antigravity", "this", "pty", "__phello__.foo"]))


def too_long(*_):
    raise ImportError


def main():
    names, found, out = modules(), set(), sys.stdout
    sys.stdout = sys.stderr = open(os.devnull, "w")
    signal.signal(signal.SIGALRM, too_long)
    for name in names:
        try:
            signal.alarm(5)
            __import__(name)
        except BaseException:  # many want another system
            pass
        signal.alarm(0)
    for name in names:
        for key, value in list(vars(sys.modules.get(name) or sys).items()):
            if isinstance(value, types.ClassType) and (value.__module__, value.__name__) == (name, key):
                found.add((name, key))
    for pair in sorted(found):
        out.write("%s %s\n" % pair)


main()
