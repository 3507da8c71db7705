# 0 read to the end; 2 trouble; 3 not certain or over a limit; when several apply 1, then 2, then 3.
cd "$TMP" || exit
printf 'N.' >good
printf '0' >broken
printf '(lp0\nI1\naI2\na.' >long
run() { "$PICKLESIGHT" facts -q "$@" >/dev/null; echo "$*: $?"; }
run good
run good good
run broken
run good broken
run broken good
run none
run none good
run --limit max_ops=3 good
run --limit max_ops=3 long
run --limit max_ops=3 good long
run --limit max_ops=3 long good
run --limit max_ops=3 broken long
run --limit max_ops=3 long broken
run --limit max_ops=3 --unsure pass long
run --limit max_ops=3 --unsure pass long broken
run --limit max_ops=3 --unsure fail long
run --limit max_ops=3 --unsure fail long broken
run --limit max_ops=3 --unsure fail broken
for status in 0 2 3; do echo "ops $status"; done
"$PICKLESIGHT" ops -q good >/dev/null; echo $?
"$PICKLESIGHT" ops -q broken >/dev/null; echo $?
"$PICKLESIGHT" ops -q --limit max_ops=3 long >/dev/null; echo $?
