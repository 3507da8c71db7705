#!/bin/sh
# Command line cases. tests/cli/NAME.sh is run by sh in the root of the repository, with
#
#   PICKLESIGHT   the tool (absolute path; PICKLESIGHT in the environment, else build/picklesight)
#   TMP           an empty folder of its own, removed afterwards
#
# and nothing on standard input. It passes when
#
#   standard output  is NAME.out, byte for byte
#   standard error   is NAME.err, or empty without one. With a "*" anywhere in it, each line of
#                    NAME.err is a pattern in which "*" stands for any text
#   exit status      is the number in NAME.exit, or 0 without one; 77 means skipped
#
#   usage: tests/cli/run.sh [--update] [NAME...]      --update writes what is seen; review the diff
set -u
cd "$(dirname "$0")/../.." || exit 2

update=
if [ "${1:-}" = --update ]; then update=1; shift; fi

PICKLESIGHT=${PICKLESIGHT:-$PWD/build/picklesight}
case $PICKLESIGHT in /*) ;; *) PICKLESIGHT=$PWD/$PICKLESIGHT ;; esac
export PICKLESIGHT LC_ALL=C

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
limit=
if command -v timeout >/dev/null 2>&1; then limit='timeout 120'; fi

# err_matches EXPECTED SEEN
err_matches() {
  grep -q '\*' "$1" || { cmp -s "$1" "$2"; return; }
  # Only "*" is special: what else a shell takes for a pattern is quoted.
  sed 's/[][?\\]/\\&/g' "$1" >"$scratch/patterns"
  [ "$(wc -l <"$1")" -eq "$(wc -l <"$2")" ] || return 1
  while IFS= read -r pattern && IFS= read -r line <&3; do
    # shellcheck disable=SC2254 # a pattern is what it is
    case $line in $pattern) ;; *) return 1 ;; esac
  done <"$scratch/patterns" 3<"$2"
}

passed=0 failed=0 skipped=0

run_case() {
  name=$1 base=tests/cli/$1
  TMP=$scratch/tmp
  export TMP
  rm -rf "$TMP" && mkdir "$TMP" || exit 2
  $limit sh "$base.sh" >"$scratch/out" 2>"$scratch/err" </dev/null
  status=$?
  if [ $status -eq 77 ]; then
    echo "skipped: $name: $(head -n 1 "$scratch/out")"
    skipped=$((skipped + 1))
    return
  fi

  want_out=$base.out want_err=$base.err want_status=0
  [ -e "$want_out" ] || want_out=/dev/null
  [ -e "$want_err" ] || want_err=/dev/null
  if [ -e "$base.exit" ]; then want_status=$(cat "$base.exit"); fi

  if [ -n "$update" ]; then
    cp "$scratch/out" "$base.out"
    if [ ! -s "$scratch/err" ]; then rm -f "$base.err"
    elif ! err_matches "$want_err" "$scratch/err"; then cp "$scratch/err" "$base.err"; fi
    if [ $status -eq 0 ]; then rm -f "$base.exit"; else echo $status >"$base.exit"; fi
    passed=$((passed + 1))
    return
  fi

  good=1
  if [ ! -e "$base.out" ]; then
    good=
    echo "FAILED: $name: no $base.out (tests/cli/run.sh --update $name)"
  elif ! cmp -s "$want_out" "$scratch/out"; then
    good=
    echo "FAILED: $name: standard output"
    diff -u "$want_out" "$scratch/out"
  fi
  if ! err_matches "$want_err" "$scratch/err"; then
    good=
    echo "FAILED: $name: standard error"
    diff -u "$want_err" "$scratch/err"
  fi
  if [ "$status" != "$want_status" ]; then
    good=
    echo "FAILED: $name: exit status $status, not $want_status"
  fi
  if [ -n "$good" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

if [ $# -eq 0 ]; then
  for file in tests/cli/*.sh; do
    name=$(basename "$file" .sh)
    if [ "$name" != run ]; then set -- "$@" "$name"; fi
  done
fi
for name; do run_case "${name%.sh}"; done

if [ $skipped -gt 0 ]; then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]
