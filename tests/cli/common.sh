# What several targets share.
"$PICKLESIGHT" common cpython-3.11 cpython-3.12; echo "exit $?"
"$PICKLESIGHT" common pypy-3.9 cpython-3.9 cpython-3.7 | sed -n 1,6p
for name in one two; do "$PICKLESIGHT" show --json cpython-3.11 -w cloudpickle==3.1.2 -b >"$TMP/$name.json"; done
"$PICKLESIGHT" show --json cpython-3.11.4 -w cloudpickle==2.2.1 -w joblib==1.3.2 -b >"$TMP/three.json"
"$PICKLESIGHT" common "$TMP/one.json" "$TMP/two.json" "$TMP/three.json"; echo "exit $?"
"$PICKLESIGHT" common --json "$TMP/one.json" "$TMP/two.json" "$TMP/three.json" >"$TMP/json" || echo "exit $?"
if command -v python3 >/dev/null; then
  python3 - "$TMP/json" <<'PYTHON' || exit
import json, sys
c = json.load(open(sys.argv[1]))
assert c["schema"] == "picklesight-common/1" and c["protocol"] == 5
assert c["bytecode_groups"] == [{"magic": 3495, "targets": ["one", "two", "three"]}]
shared, partial = c["modules"]["shared"], c["modules"]["partial"]
assert shared == sorted(shared) and "json" in shared and "cloudpickle" in shared and "joblib" not in shared
assert partial["joblib"] == ["three"]
assert c["versions_differ"] == {"cloudpickle": {"3.1.2": ["one", "two"], "2.2.1": ["three"]}}
PYTHON
fi
"$PICKLESIGHT" common --format jsonl cpython-3.11 cpython-3.12 | wc -l | tr -d ' '
for operands in '' cpython-3.12 'cpython-3.12 cpython-3.99'; do
  # shellcheck disable=SC2086
  "$PICKLESIGHT" common $operands
  echo "common $operands: $?"
done
