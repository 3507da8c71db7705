#!/bin/sh
# Runs libFuzzer targets one after the other, prints a table, and fails if one found something.
# `make fuzz` builds them and calls this.
#
#   usage: BUILD=build/fuzz SECONDS_EACH=60 tests/fuzz.sh TARGET...     TARGET: decode or fuzz_decode
#
# What a target learns stays in $BUILD/corpus/TARGET; what it finds is written to
# $BUILD/crashes/TARGET-*, to be copied to corpus/TARGET/crash-* when it is fixed.
set -u
cd "$(dirname "$0")/.." || exit 2
BUILD=${BUILD:-build/fuzz} SECONDS_EACH=${SECONDS_EACH:-60}
export LC_ALL=C
[ $# -gt 0 ] || { echo "fuzz: no fuzz/fuzz_*.c" >&2; exit 1; }

failed=0
table=
for target; do
  target=${target#fuzz_}
  program=$BUILD/targets/fuzz_$target
  if [ ! -x "$program" ]; then
    echo "fuzz: no target named $target; there are:" >&2
    for source in fuzz/fuzz_*.c; do
      source=$(basename "$source" .c)
      echo "  ${source#fuzz_}" >&2
    done
    exit 2
  fi
  mkdir -p "$BUILD/corpus/$target" "$BUILD/crashes"
  log=$BUILD/$target.log

  set -- "$BUILD/corpus/$target"
  for folder in "corpus/$target" corpus/payloads; do
    if [ -d "$folder" ]; then set -- "$@" "$folder"; fi
  done
  dict=
  for file in "fuzz/$target.dict" fuzz/pickle.dict; do
    if [ -e "$file" ]; then dict=-dict=$file; break; fi
  done

  echo "fuzz: $target for $SECONDS_EACH seconds ($log)"
  # shellcheck disable=SC2086 # nothing or one word
  "$program" $dict -max_total_time="$SECONDS_EACH" -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$BUILD/crashes/$target-" "$@" >"$log" 2>&1
  status=$?

  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
  speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log" | tail -n 1)
  cover=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
  result=ok
  if [ $status -ne 0 ]; then
    result=FOUND
    failed=$((failed + 1))
    tail -n 60 "$log"
  fi
  table="$table$(printf '%-16s %12s %10s %8s  %s' "$target" "${runs:--}" "${speed:--}" \
    "${cover:--}" "$result")
"
done

printf '%-16s %12s %10s %8s  %s\n%s' target runs runs/s covered result "$table"
[ $failed -eq 0 ]
