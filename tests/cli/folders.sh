# Folders are walked in order of names. Links to folders are not followed, and what is no regular file
# is not opened; whatever is not read is said, and counts as skipped or broken.
cd "$TMP" || exit
mkdir -p d/b d/a/deep d/empty other && cd d || exit
for file in z b/2 b/1 a/deep/x a.pkl; do printf 'N.' >"$file"; done
ln -s .. a/loop
ln -s ../../other a/out
ln -s ../z b/link
ln -s nowhere b/broken
ln -s round b/round
mkfifo b/fifo
cd ..
"$PICKLESIGHT" facts d
echo "exit $?"
for command in facts needs ops 'check --against cpython-3.12'; do
  # shellcheck disable=SC2086
  "$PICKLESIGHT" $command -q --format jsonl d >out
  echo "$command: exit $?, $(wc -l <out) lines"
  grep -v '"error": null, "skipped": null\|{"offset"' out |
    sed 's/"member".*"error": /"error": /; s/"limit": null.*//'
done
rm d/b/broken d/b/round
"$PICKLESIGHT" facts -v d/ >/dev/null
echo "exit $?"
"$PICKLESIGHT" facts -q --unsure pass d/ >/dev/null
echo "exit $?"
"$PICKLESIGHT" facts d/empty d/z
echo "exit $?"
"$PICKLESIGHT" facts d/b/link d/b/1 d/b/1 | grep -c protocol
# a file that can be opened but not read
if [ -e /proc/self/mem ]; then
  "$PICKLESIGHT" facts /proc/self/mem >out
  echo "exit $? $(sed 's/.*offset 0: .* (E_IO)/E_IO/' out | tail -n 1)"
else
  echo "exit 2 E_IO"
fi

# deep: no recursion, and a path that is too long for the system is trouble
folder=0123456789
for _ in 1 2 3 4 5 6 7 8; do folder=$folder/$folder; done
(mkdir x y && cd y && mkdir -p "$folder" && printf 'N.' >"$folder/z" && printf 'N.' >"$folder/../z")
mkdir -p "x/$folder"
"$PICKLESIGHT" facts -q y | tr -d '/0123456789'
mv y "x/$folder/y"
"$PICKLESIGHT" facts x 2>err >out
echo "exit $? $(tr -d '/0123456789' <err)"
tr -d '/0123456789' <out
rm -r x
