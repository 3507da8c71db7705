#!/usr/bin/env python3
"""Fill in tests/data/edge_more.tsv: what every interpreter found makes of its streams.

    edge_rows.py [--node FOLDER]...

A stream is a line of "cpython-3.11"; to add one, append a line with hex, the options and a note, and
leave the outcome empty.  Interpreters: python2.7, python3.6 .. python3.13 and pypy3 on PATH, $HOME/.pyenv/versions, and
pyodide packages given with --node (node_runner.mjs says how).  Of one that is missing the old lines stay.
The answers are those of batch.py; tests/data/README.md explains the columns.
"""
import glob
import os
import re
import shutil
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
import batch  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, '..', 'data', 'edge_more.tsv')
KEY = ('hex', 'encoding', 'errors', 'buffers', 'persid', 'stub')


class Interpreter(object):
    def __init__(self, command, kind='cpython'):
        self.reading = {'cpython': 0, 'stream': 1, 'file': 2}[kind]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        micro, bits, *other = self.process.stdout.readline().decode('ascii').split()[1:]
        kind = other[0] if other else kind
        release = {'3.15.0': '3.15.0rc1'}.get(micro, micro)
        self.name = '%s-%s' % (kind, release + '-wasm32' if bits == '32' else micro.rsplit('.', 1)[0])

    def ask(self, row):
        data = bytes.fromhex(row['hex'])
        case = struct.pack('<IBBbBB', len(data), batch.ENCODINGS.index(row['encoding'] or None),
                           batch.ERRORS.index(row['errors'] or None), int(row['buffers'] or -1),
                           row['persid'] == '1', self.reading) + data
        self.process.stdin.write(struct.pack('<Q', len(case)) + case)
        self.process.stdin.flush()
        out = self.process.stdout
        ok, size = struct.unpack('<BB', out.read(2))
        exception = out.read(size).decode('ascii')
        consumed, size = struct.unpack('<QI', out.read(12))
        globals_, ids = events(out.read(size))
        return {'ok': str(ok), 'exception': exception, 'consumed': str(consumed) if ok else '-',
                'globals': ','.join(globals_) or '-', 'persistent_ids': str(ids)}


def events(trace):
    names, ids, at = [], 0, 0
    while at < len(trace):
        kind = trace[at:at + 1]
        at += 1
        if kind == b'G':
            pair = []
            for _ in range(2):
                size, = struct.unpack_from('<I', trace, at)
                pair.append(trace[at + 4:at + 4 + size].hex())
                at += 4 + size
            names.append(':'.join(pair))
        elif kind == b'X':
            at += 4
        ids += kind == b'P'
    return names, ids


def commands(nodes):
    script = os.path.join(HERE, 'batch.py')
    found = {}
    for path in glob.glob(os.path.expanduser('~/.pyenv/versions/[23].*/bin/python')):
        found[re.search(r'[23]\.\d+', path).group()] = path
    for name in ['2.7'] + ['3.%d' % minor for minor in range(6, 14)]:
        path = shutil.which('python' + name)
        if path and 'shims' not in path:
            found.setdefault(name, path)
    for name in sorted(found, key=lambda name: (name != '3.11', name[0], int(name[2:]))):
        yield [found[name], script], 'cpython'
    for kind in ('stream', 'file'):
        if '3.11' in found:
            yield [found['3.11'], script], kind
    if shutil.which('pypy3'):
        yield ['pypy3', '-B', script], 'cpython'
    for folder in nodes:
        yield ['node', os.path.join(HERE, 'node_runner.mjs'), folder], 'cpython'


def main(argv):
    nodes = [argv[i + 1] for i, word in enumerate(argv) if word == '--node']
    with open(TABLE, encoding='utf-8') as file:
        heading, *lines = file.read().splitlines()
    columns = heading[1:].split('\t')
    rows = [dict(zip(columns, line.split('\t'))) for line in lines]
    interpreters = [Interpreter(command, kind) for command, kind in commands(nodes)]
    asked = [interpreter.name for interpreter in interpreters]
    if asked[:1] != ['cpython-3.11']:
        sys.exit('edge_rows: there must be a CPython 3.11')
    out = []
    for stream in [row for row in rows if row['interpreter'] == 'cpython-3.11']:
        first = None
        for interpreter in interpreters:
            answer = interpreter.ask(stream)
            if answer == first:
                continue
            first = first or answer
            out.append(dict(stream, interpreter=interpreter.name, **answer))
        out += [row for row in rows if row['interpreter'] not in asked and
                all(row[name] == stream[name] for name in KEY)]
    with open(TABLE, 'w', encoding='utf-8', newline='\n') as file:
        file.write(heading + '\n')
        for row in out:
            file.write('\t'.join(row[name] for name in columns) + '\n')
    print('%s: %d lines; asked %s' % (os.path.basename(TABLE), len(out), ', '.join(asked)))


main(sys.argv)
