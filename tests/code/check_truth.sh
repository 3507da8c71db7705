#!/bin/sh
# Ask every interpreter that can be found what is true, and compare: candidate versions of the code
# objects it compiles, the trees of the marshal streams and .pyc files it writes, listings against dis.
# Takes long; `make check` does the same with the samples in tests/code/data.
#
#   sh tests/code/check_truth.sh [-n CODES] [-s SOURCES] [NAME=COMMAND...]
#
#   -n CODES     code objects of each interpreter's standard library, and as many of SOURCES (30000)
#   -s SOURCES   a folder of other sources (default: site-packages with the most files that is found)
#   NAME=COMMAND one more interpreter, e.g. 3.14='node tests/code/python_in_node.mjs 3.14'; its paths
#                then start with $HOST (/host) and its library is that of the newest other interpreter
#
# Environment: BUILD (build) with libpicklesight.a in it, CC, CFLAGS, WORK (a folder for large files).
# Exit status 1 when something is wrong; interpreters that were not found are not named here: see
# check_tables.sh.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
cd "$root" || exit 2
BUILD=${BUILD:-build}
work=${WORK:-$(mktemp -d)} || exit 2
count=30000 sources=
while [ $# -gt 0 ]; do
  case $1 in
    -n) count=$2; shift 2 ;;
    -s) sources=$2; shift 2 ;;
    *) break ;;
  esac
done
[ -f "$BUILD/libpicklesight.a" ] || { echo "truth: no $BUILD/libpicklesight.a: run make" >&2; exit 2; }

for tool in codes marshal list; do
  # shellcheck disable=SC2086 # CFLAGS is a list
  ${CC:-cc} -std=c11 ${CFLAGS:--O2} -Iinclude -Isrc -o "$work/eval_$tool" "tests/code/eval_$tool.c" \
    "$BUILD/libpicklesight.a" -lz || exit 2
done

# The largest site-packages is a set of sources that no rule was made for.
if [ -z "$sources" ]; then
  most=0
  for folder in "$HOME"/.pyenv/versions/*/lib/python*/site-packages /usr/lib/python3/dist-packages; do
    [ -d "$folder" ] || continue
    files=$(find "$folder" -name '*.py' | wc -l)
    if [ "$files" -gt "$most" ]; then most=$files sources=$folder; fi
  done
fi
# Every 7th file, so that many packages are in it.
find "$sources" -name '*.py' | sort | awk 'NR % 7 == 1' >"$work/other.list"
echo "truth: other sources: $sources, $(wc -l <"$work/other.list") files"

failed=0
fail() {
  echo "truth: FAILED: $*" >&2
  failed=1
}

# one NAME LIBRARY-LIST OTHER-LIST PREFIX COMMAND...
one() {
  name=$1 library=$2 other=$3 prefix=$4
  shift 4
  emit=tests/code/emit_codes.py
  to=$prefix$work
  "$@" $emit --limit "$count" "$to/library.codes" "$prefix$library" >"$work/log" 2>&1 || fail "$name: emit"
  "$@" $emit --limit "$count" "$to/other.codes" "$prefix$other" >>"$work/log" 2>&1 || fail "$name: emit"
  "$work/eval_codes" -m 10 "$work/library.codes" "$work/other.codes" || fail "$name: candidates"
  cat "$library" "$work/pyc.list" >"$work/all.list"
  "$@" $emit --marshal --every 5 "$to/streams" "$to/all.list" >>"$work/log" 2>&1 || fail "$name: emit"
  "$work/eval_marshal" "$work/streams" || fail "$name: marshal"
  case $name in
    2.*) ;;
    *)
      "$@" $emit --dis "$to/wanted" --every 10 "$to/listed.codes" "$prefix$library" >>"$work/log" 2>&1
      "$work/eval_list" "$work/listed.codes" >"$work/listing"
      if cmp -s "$work/wanted" "$work/listing"; then
        echo "$name: $(wc -l <"$work/wanted") instructions listed as dis does"
      else
        fail "$name: listing"
        diff "$work/wanted" "$work/listing" | head -10
      fi
      ;;
  esac
  rm -f "$work"/*.codes "$work/streams" "$work/wanted" "$work/listing"
}

seen=:
for python in "$HOME"/.pyenv/versions/*/bin/python python2.7 python3 pypy3; do
  command -v "$python" >/dev/null 2>&1 || continue
  name=$("$python" -c 'import sys; print(("pypy-" if hasattr(sys, "pypy_version_info") else "") + "%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
  case $seen in *":$name:"*) continue ;; esac
  seen=$seen$name:
  library=$("$python" -c 'import os; print(os.path.dirname(os.__file__))')
  find "$library" -name site-packages -prune -o -name '*.py' -print | sort >"$work/library.list"
  [ -s "$work/library.list" ] || continue
  cp "$work/library.list" "$work/newest.list"
  find "$library" -name '*.pyc' | sort >"$work/pyc.list"
  one "$name" "$work/library.list" "$work/other.list" "" "$python"
done
HOST=${HOST:-/host}
: >"$work/pyc.list" # they are of another version
for more; do
  sed "s|^|$HOST|" "$work/newest.list" >"$work/host.list"
  sed "s|^|$HOST|" "$work/other.list" >"$work/host_other.list"
  # shellcheck disable=SC2086 # a command with arguments
  one "${more%%=*}" "$work/host.list" "$work/host_other.list" "$HOST" ${more#*=}
done
if [ -z "${WORK:-}" ]; then rm -rf "$work"; fi
exit $failed
