# Pickles in a row are payloads of one file; what follows the last is never passed over in silence.
cd "$TMP" || exit
printf 'N.\200\004K\001.cos\ngetcwd\n.' >three
printf 'N.\000\000\000\000' >zeros
printf 'N.\r\n' >newline
printf 'N.hello' >hello
printf 'N.\200\004cos\nsystem\n' >second_cut
for file in three zeros newline hello second_cut; do
  "$PICKLESIGHT" facts "$file"
  echo "exit $?"
  # in pieces: the same, but the size of what is broken is not known
  "$PICKLESIGHT" facts -q "$file" | sed "s/^$file/-/; s/, [0-9]* bytes*,/,/" >want
  "$PICKLESIGHT" facts -q - <"$file" | sed 's/, [0-9]* bytes*,/,/' | diff want -
done
"$PICKLESIGHT" facts --format jsonl three | sed 's/"complete".*//'
"$PICKLESIGHT" ops three hello
