# What is no pickle, and what ends too early: the offset, the reason, and what was found before.
cd "$TMP" || exit
: >empty
printf '\200\004cos\nsystem\n' >part
printf '\200\004\225\100\000\000\000\000\000\000\000cos\nsystem\n.' >cut_frame
printf 'cos\nsystem\n)R0' >no_stop
printf 'Dear reader,\nthis is a letter.\n' >letter
printf '\n<!DOCTYPE html>\n<html><body>404</body></html>\n' >page.html
printf '<html>' >short.html
printf '<?xml version="1.0"?>' >x.xml
printf '{"a": 1}\n' >j.json
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n' >pointer
printf 'PK\003\004\024\000' >x.zip
printf '\223NUMPY\001\000' >x.npy
printf '\211PNG\r\n\032\n' >x.png
printf '\200\377.' >protocol
printf '\200\004}\224(K\001K\002K\003u.' >odd
for file in *; do
  "$PICKLESIGHT" facts "$file"
  echo "exit $?"
  # in pieces it is the same
  "$PICKLESIGHT" facts -q - <"$file" | sed '1d' >"$TMP/pieces"
  "$PICKLESIGHT" facts -q "$file" | sed '1d' | cmp - "$TMP/pieces"
  rm "$TMP/pieces"
done
"$PICKLESIGHT" facts none
echo "exit $?"
"$PICKLESIGHT" ops none
echo "exit $?"
"$PICKLESIGHT" ops no_stop letter empty
echo "exit $?"
