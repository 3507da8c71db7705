# -*- coding: utf-8 -*-
# How a case is written down: see cases.py. Executed before a case list.
CASES = []
ALWAYS = ((2, 7), (3, 99))


def case(name, source, use, first=(2, 7), last=(3, 99), by="pcd", needs=(), buffers=False):
    """source binds `obj`; use is an expression over `obj`, or statements that bind `r`. by: pickle, cloudpickle,
    dill. needs: modules without which the case is left out."""
    CASES.append({"number": len(CASES), "name": name, "source": source, "use": use, "first": first, "last": last,
                  "by": by, "needs": needs, "buffers": buffers})


def fn(name, source, use, first=(2, 7), **more):
    """A function by value: not for pickle, which would write its name."""
    case("fn-" + name, source, use, first, by=more.pop("by", "cd"), **more)


def cls(name, source, use, first=(2, 7), **more):
    case("cls-" + name, source, use, first, by=more.pop("by", "cd"), **more)


def data(name, imports, expression, use=None, first=(2, 7), **more):
    """An object that is made by an expression and compares equal to another one made so."""
    imports = "".join("import %s\n" % one for one in imports.split())
    if use is None:
        use = imports + "r = [type(obj).__name__, obj == (%s)]" % expression
    elif not use.startswith("="):
        use = imports + "r = " + use
    else:
        use = use[1:]
    case("data-" + name, imports + "obj = " + expression, use, first, by=more.pop("by", "pd"), **more)


def ref(name, imports, expression, use, first=(2, 7), **more):
    """Something that is named, not carried. A use imports only what it says itself: where a name has moved, the
    payload may load all the same."""
    names = imports.split()
    imports = "".join("import %s\n" % one for one in names)
    mentioned = "".join("import %s\n" % one for one in names if one + "." in use.replace("obj.", ""))
    case("ref-" + name, imports + "obj = " + expression, mentioned + "r = " + use, first, by=more.pop("by", "pcd"),
         **more)


