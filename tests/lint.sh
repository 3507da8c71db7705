#!/bin/sh
# Style and static checks, with those tools that are installed; names those that are not.
#
#   usage: [TIDY=1] tests/lint.sh [--fix]    --fix: only rewrite the sources with clang-format
#                                            TIDY=1: clang-tidy too (slow)
set -u
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C

have() { command -v "$1" >/dev/null 2>&1; }
failed='' skipped=''
# step TOOL COMMAND...: runs COMMAND if there is TOOL
step() {
  tool=$1
  shift
  if ! have "$tool"; then
    skipped="$skipped $tool"
  elif "$@"; then
    echo "lint: $tool: ok"
  else
    echo "lint: $tool: FAILED"
    failed="$failed $tool"
  fi
}

# c_files FOLDER...: paths here hold no spaces
c_files() { find "$@" -type f -name '*.[ch]' 2>/dev/null | sort; }
scripts() { find tests fuzz src -type f -name '*.sh' 2>/dev/null | sort; }

# shellcheck disable=SC2046 # a list of words
run_format() { clang-format --dry-run -Werror $(c_files include src fuzz tests); }
# shellcheck disable=SC2046
run_cppcheck() {
  set -- $(find src -type f -name '*.c' ! -path 'src/python/*' ! -path 'src/capture/*' | sort)
  [ $# -gt 0 ] || return 0
  cppcheck --quiet --std=c11 --language=c --enable=warning,portability,performance \
    --inline-suppr --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches \
    --error-exitcode=1 -j 2 -DPKS_SWITCH -Iinclude -Isrc "$@" # it does not parse labels as values
}
# shellcheck disable=SC2046
run_shellcheck() { shellcheck --shell=sh $(scripts) && shellcheck .ci/run; }
# shellcheck disable=SC2046
run_tidy() {
  set -- $(find src -type f -name '*.c' ! -path 'src/python/*' ! -path 'src/capture/*' | sort)
  [ $# -gt 0 ] || return 0
  clang-tidy --quiet "$@" -- -std=c11 -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc 2>/dev/null
}

if [ "${1:-}" = --fix ]; then
  have clang-format || { echo "lint: no clang-format" >&2; exit 1; }
  # shellcheck disable=SC2046
  exec clang-format -i $(c_files include src fuzz tests)
fi

step clang-format run_format
step cppcheck run_cppcheck
step shellcheck run_shellcheck
if [ -n "${TIDY:-}" ]; then step clang-tidy run_tidy; fi

if [ -n "$skipped" ]; then echo "lint: skipped, not installed:$skipped"; fi
[ -z "$failed" ] || { echo "lint: FAILED:$failed"; exit 1; }
