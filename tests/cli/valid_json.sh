# Every JSON output of every file of the corpus is JSON with the keys that were promised.
command -v python3 >/dev/null || { echo 'no python3'; exit 77; }
for command in facts 'facts --all' ops; do
  for format in json jsonl; do
    # shellcheck disable=SC2086
    "$PICKLESIGHT" $command -q --format $format corpus/payloads >"$TMP/$format"
    echo "$command $format: exit $?"
  done
  python3 - "$TMP/json" "$TMP/jsonl" "$command" <<'PYTHON'
import json, sys
def pairs(items):
    keys = [k for k, v in items]
    assert len(keys) == len(set(keys)), keys
    return dict(items)
text = open(sys.argv[1], encoding="ascii").read()
one = json.loads(text, object_pairs_hook=pairs)
lines = [json.loads(l, object_pairs_hook=pairs) for l in open(sys.argv[2], encoding="ascii")]
assert lines[-1] == {"summary": one["summary"]}
if sys.argv[3].startswith("facts"):
    assert lines[:-1] == one["payloads"]
    assert one["schema"] == "picklesight-report/1" and one["targets"] == []
    for p in one["payloads"]:
        assert set("""path member container offset size protocol complete ambiguous error skipped globals
            calls code modules persistent_ids buffers extensions encoding_needed assumed requires readings
            results findings""".split()) <= set(p), p
        assert ("events" in p) == ("--all" in sys.argv[3])
        assert p["complete"] == (p["error"] is None), p["path"]
        assert p["modules"]["by_reference"] == sorted(set(p["modules"]["by_reference"]))
        for c in p["code"]:
            assert len(c["magic"]) == len(c["python"])
            assert (c["kind"] == "none") == (not c["magic"])
        assert (p["requires"]["magic"] is None) == (not p["code"])
        if "events" in p:
            looked = [e for e in p["events"] if e["kind"] == "global"]
            assert len(looked) == sum(g["count"] for g in p["globals"] if g["via"] != "argument"), p["path"]
            called = [e for e in p["events"] if e["kind"] == "call"]
            assert len(called) == sum(c["count"] for c in p["calls"]), p["path"]
else:
    assert sum("opcode" in l for l in lines) == sum(len(p["ops"]) for p in one["payloads"])
    for p in one["payloads"]:
        assert p["count"] == len(p["ops"])
        assert [o["offset"] for o in p["ops"]] == sorted({o["offset"] for o in p["ops"]})
        assert not p["complete"] or p["ops"][-1]["opcode"] == "STOP"
print(len(one["payloads"]) > 250)
PYTHON
done
