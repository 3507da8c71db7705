#!/usr/bin/env python
"""Print the bytecode table (src/code/bytecode/*.def) of the interpreter that runs this.

    PYTHON gen_bytecode.py >cpython_3_12.def
    PYTHON gen_bytecode.py --name         print the file name that the table has, and nothing else

Standard library only; runs on CPython 2.7 and 3.4 or later and on PyPy. The first line is

    PKS_BYTECODE_TABLE(ID, magic, operators, intrinsics1, intrinsics2, specials, constants)

with how many arguments BINARY_OP, CALL_INTRINSIC_1, CALL_INTRINSIC_2, LOAD_SPECIAL and
LOAD_COMMON_CONSTANT know (0: none, or not said). Every other line is

    PKS_BYTECODE(number, NAME, argument, caches, operand, jump, base, FORM, base, FORM)

argument  1: the instruction reads its argument
caches    code units that follow it and are zero in a code object
operand   what dis says the argument is: NAME, CONST, LOCAL, FREE, COMPARE or NONE
jump      REL, BACK (relative, backwards), ABS or NONE
base FORM the change of the stack depth, when it does not jump and when it does, fitted to
          dis.stack_effect() over many arguments. FORMs are listed in src/code/table.h; NOT_KNOWN
          where the interpreter does not say.

Left out: what never stands in a code object that is stored (specialised, instrumented and pseudo
instructions, CACHE and other numbers that the interpreter keeps for itself).
"""
from __future__ import print_function

import dis
import opcode
import struct
import sys

PYPY = hasattr(sys, "pypy_version_info")
VERSION = sys.version_info[:2]

# Numbers with a name that no compiler writes into a code object.
INTERNAL = ("CACHE", "RESERVED", "INTERPRETER_EXIT", "ENTER_EXECUTOR", "EXIT_INIT_CHECK",
            "RESUME_CHECK", "STOP_CODE", "TRACE_RECORD")

ARGS = list(range(272)) + [512, 770, 1023, 4095]

FORMS = [
    ("CONST", lambda a: 0),
    ("PLUS_ARG", lambda a: a),
    ("MINUS_ARG", lambda a: -a),
    ("MINUS_TWICE_ARG", lambda a: -2 * a),
    ("PLUS_BIT0", lambda a: a & 1),
    ("MINUS_BIT0", lambda a: -(a & 1)),
    ("MINUS_BIT2", lambda a: -(a >> 2 & 1)),
    ("MINUS_BITS0_3", lambda a: -bin(a & 15).count("1")),
    ("MINUS_IF_3", lambda a: -(a == 3)),
    ("PLUS_LOW_HIGH", lambda a: (a & 255) + (a >> 8)),
]


def magic():
    try:
        import importlib.util
        number = importlib.util.MAGIC_NUMBER
    except ImportError:
        import imp
        number = imp.get_magic()
    return struct.unpack("<H", number[:2])[0]


def effect(number, argument, jump):
    if PYPY or VERSION < (3, 4):
        return None
    try:
        if VERSION >= (3, 8):
            return opcode.stack_effect(number, argument, jump=jump)
        return opcode.stack_effect(number, argument)
    except ValueError:
        return None


def fit(name, number, reads, jump):
    """(base, FORM) that gives what the interpreter says for every argument it takes."""
    if reads:
        points = [(a, effect(number, a, jump)) for a in ARGS]
        points = [(a, e) for a, e in points if e is not None]
    else:
        e = effect(number, None, jump)
        points = [] if e is None else [(0, e)]
    if not points:
        return 0, "NOT_KNOWN"
    for form, change in FORMS:
        base = points[0][1] - change(points[0][0])
        if all(e == base + change(a) for a, e in points):
            return base, form
    raise SystemExit("%s: no form fits its stack effect: %r" % (name, points[:20]))


def caches(name, number):
    entries = getattr(opcode, "_inline_cache_entries", None)
    if entries is None:
        return 0
    if hasattr(entries, "get"):
        return entries.get(name, 0)
    return entries[number] if number < len(entries) else 0


def jump_kind(name, number):
    if name == "END_ASYNC_FOR":  # 3.14 on: its argument says where SEND is, nothing jumps there
        return "NONE"
    if number in opcode.hasjabs:
        return "ABS"
    if number in opcode.hasjrel:
        return "BACK" if "BACKWARD" in name else "REL"
    return "NONE"


def operand(number):
    for kind in ("name", "const", "local", "free", "compare"):
        if number in getattr(opcode, "has" + kind):
            return kind.upper()
    return "NONE"


def special_names():
    """Specialised instructions, and the first number of the instrumented ones."""
    try:
        import _opcode_metadata
        return set(_opcode_metadata._specialized_opmap), _opcode_metadata.MIN_INSTRUMENTED_OPCODE
    except ImportError:
        return set(getattr(opcode, "_specialized_instructions", ())), 256


def reads_argument(number):
    try:
        import _opcode
        return _opcode.has_arg(number)
    except (ImportError, AttributeError):
        return number >= opcode.HAVE_ARGUMENT


def rows():
    specialized, instrumented = special_names()
    for name, number in sorted(opcode.opmap.items(), key=lambda item: item[1]):
        if number > 255 or number >= instrumented or name in specialized:
            continue
        if name in INTERNAL or name.startswith(("INSTRUMENTED_", "<")):
            continue
        reads = bool(reads_argument(number))
        stay = fit(name, number, reads, False)
        leap = fit(name, number, reads, True)
        yield (number, name.replace("+", "_"), int(reads), caches(name, number), operand(number),
               jump_kind(name, number)) + stay + leap


def count_of(module_function, names):
    try:
        import _opcode
        return len(getattr(_opcode, module_function)())
    except (ImportError, AttributeError):
        for name in names:
            if hasattr(opcode, name):
                return len(getattr(opcode, name))
    return 0


def file_name():
    return "%s_%d_%d" % (("pypy" if PYPY else "cpython",) + VERSION)


def main():
    name = file_name()
    if sys.argv[1:] == ["--name"]:
        print(name + ".def")
        return
    print("/* Made by src/code/bytecode/gen_bytecode.py on %s %d.%d. Do not edit. */"
          % (("PyPy" if PYPY else "CPython",) + VERSION))
    print("PKS_BYTECODE_TABLE(%s, %d, %d, %d, %d, %d, %d)" % (
        name.upper(), magic(),
        len(getattr(opcode, "_nb_ops", ())),
        count_of("get_intrinsic1_descs", ("_intrinsic_1_descs",)),
        count_of("get_intrinsic2_descs", ("_intrinsic_2_descs",)),
        count_of("get_special_method_names", ()),
        len(getattr(opcode, "_common_constants", ()))))
    for row in rows():
        print("PKS_BYTECODE(%d, %s, %d, %d, %s, %s, %d, %s, %d, %s)" % row)


if __name__ == "__main__":
    main()
