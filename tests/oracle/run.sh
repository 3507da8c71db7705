#!/bin/sh
# The differential test: the C unpickler of every CPython found, and picklesight, on the same streams.
# `make oracle` builds the program and calls this.
#
#   usage: ORACLE=build/oracle COUNT=200000 SEED=1 tests/oracle/run.sh
#
# First the libpython that the program is linked with, then each python2.7, python3.6 .. python3.13 on PATH or
# in $HOME/.pyenv/versions, and pypy3, asked through batch.py. PYODIDE: folders of pyodide packages (CPython 3.14, 3.15
# under Node.js; node_runner.mjs says how to get them). What is not there is named.
set -u
cd "$(dirname "$0")/../.." || exit 2
ORACLE=${ORACLE:-build/oracle} COUNT=${COUNT:-200000} SEED=${SEED:-1} PYODIDE=${PYODIDE:-}
export LC_ALL=C

asked='' failed='' missing=''
# ask NAME OPTION...
ask() {
  name=$1
  shift
  echo "== $name"
  "$ORACLE" --count "$COUNT" --seed "$SEED" "$@"
  case $? in
    0) asked="$asked $name" ;;
    3) missing="$missing $name" ;;
    *) failed="$failed $name" ;;
  esac
}

# The interpreter of a release, or nothing. A pyenv shim is there without its interpreter.
find_python() {
  for python in "$HOME/.pyenv/versions/$1".*/bin/python; do
    if [ -x "$python" ]; then
      echo "$python"
      return
    fi
  done
  python=$(command -v "python$1" 2>/dev/null) && "$python" -c '' 2>/dev/null && echo "$python"
}

# It must see a difference where there is one.
if "$ORACLE" --count 2000 --most 1 --as 3.15.0 >/dev/null 2>&1; then
  echo 'oracle: FAILED: 3.15 reads as an older Python does' >&2
  exit 1
fi
ask libpython
for release in 2.7 3.6 3.7 3.8 3.9 3.10 3.11 3.12 3.13; do
  python=$(find_python "$release")
  if [ -n "$python" ]; then
    ask "python$release" --with "'$python' -B tests/oracle/batch.py"
  else
    missing="$missing python$release"
  fi
done
if command -v pypy3 >/dev/null 2>&1; then
  ask pypy3 --with 'pypy3 -B tests/oracle/batch.py'
else
  missing="$missing pypy3"
fi
if [ -z "$PYODIDE" ]; then
  missing="$missing pyodide"
elif ! command -v node >/dev/null 2>&1; then
  missing="$missing node"
else
  for folder in $PYODIDE; do
    ask "$(basename "$folder")" --with "node tests/oracle/node_runner.mjs '$folder' 2>/dev/null"
  done
fi

[ -z "$missing" ] || echo "oracle: not found, not asked:$missing"
[ -z "$failed" ] || { echo "oracle: FAILED:$failed"; exit 1; }
[ -n "$asked" ] || { echo "oracle: no CPython found"; exit 1; }
echo "oracle: ok:$asked"
