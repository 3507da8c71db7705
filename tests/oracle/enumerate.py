#!/usr/bin/env python3
"""Streams by rule, not by chance: every argument after every opcode, every operand beside every other, every
short line and text, frames at every byte. For `oracle --table`.

usage: enumerate.py KIND... >FILE     (no KIND: all)
       build/oracle --table FILE --count 0

Random parts are the same each time.
"""
import itertools
import random
import struct
import sys

HEAD = '#interpreter hex encoding errors buffers persid stub ok exception consumed globals persistent_ids note'
PLAIN = ('', '', '', '1')


def u4(number):
    return struct.pack('<I', number)


def u8(number):
    return struct.pack('<Q', number)


VALUES = [
    b'N', b'\x88', b'\x89', b'K\0', b'K\1', b'J\xff\xff\xff\xff', b'J\0\0\0\x80', b'\x8a\x09' + b'\0' * 8 + b'\1',
    b'\x8a\x08' + b'\xff' * 8, b'G?\xf0\0\0\0\0\0\0', b'\x8c\1a', b'\x8c\0', b'C\1a', b'C\0', b')', b'N\x85', b'NN\x86',
    b'N}\x86', b'}N\x86', b'}}\x86', b']', b']Na', b'}', b'}NNs', b'}\x8c\1aNs', b'\x8f', b'(\x91', b'(N\x91', b'cm\nf\n',
    b'cm\nf\n)R', b'\x96' + u8(2) + b'ab', b'\x96' + u8(2) + b'ab\x98', b'\x97', b'\x97\x98', b'C\1a\x98', b'N]\x86',
    b']\x85', b'U\1a', b'Vx\n', b"S'q'\n", b'NNN\x87', b'N}NNs\x86', b'(ios\nx\n', b'Pq\n', b'NQ', b'F1\n', b'I01\n',
    b'L5L\n']


def pairs():
    for a, b in itertools.product(VALUES, VALUES):
        for op in b'asbRo\x81\x86eud\x90\x91tl\x93.012\x94Q\x98\x85':
            yield a + b + bytes([op]) + b'.'
            yield b'(' + a + b + bytes([op]) + b'.'
            yield a + b'(' + b + bytes([op]) + b'.'


def triples():
    for a, b, c in itertools.product(VALUES, VALUES, VALUES):
        yield a + b'(' + b + c + b'u.'
        for op in b's\x92\x87':
            yield a + b + c + bytes([op]) + b'.'


def arguments():
    before = [
        b'', b'N', b'NN', b'NNN', b'(', b'N(', b'(N', b'((', b'N((', b'N(N', b'N(NN', b'](N', b']((N', b'}(NN', b'cm\nf\n',
        b'cm\nf\n)', b'(cm\nf\n', b'Nq\0', b']q\0', b'\x80\2', b'\x80\4', b'\x80\5', b'N\x94N\x94', b'\x8c\1a\x8c\1b']
    before += [b'\x95' + u8(n) for n in (0, 1, 2, 3, 5)] + [b'\x95' + u8(9) + b'\x95' + u8(n) for n in (0, 3)]
    after = [
        b'', b'\0', b'\1', b'\2', b'\5a', b'\xff', b'\n', b'a\n', b'a\nb\n', b'1\n', b'0\n', b"'a'\n", u4(0), b'\1\0\0\0a',
        u4(0xffffffff), u4(0x7fffffff), u4(0x80000000), b'\2\0\0\0N.', u8(0), u8(1) + b'a', b'\xff' * 8, u8(2**63 - 1),
        u8(2) + b'N.', b'\n\n', b'a', b'a\nb', b'\0\n', b'-1\n', b'\xe9\n\xe9\n']
    for start, op, argument in itertools.product(before, range(256), after):
        for end in (b'.', b'', b'N.', b'0.'):
            yield start + bytes([op]) + argument + end


def numbers():
    parts = [bytes([c]) for c in b'0178-+ _xboL\0\t\r.e\x0ba']
    for size in range(5):
        for line in itertools.product(parts, repeat=size):
            text = b''.join(line)
            uses = [b'I%s\n.', b'L%s\n.']
            if size < 4:
                uses += [b'F%s\n.', b'Ng%s\n.', b'Np%s\n.', b'Nq\1g%s\n.', b'Np%s\nh\1.', b']NaNaI%s\nNs.']
            for use in uses:
                yield use % text
    parts += [
        b'9223372036854775807', b'9223372036854775808', b'-9223372036854775808', b'0x7fffffffffffffff',
        b'0777777777777777777777', b'01000000000000000000000', b'2147483648', b'4294967296', b'1e400', b'inf', b'nan',
        b'infinity', b'INF', b'1' * 4299, b'1' * 4300, b'1' * 4301, b'0' * 4300, b'0' * 4301, b'_'.join([b'1'] * 4300),
        b'_'.join([b'1'] * 4301), b' ' * 4400, b'0x' + b'f' * 5000, b'0b' + b'1' * 5000, b'\xa0', b'\xc2\xb2', b'\xd9\xa0',
        b'\x1c', b'\x85', b"'"]
    for _ in range(40000):
        text = b''.join(random.choice(parts) for _ in range(random.randint(1, 5)))
        yield random.choice([b'I', b'L', b'F', b'Ng', b'Np', b'Nq\1g']) + text + b'\n.'


def strings():
    parts = [b"'", b'"', b'\\', b'u', b'x', b'0', b'{', b'n', b'7', b'a', b'U', b'\r', b'\0', b'\xe9', b'd8', b'00']
    for size in range(5):
        for line in itertools.product(parts, repeat=size):
            text = b''.join(line)
            yield b'V' + text + b'\n.'
            yield b"S'" + text + b"'\n."
            if size < 4:
                yield b'S' + text + b'\n.'
                yield b'P' + text + b'\n.'
                yield b'c' + text + b'\n' + text + b'\n.'
                yield b'(i' + text + b'\n' + text + b'\n.'
                yield b"S'" + text + b"'\n.", ('latin1', '', '', '1')
                yield b"S'" + text + b"'\n.", ('bytes', '', '', '1')
    parts = [
        b'\\u', b'\\U', b'0041', b'00110000', b'0010ffff', b'd800', b'dfff', b'ffff', b'\\\\', b'\\', b'\\x', b'41', b'4',
        b'\\1', b'\\12', b'\\400', b'\\777', b'\\N{a}', b'\xff', b'\xc3\xa9', b'0', b'g']
    options = [
        PLAIN, ('latin1', '', '', '1'), ('utf-8', '', '', '1'), ('bytes', '', '', '1'), ('utf-8', 'surrogateescape', '', '1'),
        ('ASCII', 'ignore', '', '1'), ('ASCII', 'replace', '', '1'), ('utf-8', 'backslashreplace', '', '1')]
    for _ in range(60000):
        text = b''.join(random.choice(parts) for _ in range(random.randint(1, 6)))
        yield b'V' + text + b'\n.'
        yield b"S'" + text + b"'\n.", random.choice(options)


def utf8():
    some = [
        0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xee, 0xef, 0xf0, 0xf1,
        0xf3, 0xf4, 0xf5, 0xf8, 0xff]
    for size in (1, 2, 3):
        for text in map(bytes, itertools.product(some, repeat=size)):
            yield b'X' + u4(size) + text + b'.'
            yield b'c' + text + b'\nx\n.'
            yield b'U' + bytes([size]) + text + b'.', ('utf-8', '', '', '1')
            if size < 3:
                yield b'U' + bytes([size]) + text + b'.', ('utf-8', 'surrogatepass', '', '1')
    for text in itertools.product(some[3:], repeat=4):
        yield b'\x8c\4' + bytes(text) + b'.'


def frames():
    programs = [
        b'\x80\4cos\nsystem\n.', b'\x8c\3abc\x8c\2de\x93.', b']K\1aM\1\2a.', b'(cos\nx\nNo.', b'(ios\nsys\n.',
        b'C\4abcd0\x8e' + u8(3) + b'xyz.', b'I1234\n0L5L\n.', b'B' + u4(3) + b'abcX' + u4(2) + b'de\x93.',
        b'\x8a\2\1\2\x8b' + u4(2) + b'\1\2.', b'\x96' + u8(3) + b'abcK\1a.', b'Vab\nVcd\n\x93.',
        b'G?\xf0\0\0\0\0\0\0J\1\2\3\4\x86.', b'}(U\1aNU\1bNu.', b'Np1\ng1\nr' + u4(5) + b'j' + u4(5) + b'.',
        b'\x82\1\x83\1\1.', b'Pab\nNQ.', b'NNN\x87t.']
    for program in programs:
        for at in range(len(program) + 1):
            for size in range(len(program) - at + 3):
                yield program[:at] + b'\x95' + u8(size) + program[at:]
        for _ in range(1200):
            stream = program
            for _ in range(random.randint(2, 3)):
                at = random.randint(0, len(stream))
                left = len(stream) - at
                size = random.choice([0, 1, 2, 3, 4, 5, 8, 9, 10, 12, left, left + 1, random.randint(0, len(stream))])
                stream = stream[:at] + b'\x95' + u8(size) + stream[at:]
            yield stream + random.choice([b'', b'', b'N.', b'zz', b'\x95' + u8(3)])


def stacks():
    steps = [
        b'(', b'N', b']', b'0', b'1', b'2', b't', b'l', b'd', b'a', b'e', b'u', b's', b'}', b'\x85', b'\x86', b'\x94', b'h\0',
        b'q\0', b'\x8f', b'\x90', b'\x91', b'b', b'cm\nf\n', b'R', b'o', b'\x81', b')']
    for size in (1, 2, 3):
        for program in itertools.product(steps, repeat=size):
            yield b''.join(program) + b'.'
    for _ in range(400000):
        yield b''.join(random.choice(steps) for _ in range(random.randint(4, 10))) + b'.'


def memos():
    indexes = [0, 1, 2, 3, 31, 32, 33, 34, 63, 64, 65, 66, 127, 128, 255, 256, 300, 1000, 65535, 65536, 70000]

    def spelled(index, line, one, four):
        ways = [line + b'%d\n' % index, four + u4(index)]
        return random.choice(ways + [one + bytes([index])] if index < 256 else ways)

    for _ in range(80000):
        stream = b''
        for _ in range(random.randint(1, 9)):
            index = random.choice(indexes[:14] if random.random() < .8 else indexes)
            stream += random.choice([b'N', b'\x88', b'K\5', b']'])
            stream += random.choice([spelled(index, b'p', b'q', b'r'), b'\x94'])
            if random.random() < .5:
                stream += spelled(random.choice(indexes[:14]), b'g', b'h', b'j') + b'0'
        yield stream + spelled(random.choice(indexes[:14]), b'g', b'h', b'j') + b'.'


def protocols():
    names = [
        b'c__builtin__\neval\n', b'U\x0b__builtin__U\4eval\x93', b'cos\npath.join\n', b'\x82\1', b'\x83\1\0', b'\x84' + u4(0),
        b'\x84' + u4(0xffffffff), b'\x84' + u4(0x80000000), b'\x82\0', b'\x83\0\0', b'\x96' + u8(0), b'\x97', b'\x98', b'N\x98']
    for first, second, name in itertools.product(range(9), (None, 0, 2, 3, 4, 5, 6, 255), names):
        one = b'\x80' + bytes([first])
        two = b'' if second is None else b'\x80' + bytes([second])
        yield one + two + name + b'.'
        yield name + b'0' + one + name + two + name + b'.'
        yield one + two + name + b'.', ('', '', '2', '1')
        yield name + b'.', ('', '', '0', '0')


def edges():
    streams = set()
    for name in 'edge_streams', 'edge_more':
        with open('tests/data/%s.tsv' % name) as table:
            streams.update(bytes.fromhex(line.split('\t')[1]) for line in table if line[0] != '#')
    for stream in sorted(stream for stream in streams if len(stream) < 200):
        for at in range(len(stream)):
            yield stream[:at]
            yield stream[:at] + stream[at + 1:]
            for more in b'N', b'(', b'0', b'\n':
                yield stream[:at] + more + stream[at:]


KINDS = (pairs, triples, arguments, numbers, strings, utf8, frames, stacks, memos, protocols, edges)


def main():
    print(HEAD.replace(' ', '\t'))
    wanted = sys.argv[1:] or [kind.__name__ for kind in KINDS]
    for kind in KINDS:
        if kind.__name__ not in wanted:
            continue
        random.seed(kind.__name__)
        seen = set()
        for stream in kind():
            stream = stream if isinstance(stream, tuple) else (stream, PLAIN)
            if stream in seen:
                continue
            seen.add(stream)
            print('?\t%s\t%s\ttype\t0\t-\t-\t-\t0\t' % (stream[0].hex(), '\t'.join(stream[1])))


if __name__ == '__main__':
    main()
