# 0 all load; 1 one fails; 2 trouble; 3 one is not certain. When several apply: 1, then 2, then 3.
cd "$TMP" || exit
printf 'N.' >loads
printf 'cno_such_module\nx\n.' >unsure
printf 'cjson\nno_such_name\n.' >fails
printf '0' >broken
printf 'hello, world' >text
: >empty
printf '\037\213\010\000\000\000\000\000\000\003' >cut.gz
run() { "$PICKLESIGHT" check -q --against cpython-3.12 "$@" >out 2>err; echo "$*: $?"; cat err; }
run loads
run unsure
run fails
run broken
run text
run empty
run cut.gz
run missing
run loads loads
run loads unsure
run unsure broken
run broken unsure
run broken fails
run fails unsure broken loads
run missing fails
run missing unsure
run --unsure pass unsure
run --unsure fail unsure
run --unsure pass unsure broken
run --unsure pass unsure fails
run --limit max_ops=1 loads
run --limit max_ops=1 fails
run --against cpython-3.6 --any unsure
run --bare unsure
run --bare --against cpython-3.12 unsure
run --any --bare --against cpython-3.12 unsure
run --json fails
run -o /dev/full loads
run -o no/such/folder loads
cd / && "$PICKLESIGHT" check -q --against cpython-3.12 <"$TMP/fails"; echo $?
"$PICKLESIGHT" needs -q "$TMP/fails" >/dev/null; echo "needs: $?"
"$PICKLESIGHT" needs -q "$TMP/broken" >/dev/null; echo "needs, broken: $?"
"$PICKLESIGHT" needs -q --limit max_ops=1 "$TMP/loads" >/dev/null; echo "needs, over a limit: $?"
