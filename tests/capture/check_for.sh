#!/bin/sh
# `capture --for` beside a full capture: for each payload of corpus/payloads the smallest fingerprint that answers
# its report gives the verdict that the full fingerprint gives, which has the names of all modules of the report.
#
#   sh tests/capture/check_for.sh PYTHON...      (about a second for each payload and interpreter)
#
# Environment: BUILD (build). Exit status 1 when two verdicts differ.
set -u
cd "$(dirname "$0")/../.." || exit 2
tool=${BUILD:-build}/picklesight
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# outcome FINGERPRINT PAYLOAD: verdicts of its payloads
outcome() {
  "$tool" check --json --against "$1" "$2" 2>/dev/null |
    sed -n 's/.*\("verdict": "[a-z]*", "parse": "[a-z]*", "load": "[a-z]*", "run": "[a-z]*"\).*/\1/p'
}

# modules REPORT: that it names, with commas between
modules() {
  sed -n 's/.*"module": "\([^"]*\)".*/\1/p' "$1" | grep -v -e '^__main__$' -e '[,\\]' | sort -u | paste -s -d , -
}

pairs=0 differ=0
for python; do
  for payload in corpus/payloads/*.pkl; do
    "$tool" facts --json "$payload" >"$work/report" 2>/dev/null
    "$tool" capture --python "$python" --main closed --for "$work/report" >"$work/small" 2>"$work/err" &&
  X \
        2>>"$work/err" || { cat "$work/err"; differ=$((differ + 1)); continue; }
    pairs=$((pairs + 1))
    outcome "$work/small" "$payload" >"$work/of_small"
    outcome "$work/full" "$payload" >"$work/of_full"
    cmp -s "$work/of_small" "$work/of_full" && continue
    differ=$((differ + 1))
    echo "$python $payload:"
    diff "$work/of_small" "$work/of_full"
  done
done
echo "capture --for: $pairs payloads and interpreters, $differ differ"
[ $differ -eq 0 ]
