#!/bin/sh
# What changed between two results of `bench --json`, a row an input: time of picklesight on the
# whole buffer and in pieces, each over pickle.loads of its own run (so that a busier machine does not
# show), and the peak. Exit status 1 when an input is slower by more than a tenth, or holds more.
#
#   usage: compare.sh OLD NEW
set -eu
[ $# -eq 2 ] || { echo "usage: compare.sh OLD NEW" >&2; exit 2; }
for file in "$1" "$2"; do
  [ -r "$file" ] || { echo "compare: cannot read $file" >&2; exit 2; }
done

awk '
  function field(name,    at, rest) { # of a row, which stands on a line of its own
    at = index($0, "\"" name "\": ")
    if (!at) return ""
    rest = substr($0, at + length(name) + 4)
    sub(/^"/, "", rest)
    sub(/[",}].*/, "", rest)
    return rest
  }
  function change(old, new) { return old > 0 ? sprintf("%+.1f%%", (new / old - 1) * 100) : "-" }
  FNR == 1 { run++ }
  /"input": / {
    name = field("input")
    if (run == 2) order[++count] = name
    seen[run, name] = 1
    loads[run, name] = field("loads_ns")
    whole[run, name] = field("whole_ns")
    pieces[run, name] = field("pieces_ns")
    per_op[run, name] = field("ns_per_op")
    ratio[run, name] = field("ratio")
    peak[run, name] = field("peak")
  }
  END {
    printf "%-8s %17s %8s %17s %8s %8s %8s\n", "input", "ns/op", "", "ratio", "whole", "pieces", "peak"
    for (i = 1; i <= count; i++) {
      name = order[i]
      if (!seen[1, name]) { printf "%-8s new\n", name; continue }
      scale = loads[2, name] > 0 ? loads[1, name] / loads[2, name] : 1
      if (scale < 0.5 || scale > 2) scale = 1
      new_whole = whole[2, name] * scale
      printf "%-8s %7.2f -> %6.2f %8s %7.1f -> %6.1f %8s %8s %8s\n", name, per_op[1, name], \
        per_op[2, name], change(per_op[1, name], per_op[2, name]), ratio[1, name], ratio[2, name], \
        change(whole[1, name], new_whole), change(pieces[1, name], pieces[2, name] * scale), \
        change(peak[1, name], peak[2, name])
      if (new_whole > whole[1, name] * 1.1 || peak[2, name] > peak[1, name] * 1.1) worse = 1
    }
    print "ns/op: as measured. whole, pieces: time over pickle.loads of the same run"
    exit worse
  }' "$1" "$2"
