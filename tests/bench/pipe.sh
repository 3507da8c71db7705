#!/bin/sh
# What comes through a pipe is inspected in little memory: 5 million ints, and a bytes object of
# 200 MB, each under 8 MB resident at the most, as GNU time tells it.
#
#   usage: [PICKLESIGHT=tool] [PYTHON=python3] pipe.sh
set -u
tool=${PICKLESIGHT:-build/picklesight}
python=${PYTHON:-python3}
most=8000 # KiB

skip() { echo "pipe: skipped: $1"; exit 0; }
[ -x "$tool" ] || skip "there is no $tool yet"
printf '\200\004N.' | "$tool" facts - >/dev/null 2>&1 || skip "$tool has no command facts yet"
time=$(command -v /usr/bin/time) || skip "no GNU time (Debian: time) to measure with"
"$time" -f %M true >/dev/null 2>&1 || skip "$time is not GNU time"
command -v "$python" >/dev/null 2>&1 || skip "no $python to write pickles with"

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

# measure WHAT EXPRESSION: pickles the value of a Python expression into the tool
measure() {
  "$python" -c "import pickle, sys
pickle.dump($2, sys.stdout.buffer)" 2>"$scratch/writer" |
    "$time" -o "$scratch/memory" -f %M "$tool" facts - >/dev/null 2>"$scratch/reader"
  status=$?
  resident=$(tail -n 1 "$scratch/memory")
  if [ "$status" -eq 0 ] && [ ! -s "$scratch/writer" ] && [ "$resident" -lt "$most" ]; then
    echo "pipe: $1: $resident KiB resident at the most (allowed: under $most)"
    passed=$((passed + 1))
  else
    echo "pipe: $1: FAILED: $resident KiB resident at the most (allowed: under $most), exit $status"
    cat "$scratch/writer" "$scratch/reader"
    failed=$((failed + 1))
  fi
}

measure '5 million ints' 'list(range(5_000_000))'
measure '200 MB of bytes' 'bytes(200_000_000)'
echo "pipe: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
