# Each limit: below it, at it and over it.
cd "$TMP" || exit
run() {
  "$PICKLESIGHT" facts --format jsonl "$@" 2>/dev/null >out
  status=$?
  echo "$*: $status $(sed -n '1s/.*"complete": \([a-z]*\).*"error": \(null\|{"status": "[A-Z_]*"\).*"limit": \("[A-Z_]*"\|null\).*/\1 \2 \3/p' out)"
}
pieces() { cat >in; run "$@" - <in; }
printf '(lp0\nI1\na.' >five
run --limit max_ops=4 five
run --limit max_ops=5 five
run --limit max_ops=6 five
printf '(((ttt.' >deep
run --limit max_depth=2 deep
run --limit max_depth=3 deep
run --limit max_depth=4 deep
# what is not kept of a payload in pieces makes a name unreadable, and the payload uncertain
for limit in 3 4 5; do
  printf '\200\004\214\004abcd\214\001x\223.' | pieces --limit max_name=$limit
done
run --limit max_memory=1000 five
run --limit max_memory=1g five
"$PICKLESIGHT" facts --limit help >list
"$PICKLESIGHT" ops --limit=help >same
cmp list same && cat list
