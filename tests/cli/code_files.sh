# .pyc files and marshal streams are told by their content; their errors have offsets. What the
# unpickler reads is a pickle.
cd "$TMP" || exit
cp "$OLDPWD"/tests/code/files/* .
fields() { sed 's/"path": "[^"]*", //; s/"file": "[^"]*", //'; }
for file in cp27.pyc cp36.pyc cp39-hash.pyc cp312.pyc cp313.pyc pypy39.pyc; do
  cp "$file" "${file%.pyc}.bin"
  "$PICKLESIGHT" facts "${file%.pyc}.bin"
done
"$PICKLESIGHT" facts --format jsonl "cp39-hash.pyc" | fields
"$PICKLESIGHT" facts --format jsonl "cp312.marshal" | fields
for file in cp27 cp36 cp39 cp313 pypy39; do "$PICKLESIGHT" facts "$file.marshal" ; done

# through a pipe, a byte at a time at first, and compressed
"$PICKLESIGHT" facts - <"cp312.pyc"
(head -c 4 "cp312.pyc"; sleep 0.2; tail -c +5 "cp312.pyc") | "$PICKLESIGHT" facts - | head -2
gzip -c "cp312.marshal" >code.gz
"$PICKLESIGHT" facts code.gz | head -2

for size in 4 10 15 16 17 100 600; do
  head -c $size "cp312.pyc" >cut.pyc
  "$PICKLESIGHT" facts cut.pyc
  echo "exit $?"
done
(head -c 4 "cp312.pyc"; printf '\010\000\000\000'; tail -c +9 "cp312.pyc") >flags.pyc
(printf '\001\000'; tail -c +3 "cp312.pyc") >unknown.pyc
(printf '\052\123\r\n'; head -c 12 /dev/zero; printf '\143') >graalpy.pyc
(head -c 16 "cp312.pyc"; printf 'N') >none.pyc
head -c 300 "cp312.marshal" >cut.marshal
(cat "cp312.marshal"; printf 'N') >more.marshal
(cat "cp312.pyc"; printf 'N') >more.pyc
for file in flags.pyc unknown.pyc graalpy.pyc none.pyc cut.marshal more.marshal more.pyc; do
  "$PICKLESIGHT" facts $file | head -3
  "$PICKLESIGHT" facts -q $file >/dev/null
  echo "exit $?"
done
"$PICKLESIGHT" facts --limit max_memory=100k - <"cp312.pyc" | head -3
# a pickle that looks like marshal; another command
printf 'c\001\000\000\000\000\000\000\000\000\000\000\000\nf\n.' >global.pkl
"$PICKLESIGHT" facts global.pkl
"$PICKLESIGHT" ops "cp312.marshal"
echo "exit $?"

# inside pickles
for file in cp27-loads-p0 cp27-loads-p2 cp36-loads-p4 cp312-loads-p0 cp312-loads-p4 pypy39-loads-p2; do
  "$PICKLESIGHT" facts "$file.pkl" 
done
