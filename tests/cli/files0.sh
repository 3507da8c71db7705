# --files0-from: names ended by NUL, from a file or standard input.
cd "$TMP" || exit
printf 'N.' >"$(printf 'a\nb')"
printf 'K\001.' >c
mkdir d && printf ']." ' >d/e && printf '].' >d/e
printf 'a\nb\000c\000d\000' >list
"$PICKLESIGHT" facts --files0-from list
echo "exit $?"
"$PICKLESIGHT" facts --files0-from - c <list | grep protocol
find . -type f -name '[ce]' -print0 | sort -z | "$PICKLESIGHT" facts --files0-from=- | grep protocol
printf 'c\000\000none\000c' >list
"$PICKLESIGHT" facts --files0-from list
echo "exit $?"
printf 'c\000-\000' | "$PICKLESIGHT" facts --files0-from -
echo "exit $?"
"$PICKLESIGHT" facts --files0-from - c - <list
echo "exit $?"
"$PICKLESIGHT" facts --files0-from none
echo "exit $?"
: >list
"$PICKLESIGHT" facts --json --files0-from list | grep files
