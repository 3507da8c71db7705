#!/bin/sh
# Runs test suites one after the other and fails if one failed. `make check` builds what they
# need and calls this with all of them.
#
#   usage: tests/run.sh [unit] [golden] [cli] [replay] [symbols] [layers] [header] [install] [capture] [truth]
#
# Environment: BUILD (build), CC, CXX, NM, MAKE, PICKLESIGHT ($BUILD/picklesight), WRAPPER (a command to
# run unit tests and replays under, as valgrind).
set -u
cd "$(dirname "$0")/.." || exit 2

BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
PICKLESIGHT=${PICKLESIGHT:-$BUILD/picklesight}
export BUILD PICKLESIGHT LC_ALL=C

# A crash must not look like an exit status of the tool.
ASAN_OPTIONS=exitcode=99:${ASAN_OPTIONS:-}
UBSAN_OPTIONS=exitcode=99:${UBSAN_OPTIONS:-}
# libcheck gives a test 4 seconds: too few under a sanitizer on a busy machine.
CK_TIMEOUT_MULTIPLIER=${CK_TIMEOUT_MULTIPLIER:-15}
export ASAN_OPTIONS UBSAN_OPTIONS CK_TIMEOUT_MULTIPLIER

# Each program prints libcheck's own closing line.
suite_unit() {
  result=0
  for source in tests/unit/test_*.c; do
    [ -e "$source" ] || { echo "0 passed, 0 failed"; break; }
    program=$BUILD/tests/$(basename "$source" .c)
    # shellcheck disable=SC2086 # WRAPPER is a command with arguments
    ${WRAPPER:-} "$program" || { echo "unit: FAILED: $source" >&2; result=1; }
  done
  return $result
}

# Every target over its own seeds and over the real payloads.
suite_replay() {
  result=0
  for source in fuzz/fuzz_*.c; do
    [ -e "$source" ] || { echo "0 passed, 0 failed"; break; }
    target=$(basename "$source" .c)
    if [ "$target" = fuzz_oracle ] && { [ -n "${WRAPPER:-}" ] || [ ! -x "$BUILD/targets/$target" ]; }; then
      echo "$target: left out, no libpython or not for ${WRAPPER:-it}"
      continue
    fi
    set --
    for folder in "corpus/${target#fuzz_}" corpus/payloads; do
      if [ -d "$folder" ]; then set -- "$@" "$folder"; fi
    done
    echo "$target:"
    # shellcheck disable=SC2086
    if ! ${WRAPPER:-} "$BUILD/targets/$target" "$@"; then
      echo "replay: FAILED: $target at" >&2
      "$BUILD/targets/$target" -v "$@" 2>/dev/null | tail -n 1 >&2
      result=1
    fi
  done
  return $result
}

suite_golden()  { sh tests/golden/run.sh; }
suite_cli()     { sh tests/cli/run.sh; }
suite_symbols() { sh tests/check_symbols.sh; }
suite_layers()  { sh tests/check_layers.sh; }
suite_header()  { sh tests/check_header.sh; }
suite_install() { sh tests/check_install.sh; }
suite_capture() { sh tests/check_capture.sh; }
suite_truth()   { sh tests/truth/quick.sh; }

[ $# -gt 0 ] || set -- unit golden cli replay symbols layers header install capture truth
failed=
for suite; do
  case $suite in
    unit | golden | cli | replay | symbols | layers | header | install | capture | truth) ;;
    *) echo "run.sh: no suite named $suite" >&2; exit 2 ;;
  esac
  echo "== $suite"
  "suite_$suite" || failed="$failed $suite"
done

[ -z "$failed" ] || { echo "== FAILED:$failed"; exit 1; }
echo "== ok: $*"
