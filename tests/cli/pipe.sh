# A reader that goes away ends the tool: by SIGPIPE, or with exit 2 when that is ignored.
cd "$TMP" || exit
yes 'N.' | tr -d '\n' | head -c 400000 >many
("$PICKLESIGHT" ops many; echo "$?" >status) | head -n 1
[ "$(cat status)" = 141 ] && echo killed
(trap '' PIPE; "$PICKLESIGHT" ops many 2>err; echo "$?" >status) | head -n 1
cat status err
(trap '' PIPE; "$PICKLESIGHT" facts --format jsonl many 2>err; echo "$?" >status) | head -n 1 | cut -c 1-20
cat status err
