# Standard input: named, by default, and slow. The same as a file, but for its path and size.
cd "$TMP" || exit
data=$OLDPWD/corpus/payloads
"$PICKLESIGHT" facts - <"$data/cp312_orders_p5.pkl" >one
"$PICKLESIGHT" facts <"$data/cp312_orders_p5.pkl" | cmp - one
# shellcheck disable=SC2002 # a pipe is the point
cat "$data/cp312_orders_p5.pkl" | "$PICKLESIGHT" facts | cmp - one
(head -c 1; sleep 0.1; head -c 3; sleep 0.1; cat) <"$data/cp312_orders_p5.pkl" |
  "$PICKLESIGHT" facts | cmp - one
mkfifo pipe
cat "$data/cp312_orders_p5.pkl" >pipe & "$PICKLESIGHT" facts pipe | sed '1s/^pipe/-/' | cmp - one
wait
for file in "$data"/cp313_*; do
  "$PICKLESIGHT" facts -q --all "$file" | sed "s|^$file|-|; s/, [0-9]* bytes*,/,/" >want
  "$PICKLESIGHT" facts -q --all <"$file" | sed 's/, [0-9]* bytes*,/,/' | cmp - want || echo "$file"
  "$PICKLESIGHT" ops -q "$file" | sed "s|^$file|-|" >want
  "$PICKLESIGHT" ops -q - <"$file" | cmp - want || echo "$file"
done
"$PICKLESIGHT" facts <&-
echo "exit $?"
mkdir folder
"$PICKLESIGHT" facts - <folder
echo "exit $?"
