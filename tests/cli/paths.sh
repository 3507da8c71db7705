# A path is bytes: json.loads(line)["path"].encode("utf-8", "surrogateescape") gives them back, also
# where they look like an encoded surrogate.
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
cd "$TMP" || exit
for name in 'plain' 'caf\303\251' 'byte\377' 'cut\303' 'high\355\240\200' 'low\355\263\277' \
  'pair\355\240\275\355\260\215' 'snake\360\237\220\215' 'broken\355'; do
  # shellcheck disable=SC2059
  name=$(printf "$name")
  printf 'N.' >"$name"
  printf '%s\n' "$name" >>names
done
printf 'x' >"$(printf 'no pickle \355\240\200')"
for command in facts 'check --against cpython-3.12' needs ops; do
  # shellcheck disable=SC2086
  tr '\n' '\000' <names | "$PICKLESIGHT" $command --format jsonl --files0-from - >out
  echo "$command: exit $?"
  python3 - <<'EOF'
import json
names = open("names", "rb").read().split(b"\n")[:-1]
lines = [json.loads(line) for line in open("out")]
paths = [line["path"] for line in lines if "path" in line and ("protocol" in line or "count" in line)]
same = [path.encode("utf-8", "surrogateescape") == name for path, name in zip(paths, names)]
print(len(names), len(same), all(same), len(set(paths)))
EOF
done
"$PICKLESIGHT" facts -q --json 'no pickle '* | grep -o '"path": "[^"]*"'
