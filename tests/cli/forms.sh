# Payloads whose load, or whose use, depends on more than names: corpus/forms. What really happened is the fourth column
# of the table (tests/truth/form_loads.py); none that failed may be said to load.
tab=$(printf '\t')
right=0
while IFS=$tab read -r payload target with real verdict; do
  case $payload in '#'*) continue ;; esac
  set -- --against "$target"
  if [ "$with" != - ]; then
    for one in $with; do set -- "$@" --with "$one"; done
  fi
  case $payload in *_dill_*) set -- "$@" --loader dill ;; *) set -- "$@" --loader pickle ;; esac
  said=$("$PICKLESIGHT" check "$@" "corpus/forms/$payload" | sed -n '2s/^ *[^ ]*: \([a-z]*\).*/\1/p')
  if [ "$said" != "$verdict" ] || { [ "$real" != loads ] && [ "$said" = loads ]; }; then
    echo "$payload on $target with $with: really $real, should say $verdict, says $said"
  else
    right=$((right + 1))
  fi
done <tests/data/form_loads.tsv
echo "$right right"
