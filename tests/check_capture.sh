#!/bin/sh
# The capture library, if it could be built (Python's headers):
#
#   exports   libpicklesight_capture.so exports exactly what its header declares
#   names     the static library defines only pks_*
#   links     it needs the main library and libc, no libpython
#   inside    a program with an interpreter in it: its fingerprint is the one that the tool captures of the same
#             Python, also with the names of a module; the interpreter stays as it was
#
#   usage: [BUILD=build] [NM=nm] check_capture.sh
set -u
cd "$(dirname "$0")/.." || exit 2
BUILD=${BUILD:-build} NM=${NM:-nm}
export LC_ALL=C
shared=$BUILD/libpicklesight_capture.so static=$BUILD/libpicklesight_capture.a inside=$BUILD/tests/capture_inside
if [ ! -x "$inside" ]; then
  echo "skipped: no headers of Python (python3-config --embed)"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0
# verdict NAME MEANING: passes when $scratch/NAME is empty, else shows it
verdict() {
  if [ -s "$scratch/$1" ]; then
    echo "FAILED: $1: $2"
    sed 's/^/  /' "$scratch/$1" | cut -c 1-400
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

sh tests/api_names.sh include/picklesight_capture.h >"$scratch/declared"
$NM -D --defined-only "$shared" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u |
  diff "$scratch/declared" - >"$scratch/exports"
[ -s "$scratch/declared" ] || echo "nothing declared" >>"$scratch/exports"
verdict exports "< declared, not exported; > exported, not declared"

$NM -g --defined-only "$static" 2>/dev/null | awk 'NF == 3 && $3 !~ /^pks_/ { print $3 }' >"$scratch/names"
verdict names "defined in $static without the prefix"

readelf -d "$shared" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
  grep -v -e '^libc\.so' -e '^libpicklesight\.so' -e '^ld-linux' >"$scratch/links"
verdict links "needed besides libc and the main library"

# The interpreter that the program was linked with, outside; another one of that version would differ.
python=${PYTHON:-/usr/bin/python3}
"$inside" >"$scratch/inner" 2>"$scratch/inside"
version=$("$BUILD/picklesight" show "$scratch/inner" | head -n 1)
"$BUILD/picklesight" capture --python "$python" >"$scratch/outer" 2>"$scratch/err"
if [ "$version" = "$("$BUILD/picklesight" show "$scratch/outer" 2>/dev/null | head -n 1)" ]; then
  {
    diff "$scratch/inner" "$scratch/outer"
    "$inside" json.decoder >"$scratch/inner"
    "$BUILD/picklesight" capture --python "$python" --modules json.decoder >"$scratch/outer"
    diff "$scratch/inner" "$scratch/outer"
  } >>"$scratch/inside" 2>&1
else
  echo "not compared: $python is not $version"
fi
verdict inside "what a program with an interpreter in it captures (< inside, > outside)"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
