# What writer and target share; runs on every Python. Executed inside a dict of its own, so that `__main__` stays
# empty and no module is added.
import json
import os
import signal
import sys

try:
    import resource
except ImportError:
    resource = None

PY2 = sys.version_info[0] == 2
if PY2:
    INTS, TEXTS = (int, long), (str, unicode)  # noqa: F821
else:
    INTS, TEXTS = (int,), (str, bytes)


def canonical(value, depth=0):
    """The same text for the same plain value under every Python. Bytes and text are one: Python 2 has but one."""
    if depth > 20:
        return "..."
    if value is None or value is Ellipsis or value is NotImplemented or value is True or value is False:
        return str(value)
    if isinstance(value, INTS):
        return "%d" % int(value)
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, complex):
        return "(%r,%r)" % (float(value.real), float(value.imag))
    if isinstance(value, TEXTS):
        if not PY2 and isinstance(value, bytes):
            value = value.decode("latin-1")
        if PY2 and isinstance(value, str):
            value = value.decode("latin-1")
        return json.dumps(value)
    if isinstance(value, bytearray):
        return canonical(bytes(value), depth)
    if isinstance(value, (list, tuple)):
        return "[%s]" % ",".join(canonical(one, depth + 1) for one in value)
    if isinstance(value, (set, frozenset)):
        return "{%s}" % ",".join(sorted(canonical(one, depth + 1) for one in value))
    if isinstance(value, dict):
        return "{%s}" % ",".join(sorted(canonical(key, depth + 1) + ":" + canonical(one, depth + 1)
                                        for key, one in value.items()))
    return "<%s>" % type(value).__name__


def drive(coroutine):
    """Runs a coroutine that waits for nothing."""
    try:
        while True:
            coroutine.send(None)
    except StopIteration as stop:
        return stop.value


def collect(agen):
    """What an asynchronous generator gives."""
    found = []
    while True:
        step = agen.__anext__()
        try:
            step.send(None)
        except StopIteration as stop:
            found.append(stop.value)
        except StopAsyncIteration:  # noqa: F821
            return found


def use(code, value):
    """Runs the use of a case: `r` afterwards, or the value of the expression that it is."""
    space = {"obj": value, "drive": drive, "collect": collect, "__name__": "use"}
    try:
        return canonical(eval(compile(code, "use", "eval", 0, True), space))
    except SyntaxError:
        exec(compile(code, "use", "exec", 0, True), space)
    return canonical(space["r"])


def limit(seconds=10, memory=6 << 30):
    signal.alarm(seconds)
    if resource:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def quiet():
    null = os.open(os.devnull, os.O_RDWR)
    for one in (0, 1, 2):
        os.dup2(null, one)


def described(error):
    try:
        text = "%s: %s" % (type(error).__name__, error)
    except BaseException:
        text = type(error).__name__
    if PY2 and not isinstance(text, unicode):  # noqa: F821
        text = text.decode("latin-1")
    return text[:300]


def forked(work):
    """Runs work(say) in a child; (what it said, signal or exit status). say(text) may be called many times."""
    end, start = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 70
        try:
            os.close(end)
            quiet()
            limit()

            def say(text):
                data = text.encode("utf-8", "replace") + b"\n"
                while data:
                    data = data[os.write(start, data):]
            work(say)
            status = 0
        except BaseException:
            pass
        finally:
            os._exit(status)
    os.close(start)
    said = b""
    while True:
        part = os.read(end, 65536)
        if not part:
            break
        said += part
    os.close(end)
    status = os.waitpid(pid, 0)[1]
    said = said.decode("utf-8", "replace")
    return said.split("\n")[:-1], os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
