"""Prints what classes of the standard library take, as JSON: which values an enumeration has, how many arguments a
constructor written in Python or a node of a syntax tree takes, and, of Python 2, which classes are old-style.

    PYTHON -E -s -S uses.py >uses/<version>.json

Classes that no pickle names for other reasons (tests, private modules) are left out."""
import json
import pkgutil
import sys

SKIPPED = ("antigravity", "this", "idlelib", "lib2to3", "turtledemo", "test", "tkinter", "distutils", "ensurepip", "msilib", "pydoc_data",
           "lib-tk", "Tkinter", "bsddb", "curses", "turtle", "setuptools", "pip", "pkg_resources")


def modules():
    import os
    folder = os.path.dirname(os.__file__)
    names = set(sys.builtin_module_names)
    for _, name, is_package in pkgutil.iter_modules([folder]):
        if name in SKIPPED:
            continue
        names.add(name)
        if is_package:
            for _, inner, _ in pkgutil.iter_modules([os.path.join(folder, name)]):
                if inner not in ("__main__", "tests", "test", "lib2to3"):
                    names.add(name + "." + inner)
    return sorted(names)


def values(cls):
    """{text: True} of an enumeration: integers and short texts."""
    found = set()
    for member in cls.__members__.values():
        value = member._value_
        if isinstance(value, (int, str)) and not isinstance(value, bool):
            found.add(str(int(value)) if isinstance(value, int) else value)
    return sorted(found)


def arity(cls):
    """[least, most] arguments of __new__ written in Python; None: not known, or any number."""
    fields = getattr(cls, "_fields", None)
    if cls.__module__ in ("ast", "_ast"):
        return [0, len(fields)] if isinstance(fields, tuple) else None
    if not issubclass(cls, tuple) or not fields:
        return None
    for base in cls.__mro__:  # one that takes any number hands them on
        new = base.__dict__.get("__new__")
        new = getattr(new, "__func__", new)
        if new is not None and not getattr(getattr(new, "__code__", None), "co_flags", 0) & 4:
            break
    if not hasattr(new, "__code__"):
        return None
    code = new.__code__
    return [code.co_argcount - 1 - len(new.__defaults__ or ()), code.co_argcount - 1]


def main():
    out = {"enum": {}, "arity": {}, "old": []}
    for name in modules():
        try:
            __import__(name)
        except BaseException:
            continue
        module = sys.modules[name]
        for key in sorted(vars(module)):
            value = vars(module)[key]
            if sys.version_info[0] == 2 and type(value).__name__ == "classobj" and value.__module__ == name:
                out["old"].append([name, key])
            if not isinstance(value, type) or getattr(value, "__module__", None) not in (name, "_ast" if name == "ast" else name):
                continue
            if value.__name__ != key:
                continue
            if type(value).__name__ in ("EnumMeta", "EnumType") and not issubclass(value, getattr(sys.modules["enum"], "Flag")):
                if values(value):
                    out["enum"][name + ":" + key] = values(value)
            try:
                found = arity(value)
            except Exception:
                found = None
            if found:
                out["arity"][name + ":" + key] = found
    print(json.dumps(out))


main()
