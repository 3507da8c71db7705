# A payload and a path are hostile text: nothing in them reaches the terminal as it is.
cd "$TMP" || exit
esc=$(printf '\033')
name=$(printf 'a\033[31m\nb\001\177\302\233\342\200\256\377')
printf '\200\004c\033[2J\302\233evil\342\200\256\nna\014me\n(\214\015\033]0;title\007\355\240\200tR.' >"$name"
for format in text json jsonl; do
  for command in facts 'facts --all' ops; do
    # shellcheck disable=SC2086
    "$PICKLESIGHT" $command --color never --format $format "$name" "$name-none" >out 2>err
    echo "$command $format: exit $?"
    LC_ALL=C grep -c "[^ -~]" out err
  done
done
"$PICKLESIGHT" facts "$name"
"$PICKLESIGHT" ops "$name"
"$PICKLESIGHT" facts --format jsonl "$name" | head -n 1 | cut -c 1-420
"$PICKLESIGHT" facts "--${esc}x"
