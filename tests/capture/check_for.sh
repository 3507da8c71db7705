#!/bin/sh
# `capture --for` beside a full capture: for each payload of corpus/payloads the smallest fingerprint that answers
# its report gives the verdict that the full fingerprint gives, which has the names of all modules of the report. Only
# where that does not know (a module that answers names itself) the small one, which has asked, may know.
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
    names=$(modules "$work/report")
    if ! "$tool" capture --python "$python" --main closed --for "$work/report" >"$work/small" ||
      ! "$tool" capture --python "$python" --main closed ${names:+--modules "$names"} >"$work/full"; then
      differ=$((differ + 1))
      continue
    fi
    pairs=$((pairs + 1))
    outcome "$work/small" "$payload" >"$work/of_small"
    outcome "$work/full" "$payload" >"$work/of_full"
    paste "$work/of_full" "$work/of_small" | awk -F '\t' '
      { split($1, full, "\""); split($2, small, "\"")
        # verdict, parse, load and run are fields 4, 8, 12 and 16
        for (i = 4; i <= 16; i += 4)
          if (full[i] != small[i] && full[i] != "unknown" && full[i] != "unsure") print $1 " / " $2 }' >"$work/diff"
    [ -s "$work/diff" ] || continue
    differ=$((differ + 1))
    echo "$python $payload: full / small:"
    cat "$work/diff"
  done
done
echo "capture --for: $pairs payloads and interpreters, $differ differ"
[ $differ -eq 0 ]
