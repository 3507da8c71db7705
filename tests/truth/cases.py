# -*- coding: utf-8 -*-
# The case list: what is written, and how it is used once it is loaded. Sources are text, since no Python reads the
# syntax of all of them. Executed (not imported) by harness.py, so that it needs nothing of the interpreter.

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


# ---- functions ------------------------------------------------------------------------------------------------

fn("add", "def obj(a, b):\n    return a + b", "[obj(1, 2), obj('a', 'b')]")
fn("nothing", "def obj():\n    pass", "obj()")
fn("constant", "obj = lambda: 42", "obj()")
fn("identity", "obj = lambda x: x", "obj([1])")
fn("negative", "obj = lambda: (-1, -2.5, 1j)", "obj()")
fn("lambda-default", "obj = lambda x, y=[1, 2]: (x, y)", "[obj(1), obj(1, 2)]")
fn("default", "def obj(a, b=2, c='x'):\n    return [a, b, c]", "[obj(1), obj(1, 5), obj(1, c=7)]")
fn("docstring", "def obj(a):\n    '''What it does.'''\n    return a * 2", "[obj(4), obj.__doc__]")
fn("only-docstring", "def obj():\n    '''Nothing.'''", "[obj(), obj.__doc__]")
fn("star", "def obj(*args, **kw):\n    return [list(args), kw]", "obj(1, 2, a=3)")
fn("star-call", "def obj(f, a, k):\n    return f(*a, **k)", "obj(lambda x, y=0, **k: [x, y, k], [1], {'y': 2, 'z': 3})")
fn("star-calls", "def obj(f, a, b, k):\n    return f(0, *a, *b, q=1, **k)",
   "obj(lambda *a, **k: [list(a), k], [1], [2], {'z': 3})", (3, 6))
fn("kwonly", "def obj(a, *, b=2, c):\n    return [a, b, c]", "obj(1, c=3)", (3, 6))
fn("posonly", "def obj(a, b=2, /, c=3, *, d=4):\n    return [a, b, c, d]", "[obj(1), obj(1, 5, d=0)]", (3, 8))
fn("closure", "def make(k):\n    def inner(x):\n        return x + k\n    return inner\nobj = make(10)", "obj(5)")
fn("closure-deep", "def make(a):\n    def one(b):\n        def two(c):\n            return (a, b, c)\n        return two\n"
   "    return one\nobj = make(1)(2)", "obj(3)")
fn("closure-state", "def make():\n    seen = []\n    def inner(x):\n        seen.append(x)\n        return list(seen)\n"
   "    return inner\nobj = make()", "[obj(1), obj(2)]")
fn("closure-self", "def make():\n    def fact(n):\n        return 1 if n < 2 else n * fact(n - 1)\n    return fact\n"
   "obj = make()", "obj(6)")
fn("nonlocal", "def make():\n    n = 0\n    def inner():\n        nonlocal n\n        n += 1\n        return n\n"
   "    return inner\nobj = make()", "[obj(), obj()]", (3, 6))
fn("recursion", "def obj(n):\n    return 1 if n < 2 else n * obj(n - 1)", "obj(7)")
fn("mutual", "def even(n):\n    return n == 0 or odd(n - 1)\ndef odd(n):\n    return n != 0 and even(n - 1)\nobj = even",
   "[obj(10), obj(7)]")
fn("global-data", "TABLE = {'a': [1, 2], 'b': (3,)}\ndef obj(k):\n    return TABLE[k]", "[obj('a'), obj('b')]")
fn("global-write", "count = 0\ndef obj():\n    global count\n    count += 1\n    return count", "[obj(), obj()]")
fn("global-module", "import json\ndef obj(x):\n    return json.dumps(x)", "obj([1, None])")
fn("global-submodule", "import os.path\ndef obj(x):\n    return os.path.basename(x)", "obj('a/b')")
fn("global-package", "import xml.dom.minidom\ndef obj(x):\n    return xml.dom.minidom.parseString(x).documentElement.tagName",
   "obj('<a/>')")
fn("global-function", "from os.path import basename\ndef obj(x):\n    return basename(x)", "obj('a/b')")
fn("global-class", "from collections import OrderedDict\ndef obj():\n    return list(OrderedDict([(1, 2)]).items())", "obj()")
fn("global-alias", "import datetime as dt\ndef obj():\n    return dt.date(2020, 1, 2).isoformat()", "obj()")
fn("import-inside", "def obj(x):\n    import json\n    return json.loads(x)", "obj('[1, 2]')")
fn("import-from-inside", "def obj(x):\n    from os.path import join\n    return join(x, 'y')", "obj('a')")
fn("import-new-module", "def obj():\n    import graphlib\n    return list(graphlib.TopologicalSorter({2: [1]}).static_order())",
   "obj()", (3, 9))
fn("import-old-module", "def obj():\n    import imp\n    return imp.C_EXTENSION", "obj()", last=(3, 11))
fn("import-guarded", "def obj(x):\n    try:\n        import ujson as json\n    except ImportError:\n        import json\n"
   "    return json.loads(x)", "obj('[1]')")
fn("import-branch", "def obj(x):\n    if x:\n        import no_such_module_here\n        return 1\n    return 0", "obj(0)")
fn("builtins", "def obj(x):\n    return [len(x), sum(x), sorted(x, reverse=True), max(x), isinstance(x, list)]", "obj([3, 1, 2])")
fn("comparisons", "def obj(a, b, c):\n    return [a < b < c, a == b, a != b, a is None, b is not None, a in (1, 2), c not in [3]]",
   "obj(1, 2, 3)")
fn("arithmetic", "def obj(a, b):\n    return [a + b, a - b, a * b, a // b, a % b, a ** b, -a, +a, ~a, a << b, a >> b, a & b, a | b, a ^ b]",
   "obj(7, 2)")
fn("augmented", "def obj(a):\n    a += 1\n    a *= 3\n    a -= 2\n    a //= 2\n    a **= 2\n    a |= 1\n    return a", "obj(5)")
fn("matmul", "class M(object):\n    def __matmul__(self, o):\n        return 'mm'\ndef obj():\n    m = M()\n    return m @ m", "obj()", (3, 6))
fn("boolean", "def obj(a, b):\n    return [a and b, a or b, not a, a if b else None]", "[obj(0, 1), obj(2, 0)]")
fn("if-chain", "def obj(x):\n    if x < 0:\n        return 'neg'\n    elif x == 0:\n        return 'zero'\n    else:\n        return 'pos'",
   "[obj(-1), obj(0), obj(1)]")
fn("while", "def obj(n):\n    total = 0\n    while n:\n        n -= 1\n        if n == 3:\n            continue\n        if n == 1:\n"
   "            break\n        total += n\n    else:\n        total = -1\n    return total", "[obj(6), obj(1)]")
fn("for", "def obj(xs):\n    out = []\n    for i, (a, b) in enumerate(xs):\n        if a is None:\n            continue\n"
   "        out.append(i * a + b)\n    else:\n        out.append('end')\n    return out", "obj([(1, 2), (None, 1), (3, 4)])")
fn("range-loop", "def obj(n):\n    t = 0\n    for i in range(n):\n        for j in range(i):\n            t += i * j\n    return t", "obj(6)")
fn("listcomp", "def obj(xs):\n    return [x * 2 for x in xs if x]", "obj([0, 1, 2])")
fn("nested-comp", "def obj(n):\n    return [[i * j for j in range(i)] for i in range(n)]", "obj(4)")
fn("dictcomp", "def obj(xs):\n    return {x: len(x) for x in xs}", "obj(['a', 'bb'])")
fn("setcomp", "def obj(xs):\n    return {x % 3 for x in xs}", "obj([1, 2, 3, 4])")
fn("genexpr", "def obj(xs, k):\n    return sum(x * k for x in xs)", "obj([1, 2], 3)")
fn("generator", "def obj(n):\n    for i in range(n):\n        yield i * i", "list(obj(4))")
fn("generator-send", "def obj():\n    got = yield 1\n    yield [got]", "g = obj()\nr = [next(g), g.send('x')]")
fn("generator-return", "def inner():\n    yield 1\n    return 2\ndef obj():\n    x = yield from inner()\n    yield x", "list(obj())", (3, 6))
fn("generator-finally", "def obj(log):\n    try:\n        yield 1\n        yield 2\n    finally:\n        log.append('closed')",
   "log = []\ng = obj(log)\nnext(g)\ng.close()\nr = log")
fn("coroutine", "async def obj(x):\n    return x + 1", "drive(obj(2))", (3, 6))
fn("await", "async def one(x):\n    return x * 2\nasync def obj(x):\n    return await one(x) + await one(1)", "drive(obj(3))", (3, 6))
fn("async-with", "class C(object):\n    async def __aenter__(self):\n        return 5\n    async def __aexit__(self, *a):\n        return True\n"
   "async def obj():\n    async with C() as v:\n        raise ValueError(v)\n    return 'after'", "drive(obj())", (3, 6))
fn("async-generator", "async def obj(n):\n    for i in range(n):\n        yield i", "collect(obj(3))", (3, 6))
fn("async-for", "async def gen(n):\n    for i in range(n):\n        yield i\nasync def obj(n):\n    out = []\n    async for x in gen(n):\n"
   "        out.append(x)\n    else:\n        out.append('end')\n    return out", "drive(obj(3))", (3, 6))
fn("async-comp", "async def gen(n):\n    for i in range(n):\n        yield i\nasync def obj(n):\n    return [x async for x in gen(n) if x]",
   "drive(obj(3))", (3, 6))
fn("async-closure", "def make(k):\n    async def inner(x):\n        return x + k\n    return inner\nobj = make(3)", "drive(obj(1))", (3, 6))
fn("fstring", "def obj(a, b):\n    return f'{a} {b!r:>5} {a + b:.2f} {{}}'", "obj(1, 2)", (3, 6))
fn("fstring-nested", "def obj(a):\n    return f'{a:{a}} {f\"{a}\"}'", "obj(3)", (3, 6))
fn("fstring-equals", "def obj(a):\n    return f'{a=} {a + 1=!s}'", "obj(3)", (3, 8))
fn("fstring-quotes", "def obj(d):\n    return f'{d['k']} {'\\n'.join(['a'])}'", "obj({'k': 1})", (3, 12))
fn("format", "def obj(a):\n    return '%s %d {}'.format(a) % (a, a)", "obj(3)")
fn("walrus", "def obj(xs):\n    return [y for x in xs if (y := x * 2) > 2]", "obj([1, 2, 3])", (3, 8))
fn("walrus-while", "def obj(xs):\n    out = []\n    while (x := xs.pop()) is not None:\n        out.append(x)\n    return out",
   "obj([None, 1, 2])", (3, 8))
MATCH = ("def obj(x):\n    match x:\n        case 0 | 1:\n            return 'small'\n        case int(n) if n < 0:\n            return ['neg', n]\n"
         "        case [a, *rest]:\n            return ['seq', a, rest]\n        case {'k': v, **more}:\n            return ['map', v, more]\n"
         "        case str() as s:\n            return ['str', s]\n        case _:\n            return 'other'")
fn("match", MATCH, "[obj(1), obj(-4), obj([1, 2, 3]), obj({'k': 2, 'z': 1}), obj('s'), obj(2.5)]", (3, 10))
fn("match-class", "class P(object):\n    __match_args__ = ('x', 'y')\n    def __init__(self, x, y):\n        self.x, self.y = x, y\n"
   "def obj(a, b):\n    match P(a, b):\n        case P(0, y):\n            return ['zero', y]\n        case P(x=x, y=1):\n            return ['one', x]\n"
   "        case _:\n            return 'other'", "[obj(0, 5), obj(3, 1), obj(3, 3)]", (3, 10))
fn("try", "def obj(x):\n    try:\n        return 10 // x\n    except ZeroDivisionError as e:\n        return type(e).__name__\n    finally:\n        x = None",
   "[obj(2), obj(0)]")
fn("try-else", "def obj(x):\n    log = []\n    try:\n        log.append(1 // x)\n    except (ZeroDivisionError, TypeError):\n        log.append('bad')\n"
   "    else:\n        log.append('fine')\n    finally:\n        log.append('end')\n    return log", "[obj(1), obj(0), obj('a')]")
fn("finally-return", "def obj():\n    try:\n        return 'try'\n    finally:\n        pass", "obj()")
fn("raise-from", "def obj():\n    try:\n        try:\n            raise KeyError(1)\n        except KeyError as e:\n            raise ValueError(2) from e\n"
   "    except ValueError as e:\n        return [type(e.__cause__).__name__, list(e.args)]", "obj()", (3, 6))
fn("except-star", "def obj():\n    got = []\n    try:\n        raise ExceptionGroup('g', [ValueError(1), TypeError(2)])\n    except* ValueError as e:\n"
   "        got.append(['v', len(e.exceptions)])\n    except* TypeError as e:\n        got.append(['t', len(e.exceptions)])\n    return got", "obj()", (3, 11))
fn("with", "class C(object):\n    def __enter__(self):\n        return 1\n    def __exit__(self, *a):\n        return True\n"
   "def obj():\n    with C() as a, C() as b:\n        raise KeyError(a + b)\n    return 'after'", "obj()")
fn("with-paren", "class C(object):\n    def __enter__(self):\n        return 1\n    def __exit__(self, *a):\n        return True\n"
   "def obj():\n    with (C() as a, C() as b,):\n        return a + b", "obj()", (3, 10))
fn("assert", "def obj(x):\n    assert x, 'no'\n    return x", "obj(1)")
fn("del", "def obj(d):\n    x = 1\n    del x\n    del d['a']\n    return d", "obj({'a': 1, 'b': 2})")
fn("slices", "def obj(x):\n    x[1:3] = [9]\n    return [x[0], x[-1], x[1:], x[:2], x[::2], x[...] if False else 0]", "obj([1, 2, 3, 4, 5])")
fn("unpack", "def obj(x):\n    a, (b, c), *d = x\n    return [a, b, c, d]", "obj([1, (2, 3), 4, 5])", (3, 6))
fn("unpack2", "def obj(x):\n    a, (b, c) = x\n    b, a = a, b\n    return [a, b, c]", "obj([1, (2, 3)])")
fn("displays", "def obj(a, b):\n    return [[*a, *b], {**b and {}, 'x': 1}, {*a, *b}, (*a, 0)]", "obj([1], [2])", (3, 6))
fn("literals", "def obj():\n    return [[1, 2, 3], (1, 2, 3), {1: 2, 3: 4, 5: 6}, {1, 2, 3}, b'x', u'\\xe9', 10 ** 30, 1.5, True, None]", "obj()")
fn("set-membership", "def obj(x):\n    return x in {1, 2, 3}, x in ['a', 'b'], x in 'abc'", "obj('a')")
fn("many-constants", "def obj(i):\n    return [%s][i]" % ", ".join("'v%d'" % i for i in range(300)), "[obj(0), obj(299)]")
fn("many-names", "def obj():\n%s\n    return v0 + v299" % "\n".join("    v%d = %d" % (i, i + 1) for i in range(300)), "obj()")
fn("long-jump", "def obj(x):\n    out = 0\n    for i in range(x):\n        if i %% 2:\n%s\n        else:\n            out -= 1\n    return out"
   % "\n".join("            out = out + i * %d" % (i + 300) for i in range(120)), "obj(5)")
fn("annotations", "def obj(a: int, *b: 'str', c: list = None) -> dict:\n    x: int = 5\n    return {'a': a + x}", "[obj(1), sorted(obj.__annotations__)]", (3, 6))
fn("annotations-future", "from __future__ import annotations\ndef obj(a: Unknown) -> None:\n    return a", "[obj(1), obj.__annotations__]", (3, 7))
fn("type-params", "def obj[T](a: T) -> list[T]:\n    return [a]", "obj(1)", (3, 12))
fn("type-alias", "def obj():\n    type A[T] = list[T] | None\n    return A.__name__", "obj()", (3, 12))
fn("type-default", "def obj[T = int](a: T) -> T:\n    return a", "[obj(1), len(obj.__type_params__)]", (3, 13))
fn("decorated", "import functools\ndef deco(f):\n    @functools.wraps(f)\n    def inner(*a):\n        return ['d', f(*a)]\n    return inner\n"
   "@deco\ndef obj(x):\n    return x", "[obj(1), obj.__name__]")
fn("decorator-args", "def deco(k):\n    def outer(f):\n        return lambda *a: [k, f(*a)]\n    return outer\n@deco(1)\n@deco(2)\ndef obj(x):\n    return x", "obj(0)")
fn("partial", "import functools\ndef f(a, b, c):\n    return [a, b, c]\nobj = functools.partial(f, 1, c=3)", "obj(2)")
fn("partial-lambda", "import functools\nobj = functools.partial(lambda a, b: a - b, 5)", "obj(2)")
fn("attributes", "def obj():\n    return obj.value\nobj.value = [1]\nobj.other = {'k': 2}", "[obj.value, obj.other]")
fn("list-of", "obj = [lambda x: x + 1, lambda x: x * 2]", "[f(5) for f in obj]")
fn("dict-of", "def f(x):\n    return x\nobj = {'f': f, 'g': lambda: f(2)}", "[obj['f'](1), obj['g']()]")
fn("shared", "def f(x):\n    return x\nobj = [f, f]", "[obj[0] is obj[1], obj[0](3)]")
fn("inner-class", "def obj():\n    class A(object):\n        def m(self):\n            return 'm'\n    return A().m()", "obj()")
fn("inner-function", "def obj(x):\n    def inner(y):\n        def most(z):\n            return (x, y, z)\n        return most\n    return inner(2)(3)", "obj(1)")
fn("exec", "def obj():\n    d = {}\n    exec('a = 5', d)\n    return [d['a'], eval('a + 1', d)]", "obj()")
fn("globals", "MARK = 7\ndef obj():\n    return ['MARK' in globals(), MARK]", "obj()[1]")
fn("unicode", u"def obj(a):\n    return a + u'\u00e9\u4e2d'", "obj(u'x')")
fn("unicode-name", u"def obj(\u00e9):\n    return \u00e9 + 1", "obj(1)", (3, 6))
fn("bytes", "def obj(a):\n    return a + b'\\x00\\xff'", "obj(b'x')")
fn("generator-closure", "def make(k):\n    def gen(n):\n        for i in range(n):\n            yield i + k\n    return gen\nobj = make(10)", "list(obj(2))")
fn("super-function", "class A(object):\n    def f(self):\n        return 'A'\nclass B(A):\n    def f(self):\n        return super(B, self).f() + 'B'\n"
   "def obj():\n    return B().f()", "obj()")
fn("uses-class", "class A(object):\n    k = 3\n    def f(self, x):\n        return x * self.k\ndef obj(x):\n    return A().f(x)", "obj(2)")
fn("uses-namedtuple", "import collections\nP = collections.namedtuple('P', 'x y')\ndef obj():\n    return P(1, 2).x", "obj()")
fn("uses-enum", "import enum\nclass E(enum.Enum):\n    A = 1\ndef obj():\n    return E.A.name", "obj()", (3, 6))
fn("chained-methods", "def obj(s):\n    return s.strip().upper().replace('A', 'b').split('b')", "obj(' xay ')")
fn("many-args", "def obj(%s):\n    return a0 + a39" % ", ".join("a%d" % i for i in range(40)), "obj(*range(40))")
fn("stdlib-by-value-module", "import sys, types\nm = types.ModuleType('made_up')\nexec('def g(x):\\n    return x + 1', m.__dict__)\nobj = m.g", "obj(1)")
fn("method-of-instance", "class A(object):\n    def __init__(self):\n        self.k = 4\n    def f(self, x):\n        return x + self.k\nobj = A().f", "obj(1)")
fn("classmethod-bound", "class A(object):\n    k = 4\n    @classmethod\n    def f(cls, x):\n        return x + cls.k\nobj = A.f", "obj(1)")
fn("staticmethod-bound", "class A(object):\n    @staticmethod\n    def f(x):\n        return x + 1\nobj = A.f", "obj(1)")
fn("builtin-method", "obj = [].append\nobj = 'abc'.upper", "obj()")
fn("print", "def obj(x):\n    import io\n    out = io.StringIO()\n    print(x, file=out, end='')\n    return out.getvalue()", "obj(5)", (3, 6))
fn("string-annotations-class", "import typing\ndef obj(a: typing.Optional[int], b: typing.List[str] = None) -> typing.Any:\n    return a", "obj(1)", (3, 6))
fn("union-annotation", "def obj(a: int | None) -> list[int]:\n    return [a]", "obj(1)", (3, 10))
fn("module-only-writer", "import truth_only_here\ndef obj():\n    return truth_only_here.value", "obj()")
fn("name-only-writer", "from truth_only_here import twice\ndef obj(x):\n    return twice(x)", "obj(2)")
fn("inside-only-writer", "def obj():\n    import truth_only_here\n    return truth_only_here.value", "obj()")
fn("try-only-writer", "def obj():\n    try:\n        import truth_only_here\n    except ImportError:\n        return 'none'\n    return 'some'", "obj() and 1")

# ---- classes --------------------------------------------------------------------------------------------------

cls("plain", "class A(object):\n    k = 1\n    def m(self, x):\n        return x + self.k\nobj = A", "obj().m(2)")
cls("plain-instance", "class A(object):\n    def __init__(self, v):\n        self.v = v\n    def m(self):\n        return self.v\nobj = A([1, 2])", "obj.m()")
cls("empty-instance", "class A(object):\n    pass\nobj = A()\nobj.x = 1", "obj.x")
cls("by-name", "class A(object):\n    pass\nobj = A()\nobj.x = 1", "obj.x", by="p")
cls("function-by-name", "def f():\n    return 1\nobj = f", "obj()", by="p")
cls("nested-by-name", "class A(object):\n    class B(object):\n        pass\nobj = A.B()", "type(obj).__name__", (3, 6), by="p")
cls("old-style", "class A:\n    def m(self):\n        return 3\nobj = A()", "obj.m()")
cls("slots", "class A(object):\n    __slots__ = ('x', 'y')\n    def total(self):\n        return self.x + self.y\nobj = A()\nobj.x, obj.y = 1, 2", "obj.total()")
cls("property", "class A(object):\n    def __init__(self):\n        self._v = 1\n    @property\n    def v(self):\n        return self._v\n    @v.setter\n    def v(self, x):\n"
    "        self._v = x\nobj = A()", "obj.v = 5\nr = obj.v")
cls("static-class", "class A(object):\n    n = 2\n    @staticmethod\n    def s(x):\n        return x\n    @classmethod\n    def c(cls):\n        return cls.n\nobj = A", "[obj.s(1), obj.c()]")
cls("inherit", "class A(object):\n    def m(self):\n        return 'A'\nclass B(A):\n    def m(self):\n        return super(B, self).m() + 'B'\nobj = B", "obj().m()")
cls("super", "class A(object):\n    def m(self):\n        return 'A'\nclass B(A):\n    def m(self):\n        return super().m() + 'B'\nobj = B()", "obj.m()", (3, 6))
cls("diamond", "class A(object):\n    def m(self):\n        return ['A']\nclass B(A):\n    def m(self):\n        return ['B'] + super(B, self).m()\nclass C(A):\n    def m(self):\n"
    "        return ['C'] + super(C, self).m()\nclass D(B, C):\n    pass\nobj = D()", "obj.m()")
cls("inner", "class A(object):\n    class B(object):\n        def m(self):\n            return 'inner'\nobj = A", "obj.B().m()")
cls("from-dict", "class A(dict):\n    def total(self):\n        return sum(self.values())\nobj = A(a=1, b=2)", "obj.total()")
cls("from-list", "class A(list):\n    def total(self):\n        return sum(self)\nobj = A([1, 2])", "obj.total()")
cls("from-int", "class A(int):\n    def twice(self):\n        return self * 2\nobj = A(4)", "obj.twice()")
cls("from-str", "class A(str):\n    def loud(self):\n        return self.upper()\nobj = A('x')", "obj.loud()")
cls("from-tuple", "class A(tuple):\n    def first(self):\n        return self[0]\nobj = A((1, 2))", "obj.first()")
cls("from-stdlib", "import threading\nclass A(threading.Thread):\n    def run(self):\n        self.done = 1\nobj = A", "t = obj()\nt.start()\nt.join()\nr = t.done")
cls("from-exception", "class E(ValueError):\n    def __init__(self, a, b=2):\n        super(E, self).__init__(a)\n        self.b = b\nobj = E(1)", "[list(obj.args), obj.b]")
cls("setstate", "class A(object):\n    def __getstate__(self):\n        return {'v': 1}\n    def __setstate__(self, s):\n        self.v = s['v'] + 1\nobj = A()\nobj.v = 2", "obj.v")
cls("getstate", "class A(object):\n    def __getstate__(self):\n        return {'v': 1}\nobj = A()\nobj.v = 1", "obj.v")
cls("reduce", "class A(object):\n    def __init__(self, v):\n        self.v = v\n    def __reduce__(self):\n        return A, (self.v,)\nobj = A(3)", "obj.v")
cls("reduce-function", "def make(v):\n    a = A()\n    a.v = v\n    return a\nclass A(object):\n    def __reduce__(self):\n        return make, (self.v,)\nobj = make(3)", "obj.v")
cls("reduce-builtin", "class A(object):\n    def __reduce__(self):\n        return list, ((1, 2),)\nobj = A()", "obj if isinstance(obj, list) else [1, 2]")
cls("new", "class A(object):\n    def __new__(cls, *a):\n        self = object.__new__(cls)\n        self.made = len(a)\n        return self\nobj = A()", "obj.made")
cls("getnewargs", "class A(object):\n    def __new__(cls, v=0):\n        self = object.__new__(cls)\n        self.v = v\n        return self\n    def __getnewargs__(self):\n"
    "        return (self.v,)\nobj = A(5)", "obj.v")
cls("getnewargs-ex", "class A(object):\n    def __new__(cls, *, v=0):\n        self = object.__new__(cls)\n        self.v = v\n        return self\n    def __getnewargs_ex__(self):\n"
    "        return (), {'v': self.v}\nobj = A(v=5)", "obj.v", (3, 6))
cls("hash-key", "class A(object):\n    def __init__(self, v):\n        self.v = v\n    def __hash__(self):\n        return 1\n    def __eq__(self, o):\n        return True\nobj = {A(1): 2}",
    "list(obj.values())")
cls("hash-set", "class A(object):\n    def __hash__(self):\n        return 1\n    def __eq__(self, o):\n        return self is o\nobj = {A(), A()}", "len(obj)")
cls("hash-frozenset", "class A(object):\n    def __hash__(self):\n        return 7\nobj = frozenset([A()])", "len(obj)")
cls("plain-key", "class A(object):\n    pass\nobj = {A(): 2}", "list(obj.values())")
cls("append", "class A(list):\n    def append(self, x):\n        list.append(self, x)\nobj = A([1, 2, 3])", "len(obj)")
cls("extend", "class A(list):\n    def extend(self, x):\n        list.extend(self, x)\nobj = A([1, 2, 3])", "len(obj)")
cls("setitem", "class A(dict):\n    def __setitem__(self, k, v):\n        dict.__setitem__(self, k, v)\nobj = A(a=1, b=2)", "len(obj)")
cls("init-subclass", "class A(object):\n    def __init_subclass__(cls, **k):\n        super().__init_subclass__(**k)\n        cls.tag = 'sub'\nclass B(A):\n    pass\nobj = B", "obj.tag", (3, 6))
cls("set-name", "class D(object):\n    def __set_name__(self, owner, name):\n        self.name = name\n    def __get__(self, o, t=None):\n        return self.name\nclass A(object):\n    field = D()\nobj = A",
    "obj().field", (3, 6))
cls("descriptor", "class D(object):\n    def __get__(self, o, t=None):\n        return 'got'\n    def __set__(self, o, v):\n        pass\nclass A(object):\n    f = D()\nobj = A()", "obj.f")
cls("metaclass", "class M(type):\n    def hello(cls):\n        return cls.__name__\nA = M('A', (object,), {'k': 1})\nobj = A", "[obj.hello(), obj.k]")
cls("metaclass-new", "class M(type):\n    def __new__(m, n, b, d):\n        d = dict(d, added=1)\n        return type.__new__(m, n, b, d)\nA = M('A', (object,), {})\nobj = A", "obj.added")
cls("metaclass-init", "class M(type):\n    def __init__(c, n, b, d):\n        type.__init__(c, n, b, d)\nA = M('A', (object,), {'k': 2})\nobj = A()", "obj.k")
cls("metaclass-call", "class M(type):\n    def __call__(c, *a):\n        return type.__call__(c, *a)\nA = M('A', (object,), {'k': 2})\nobj = A()", "obj.k")
cls("metaclass-reduce-call", "class M(type):\n    def __call__(c, *a):\n        return type.__call__(c, *a)\nclass B(object):\n    def __init__(self, v):\n        self.v = v\n    def __reduce__(self):\n"
    "        return type(self), (self.v,)\nA = M('A', (B,), {})\nobj = A(4)", "obj.v")
cls("metaclass-setattr", "class M(type):\n    def __setattr__(c, k, v):\n        type.__setattr__(c, k, v)\nA = M('A', (object,), {'k': 2})\nobj = A", "obj.k")
cls("abc", "import abc\nclass A(abc.ABC):\n    @abc.abstractmethod\n    def m(self):\n        pass\nclass B(A):\n    def m(self):\n        return 'm'\nobj = B()", "obj.m()", (3, 6))
cls("abc-register", "import abc\nclass A(abc.ABC):\n    pass\nA.register(int)\nobj = A", "isinstance(3, obj)", (3, 6))
cls("abc-abstract", "import abc\nclass A(abc.ABC):\n    @abc.abstractmethod\n    def m(self):\n        pass\nobj = A", "try:\n    obj()\nexcept TypeError:\n    r = 'abstract'", (3, 6))
cls("mapping", "import collections.abc\nclass A(collections.abc.Mapping):\n    def __init__(self):\n        self.d = {'a': 1}\n    def __getitem__(self, k):\n        return self.d[k]\n    def __len__(self):\n"
    "        return 1\n    def __iter__(self):\n        return iter(self.d)\nobj = A()", "[obj['a'], list(obj.keys())]", (3, 6))
cls("protocol", "import typing\nclass P(typing.Protocol):\n    def m(self) -> int: ...\nclass A(P):\n    def m(self):\n        return 1\nobj = A()", "obj.m()", (3, 8))
cls("protocol-runtime", "import typing\n@typing.runtime_checkable\nclass P(typing.Protocol):\n    def m(self) -> int: ...\nobj = P", "isinstance(3, obj)", (3, 8))
cls("generic", "import typing\nT = typing.TypeVar('T')\nclass A(typing.Generic[T]):\n    def m(self, x: T) -> T:\n        return x\nobj = A", "obj().m(3)", (3, 7))
cls("generic-syntax", "class A[T]:\n    def m(self, x: T) -> T:\n        return x\nobj = A", "obj().m(3)", (3, 12))
cls("typeddict", "import typing\nclass D(typing.TypedDict):\n    a: int\nobj = D", "obj(a=1)", (3, 9))
cls("namedtuple", "import collections\nP = collections.namedtuple('P', 'x y')\nobj = P(1, 2)", "[obj.x, obj.y, list(obj._replace(x=5))]")
cls("namedtuple-class", "import collections\nobj = collections.namedtuple('P', ['a', 'b'])", "list(obj(1, b=2))")
cls("namedtuple-defaults", "import collections\nobj = collections.namedtuple('P', 'a b', defaults=[7])(1)", "list(obj)", (3, 7))
cls("typed-namedtuple", "import typing\nclass P(typing.NamedTuple):\n    x: int\n    y: str = 'd'\n    def m(self):\n        return self.x * 2\nobj = P(4)", "[obj.m(), obj.y]", (3, 6))
cls("enum", "import enum\nclass E(enum.Enum):\n    A = 1\n    B = 'b'\n    def m(self):\n        return self.name.lower()\nobj = E.A", "[obj.m(), obj.value, len(type(obj))]", (3, 6))
cls("enum-class", "import enum\nclass E(enum.Enum):\n    A = 1\n    B = 2\nobj = E", "[obj.A.value, obj(2).name]", (3, 6))
cls("intenum", "import enum\nclass E(enum.IntEnum):\n    A = 1\n    B = 2\nobj = [E.B, E.A]", "[obj[0] + 1, obj[1].name]", (3, 6))
cls("flag", "import enum\nclass F(enum.Flag):\n    A = 1\n    B = 2\nobj = F.A | F.B", "obj.value", (3, 6))
cls("strenum", "import enum\nclass F(enum.StrEnum):\n    A = 'a'\nobj = F.A", "obj.upper()", (3, 11))
cls("enum-auto", "import enum\nclass E(enum.Enum):\n    A = enum.auto()\n    B = enum.auto()\nobj = E.B", "[obj.name, obj.value]", (3, 6))
cls("enum-new", "import enum\nclass E(bytes, enum.Enum):\n    def __new__(cls, v, label):\n        o = bytes.__new__(cls, [v])\n        o._value_ = v\n        o.label = label\n        return o\n"
    "    A = (1, 'one')\nobj = E", "[obj.A.label, obj(1).name]", (3, 6))
cls("dataclass", "import dataclasses\n@dataclasses.dataclass\nclass D:\n    x: int\n    y: list = dataclasses.field(default_factory=list)\n    def m(self):\n        return self.x\nobj = D(3)",
    "[obj.m(), obj.y]", (3, 7))
cls("dataclass-class", "import dataclasses\n@dataclasses.dataclass\nclass D:\n    x: int\n    y: int = 2\nobj = D", "import dataclasses\nr = dataclasses.asdict(obj(1))", (3, 7))
cls("dataclass-frozen", "import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass D:\n    x: int\nobj = {D(1): 2}", "list(obj.values())", (3, 7))
cls("dataclass-slots", "import dataclasses\n@dataclasses.dataclass(slots=True)\nclass D:\n    x: int\nobj = D(1)", "obj.x", (3, 10))
cls("dataclass-slots-frozen", "import dataclasses\n@dataclasses.dataclass(slots=True, frozen=True)\nclass D:\n    x: int\nobj = D(1)", "obj.x", (3, 10))
cls("dataclass-order", "import dataclasses\n@dataclasses.dataclass(order=True)\nclass D:\n    x: int\nobj = [D(2), D(1)]", "[d.x for d in sorted(obj)]", (3, 7))
cls("dataclass-post", "import dataclasses\n@dataclasses.dataclass\nclass D:\n    x: int\n    def __post_init__(self):\n        self.z = self.x + 1\nobj = D(1)", "[obj.z, type(obj)(5).z]", (3, 7))
cls("dataclass-kwonly", "import dataclasses\n@dataclasses.dataclass(kw_only=True)\nclass D:\n    x: int\n    y: int = 3\nobj = D(x=1)", "[obj.x, type(obj)(x=2).y]", (3, 10))
cls("total-ordering", "import functools\n@functools.total_ordering\nclass A(object):\n    def __init__(self, v):\n        self.v = v\n    def __eq__(self, o):\n        return self.v == o.v\n    def __lt__(self, o):\n"
    "        return self.v < o.v\nobj = A", "[obj(1) <= obj(2), obj(3) > obj(2)]")
cls("cached-property", "import functools\nclass A(object):\n    @functools.cached_property\n    def p(self):\n        return 5\nobj = A", "obj().p", (3, 8))
cls("callable", "class A(object):\n    def __call__(self, x):\n        return x + 1\nobj = A()", "obj(1)")
cls("getattr", "class A(object):\n    def __getattr__(self, n):\n        if n.startswith('__'):\n            raise AttributeError(n)\n        return n\nobj = A()", "obj.foo")
cls("setattr", "class A(object):\n    def __setattr__(self, n, v):\n        object.__setattr__(self, n, v)\nobj = A()\nobj.x = 1", "obj.x")
cls("setattr-slots", "class A(object):\n    __slots__ = ('x',)\n    def __setattr__(self, n, v):\n        object.__setattr__(self, n, v)\nobj = A()\nobj.x = 1", "obj.x")
cls("getattribute", "class A(object):\n    def __getattribute__(self, n):\n        return object.__getattribute__(self, n)\nobj = A()\nobj.x = 1", "obj.x")
cls("class-getitem", "class A(object):\n    def __class_getitem__(cls, k):\n        return [k]\nobj = A", "obj[3]", (3, 7))
cls("iterator", "class A(object):\n    def __init__(self, n):\n        self.n = n\n    def __iter__(self):\n        return self\n    def __next__(self):\n        if not self.n:\n            raise StopIteration\n"
    "        self.n -= 1\n        return self.n\n    next = __next__\nobj = A(3)", "list(obj)")
cls("context", "class A(object):\n    def __enter__(self):\n        return 5\n    def __exit__(self, *a):\n        return True\nobj = A()", "with obj as v:\n    r = v")
cls("class-decorator", "def deco(c):\n    c.tag = 'deco'\n    return c\n@deco\nclass A(object):\n    pass\nobj = A", "obj.tag")
cls("class-closure", "def make(k):\n    class A(object):\n        def m(self):\n            return k\n    return A\nobj = make(8)", "obj().m()")
cls("self-reference", "class A(object):\n    def make(self):\n        return A()\nobj = A()", "type(obj.make()).__name__")
cls("cycle", "class A(object):\n    pass\nobj = A()\nobj.me = obj\nobj.list = [obj]", "[obj.me is obj, obj.list[0] is obj]")
cls("weakref-slot", "class A(object):\n    __slots__ = ('__weakref__', 'x')\nobj = A()\nobj.x = 4", "obj.x")
cls("annotations", "class A(object):\n    x: int\n    y: 'str' = 'a'\nobj = A", "sorted(obj.__annotations__)", (3, 6))
cls("many-methods", "class A(object):\n%s\nobj = A()" % "\n".join("    def m%d(self):\n        return %d" % (i, i) for i in range(60)), "[obj.m0(), obj.m59()]")
cls("many-methods-setstate", "class A(object):\n    def __setstate__(self, s):\n        self.__dict__.update(s)\n%s\nobj = A()\nobj.x = 1" % "\n".join("    def m%d(self):\n        return %d" % (i, i)
    for i in range(300)), "[obj.m0(), obj.m299(), obj.x]")
cls("setstate-inherited", "class B(object):\n    def __setstate__(self, s):\n        self.__dict__.update(s)\nclass A(B):\n    pass\nobj = A()\nobj.x = 1", "obj.x")
cls("setstate-lambda", "class A(object):\n    pass\nA.__setstate__ = lambda self, s: self.__dict__.update(s)\nobj = A()\nobj.x = 1", "obj.x")
cls("setstate-stdlib-base", "import string\nclass A(string.Template):\n    def __setstate__(self, s):\n        self.__dict__.update(s)\nobj = A('$x')", "obj.substitute(x=1)")
cls("class-in-container", "class A(object):\n    def m(self):\n        return 1\nobj = {'c': A, 'i': [A(), A()]}", "[obj['c']().m(), len(obj['i'])]")
cls("partial-of-class", "import functools\nclass A(object):\n    def __init__(self, a, b):\n        self.v = [a, b]\nobj = functools.partial(A, 1)", "obj(2).v")
cls("defaultdict-of-lambda", "import collections\nobj = collections.defaultdict(lambda: 5)\nobj['a'] = 1", "[obj['a'], obj['zz']]")
cls("sorted-key", "import collections\nclass K(object):\n    def __init__(self, v):\n        self.v = v\n    def __lt__(self, o):\n        return self.v < o.v\nobj = [K(2), K(1)]", "[k.v for k in sorted(obj)]")
cls("property-lambda", "class A(object):\n    p = property(lambda self: 3)\nobj = A", "obj().p")
cls("singledispatch-like", "class A(object):\n    table = {}\n    @classmethod\n    def reg(cls, k):\n        def deco(f):\n            cls.table[k] = f\n            return f\n        return deco\n"
    "@A.reg('x')\ndef fx():\n    return 'fx'\nobj = A", "obj.table['x']()")
cls("del", "class A(object):\n    def __del__(self):\n        pass\nobj = A()", "type(obj).__name__")
cls("module-class-only-writer", "import truth_only_here\nobj = truth_only_here.Thing()", "obj.m()", by="pcd")
cls("base-only-writer", "import truth_only_here\nclass A(truth_only_here.Thing):\n    pass\nobj = A()", "obj.m()")

# ---- data -----------------------------------------------------------------------------------------------------

data("none", "", "[None, True, False]")
data("ints", "", "[0, 1, -1, 255, 256, 65535, -65536, 2 ** 31, 2 ** 63, -2 ** 63, 10 ** 40, -10 ** 40]")
data("floats", "", "[0.0, -0.5, 1e300, 1.5, float('inf')]")
data("complex", "", "3+4j")
data("text", "", "['', 'abc', u'\\xe9\\u4e2d', u'\\U0001f600', 'a\\nb\\\\c', 'x' * 300]", "= r = obj", (3, 6))
data("text2", "", "[u'', u'abc', u'\\xe9\\u4e2d', u'a\\nb\\\\c']")
data("str-ascii", "", "['abc', 'x' * 300]")
data("str-high", "", "'caf\\xe9'", "=r = obj")
data("bytes", "", "[b'', b'abc', b'\\x00\\xff', b'x' * 300]", "=r = obj")
data("bytes-ascii", "", "b'abc'", "=r = obj")
data("bytearray", "", "bytearray(b'abc\\xff')", "=r = bytes(obj)")
data("lists", "", "[[], [1], [1, [2, [3]]], list(range(1500))]")
data("tuples", "", "[(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), ((1,), 2)]")
data("dicts", "", "[{}, {'a': 1}, {1: {2: 3}}, dict((i, str(i)) for i in range(1200))]")
data("sets", "", "[set(), {1, 2}, frozenset(), frozenset([1, 'a'])]")
data("recursive", "", "[]", "=r = obj == []")
case("data-cycle", "obj = []\nobj.append(obj)\nd = {'l': obj}\nobj.append(d)", "[obj[0] is obj, obj[1]['l'] is obj]", by="pd")
case("data-shared", "x = [1]\nobj = (x, x, {'k': x})", "[obj[0] is obj[1], obj[2]['k'] is obj[0]]", by="pd")
data("ellipsis", "", "[Ellipsis, NotImplemented]", "=r = [obj[0] is Ellipsis, obj[1] is NotImplemented]")
data("types", "", "[int, str, list, dict, type, object, type(None), bytes, complex, Exception]", "=r = [obj[3] is dict, obj[6] is type(None)]")
data("type-ellipsis", "", "[type(Ellipsis), type(NotImplemented)]", "=r = [obj[0] is type(Ellipsis)]")
data("slice", "", "slice(1, 10, 2)")
data("range", "", "range(1, 10, 2)", "=r = list(obj)")
data("date", "datetime", "datetime.date(2020, 2, 29)")
data("date-old", "datetime", "datetime.date(1900, 2, 28)")
data("datetime", "datetime", "datetime.datetime(2020, 2, 29, 1, 2, 3, 4)")
data("datetime-old", "datetime", "datetime.datetime(1850, 2, 28, 1, 2, 3, 4)")
data("datetime-utc", "datetime", "datetime.datetime(2020, 2, 29, tzinfo=datetime.timezone.utc)", None, (3, 6))
data("datetime-fold", "datetime", "datetime.datetime(2020, 2, 29, 1, fold=1)", "[obj.fold, obj.month, obj.hour]", (3, 6))
data("time", "datetime", "datetime.time(1, 2, 3)")
data("timedelta", "datetime", "datetime.timedelta(1, 2, 3)")
data("timezone", "datetime", "datetime.timezone(datetime.timedelta(hours=2), 'X')", None, (3, 6))
data("zoneinfo", "zoneinfo", "zoneinfo.ZoneInfo('UTC')", "=r = str(obj)", (3, 9))
data("decimal", "decimal", "decimal.Decimal('1.50')")
data("decimal-context", "decimal", "decimal.Context(prec=5)", "=r = obj.prec")
data("fraction", "fractions", "fractions.Fraction(3, 4)")
data("uuid", "uuid", "uuid.UUID(int=5)")
data("uuid-4", "uuid", "uuid.UUID('12345678123456781234567812345678')", "=r = str(obj)")
data("deque", "collections", "collections.deque([1, 2, 3], 5)")
data("ordered", "collections", "collections.OrderedDict([('b', 1), ('a', 2)])")
data("counter", "collections", "collections.Counter('aab')")
data("defaultdict", "collections", "collections.defaultdict(list, {'a': [1]})")
data("chainmap", "collections", "collections.ChainMap({'a': 1}, {'b': 2})", None, (3, 6))
data("userdict", "collections", "collections.UserDict(a=1)", "=r = dict(obj)", (3, 6))
data("userlist", "collections", "collections.UserList([1])", "=r = list(obj)", (3, 6))
data("userstring", "collections", "collections.UserString('x')", "=r = str(obj)", (3, 6))
data("namespace", "types", "types.SimpleNamespace(a=1)", None, (3, 6))
data("array", "array", "array.array('i', [1, 2, 3])")
data("array-double", "array", "array.array('d', [1.5])")
data("regex", "re", "re.compile('a(b)c')", "obj.match('abc').group(1)")
data("regex-flags", "re", "re.compile('A', re.I | re.M)", "bool(obj.match('a'))")
data("regex-bytes", "re", "re.compile(b'a')", "bool(obj.match(b'a'))")
data("random", "random", "random.Random(5)", "=r = [obj.random() == obj.random(), 0 <= obj.random() < 1]")
data("path", "pathlib", "pathlib.PurePosixPath('/a/b')", "=r = str(obj)", (3, 6))
data("path-real", "pathlib", "pathlib.Path('/a/b')", "=r = str(obj)", (3, 6))
data("path-windows", "pathlib", "pathlib.PureWindowsPath('c:/a')", "=r = str(obj)", (3, 6))
data("ipaddress", "ipaddress", "ipaddress.ip_address('10.0.0.1')", None, (3, 6))
data("ipnetwork", "ipaddress", "ipaddress.ip_network('10.0.0.0/8')", "=r = str(obj)", (3, 6))
data("ipv6", "ipaddress", "ipaddress.ip_address('::1')", "=r = str(obj)", (3, 6))
data("struct-time", "time", "time.gmtime(0)", "=r = list(obj)[:6]")
data("stat", "os", "os.stat_result(range(10))", "=r = list(obj)[:10]")
data("urlparse", "urllib.parse", "urllib.parse.urlparse('http://a/b?c')", "=r = list(obj)[:3]", (3, 6))
data("urlparse2", "urlparse", "urlparse.urlparse('http://a/b?c')", "=r = list(obj)[:3]", (2, 7), last=(2, 7))
data("exceptions", "", "[ValueError('a', 1), KeyError('k'), IndexError(), ZeroDivisionError('z')]", "=r = [[type(e).__name__, list(e.args)] for e in obj]")
data("oserror", "", "OSError(2, 'no')", "=r = list(obj.args)")
data("filenotfound", "", "FileNotFoundError(2, 'no', 'f')", "=r = [list(obj.args), obj.filename]", (3, 6))
data("unicodeerror", "", "UnicodeDecodeError('ascii', b'x', 0, 1, 'r')", "=r = obj.reason")
data("modulenotfound", "", "ModuleNotFoundError('m')", "=r = list(obj.args)", (3, 6))
data("stopiteration", "", "StopIteration(3)", "=r = list(obj.args)")
data("recursionerror", "", "RecursionError('x')", "=r = list(obj.args)", (3, 6))
data("exceptiongroup", "", "ExceptionGroup('g', [ValueError(1)])", "=r = len(obj.exceptions)", (3, 11))
data("exception-notes", "", "ValueError(1)", "=r = list(obj.args)")
data("calledprocess", "subprocess", "subprocess.CalledProcessError(1, 'c')", "=r = list(obj.args) and 1")
data("jsonerror", "json", "json.JSONDecodeError('m', 'd', 0)", "=r = obj.msg", (3, 6))
data("timeouts", "concurrent.futures asyncio", "[concurrent.futures.TimeoutError('x'), asyncio.TimeoutError()]", "=r = len(obj)", (3, 6))
data("cancelled", "asyncio", "asyncio.CancelledError()", "=r = list(obj.args)", (3, 6))
data("signal-enum", "signal", "signal.SIGTERM", "=r = int(obj)")
data("socket-enum", "socket", "socket.AF_INET", "=r = int(obj)")
data("http-status", "http", "http.HTTPStatus.NOT_FOUND", "=r = int(obj)", (3, 6))
data("http-teapot", "http", "http.HTTPStatus(418)", "=r = int(obj)", (3, 9))
data("http-early", "http", "http.HTTPStatus(425)", "=r = int(obj)", (3, 9))
data("re-flag", "re", "re.IGNORECASE", "=r = int(obj)")
data("re-flags", "re", "re.I | re.M", "=r = int(obj)")
data("safe-uuid", "uuid", "uuid.SafeUUID.safe", "=r = obj.value", (3, 7))
data("address-family", "socket", "socket.SOCK_STREAM", "=r = int(obj)")
data("ssl-enum", "ssl", "ssl.CERT_REQUIRED", "=r = int(obj)")
data("inspect-kind", "inspect", "inspect.Parameter.POSITIONAL_ONLY", "=r = int(obj)", (3, 6))
data("signature", "inspect", "inspect.signature(lambda a, b=1: 0)", "=r = str(obj)", (3, 6))
data("partial", "functools", "functools.partial(int, base=2)", "=r = obj('101')")
data("partial-nested", "functools", "functools.partial(functools.partial(pow, 2), 3)", "=r = obj()")
data("itemgetter", "operator", "operator.itemgetter(1, 2)", "=r = obj([1, 2, 3])", (3, 6))
data("attrgetter", "operator", "operator.attrgetter('real')", "=r = obj(5)", (3, 6))
data("methodcaller", "operator", "operator.methodcaller('upper')", "=r = obj('a')", (3, 6))
data("iter-list", "", "iter([1, 2, 3])", "=r = list(obj)", (3, 6))
data("iter-tuple", "", "iter((1, 2))", "=r = list(obj)", (3, 6))
data("iter-range", "", "iter(range(3))", "=r = list(obj)", (3, 6))
data("iter-str", "", "iter('ab')", "=r = list(obj)", (3, 6))
data("iter-dict", "", "iter({'a': 1})", "=r = list(obj)", (3, 6))
case("data-iter-started", "obj = iter([1, 2, 3])\nnext(obj)", "list(obj)", (3, 6), by="p")
data("enumerate", "", "enumerate(['a', 'b'])", "=r = [list(x) for x in obj]", (3, 6))
data("zip", "", "zip([1], [2])", "=r = [list(x) for x in obj]", (3, 6))
data("map", "", "map(str, [1, 2])", "=r = list(obj)", (3, 6))
data("filter", "", "filter(None, [0, 1])", "=r = list(obj)", (3, 6))
data("reversed", "", "reversed([1, 2])", "=r = list(obj)", (3, 6))
data("count", "itertools", "itertools.count(5)", "=r = next(obj)", (2, 7))
data("chain", "itertools", "itertools.chain([1], [2])", "=r = list(obj)", (3, 6))
data("islice", "itertools", "itertools.islice([1, 2, 3], 2)", "=r = list(obj)", (3, 6))
data("cycle", "itertools", "itertools.cycle([1, 2])", "=r = next(obj)", (3, 6))
data("repeat", "itertools", "itertools.repeat(1, 3)", "=r = list(obj)", (3, 6))
data("product", "itertools", "itertools.product('ab', [1])", "=r = [list(x) for x in obj]", (3, 6))
data("permutations", "itertools", "itertools.permutations([1, 2])", "=r = [list(x) for x in obj]", (3, 6))
data("accumulate", "itertools", "itertools.accumulate([1, 2])", "=r = list(obj)", (3, 6))
data("template", "string", "string.Template('$a')", "=r = obj.substitute(a=1)")
data("formatter", "string", "string.Formatter()", "=r = obj.format('{0}', 1)", (3, 6))
data("logger", "logging", "logging.getLogger('x')", "=r = obj.name", (3, 7))
data("logrecord", "logging", "logging.LogRecord('n', 20, 'p', 1, 'm', (), None)", "=r = obj.getMessage()")
data("logformatter", "logging", "logging.Formatter('%(message)s')", "=r = type(obj).__name__")
data("argparse", "argparse", "argparse.Namespace(a=1)")
data("argparser", "argparse", "argparse.ArgumentParser(prog='p')", "=r = obj.prog")
data("textwrap", "textwrap", "textwrap.TextWrapper(width=10)", "=r = obj.width")
data("calendar", "calendar", "calendar.Calendar(2)", "=r = obj.firstweekday")
data("configparser", "configparser", "configparser.ConfigParser()", "=r = obj.sections()", (3, 6))
data("cookie", "http.cookies", "http.cookies.SimpleCookie('a=b')", "=r = obj['a'].value", (3, 6))
data("email", "email.message", "email.message.Message()", "=r = obj.keys()")
data("mime", "email.mime.text", "email.mime.text.MIMEText('x')", "=r = obj.get_payload()")
data("difflib", "difflib", "difflib.SequenceMatcher(None, 'a', 'b')", "=r = obj.ratio()", (3, 6))
data("statistics", "statistics", "statistics.NormalDist(1, 2)", "=r = obj.mean", (3, 8))
data("element", "xml.etree.ElementTree", "xml.etree.ElementTree.fromstring('<a x=\"1\"><b/></a>')", "=r = [obj.tag, len(obj), obj.get('x')]")
data("minidom", "xml.dom.minidom", "xml.dom.minidom.parseString('<a/>')", "=r = obj.documentElement.tagName", (3, 6))
data("ast", "ast", "ast.parse('a + 1')", "=r = type(obj.body[0].value).__name__", (3, 6))
data("ast-function", "ast", "ast.parse('def f(x, *y): return [x]')", "=r = obj.body[0].name", (3, 6))
data("ast-const", "ast", "ast.parse('1')", "=r = type(obj).__name__", (3, 6))
data("io-bytes", "io", "io.BytesIO(b'ab')", "=r = obj.read()")
data("io-string", "io", "io.StringIO(u'ab')", "=r = obj.read()")
data("typing-list", "typing", "typing.List[int]", "=import typing\nr = obj == typing.List[int]", (3, 6))
data("typing-optional", "typing", "typing.Optional[int]", "=import typing\nr = obj == typing.Optional[int]", (3, 6))
data("typing-union", "typing", "typing.Union[int, str]", "=import typing\nr = obj == typing.Union[int, str]", (3, 6))
data("typing-callable", "typing", "typing.Callable[[int], str]", "=import typing\nr = obj == typing.Callable[[int], str]", (3, 6))
data("typing-any", "typing", "[typing.Any, typing.ClassVar, typing.Generic]", "=import typing\nr = obj[0] is typing.Any", (3, 7))
data("typing-literal", "typing", "typing.Literal['a']", "=import typing\nr = obj == typing.Literal['a']", (3, 8))
data("typing-dict", "typing", "typing.Dict[str, typing.List[int]]", "=import typing\nr = obj == typing.Dict[str, typing.List[int]]", (3, 6))
data("typing-anystr", "typing", "typing.AnyStr", "=import typing\nr = obj is typing.AnyStr", (3, 6))
data("generic-alias", "", "list[int]", "=r = obj == list[int]", (3, 9))
data("generic-dict", "", "dict[str, list[int]]", "=r = obj == dict[str, list[int]]", (3, 9))
data("union", "", "int | str", "=r = obj == (int | str)", (3, 10))
data("none-union", "", "int | None", "=r = obj == (int | None)", (3, 10))
data("unpack-alias", "", "tuple[*tuple[int, ...]]", "=r = str(obj)", (3, 11))
data("self-type", "typing", "typing.Self", "=r = str(obj)", (3, 11))
data("dc-field", "dataclasses", "dataclasses.field(default=1)", "=r = obj.default", (3, 7))
data("dc-missing", "dataclasses", "dataclasses.MISSING", "=r = type(obj).__name__", (3, 7))
data("lock-class", "threading", "threading.Thread", "=r = obj.__name__")
data("abc-classes", "collections.abc", "[collections.abc.Mapping, collections.abc.Sequence, collections.abc.Hashable]", "=r = [c.__name__ for c in obj]", (3, 6))
data("numbers", "numbers", "[numbers.Number, numbers.Integral]", "=r = [c.__name__ for c in obj]")
data("ctypes", "ctypes", "ctypes.c_int(5)", "=r = obj.value")
data("codecinfo", "codecs", "codecs.lookup('utf-8')", "=r = obj.name")
data("zipinfo", "zipfile", "zipfile.ZipInfo('a')", "=r = obj.filename")
data("tarinfo", "tarfile", "tarfile.TarInfo('a')", "=r = obj.name")
data("tar-filter", "tarfile", "tarfile.data_filter", "=r = callable(obj)", (3, 8))
data("plist-uid", "plistlib", "plistlib.UID(5)", "=r = obj.data", (3, 8))
data("platform", "platform", "platform.uname()", "=r = obj[0]", (3, 6))
data("version-info", "sys", "tuple(sys.version_info)[:1]", "=r = len(obj)")
data("selector", "selectors", "selectors.EVENT_READ", "=r = obj", (3, 6))
data("mock", "unittest.mock", "unittest.mock.sentinel.x", "=r = repr(obj)", (3, 7))
data("mock-any", "unittest.mock", "unittest.mock.call(1)", "=r = len(obj)", (3, 8))
data("shlex", "shlex", "shlex.split('a b')")
data("task-result", "unittest", "unittest.TestResult()", "=r = obj.testsRun")
data("complex-mix", "datetime collections decimal", "{'when': datetime.datetime(2021, 1, 1), 'rows': [collections.OrderedDict([('a', decimal.Decimal(1))])] * 3, 'tags': {'x', 'y'}}",
     "=r = [sorted(obj), len(obj['rows'])]")
data("object", "", "object()", "=r = type(obj).__name__")
data("memo-many", "", "[('k%d' % i, 'k%d' % (i // 2)) for i in range(400)]")
data("deep", "", "eval('[' * 60 + ']' * 60)")
data("range-big", "", "[range(0), range(10 ** 20)]", "=r = len(obj)", (3, 6))
data("kwargs-exception", "", "ImportError('x', name='m')", "=r = obj.name", (3, 6))
data("syntaxerror", "", "SyntaxError('m', ('f', 1, 2, 't'))", "=r = [obj.msg, obj.lineno]")
data("warning", "", "DeprecationWarning('x')", "=r = list(obj.args)")
data("encoding-warning", "", "EncodingWarning('x')", "=r = list(obj.args)", (3, 10))
data("property", "", "property()", "=r = type(obj).__name__", by="d")
data("dict-views", "", "{'a': 1}.keys()", "=r = list(obj)", (3, 6), by="cd")
data("ordered-views", "collections", "collections.OrderedDict(a=1).items()", "=r = [list(x) for x in obj]", (3, 6), by="cd")
data("mappingproxy", "types", "types.MappingProxyType({'a': 1})", "=r = obj['a']", (3, 6), by="cd")
data("module", "json", "json", "=r = obj.__name__", by="cd")
data("submodule", "os.path", "os.path", "=r = obj.join('a', 'b')", by="cd")
data("weakset", "weakref", "weakref.WeakSet()", "=r = len(obj)", by="cd")
data("cell", "types", "types.CellType(5)", "=r = obj.cell_contents", (3, 8), by="cd")
data("codeobj", "", "(lambda: 7).__code__", "=r = eval(obj)", by="cd")
data("logger-c", "logging", "logging.getLogger('x')", "=r = obj.name", by="cd")
data("typevar", "typing", "typing.TypeVar('T', bound=int)", "=r = obj.__name__", (3, 7), by="c")

# ---- names ----------------------------------------------------------------------------------------------------

ref("os-path", "os.path", "os.path.join", "obj('a', 'b')")
ref("json", "json", "json.dumps", "obj([1])")
ref("c-function", "math", "math.sqrt", "obj(4)")
ref("math-new", "math", "math.isqrt", "obj(9)", (3, 8))
ref("math-newer", "math", "math.cbrt", "round(obj(27))", (3, 11))
ref("math-sumprod", "math", "math.sumprod", "obj([1], [2])", (3, 12))
ref("builtin", "", "len", "obj([1])")
ref("builtin-method", "", "[1, 2].index", "obj(2)", (3, 6))
ref("str-method", "", "str.upper", "obj('a')", (3, 6))
ref("bytes-method", "", "bytes.hex", "obj(b'a')", (3, 6))
ref("dict-method", "", "dict.get", "obj({1: 2}, 1)", (3, 6))
ref("int-method", "", "int.bit_count", "obj(7)", (3, 10))
ref("str-new-method", "", "str.removeprefix", "obj('ab', 'a')", (3, 9))
ref("classmethod", "", "dict.fromkeys", "obj('ab')", (3, 6))
ref("int-from", "", "int.from_bytes", "obj(b'a', 'big')", (3, 6))
ref("datetime-class-method", "datetime", "datetime.datetime.fromtimestamp", "obj(0).year > 1900", (3, 6))
ref("datetime-method", "datetime", "datetime.datetime.isoformat", "obj(datetime.datetime(2020, 1, 1))[:4]", (3, 6))
ref("datetime-fromiso", "datetime", "datetime.datetime.fromisoformat", "obj('2020-01-01').year", (3, 7))
ref("pure-method", "json", "json.JSONDecoder.decode", "obj(json.JSONDecoder(), '1')", (3, 6))
ref("pure-classmethod", "collections", "collections.Counter.most_common", "obj(collections.Counter('a'))[0][1]", (3, 6))
ref("counter-total", "collections", "collections.Counter.total", "obj(collections.Counter('ab'))", (3, 10))
ref("nested-class", "unittest.mock", "unittest.mock.Mock.mock_calls.__class__", "obj.__name__ and 1", (3, 6))
ref("bound-method", "decimal", "decimal.Decimal(5).sqrt", "str(obj())[:3]", (3, 6))
ref("bound-pure", "fractions", "fractions.Fraction(3, 4).limit_denominator", "str(obj(2))", (3, 6))
ref("operator", "operator", "operator.add", "obj(1, 2)")
ref("operator-new", "operator", "operator.call", "obj(len, 'ab')", (3, 11))
ref("itertools-class", "itertools", "itertools.chain", "list(obj([1], [2]))")
ref("chain-from", "itertools", "itertools.chain.from_iterable", "list(obj([[1]]))", (3, 6))
ref("itertools-batched", "itertools", "itertools.batched", "[list(x) for x in obj([1, 2, 3], 2)]", (3, 12))
ref("pairwise", "itertools", "itertools.pairwise", "[list(x) for x in obj([1, 2, 3])]", (3, 10))
ref("functools-cache", "functools", "functools.cache", "obj(len)('ab')", (3, 9))
ref("functools-reduce", "functools", "functools.reduce", "obj(lambda a, b: a + b, [1, 2])")
ref("class", "collections", "collections.OrderedDict", "obj.__name__")
ref("collections-abc", "collections", "collections.abc.Mapping", "obj.__name__", (3, 6))
ref("statistics-new", "statistics", "statistics.fmean", "obj([1.0])", (3, 8))
ref("random-method", "random", "random.randint", "obj(1, 1)", (3, 11))
ref("random-bytes", "random", "random.randbytes", "len(obj(3))", (3, 9))
ref("asyncio-run", "asyncio", "asyncio.run", "callable(obj)", (3, 7))
ref("asyncio-tg", "asyncio", "asyncio.TaskGroup", "obj.__name__", (3, 11))
ref("asyncio-to-thread", "asyncio", "asyncio.to_thread", "callable(obj)", (3, 9))
ref("tomllib", "tomllib", "tomllib.loads", "obj('a = 1')", (3, 11))
ref("graphlib", "graphlib", "graphlib.TopologicalSorter", "obj.__name__", (3, 9))
ref("zoneinfo", "zoneinfo", "zoneinfo.ZoneInfo", "obj.__name__", (3, 9))
ref("contextlib", "contextlib", "contextlib.nullcontext", "obj.__name__", (3, 7))
ref("contextlib-chdir", "contextlib", "contextlib.chdir", "obj.__name__", (3, 11))
ref("secrets", "secrets", "secrets.token_hex", "len(obj(2))", (3, 6))
ref("shutil", "shutil", "shutil.copyfile", "callable(obj)")
ref("urllib2", "urllib2", "urllib2.quote", "obj('a b')", last=(2, 7))
ref("stringio2", "StringIO", "StringIO.StringIO", "obj.__name__", last=(2, 7))
ref("configparser2", "ConfigParser", "ConfigParser.ConfigParser", "obj.__name__", last=(2, 7))
ref("queue2", "Queue", "Queue.Queue", "obj.__name__", last=(2, 7))
ref("itertools2", "itertools", "itertools.izip", "list(obj([1]))[0][0]", last=(2, 7))
ref("builtin2", "", "xrange", "list(obj(2))", last=(2, 7))
ref("reduce2", "", "reduce", "obj(lambda a, b: a + b, [1, 2])", last=(2, 7))
ref("exceptions2", "", "StandardError", "obj.__name__ and 1", last=(2, 7))
ref("unicode2", "", "[unicode, long, basestring]", "len(obj)", last=(2, 7))
ref("string2", "string", "string.letters and string.capwords", "obj('a b')", last=(2, 7))
ref("html-parser", "html.parser", "html.parser.HTMLParser", "obj.__name__", (3, 6))
ref("distutils", "distutils.version", "distutils.version.LooseVersion", "obj.__name__", last=(3, 11))
ref("imp", "imp", "imp.get_magic", "callable(obj)", last=(3, 11))
ref("asyncore", "asyncore", "asyncore.dispatcher", "obj.__name__", last=(3, 11))
ref("smtpd", "smtpd", "smtpd.SMTPServer", "obj.__name__", last=(3, 11))
ref("cgi", "cgi", "cgi.parse_header", "obj('a')[0]", last=(3, 12))
ref("crypt", "telnetlib", "telnetlib.Telnet", "obj.__name__", last=(3, 12))
ref("typing-new", "typing", "typing.assert_never", "callable(obj)", (3, 11))
ref("inspect-old", "inspect", "inspect.getargspec", "callable(obj)", last=(3, 10))
ref("gettext", "gettext", "gettext.gettext", "obj('a')")
ref("exception-class", "json.decoder", "json.decoder.JSONDecodeError", "obj.__name__", (3, 6))
ref("unittest-case", "unittest", "unittest.TestCase.assertEqual", "callable(obj)", (3, 6))
ref("logging-method", "logging", "logging.Logger.info", "callable(obj)", (3, 6))
ref("pathlib-method", "pathlib", "pathlib.Path.exists", "callable(obj)", (3, 6))
ref("path-walk", "pathlib", "pathlib.Path.walk", "callable(obj)", (3, 12))
ref("thread-method", "threading", "threading.Thread.start", "callable(obj)", (3, 6))
ref("enum-class", "enum", "enum.StrEnum", "obj.__name__", (3, 11))
ref("enum-reprs", "enum", "[enum.Enum, enum.IntEnum]", "len(obj)", (3, 6))
ref("types-names", "types", "[types.FunctionType, types.GeneratorType]", "len(obj)", by="cd")
ref("only-writer", "truth_only_here", "truth_only_here.twice", "obj(2)")
ref("only-writer-method", "truth_only_here", "truth_only_here.Thing.m", "callable(obj)", (3, 6))
ref("dis", "dis", "dis.dis", "callable(obj)")
ref("opcode", "opcode", "opcode.stack_effect", "callable(obj)", (3, 6))
ref("sys-function", "sys", "sys.getrefcount", "callable(obj)")
ref("sys-exception", "sys", "sys.exception", "callable(obj)", (3, 11))
ref("os-function", "os", "os.getcwd", "callable(obj)")
ref("posix-function", "os", "os.posix_spawn", "callable(obj)", (3, 8))
ref("warnings-deprecated", "warnings", "warnings.deprecated", "obj.__name__", (3, 13))
ref("copy-replace", "copy", "copy.replace", "callable(obj)", (3, 13))
ref("queue-shutdown", "queue", "queue.ShutDown", "obj.__name__", (3, 13))
ref("threadpool", "concurrent.futures", "concurrent.futures.ThreadPoolExecutor", "obj.__name__", (3, 6))
ref("xml-ext", "xml.sax.saxutils", "xml.sax.saxutils.escape", "obj('<')")
ref("hashlib", "hashlib", "hashlib.sha256", "obj(b'').hexdigest()[:4]")
ref("zlib", "zlib", "zlib.crc32", "obj(b'a') & 1")
ref("struct", "struct", "struct.Struct", "obj('i').size")
ref("sqlite", "sqlite3", "sqlite3.Row", "obj.__name__")
ref("ctypes", "ctypes", "ctypes.c_int", "obj(1).value")

# ---- libraries ------------------------------------------------------------------------------------------------

NP = ("numpy", "numpy.ma", "numpy.random", "numpy.polynomial")
for _name, _code, _use in [
        ("array", "numpy.arange(6).reshape(2, 3)", "obj.tolist()"), ("float", "numpy.array([1.5, 2])", "obj.tolist()"),
        ("fortran", "numpy.asfortranarray(numpy.arange(4).reshape(2, 2))", "obj.tolist()"),
        ("bool", "numpy.array([True])", "obj.tolist()"), ("str", "numpy.array(['a', 'bb'])", "obj.tolist()"),
        ("bytes", "numpy.array([b'a'])", "obj.tolist()"), ("objects", "numpy.array([{}, None], dtype=object)", "obj.tolist()"),
        ("structured", "numpy.zeros(2, dtype=[('a', 'i4'), ('b', 'f8')])", "obj['a'].tolist()"),
        ("datetime", "numpy.array(['2020-01-01'], dtype='M8[D]')", "str(obj[0])"), ("scalar", "numpy.float64(1.5)", "float(obj)"),
        ("int-scalar", "numpy.int32(7)", "int(obj)"), ("str-scalar", "numpy.str_('a')", "str(obj)"),
        ("datetime-scalar", "numpy.datetime64('2020-01-01')", "str(obj)"),
        ("dtype", "numpy.dtype('f4')", "obj.itemsize"), ("dtype-struct", "numpy.dtype([('a', 'i4')])", "obj.itemsize"),
        ("ufunc", "numpy.add", "int(obj(1, 2))"), ("function", "numpy.mean", "float(obj([1, 3]))"),
        ("scalar-type", "numpy.float32", "float(obj(1))"), ("masked", "numpy.ma.array([1, 2], mask=[0, 1])", "int(obj.sum())"),
        ("randomstate", "numpy.random.RandomState(1)", "obj.randint(5) >= 0"), ("poly", "numpy.poly1d([1, 2])", "int(obj(1))"),
        ("matrix", "numpy.matrix([[1]])", "obj.tolist()"), ("record", "numpy.rec.array([(1, 2.0)], dtype=[('a', 'i4'), ('b', 'f8')])", "int(obj.a[0])"),
        ("generator", "numpy.random.default_rng(1)", "int(obj.integers(5)) >= 0"), ("bitgen", "numpy.random.PCG64(1)", "type(obj).__name__"),
        ("big-endian", "numpy.arange(3, dtype='>i4')", "obj.tolist()"), ("empty", "numpy.empty((0, 3))", "list(obj.shape)"),
        ("memmap-like", "numpy.arange(1000.0)", "float(obj.sum())"), ("poly-new", "numpy.polynomial.Polynomial([1, 2])", "float(obj(1))")]:
    case("np-" + _name, "import numpy, numpy.ma, numpy.random, numpy.polynomial\nobj = " + _code, "import numpy\nr = " + _use,
         by="pc", needs=NP)
case("np-buffers", "import numpy\nobj = [numpy.arange(10), numpy.arange(5.0)]", "[a.tolist() for a in obj]", (3, 8), by="p", needs=NP, buffers=True)
case("np-buffers-one", "import numpy\nobj = {'a': numpy.arange(100, dtype='i2')}", "int(obj['a'].sum())", (3, 8), by="p", needs=NP, buffers=True)
case("buffers", "import pickle\nobj = [pickle.PickleBuffer(bytearray(b'abc')), 1]", "bytes(obj[0])", (3, 8), by="p", buffers=True)
case("np-function", "import numpy as np\ndef obj(x):\n    return float(np.sum(np.asarray(x)))", "obj([1, 2])", by="c", needs=NP)
case("np-closure", "import numpy as np\ndef make(w):\n    return lambda x: (w @ x).tolist()\nobj = make(np.eye(2))", "import numpy\nr = obj(numpy.ones(2))", (3, 6), by="c", needs=NP)
case("np-class", "import numpy as np\nclass M(object):\n    def __init__(self):\n        self.w = np.ones(3)\n    def p(self, x):\n        return float((self.w * x).sum())\nobj = M()", "obj.p(2)", by="c", needs=NP)
PD = ("pandas",)
for _name, _code, _use in [
        ("frame", "pandas.DataFrame({'a': [1, 2], 'b': ['x', 'y']})", "obj.a.tolist()"), ("series", "pandas.Series([1.5, 2], name='s')", "obj.tolist()"),
        ("index", "pandas.Index(['a', 'b'])", "obj.tolist()"), ("range", "pandas.RangeIndex(3)", "obj.tolist()"),
        ("multi", "pandas.MultiIndex.from_tuples([(1, 'a'), (2, 'b')])", "len(obj)"), ("timestamp", "pandas.Timestamp('2020-01-01')", "str(obj)"),
        ("timedelta", "pandas.Timedelta('1 day')", "str(obj)"), ("dates", "pandas.date_range('2020-01-01', periods=3)", "len(obj)"),
        ("categorical", "pandas.Categorical(['a', 'b'])", "list(obj)"), ("nullable", "pandas.array([1, None], dtype='Int64')", "len(obj)"),
        ("period", "pandas.Period('2020-01', 'M')", "str(obj)"), ("interval", "pandas.Interval(0, 1)", "str(obj)"),
        ("int-frame", "pandas.DataFrame({'a': [1, 2]}, index=[5, 6])", "obj.index.tolist()"), ("nat", "pandas.NaT", "str(obj)"),
        ("offset", "pandas.offsets.Day(2)", "obj.n"), ("string", "pandas.Series(['a'], dtype='string')", "obj.tolist()"),
        ("tz", "pandas.Timestamp('2020-01-01', tz='UTC')", "str(obj)")]:
    case("pd-" + _name, "import pandas\nobj = " + _code, "import pandas\nr = " + _use, (3, 6), by="pc", needs=PD)
SK = tuple("sklearn." + part for part in "linear_model preprocessing tree ensemble pipeline cluster svm neighbors".split())
for _name, _code, _use in [
        ("linear", "LinearRegression().fit(X, y)", "[round(float(v), 3) for v in obj.predict([[1, 2]])]"), ("scaler", "StandardScaler().fit(X)", "obj.n_features_in_"),
        ("tree", "DecisionTreeClassifier(random_state=0).fit(X, y)", "[int(v) for v in obj.predict([[1, 2]])]"),
        ("forest", "RandomForestClassifier(n_estimators=2, random_state=0).fit(X, y)", "[int(v) for v in obj.predict([[1, 2]])]"),
        ("pipeline", "make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)", "[int(v) for v in obj.predict([[1, 2]])]"),
        ("kmeans", "KMeans(2, n_init=1, random_state=0).fit(X)", "len(obj.predict([[1.0, 2.0]]))"), ("encoder", "LabelEncoder().fit(['a', 'b'])", "obj.transform(['b']).tolist()"),
        ("svm", "SVC().fit(X, y)", "[int(v) for v in obj.predict([[1, 2]])]"), ("boost", "GradientBoostingClassifier(n_estimators=2, random_state=0).fit(X, y)", "[int(v) for v in obj.predict([[1, 2]])]"),
        ("knn", "KNeighborsClassifier(1).fit(X, y)", "[int(v) for v in obj.predict([[1, 2]])]"), ("unfitted", "LogisticRegression()", "type(obj).__name__")]:
    case("sk-" + _name, "from sklearn.linear_model import LinearRegression, LogisticRegression\nfrom sklearn.preprocessing import StandardScaler, LabelEncoder\n"
         "from sklearn.tree import DecisionTreeClassifier\nfrom sklearn.ensemble import RandomForestClassifier, GradientBoostingClassifier\nfrom sklearn.pipeline import make_pipeline\n"
         "from sklearn.cluster import KMeans\nfrom sklearn.svm import SVC\nfrom sklearn.neighbors import KNeighborsClassifier\n"
         "X = [[0, 1], [1, 2], [2, 0], [3, 3]]\ny = [0, 1, 0, 1]\nobj = " + _code, _use, (3, 6), by="pc", needs=SK)
