# The built-in targets, each known by its name; show; fingerprints read back.
"$PICKLESIGHT" targets
"$PICKLESIGHT" targets --json | head -n 4
"$PICKLESIGHT" targets --format jsonl | wc -l | tr -d ' '
"$PICKLESIGHT" show cpython-3.12
"$PICKLESIGHT" show --with cloudpickle==3.1.2 --with Some_Lib==1.0 --bare cpython-3.13.5
"$PICKLESIGHT" show --json cpython-3.12; echo
# the canonical form is what the id is of, and says all
for target in $("$PICKLESIGHT" targets | awk '{ print $1 }') cpython-3.13.5; do
  "$PICKLESIGHT" show --json -w cloudpickle==3.1.2 -b "$target" >"$TMP/fingerprint.json" || echo "exit $?"
  id=$("$PICKLESIGHT" show "$TMP/fingerprint.json" | sed -n 's/.*sha256://p')
  "$PICKLESIGHT" show --json "$TMP/fingerprint.json" | cmp - "$TMP/fingerprint.json" || echo "$target differs"
  if command -v sha256sum >/dev/null && [ "$(sha256sum <"$TMP/fingerprint.json")" != "$id  -" ]; then
    echo "$target: not its id"
  fi
done
# a loader given on the command line is another target
task=corpus/payloads/cp313_persid_p5.pkl
for more in '' --persistent-load '--loader dill' '--encoding latin1' '--errors ignore' '--buffers 1' '--buffers none' \
  '--with x==1' --bare; do
  # shellcheck disable=SC2086
  "$PICKLESIGHT" check --json --against cpython-3.12 $more $task | sed -n 's/.*"id": "\([^"]*\).*/\1/p'
done | sort | uniq -c | awk '{ print $1 }' | uniq -c
for operands in '' 'cpython-3.12 cpython-3.11' cpython-3.99 cpython-2.8 cpython-3.12.x /no/such/file . corpus/payloads/cp313_persid_p5.pkl; do
  # shellcheck disable=SC2086
  "$PICKLESIGHT" show $operands
  echo "show $operands: $?"
done
"$PICKLESIGHT" show --with nonsense cpython-3.12; echo "exit $?"
"$PICKLESIGHT" targets cpython-3.12; echo "exit $?"
