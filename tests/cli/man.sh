# The manual names every option, every limit and no others, and its examples run.
page=src/cli/picklesight.1
plain() { sed 's/\\-/-/g; s/\\f.//g' "$page"; }
for command in check needs facts ops targets show common capture help; do
  "$PICKLESIGHT" help $command | sed -n 's/^  *\(-., \)\{0,1\}--\([a-z0-9-]*\) .*/\2/p'
done | sort -u >"$TMP/options"
plain | sed -n '/^\.SH OPTIONS/,/^\.SH OUTPUT/p' | grep '^\.B' | grep -o -e '--[a-z0-9-]*' | sed 's/--//' |
  sort -u >"$TMP/named"
diff "$TMP/options" "$TMP/named" && echo 'options: the same'
"$PICKLESIGHT" facts --limit help | sed -n 's/^  \([a-z_]*\) .*/\1/p' >"$TMP/limits"
plain | sed -n '/^\.SH LIMITS/,/^\.SH EXIT/s/^\.B \(max_.*\)/\1/p' | diff "$TMP/limits" - && echo 'limits: the same'
grep -q "\"$("$PICKLESIGHT" version)\"" "$page" && echo 'version: the same'

mkdir "$TMP/bin" && ln -s "$PICKLESIGHT" "$TMP/bin/picklesight"
plain | sed -n '/^\.EX/,/^\.EE/p' | grep -v '^\.E' >"$TMP/examples"
while IFS= read -r line; do
  (PATH=$TMP/bin:$PATH sh -c "$line" >"$TMP/out" 2>&1 </dev/null)
  echo "exit $?: $line"
  head -n 3 "$TMP/out" | cut -c 1-60
done <"$TMP/examples"
if command -v groff >/dev/null; then groff -man -ww -z "$page" || echo bad; fi
if command -v mandoc >/dev/null; then mandoc -T lint -W error "$page" || echo bad; fi
