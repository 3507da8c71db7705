#!/bin/sh
# Prints a fuzzing dictionary: one entry an opcode, from the rows OP(0x63, GLOBAL, ...) of the
# opcode table, and the start of each protocol.
#
#   usage: dict.sh src/decode/pickle_ops.def >fuzz/pickle.dict
set -eu
if [ $# -ne 1 ] || [ ! -r "$1" ]; then echo "usage: dict.sh pickle_ops.def" >&2; exit 2; fi

echo "# Made by tests/dict.sh from $1 (make dict). Do not edit."
sed -n 's/^ *OP( *0x\([0-9a-fA-F][0-9a-fA-F]\) *, *\([A-Z0-9_]*\) *,.*/\2="\\x\1"/p' "$1" |
  awk '{ print } END { if (NR == 0) { print "dict.sh: no OP rows" >"/dev/stderr"; exit 1 } }'
for protocol in 2 3 4 5; do
  printf 'PROTO_%s="\\x80\\x0%s"\n' $protocol $protocol
done
