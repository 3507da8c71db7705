# JSON of check over the corpus: keys and words that were promised, counts and exit status that follow
# from the verdicts, the same in jsonl.
command -v python3 >/dev/null || { echo 'no python3'; exit 77; }
for more in '' '-v' '--any'; do
  set -- check -q --against cpython-3.8 --against cpython-3.12 --with cloudpickle==3.1.2 --against pypy-3.9 --bare
  # shellcheck disable=SC2086
  "$PICKLESIGHT" "$@" $more --json corpus/payloads >"$TMP/json"
  status=$?
  # shellcheck disable=SC2086
  "$PICKLESIGHT" "$@" $more --format jsonl corpus/payloads >"$TMP/jsonl"
  echo "$more: exit $status, $?"
  python3 - "$TMP/json" "$TMP/jsonl" "$status" "$more" <<'PYTHON'
import json, sys
one = json.load(open(sys.argv[1], encoding="ascii"))
lines = [json.loads(line) for line in open(sys.argv[2], encoding="ascii")]
assert lines[-1] == {"summary": one["summary"]} and lines[:-1] == one["payloads"]
assert one["schema"] == "picklesight-report/1"
targets = one["targets"]
assert [t["name"] for t in targets] == ["cpython-3.8", "cpython-3.12", "pypy-3.9"]
for t in targets:
    assert set(t) >= {"id", "name", "implementation", "version", "magic", "max_protocol"}
    assert t["id"].startswith("sha256:") and len(t["id"]) == 71
verdicts = ["loads", "unsure", "fails", "broken"]
kinds = set("""protocol opcode number frame module attribute main helper constructor persistent-id buffers
    extension encoding loader platform version bytecode import name""".split())
counts = dict.fromkeys(verdicts, 0)
for p in one["payloads"]:
    assert [r["target"] for r in p["results"]] == [t["name"] for t in targets]
    for r in p["results"]:
        bad = {phase for phase in ("parse", "load", "run") if r[phase] == "fails"}
        open_ = {phase for phase in ("parse", "load", "run") if r[phase] == "unknown"}
        assert r["parse"] in ("loads", "fails", "unknown") and r["load"] in ("loads", "fails", "unknown")
        assert r["run"] in ("runs", "fails", "unknown", "none") and (r["run"] == "none") == (not p["code"])
        assert r["verdict"] == "broken" or (r["verdict"] == "fails") == bool(bad)
        assert r["verdict"] in ("broken", "fails") or (r["verdict"] == "unsure") == bool(open_)
        for n in r["needs"]:
            assert n["kind"] in kinds and n["phase"] in ("parse", "load", "run") and n["why"]
            assert n["state"] in ("met", "missing", "different", "unknown")
            if n["state"] in ("missing", "different"): assert n["phase"] in bad, (p["path"], n)
            if n["state"] == "unknown": assert n["phase"] in bad | open_, (p["path"], n)
        unmet = [n for n in r["needs"] if n["state"] != "met"]
        if sys.argv[4] != "-v": assert unmet == r["needs"]
        else: assert any(n["kind"] == "protocol" for n in r["needs"])
        if r["verdict"] in ("fails", "broken"): assert unmet
    pick = min if sys.argv[4] == "--any" else max
    counts[pick((r["verdict"] for r in p["results"]), key=verdicts.index)] += 1
summary = one["summary"]
assert {v: summary[v] for v in verdicts} == counts, (summary, counts)
assert summary["payloads"] == len(one["payloads"]) and summary["skipped"] == summary["findings"] == 0
wanted = 1 if counts["fails"] else 2 if counts["broken"] else 3 if counts["unsure"] else 0
assert int(sys.argv[3]) == wanted
assert all(n["hint"] for p in one["payloads"] for r in p["results"] for n in r["needs"]
           if n["kind"] == "bytecode" and n["state"] != "met")
print("as promised")
PYTHON
done
