# An output that is an input too is refused: the pickle stays as it was.
printf 'N.' >"$TMP/k.pkl"
ln -s k.pkl "$TMP/link.pkl"
(cd "$TMP" && "$PICKLESIGHT" facts -o k.pkl k.pkl 2>&1; echo "exit $?"; "$PICKLESIGHT" facts -o link.pkl k.pkl 2>&1; echo "exit $?"; cat k.pkl; echo)
