#!/bin/sh
# What the tool says about each file of corpus/payloads, compared with tests/golden/FILE.ops,
# tests/golden/FILE.facts.json and tests/golden/FILE.check.json. A missing golden file is a failure, and so is one left over.
#
#   usage: tests/golden/run.sh [--update]      --update writes them again (`make golden`)
set -u
cd "$(dirname "$0")/../.." || exit 2

update=
if [ "${1:-}" = --update ]; then update=1; shift; fi
[ $# -eq 0 ] || { echo "usage: tests/golden/run.sh [--update]" >&2; exit 2; }

PICKLESIGHT=${PICKLESIGHT:-build/picklesight}
export LC_ALL=C

# The kinds of golden file, and the command each is the output of.
kinds='ops facts.json check.json'
golden() {
  case $1 in
    ops)        "$PICKLESIGHT" ops "$2" ;;
    facts.json) "$PICKLESIGHT" facts --json --all "$2" ;;
    check.json) "$PICKLESIGHT" check --json --against cpython-3.8 --with cloudpickle==3.1.2 \
                  --against cpython-3.11 --with cloudpickle==3.1.2 \
                  --against cpython-3.13 --with cloudpickle==3.1.2 "$2" ;;
  esac
}

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

payloads=$scratch/payloads known=$scratch/known
: >"$known"
if [ -d corpus/payloads ]; then
  find corpus/payloads -type f ! -name 'README*' ! -name '.*' | sort >"$payloads"
else
  : >"$payloads"
fi

passed=0 failed=0
fail() { echo "FAILED: $*"; failed=$((failed + 1)); }

while IFS= read -r payload; do
  for kind in $kinds; do
    want=tests/golden/${payload#corpus/payloads/}.$kind
    echo "$want" >>"$known"
    golden "$kind" "$payload" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    # Of the tool's own exit statuses none is above 3; a crash or a missing tool is.
    if [ $status -gt 3 ]; then
      fail "$payload: $kind: exit status $status"
      head -n 20 "$scratch/err"
    elif [ -n "$update" ]; then
      mkdir -p "$(dirname "$want")"
      cmp -s "$scratch/out" "$want" || cp "$scratch/out" "$want"
      passed=$((passed + 1))
    elif [ ! -e "$want" ]; then
      fail "$want is missing (make golden)"
    elif cmp -s "$want" "$scratch/out"; then
      passed=$((passed + 1))
    else
      fail "$want"
      diff -u "$want" "$scratch/out" | head -n 40
    fi
  done
done <"$payloads"

find tests/golden -type f ! -name run.sh ! -name 'README*' ! -name '.*' | sort >"$scratch/present"
sort "$known" | comm -13 - "$scratch/present" >"$scratch/stale"
while IFS= read -r file; do
  if [ -n "$update" ]; then rm -f "$file"; else fail "$file belongs to no payload"; fi
done <"$scratch/stale"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
