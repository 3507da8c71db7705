#!/bin/sh
# Captures every interpreter that is found, twice: the two must have one id. Then once more with the names of
# all modules of its standard library, which must be what the built-in table says, but for what known.tsv
# explains. Needs about half a minute an interpreter.
#
#   sh tests/capture/check_truth.sh [NAME=COMMAND...]
#
#   NAME=COMMAND one more interpreter that runs a script by COMMAND SCRIPT, as
#                cpython-3.14='node tests/code/python_in_node.mjs 3.14'
#
# Environment: BUILD (build), CC, CFLAGS. Exit status 1 when something is wrong.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$root/$BUILD ;; esac
tool=$BUILD/picklesight known=$root/tests/capture/known.tsv
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck disable=SC2086 # CFLAGS is a list
${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L ${CFLAGS:--O2} -I"$root/include" -I"$root/src" -o "$work/compare" \
  "$root/tests/capture/compare.c" "$BUILD/libpicklesight.a" -lz || exit 2

failed=0
fail() {
  echo "capture: FAILED: $*"
  failed=1
}

# id FILE: of a fingerprint
id() { "$tool" show "$1" | awk '$1 == "id" { print $2 }'; }

# name FILE: the built-in target of its Python
name() { "$tool" show "$1" | sed -n '1s/^\([a-z]*-[0-9]*\.[0-9]*\).*/\1/p'; }

# after LABEL: what follows the captures once, again and all in $work
after() {
  [ "$(id "$work/once")" = "$(id "$work/again")" ] || fail "$1: two captures, two ids"
  # a part of a path, a user, a host
  for word in "$HOME" "$(id -un 2>/dev/null || echo nobody)@" "$(hostname)"; do
    if grep -F -q -e "$word" "$work/once" "$work/all"; then fail "$1: '$word' is in it"; fi
  done
  "$work/compare" "$work/all" "$known" || failed=1
}

found=
for python in "$HOME"/.pyenv/versions/*/bin/python /usr/bin/python3 /usr/bin/pypy3 /usr/local/bin/python3.*; do
  case $python in *-config) continue ;; esac
  [ -x "$python" ] || continue
  found="$found $python"
  if ! "$tool" capture --python "$python" >"$work/once" || ! "$tool" capture --python "$python" >"$work/again"; then
    fail "$python"
    continue
  fi
  modules=$("$work/compare" "$(name "$work/once")")
  "$tool" capture --python "$python" --modules "$modules" >"$work/all" || { fail "$python"; continue; }
  after "$python"
done

for pair; do
  label=${pair%%=*} command=${pair#*=}
  found="$found $label"
  "$tool" capture --script >"$work/script.py"
  "$tool" capture --script --modules "$("$work/compare" "$label")" >"$work/script_all.py"
  for run in once again all; do
    script=$work/script.py
    [ $run = all ] && script=$work/script_all.py
    # shellcheck disable=SC2086 # a command with arguments
    if ! $command "$script" >"$work/raw" || ! "$tool" capture --from "$work/raw" >"$work/$run"; then fail "$label"; fi
  done
  after "$label"
done
echo "capture:${found:- no interpreter found}"
exit $failed
