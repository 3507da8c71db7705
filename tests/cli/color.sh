# Colours only when asked for here: nothing is a terminal.
printf '0' >"$TMP/p"
cd "$TMP" || exit
has() { grep -q "$(printf '\033')" && echo yes || echo no; }
"$PICKLESIGHT" facts -q p | has
TERM=xterm "$PICKLESIGHT" facts -q --color auto p | has
"$PICKLESIGHT" facts -q --color never p | has
"$PICKLESIGHT" facts -q --color always p | has
NO_COLOR=1 "$PICKLESIGHT" facts -q --color always p | has
"$PICKLESIGHT" ops -q --color always p | has
"$PICKLESIGHT" facts -q --color always --json p | has
