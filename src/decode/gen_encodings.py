"""Prints encodings.def: the text encodings of the interpreter that runs it, by every name.

From 3.8 to 3.13 the names are the same but for cp1051, ibm1051 (from 3.8) and windows_31j (3.13)."""
import codecs
import encodings
import encodings.aliases
import pkgutil
import sys
import warnings

# What ASCII bytes must read as for an encoding that ASCII text passes through unchanged.
PLAIN = (bytes(range(128)), b'\\u0041\\x41\\n', b'\x1b$B!!\x1b(B', b'~{!!~}', b'+AGE-', b'\x0e!\x0f', b'a', b'ab')


def kind(name):
    try:
        info = codecs.lookup(name)
    except LookupError:
        return None
    if not getattr(info, '_is_text_encoding', True):
        return None
    known = {'ascii': 'ASCII', 'utf-8': 'UTF8', 'iso8859-1': 'LATIN1', 'latin-1': 'LATIN1'}.get(info.name)
    if known:
        return known
    try:
        same = all(text.decode(name) == text.decode('ascii') for text in PLAIN)
    except UnicodeError:
        same = False
    return 'OTHER' if same else 'WIDE'


def main():
    warnings.simplefilter('ignore')
    aliases = encodings.aliases.aliases
    names = set(aliases) | set(aliases.values()) | set(m.name for m in pkgutil.iter_modules(encodings.__path__))
    print("/* decode/encodings.def - made by gen_encodings.py with CPython %d.%d. Do not edit.\n"
          " * ENCODING(name, kind): names normalised, sorted */" % sys.version_info[:2])
    kinds = dict((name.replace('.', '_'), kind(name)) for name in names)
    for name in sorted(kinds):
        if kinds[name]:
            print('ENCODING("%s", %s)' % (name, kinds[name]))


main()
