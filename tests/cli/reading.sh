# How it will be read changes what is found.
# shellcheck disable=SC2059 # data is a format: it has escapes
run() { data=$1; shift; printf '== %s %s\n' "$data" "$*"; printf "$data" | "$PICKLESIGHT" facts "$@"; echo "exit $?"; }
run 'I0x1F\n.'
run 'I0x1F\n.' --as cpython-3.13
run 'I0x1F\n.' --as 3.14
run '\200\005N.' --as 3.7
run '\200\005N.' --as 3.8
run '\200\005\227.'
run '\200\005\227.' --buffers none
run '\200\005\227\227.' --buffers 1
run '\200\005\227\227\206.' --buffers 2
run 'Pabc\n.'
run 'Pabc\n.' --persistent-load
run 'Pabc\n.' --no-persistent-load
run 'Pabc\n.' --no-persistent-load --loader torch
run 'Pabc\n.' --loader torch --no-persistent-load
run 'Pabc\n.' --no-persistent-load --persistent-load
run 'NQ.' --no-persistent-load
run 'U\001\351.'
run 'U\001\351.' --encoding ASCII
run 'U\001\351.' --encoding ASCII --errors replace
run 'U\001\351.' --encoding latin1
run 'cos\nsystem\n)R(K\001K\002u.'
run 'cos\nsystem\n)R(K\001K\002u.' --opaque inert
run '\202\005.' --all
# an argument that crosses the end of its frame: another way of reading, another pickle
crossing='\200\004\225\004\000\000\000\000\000\000\000\214\003abc0\214\001d.'
run "$crossing" --read whole
run "$crossing" --read stream
run "$crossing" --read file
# whose unpickler reads, and who else does
run 'N(.'
run 'N(.' --as 2.7
run 'cTix\nTk\n.' --as 3.12 --all
# inert stand-ins: what nobody said is not there
run 'Pabc\n.' --opaque inert
run 'Pabc\n.' --opaque inert --persistent-load
check() { data=$1; shift; printf '== check %s %s\n' "$data" "$*"; printf "$data" | "$PICKLESIGHT" check "$@"; echo "exit $?"; }
check '\227.' --against cpython-3.12 --opaque inert
check '\227.' --against cpython-3.12 --opaque inert --buffers 1
# what came within a version
check "$crossing" --against cpython-3.13
check "$crossing" --against cpython-3.13.5
check "$crossing" --against cpython-3.14.7
check 'N(.' --against cpython-3.12 --against cpython-2.7
check 'N(b' --against cpython-3.12 --against cpython-2.7
check 'I010\n.' --against pypy-3.9

# rows of the table that real unpicklers made, which had no persistent_load
grep '^cpython-3.11	' tests/data/edge_streams.tsv | awk -F '\t' '$6 == 0 { print $2, $9 }' >"$TMP/rows"
while read -r hex exception; do
  for byte in $(echo "$hex" | sed 's/../0x& /g'); do printf "\\$(printf %03o "$byte")"; done >"$TMP/row"
  echo "$hex $exception"
  "$PICKLESIGHT" facts -q --as cpython-3.11 --no-persistent-load --json "$TMP/row" |
    grep '"exception"\|"persistent_ids"'
done <"$TMP/rows"
