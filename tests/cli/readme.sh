# shellcheck disable=SC2016 # backquotes in patterns are Markdown's
# Every command of README.md is run as it stands, and says what README.md shows. `make quickstart` is its
# script, of which the lines after "..." are shown; of `make check` the closing line is compared.
build=${BUILD:-$(dirname "$PICKLESIGHT")}
mkdir "$TMP/bin" && ln -s "$PICKLESIGHT" "$TMP/bin/picklesight"
gate=$TMP/gate PATH=$TMP/bin:$PATH

# expect N: line N of README.md on, up to the next command or the end of the block
expect() { tail -n "+$(($1 + 1))" README.md | sed -n '/^```\|^\$ /q; p'; }
run() {
  case $2 in
    'make quickstart') sed -n "$(($1 + 2)),/^\`\`\`/p" README.md | grep -v '^```' >"$TMP/want"
      sh src/examples/quickstart.sh >"$TMP/got" 2>&1 ;;
    'make check') expect "$1" | sed 1d >"$TMP/want"
      sed -n 's/^CHECKS := /== ok: /p' Makefile >"$TMP/got" ;;
    'cc src/examples/gate.c '*) : >"$TMP/want"
      # check_install.sh runs the line itself; here the program that make built stands for it
      { [ -x "$build/examples/gate" ] || echo 'no gate (make examples)'; } >"$TMP/got"
      ln -s "$build/examples/gate" "$gate" ;;
    './gate '*) expect "$1" >"$TMP/want"
      sh -c "$TMP/$2" >"$TMP/got" 2>&1 ;;
    *) expect "$1" >"$TMP/want"
      sh -c "$2" >"$TMP/got" 2>&1 </dev/null ;;
  esac
  if cmp -s "$TMP/want" "$TMP/got"; then echo "ok: $2"; else
    echo "not so, README.md line $1: $2"
    diff "$TMP/want" "$TMP/got"
  fi
}
# the commands that quickstart shows are part of its output
awk '/^```console/ { on = 1; whole = 0 } /^```$/ { on = 0 }
     on && /^\$ / && !whole { print NR " " substr($0, 3) } on && /^\$ make quickstart/ { whole = 1 }' \
  README.md >"$TMP/commands"
while read -r line command; do run "$line" "$command"; done <"$TMP/commands"

# the C in README.md is that of the example
# shellcheck disable=SC2016 # the backquotes are README's
sed -n '/^```c$/,/^```$/p' README.md | grep -v '^```' >"$TMP/code"
sed -n '/^\/\* The objects/,/^}/p' src/examples/gate.c | diff - "$TMP/code" && echo 'ok: gate.c'
# what it names is there
# shellcheck disable=SC2016 # the same
for file in $(grep -o '`[a-z]*/[A-Za-z0-9_./]*`' README.md | tr -d '`' | grep -v '^build/' | sort -u); do
  [ -e "$file" ] || echo "README.md names $file, which is not there"
done
