# Results go to --output, and a write that fails is exit 2: at the end, in the middle, at the start.
cd "$TMP" || exit
printf 'cos\nsystem\n(S"id"\ntR.' >p
"$PICKLESIGHT" facts p >want
"$PICKLESIGHT" facts --output got p && cmp got want
"$PICKLESIGHT" facts -o got -j p && grep schema got
"$PICKLESIGHT" facts -o no/such/folder p
echo "exit $?"
[ -c /dev/full ] || exit 77
many=$(yes p | head -n 500)
for command in 'facts p' 'facts --json p' 'facts --format jsonl p' 'ops p' 'ops --json p' \
               'ops --format jsonl p' version help 'help --completion bash' 'facts --limit help'; do
  # shellcheck disable=SC2086 # a list of words
  "$PICKLESIGHT" $command >/dev/full 2>err
  echo "$command: exit $? $(cat err)"
done
# shellcheck disable=SC2086
"$PICKLESIGHT" facts $many >/dev/full
echo "exit $?"
"$PICKLESIGHT" facts -o /dev/full p
echo "exit $?"
"$PICKLESIGHT" facts p >&-
echo "exit $?"
