"""What dill writes for functions, classes, modules and sessions."""
import io
import os
import sys
from common import OUT, PY2, attempt, finish, fresh_main, job, put, wanted

MAIN = fresh_main("")  # dill keeps hold of __main__ while it is imported
import dill  # noqa: E402
import dill._dill  # noqa: E402

VERSION = dill.__version__.split(".dev")[0]
CASES = [
    ("lambda_task", "task: lambda with a captured global, arguments", {}),
    ("imports", "function with globals, modules and an import inside", {}),
    ("closure", "closure over two cells", {}),
    ("class_methods", "class with base class, property, static and class method", {}),
    ("setstate", "instance of a class by value whose __setstate__ the load calls", {}),
    ("namedtuple", "instances of a namedtuple by value", {}),
    ("partial", "functools.partial of a function by value", {}),
    ("exception", "instance of an exception class by value", {}),
    ("imports", "function, with the globals it uses only", {"recurse": True}),
    ("nested", "recursive function, with the globals it uses only", {"recurse": True}),
]
if not PY2:
    CASES += [("enum_value", "enum by value and its member", {}), ("coroutine", "coroutine function", {}),
              ("dynamic_module", "module that exists only here", {})]


def load_job(name):
    """The one __main__ that dill knows, filled with the job."""
    for key in [k for k in MAIN.__dict__ if not k.startswith("__")]:
        del MAIN.__dict__[key]
    with io.open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "jobs", name + ".py"),
                 encoding="utf-8") as source:
        text = source.read()
    sys.modules["__main__"] = MAIN
    exec(compile(text if not PY2 else text.encode("utf-8"), "job.py", "exec", 0, True), MAIN.__dict__)
    return MAIN


def make(name, what, options):
    main = load_job(name)
    tail = "_recurse" if options else ""
    put("dill_%s_%s%s" % (VERSION, name, tail), dill.dumps(main.payload, **options), what, library="dill " + VERSION,
        load="dill", case=name)


def session():
    load_job("closure")
    MAIN.numbers = [1, 2, 3]
    path = os.path.join(OUT, "session.tmp")
    dump = getattr(dill, "dump_module", None) or dill.dump_session
    dump(path)
    with open(path, "rb") as source:
        data = source.read()
    os.remove(path)
    put("dill_%s_session" % VERSION, data, "a whole __main__, as dump_session or dump_module saves it",
        library="dill " + VERSION, load="dill", case="session")


for name, what, options in CASES:
    if wanted(name):
        attempt(name + ("_recurse" if options else ""), make, name, what, options)
if wanted("session"):
    attempt("session", session)
finish()
