#!/bin/sh
# Each installed header compiles alone, twice included, without a warning, as C11 and as C++17.
#
#   usage: [CC=cc] [CXX=c++] check_header.sh
set -u
cd "$(dirname "$0")/.." || exit 2
CC=${CC:-cc} CXX=${CXX:-c++}
flags='-Wall -Wextra -Wpedantic -Wundef -Wshadow -Werror -Iinclude -fsyntax-only'

passed=0 failed=0 skipped=0
# try COMPILER LANGUAGE STANDARD HEADER FLAG...
try() {
  compiler=$1 language=$2 standard=$3 header=$4
  shift 4
  # shellcheck disable=SC2086 # commands with arguments
  if printf '#include <%s>\n#include <%s>\n' "$header" "$header" |
    $compiler -x "$language" -std="$standard" $flags "$@" -; then
    passed=$((passed + 1))
  else
    echo "FAILED: $header as $standard"
    failed=$((failed + 1))
  fi
}

for path in include/*.h; do
  [ -e "$path" ] || continue
  header=${path#include/}
  if grep -q '^ *# *include *<Python\.h>' "$path"; then
    echo "skipped: $header needs Python.h"
    skipped=$((skipped + 1))
    continue
  fi
  try "$CC" c c11 "$header" -Wstrict-prototypes
  if command -v "${CXX%% *}" >/dev/null 2>&1; then
    try "$CXX" c++ c++17 "$header"
  else
    echo "skipped: $header as c++17: no $CXX"
    skipped=$((skipped + 1))
  fi
done

if [ $skipped -gt 0 ]; then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]
