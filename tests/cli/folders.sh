# Folders are walked in order of names. Links to folders are not followed, and what is no regular
# file is not opened; -v says so.
cd "$TMP" || exit
mkdir -p d/b d/a/deep d/empty && cd d || exit
for file in z b/2 b/1 a/deep/x a.pkl; do printf 'N.' >"$file"; done
ln -s .. a/loop
ln -s ../z b/link
ln -s nowhere b/broken
mkfifo b/fifo
cd ..
"$PICKLESIGHT" facts d
echo "exit $?"
rm d/b/broken
"$PICKLESIGHT" facts -v d/ >/dev/null
echo "exit $?"
"$PICKLESIGHT" facts d/empty d/z
echo "exit $?"
"$PICKLESIGHT" facts d/b/link d/b/1 d/b/1 | grep -c protocol

# deep: no recursion, and a path that is too long for the system is trouble
folder=0123456789
for _ in 1 2 3 4 5 6 7 8; do folder=$folder/$folder; done
(mkdir x y && cd y && mkdir -p "$folder" && printf 'N.' >"$folder/z" && printf 'N.' >"$folder/../z")
mkdir -p "x/$folder"
"$PICKLESIGHT" facts -q y | tr -d '/0123456789'
mv y "x/$folder/y"
"$PICKLESIGHT" facts x 2>err
echo "exit $? $(tr -d '/0123456789' <err)"
rm -r x
