#!/bin/sh
# Make tests/code/data again: the sources of tests/code/samples as each interpreter compiles them.
#
#   sh tests/code/make_samples.sh VERSION-NAME COMMAND...     COMMAND runs a Python script
#
#   sh tests/code/make_samples.sh cpython-3.11 python3.11
#   sh tests/code/make_samples.sh cpython-3.14 node tests/code/python_in_node.mjs 3.14
#
# Sources that a version cannot compile are left out. HOST is a prefix for paths that the interpreter
# sees (/host for the wasm builds).
set -eu
cd "$(dirname "$0")" || exit 2
name=$1
shift
here=${HOST:-}$PWD
"$@" "$PWD/emit_codes.py" --cd "$here/samples" "$here/data/$name.codes" .
"$@" "$PWD/emit_codes.py" --marshal --formats 0,new --cd "$here/samples" "$here/data/$name.marshal" \
  any.py py3.py py38.py py310.py py311.py py312.py py314.py
