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
# reading goes on, so the limit is told at the opcode that met it, not at the end
where() { grep -o '"limit": [^,]*\(, "limit_offset": [0-9]*\)*' out; }
printf '\200\004N0csys\nexit\n0cnottoolong\nname\n0cos\nsystem\n.' >names
run --limit max_name=9 names
where
run --limit max_name=10 names
where
"$PICKLESIGHT" facts --limit max_name=9 names 2>&1 | grep limit
"$PICKLESIGHT" check -t cpython-3.12 --limit max_name=9 names 2>&1 | grep limit
# what is not kept of a payload in pieces makes a name unreadable, and the payload uncertain
for limit in 3 4 5; do
  printf '\200\004\214\004abcd\214\001x\223.' | pieces --limit max_name=$limit
done
run --limit max_memory=1000 five
# too little to start with: each file says so, and a file that is not there is still that
for limit in 0 1 4k; do
  for command in facts needs ops 'check -t cpython-3.12 -t cpython-3.13'; do
    # shellcheck disable=SC2086
    "$PICKLESIGHT" $command -q --format jsonl --limit max_memory=$limit five none deep >out
    echo "$limit $command: $? $(sed 's/.*"error": {"status": "\([A-Z_]*\)", "offset": 0,.*/\1/; s/{"summary": {"files": 3, "payloads": 3,//' out | tr '\n' ' ')"
  done
done
run --limit max_memory=1g five
"$PICKLESIGHT" facts --limit help >list
"$PICKLESIGHT" ops --limit=help >same
cmp list same && cat list
