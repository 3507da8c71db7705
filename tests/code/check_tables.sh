#!/bin/sh
# Print the bytecode table of every interpreter that can be found and compare it with the committed one
# (src/code/bytecode). Changes nothing.
#
#   sh tests/code/check_tables.sh [PYTHON...]
#
# Looks at the arguments, at python2.7, python3, python3.N, pypy and pypy3 on PATH, and under
# $HOME/.pyenv/versions. With Node.js, 3.14 and 3.15 run as wasm builds when the packages pyodide-314
# and pyodide-315 are installed in $PYODIDE or in the current folder:
#
#   npm install pyodide-314@npm:pyodide@314.0.7 pyodide-315@npm:pyodide@315.0.0-alpha.2
#
# Exit status 1 when a table differs. What was not found is named.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
tables=$root/src/code/bytecode
generator=$tables/gen_bytecode.py
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
: >"$work/seen"

# compare NAME FILE WHAT: FILE is what WHAT printed for the table NAME
compare() {
  if [ ! -f "$tables/$1" ]; then
    echo "tables: $3: no table $1 is committed" >&2
    failed=1
  elif cmp -s "$tables/$1" "$2"; then
    echo "tables: $1: same ($3)"
  else
    echo "tables: $1: differs from what $3 prints:" >&2
    diff "$tables/$1" "$2" | head -20 >&2
    failed=1
  fi
  echo "$1" >>"$work/seen"
}

try() {
  name=$("$1" "$generator" --name 2>/dev/null) || return 0
  grep -qx "$name" "$work/seen" && return 0
  # Interpreters that no table is meant for (3.4 and 3.5 were written by hand) are passed over.
  case $name in *.def) ;; *) return 0 ;; esac
  if ! "$1" "$generator" >"$work/$name" 2>"$work/errors"; then
    echo "tables: $1 could not print its table:" >&2
    head -5 "$work/errors" >&2
    failed=1
    return 0
  fi
  compare "$name" "$work/$name" "$1"
}

for python in "$@" "$HOME"/.pyenv/versions/*/bin/python; do
  if [ -x "$python" ]; then try "$python"; fi
done
for python in python2.7 python3 pypy pypy3 $(seq -f 'python3.%g' 6 15); do
  if command -v "$python" >/dev/null 2>&1; then try "$python"; fi
done

node_folder=${PYODIDE:-$PWD}
for minor in 14 15; do
  name=cpython_3_$minor.def
  grep -qx "$name" "$work/seen" && continue
  [ -d "$node_folder/node_modules/pyodide-3$minor" ] || continue
  command -v node >/dev/null 2>&1 || continue
  if PYODIDE=$node_folder node "$root/tests/code/python_in_node.mjs" "3.$minor" "$generator" \
    >"$work/$name" 2>"$work/errors"; then
    compare "$name" "$work/$name" "wasm build of 3.$minor"
  else
    echo "tables: the wasm build of 3.$minor could not print its table:" >&2
    head -5 "$work/errors" >&2
    failed=1
  fi
done

for table in "$tables"/*.def; do
  name=$(basename "$table")
  grep -qx "$name" "$work/seen" && continue
  case $name in
    cpython_3_4.def | cpython_3_5.def) echo "tables: $name: written by hand, not compared" ;;
    *) echo "tables: $name: skipped, no such interpreter found" ;;
  esac
done
exit $failed
