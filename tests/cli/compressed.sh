# gzip and zlib are inflated; the offset of a payload in them is null. Nothing may follow but padding.
cd "$TMP" || exit
data=$OLDPWD/corpus/payloads
fields() { sed 's/"path": "[^"]*", //; s/"limit".*//'; }
"$PICKLESIGHT" facts --format jsonl "$data/cp312_orders_p5.pkl.gz" "$data/cp312_orders_p5.pkl.zz" | fields
"$PICKLESIGHT" facts --format jsonl - <"$data/cp312_orders_p5.pkl.gz" | fields
"$PICKLESIGHT" facts --format jsonl - <"$data/cp312_orders_p5.pkl.zz" | fields

printf 'N.' | gzip -n >one.gz
printf 'K\001.' | gzip -n >two.gz
cat one.gz two.gz >members.gz
(cat members.gz; printf '\000\000\000\000') >padded.gz
(cat one.gz; echo hello) >trailing.gz
(cat "$data/cp312_orders_p5.pkl.zz"; echo hello) >trailing.zz
head -c 15 one.gz >cut.gz
head -c 5 one.gz >header.gz
head -c 60 "$data/cp312_orders_p5.pkl.zz" >cut.zz
printf '\037\213\010' >only.gz
printf '' | gzip -n >empty.gz
printf 'x\234' >only.zz
(head -c 12 one.gz; printf '\377\377\377\377\377\377\377\377') >corrupt.gz
for file in members.gz padded.gz trailing.gz trailing.zz cut.gz header.gz cut.zz only.gz empty.gz only.zz corrupt.gz; do
  "$PICKLESIGHT" facts "$file" | grep -v '^         *[0-9]' | grep -v '^  looks up\|^  calls\|^  imports'
  "$PICKLESIGHT" facts -q "$file" >/dev/null
  echo "exit $?"
done
"$PICKLESIGHT" ops members.gz

# at limit - 1, limit and limit + 1
for limit in 4 5 6; do
  "$PICKLESIGHT" facts --limit max_output=$limit members.gz
  echo "exit $?"
done
