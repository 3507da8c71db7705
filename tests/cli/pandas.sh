# pandas.read_pickle: each outcome is what it did with pandas 2.1.4 on CPython 3.11.
file=$TMP/p.pkl
run() {
  for loader in pickle pandas; do
    printf '%b' "$1" >"$file"
    printf '== %s %s\n' "$1" "$loader"
    "$PICKLESIGHT" check --against cpython-3.11 --with pandas==2.1.4 --with numpy==1.26.4 --loader "$loader" "$file" | sed 1d
  done
}
run 'cpandas.core.indexes.numeric\nInt64Index\n.'
run 'cpandas.indexes.base\nIndex\n.'
run 'cpandas.indexes.nothing\nIndex\n.'
run 'U\0003\0351ab.' # text of Python 2
run '\0200\0005\0227.' # a buffer
run 'Pabc\n.'
# what came with one loader goes when another comes
printf '{"schema": "pickle-target/1", "implementation": "cpython", "version": [3, 11], "loader": {"name": "pandas"}}' >"$TMP/b.json"
printf 'U\003\351ab.' >"$file"
for loader in pandas pickle; do
  printf '== fingerprint of pandas, %s\n' "$loader"
  "$PICKLESIGHT" check --against "$TMP/b.json" --loader "$loader" "$file" | sed 1d
done
"$PICKLESIGHT" check --against "$TMP/b.json" "$file" | sed 1d
