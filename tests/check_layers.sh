#!/bin/sh
# Fails on an #include that tests/layers.tsv does not allow. First it proves on a tree made for it
# that it can fail.
#
#   usage: check_layers.sh [ROOT]      ROOT: a tree with src/ and tests/layers.tsv; default: this one
set -u
export LC_ALL=C

# check ROOT: prints one line a bad include, then "files N, bad M" as the last line.
check() (
  cd "$1" || exit 2
  [ -r tests/layers.tsv ] || { echo "no tests/layers.tsv"; echo "files 0, bad 1"; exit; }
  folders=
  for folder in src include fuzz tests; do
    if [ -d $folder ]; then folders="$folders $folder"; fi
  done
  # shellcheck disable=SC2086 # a list of words
  find $folders -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.inc' \) | sort |
    awk -F '\t' '
    function bad(text) { print file ":" number ": " text; bad_count++ }
    function exists(path,   line, found) {
      found = (getline line < path) >= 0
      close(path)
      return found
    }
    # Folder of the file under src ("base"), or its folders outside src ("tests/unit").
    function place_of(path,   part, count) {
      count = split(path, part, "/")
      if (part[1] == "src") return count > 2 ? part[2] : "src"
      if (part[1] == "tests") return count > 2 ? "tests/" part[2] : "tests"
      return part[1]
    }
    function listed(place, list,   part, count, i) {
      count = split(list, part, " ")
      for (i = 1; i <= count; i++)
        if (part[i] == place || (part[i] ~ /\/\*$/ &&
            index(place, substr(part[i], 1, length(part[i]) - 1)) == 1)) return 1
      return 0
    }
    function read_layers(   part, count, i) {
      file = "tests/layers.tsv"
      for (number = 1; (getline < file) > 0; number++) {
        if ($0 ~ /^#/ || $0 ~ /^[ \t]*$/) continue
        if ($1 ~ /^</) { only[$1] = $2; continue }
        count = split($2, part, " ")
        for (i = 1; i <= count; i++)
          if (!(part[i] in rooms)) bad("room " $1 " names " part[i] ", which is no room above it")
        rooms[$1] = $2
      }
      close(file)
    }
    function check_include(text,   name, angle, slash, room, folder) {
      angle = text ~ /^</
      if (text !~ /^<[^>]+>/ && text !~ /^"[^"]+"/) { bad("include of a macro: " text); return }
      name = substr(text, 2)
      sub(/[>"].*/, "", name)
      if (("<" name ">") in only && !listed(place, only["<" name ">"])) {
        bad(place " may not include <" name ">")
        return
      }
      if (place != "src" && !in_src) return
      if (name ~ /(^|\/)\.\.?(\/|$)/) { bad("include by a relative path: " name); return }
      if (exists("include/" name)) return
      folder = file
      sub(/[^\/]*$/, "", folder)
      if (!angle && exists(folder name)) return
      slash = index(name, "/")
      room = slash ? substr(name, 1, slash - 1) : ""
      if (room == place) return
      if (room in rooms || exists("src/" name)) {
        if (!listed(room, rooms[place])) bad(place " may not include " name)
      } else if (!angle) bad("no such file: " name)
    }
    BEGIN { read_layers() }
    {
      file = $0
      file_count++
      place = place_of(file)
      in_src = file ~ /^src\//
      number = 0
      if (in_src && !(place in rooms)) { bad("room " place " has no row in tests/layers.tsv"); next }
      while ((getline line < file) > 0) {
        number++
        if (line !~ /^[ \t]*#[ \t]*(include|import|include_next)/) continue
        sub(/^[ \t]*#[ \t]*(include_next|include|import)[ \t]*/, "", line)
        check_include(line)
      }
      close(file)
    }
    END { print "files " file_count + 0 ", bad " bad_count + 0 }'
)

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0

# expect COUNT FILE LINE: how many bad includes there are with that line in that file
expect() {
  rm -rf "$scratch/tree"
  for folder in include src/base src/inflate src/decode src/machine/sub src/cli src/python \
    tests/unit fuzz; do
    mkdir -p "$scratch/tree/$folder"
  done
  cp "$layers" "$scratch/tree/tests/layers.tsv"
  (
    cd "$scratch/tree" || exit
    for header in include/picklesight.h src/base/mem.h src/decode/decode.h src/decode/private.h \
      src/machine/machine.h src/machine/sub/part.def src/cli/cli.h; do
      printf '#include <stdint.h>\n' >$header
    done
    mkdir -p "$(dirname "$2")"
    printf '%s\n' "$3" >"$2"
  )
  seen=$(check "$scratch/tree" | sed -n 's/^files .*, bad //p')
  if [ "$seen" = "$1" ]; then
    passed=$((passed + 1))
  else
    echo "FAILED: self-test: $2 with $3: $seen bad, not $1"
    failed=$((failed + 1))
  fi
}

root=${1:-$(dirname "$0")/..}
layers=$(dirname "$0")/layers.tsv

expect 0 src/machine/a.c '#include "base/mem.h"'
expect 0 src/machine/a.c '#include "machine.h"'
expect 0 src/machine/a.c '#include "machine/machine.h"'
expect 0 src/machine/a.c '#include "sub/part.def"'
expect 0 src/machine/a.c '#include <picklesight.h>'
expect 0 src/machine/a.c '#include <string.h>'
expect 0 src/inflate/a.c '#include <zlib.h>'
expect 0 src/cli/a.c '#include <stdio.h>'
expect 0 src/cli/a.c '#include "machine/machine.h"'
expect 0 src/python/a.c '#include <Python.h>'
expect 0 tests/unit/test_a.c '#include <stdio.h>'
expect 1 src/decode/a.c '#include "machine/machine.h"'
expect 1 src/decode/a.h '  #  include  "machine/machine.h" /* why not */'
expect 1 src/decode/a.c '#include <machine/machine.h>'
expect 1 src/decode/a.c '#include "../machine/machine.h"'
expect 1 src/decode/a.c '#include "machine/none.h"'
expect 1 src/decode/a.c '#include "none.h"'
expect 1 src/decode/a.c '#include HEADER'
expect 1 src/decode/a.c '#include <zlib.h>'
expect 1 src/decode/a.c '#include <stdio.h>'
expect 1 src/decode/a.c '#include <Python.h>'
expect 1 src/python/a.c '#include "base/mem.h"'
expect 1 src/shed/a.c '#include <string.h>'
expect 1 src/a.c '#include <string.h>'
expect 1 tests/unit/test_a.c '#include <Python.h>'
expect 1 fuzz/fuzz_a.c '#include <zlib.h>'

check "$root" >"$scratch/result"
sed '$d' "$scratch/result"
bad=$(sed -n 's/^files .*, bad //p' "$scratch/result")
if [ "${bad:-1}" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
echo "layers: $(tail -n 1 "$scratch/result")"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
