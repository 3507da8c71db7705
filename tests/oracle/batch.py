"""What the C unpickler of the interpreter that runs this makes of streams: the other side of remote.c.

Run by `oracle --with 'PYTHON tests/oracle/batch.py'`; node_runner.mjs calls `hello` and `answer`
instead.  Python 2.7 and 3.6 or later.

Nothing that a stream names is imported or called: find_class and persistent_load answer with one type
object that takes every call, hash, method and item and does nothing.
"""
import gc
import io
import os
import struct
import sys
import warnings

PY2 = sys.version_info[0] == 2
if PY2:
    import cPickle as pickle
    import copy_reg as copyreg
else:
    import copyreg
    import pickle

# The lists of util.c, in the same order.
ENCODINGS = (None, 'latin1', 'utf-8', 'bytes', 'ASCII', 'rot13', 'no-such', 'Windows-1252', 'ISO 8859-15', 'utf_16')
ERRORS = (None, 'strict', 'ignore', 'replace', 'backslashreplace', 'surrogateescape', 'no-such', 'surrogatepass',
          'xmlcharrefreplace')
READINGS = (None, 0, 8192, 16, 64, 256, 1000)  # None: as pickle.loads; 0: without peek; else: size of the buffer
CODES = (1, 2, 3, 77, 200, 255, 256, 1000, 65535, 65536, 70000, 0x7fffffff)
EXTENSIONS = 'oracle'

trace = []  # of the stream that is read: oracle.h says what is in it


# ---- the inert object --------------------------------------------------------------------------

class Meta(type):
    def __call__(cls, *args, **kwargs):
        trace.append(b'C')
        return INERT[0]

    def __setitem__(cls, key, value):
        return None


def nothing(*args, **kwargs):
    return None


def new(cls, *args, **kwargs):
    trace.append(b'C')
    return INERT[0]


def setstate(*args):
    trace.append(b'S')


names = dict((name, staticmethod(nothing)) for name in ('append', 'extend', 'add'))
names['__setstate__'] = staticmethod(setstate)
names['__new__'] = staticmethod(new)
INERT = [Meta('Inert', (object,), names)]


# ---- what it reads from and asks -----------------------------------------------------------------

class PlainFile(object):
    def __init__(self, data):
        self.data = data
        self.at = 0

    def read(self, size=-1):
        if size < 0:
            size = len(self.data)
        piece = self.data[self.at:self.at + size]
        self.at += len(piece)
        return piece

    def readline(self):
        newline = self.data.find(b'\n', self.at)
        end = len(self.data) if newline < 0 else newline + 1
        piece = self.data[self.at:end]
        self.at = end
        return piece

    def readinto(self, target):
        piece = self.read(len(target))
        target[:len(piece)] = piece
        return len(piece)

    def tell(self):
        return self.at


class PeekFile(PlainFile):
    """peek gives all that is left, so the unpickler reads as pickle.loads does."""

    def peek(self, size=0):
        return self.data[self.at:]


def text(name):
    if PY2:
        data = (name.decode('latin-1') if isinstance(name, bytes) else name).encode('utf-8')
    else:
        data = name.encode('utf-8', 'surrogatepass')
    return struct.pack('<I', len(data)) + data


def find_class(module, name):
    if module == EXTENSIONS:
        trace.append(b'X' + struct.pack('<I', int(name)))
    else:
        trace.append(b'G' + text(module) + text(name))
    return INERT[0]


def persistent_load(pid):
    trace.append(b'P')
    return INERT[0]


def buffers(count):
    for _ in range(count):
        trace.append(b'B')
        yield bytearray(b'abcd')


if PY2:
    def load(data, encoding, errors, count, persid, reading):
        source = io.BytesIO(data)
        unpickler = pickle.Unpickler(source)
        unpickler.find_global = find_class
        if persid:
            unpickler.persistent_load = persistent_load
        unpickler.load()
        return source.tell()
else:
    class Plain(pickle.Unpickler):
        def find_class(self, module, name):
            return find_class(module, name)

    class Persistent(Plain):
        def persistent_load(self, pid):
            return persistent_load(pid)

    def load(data, encoding, errors, count, persid, reading):
        if READINGS[reading]:
            source = io.BufferedReader(io.BytesIO(data), READINGS[reading])
        else:
            source = (PeekFile if READINGS[reading] is None else PlainFile)(data)
        options = {}
        if ENCODINGS[encoding] is not None:
            options['encoding'] = ENCODINGS[encoding]
        if ERRORS[errors] is not None:
            options['errors'] = ERRORS[errors]
        if count >= 0 and sys.version_info >= (3, 8):
            options['buffers'] = buffers(count)
        (Persistent if persid else Plain)(source, **options).load()
        return source.tell()


def register(on):
    copyreg._inverted_registry.clear()
    copyreg._extension_cache.clear()
    if on:
        for code in CODES:
            copyreg._inverted_registry[code] = (EXTENSIONS, str(code))


# ---- batches -----------------------------------------------------------------------------------------

def read_one(data, encoding, errors, count, flags, reading):
    del trace[:]
    register(flags & 2)
    consumed, name = 0, '-'
    try:
        consumed = load(data, encoding, errors, count, flags & 1, reading)
    except BaseException as error:
        name = type(error).__name__
    name = name.encode('ascii')
    events = b''.join(trace)
    return (struct.pack('<BB', name == b'-', len(name)) + name + struct.pack('<QI', consumed, len(events)) +
            events)


def answer(batch):
    """batch: what follows the count."""
    out, at = [], 0
    while at < len(batch):
        size, encoding, errors, count, flags, reading = struct.unpack_from('<IBBbBB', batch, at)
        at += 9
        out.append(read_one(batch[at:at + size], encoding, errors, count, flags, reading))
        at += size
    return b''.join(out)


def hello():
    bits = 64 if sys.maxsize > 2 ** 32 else 32
    other = ' pypy' if hasattr(sys, 'pypy_version_info') else ''
    return 'picklesight %d.%d.%d %d%s\n' % (sys.version_info[:3] + (bits, other))


def prepare():
    gc.disable()
    warnings.simplefilter('ignore')
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        pass


def main():
    stdin = sys.stdin if PY2 else sys.stdin.buffer
    stdout = sys.stdout if PY2 else sys.stdout.buffer
    prepare()
    stdout.write(hello().encode('ascii'))
    stdout.flush()
    sys.stderr = open(os.devnull, 'w')  # what a deallocator cannot raise it prints
    batches = 0
    while True:
        head = stdin.read(8)
        if len(head) < 8:
            return
        stdout.write(answer(stdin.read(struct.unpack('<Q', head)[0])))
        stdout.flush()
        batches += 1
        if batches % 64 == 0:
            gc.collect()


if __name__ == '__main__':
    main()
