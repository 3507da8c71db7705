# A file that becomes shorter while it is read: that file is broken, what was found in what is left stays,
# and the other files are read. The file is cut when the first line has come; the tool then waits for a
# full pipe, long before the place where the file ends now.
cd "$TMP" || exit
printf 'N.' >after
awk 'BEGIN { srand(1)
  for (i = 0; i < 1000; i++) {
    printf "\200\003ccollections\nOrderedDict\nX\310"; printf "%c%c%c", 0, 0, 0
    for (j = 0; j < 20; j++) printf "%010d", rand() * 1000000000
    printf "."
  } }' >many
[ "$(wc -c <many)" -eq 233000 ] || { echo "awk writes no NUL"; exit 77; }

# cut SIZE FILE COMMAND...
cut() {
  size=$1 file=$2
  shift 2
  {
    "$PICKLESIGHT" "$@" --format jsonl "$file" after 2>err
    echo "exit $?"
  } | {
    read -r line
    dd if=/dev/null of="$file" bs=1 seek="$size" 2>/dev/null # not by ">", which cuts all
    echo "$line"
    cat
  } >out
}
lines() { grep '"path": "cut' out; }
broken() { lines | grep -v '"complete": true' | grep -o '"offset": [0-9nul]*, "size": [^,]*\|"globals": .*"calls"\|"error": {[^}]*}'; }
end() { tail -n 2 out; cat err; }

# in the middle of a payload: at the end of a page, and inside one
for size in 196608 200000; do
  cp many cut.pkl
  cut $size cut.pkl facts
  lines | grep -c '"complete": true'
  broken
  end
done
# between payloads: what is left is read to its end, and yet it is not the file that was opened
cp many cut.pkl
cut 195720 cut.pkl facts
lines | grep -c '"complete": true'
broken
end
# behind what is read: where it was depends on the pipe
cp many cut.pkl
cut 0 cut.pkl facts
broken | grep -v '"offset": [0-9]*, "size": null$'
tail -n 1 out
# others
cp many cut.pkl
cut 196608 cut.pkl check --against cpython-3.12
lines | grep -c '"verdict": "loads"'
end
cp many cut.pkl
cut 196608 cut.pkl ops
lines | grep -c '"complete": true'
end
# compressed
gzip -n -1 <many >cut.gz
cut $(($(wc -c <cut.gz) / 8192 * 8192)) cut.gz facts
broken | sed 's/[0-9][0-9]*/N/g'
tail -n 1 out
