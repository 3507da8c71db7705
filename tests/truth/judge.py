"""Verdict against reality, one pair at a time, and the report."""
import collections
import json
import os


class Said(object):
    """What picklesight says of one payload on one target."""

    def __init__(self, payload):
        result = payload["results"][0]
        self.verdict, self.parse, self.load, self.run = (result[key] for key in ("verdict", "parse", "load", "run"))
        self.needs = [(need["kind"], need["phase"], need["state"], need["what"], need["why"]) for need in result["needs"]]
        self.magic = payload.get("requires", {}).get("magic")

    def is_unknown(self):
        return self.verdict == "unsure"

    def only_bytecode(self):
        """It fails, and only because code is of another Python."""
        bad = [need for need in self.needs if need[2] in ("missing", "different")]
        return bool(bad) and all(need[0] == "bytecode" for need in bad)

    def why(self):
        states = ("missing", "different") if self.verdict in ("fails", "broken") else ("unknown",)
        return "; ".join("%s %s: %s" % (need[0], need[3], need[4]) for need in self.needs if need[2] in states)


def judge(said, outcome, wrong):
    """(kind, is it a disagreement). outcome: what really happened; wrong: another result than the writer's."""
    real_load = outcome not in ("load", "crash-load")
    fine = outcome == "ok" and not wrong
    if said.verdict == "loads":
        return ("agrees: loads", False) if fine else ("FALSE LOADS" if not real_load else "FALSE RUNS", True)
    if said.verdict == "fails":
        if fine:
            return ("luck: other bytecode, same result", False) if said.only_bytecode() else ("FALSE FAILS", True)
        if said.load == "loads" and not real_load:
            return ("WRONG PHASE: says it loads", True)
        if said.load == "fails" and real_load and not said.only_bytecode():
            return ("WRONG PHASE: says it does not load", True)
        return ("agrees: fails", False)
    if said.verdict == "broken":
        return ("FALSE BROKEN", True) if real_load else ("agrees: broken", False)
    if said.load == "loads" and not real_load:
        return ("WRONG PHASE: says it loads", True)
    return ("unknown: really " + ("fine" if fine else "fails"), False)


def report(run):
    kinds, matrix, filtered = collections.Counter(), {}, collections.Counter()
    by_target, by_serializer = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    disagreements, unknowns, total = [], collections.Counter(), 0
    unknown_examples = {}
    for (env, loader), rows in run.plan.items():
        for row in rows:
            said = run.said[env, loader].get(row["id"])
            real = run.reality[env, loader].get(row["id"])
            own = run.reality.get((row["writer"], "dill" if row["serializer"] == "dill" else "pickle"), {}).get(row["id"])
            main = row["serializer"] == "pickle" and own and own[0] == "load" and "__main__" in own[1]
            if said is None or real is None or own is None:
                filtered["no answer"] += 1
                continue
            if own[0] != "ok" and not main:
                filtered["its own writer cannot use it (%s)" % row["serializer"]] += 1
                run.not_own[own[1][:100]] += 1
                continue
            if own[0] == "ok" and own[1] != row["expected"]:
                filtered["its own writer gets another result"] += 1
                run.not_own["%s: %s / %s" % (row["case"], own[1][:50], row["expected"][:50])] += 1
                continue
            outcome, text = real
            wrong = outcome == "ok" and text != row["expected"]
            kind, bad = judge(said, outcome, wrong)
            total += 1
            kinds[kind] += 1
            by_target[env.label + (" (dill.loads)" if loader == "dill" else "")][kind.split(":")[0]] += 1
            by_serializer[row["writer"].name][kind.split(":")[0]] += 1
            cell = matrix.setdefault(row["writer"].key, {}).setdefault(env.key, collections.Counter())
            cell[kind.split(":")[0]] += 1
            if bad:
                disagreements.append({"kind": kind, "case": row["case"], "protocol": row["protocol"], "writer": row["writer"].label,
                                      "target": env.label, "loader": loader, "file": row["file"], "outcome": outcome,
                                      "text": text, "expected": row["expected"], "said": said.why(), "load": said.load, "run": said.run})
            if said.is_unknown():
                key = (said.why() or "nothing")[:160]
                unknowns[key] += 1
                unknown_examples.setdefault(key, (row["case"], row["writer"].label, env.label, outcome, row["file"]))
    show(run, total, kinds, matrix, filtered, by_target, by_serializer, disagreements, unknowns, unknown_examples)
    with open(os.path.join(run.work, "disagreements.jsonl"), "w") as out:
        for one in disagreements:
            out.write(json.dumps(one) + "\n")
    return 1 if disagreements or sum(unknowns.values()) > 0.01 * total else 0


def show(run, total, kinds, matrix, filtered, by_target, by_serializer, disagreements, unknowns, examples):
    keys = list(collections.OrderedDict.fromkeys(env.key for env in run.environments))
    print("pairs: %d; payloads: %d; interpreters: %d; targets: %d" % (total, len(run.payloads), len(keys), len(run.plan)))
    for kind, count in sorted(kinds.items()):
        print("%9d  %s" % (count, kind))
    unknown = sum(unknowns.values())
    print("unknown: %d (%.2f %%)" % (unknown, 100.0 * unknown / max(total, 1)))
    print("unknown with __main__ open: %d of %d (%.2f %%)" % (run.open_unknown, run.open_total, 100.0 * run.open_unknown / max(run.open_total, 1)))
    print("filtered: %d" % sum(filtered.values()))
    for why, count in filtered.most_common():
        print("%9d  %s" % (count, why))
    print("not written: %s" % dict(run.not_written))
    print("\nwriter x target: pairs / disagreements / unknown / luck")
    print("%-8s" % "" + "".join("%22s" % key for key in keys))
    for writer in keys:
        print("%-8s" % writer + "".join("%22s" % cell_text(matrix.get(writer, {}).get(key)) for key in keys))
    print("\nby serializer")
    for name, counter in sorted(by_serializer.items()):
        print("  %-22s %s" % (name, dict(counter)))
    print("\nby target")
    for name, counter in sorted(by_target.items()):
        print("  %-34s %s" % (name, dict(counter)))
    print("\nunknown because")
    for why, count in unknowns.most_common(run.options.list):
        print("%7d  %s   e.g. %s" % (count, why, examples[why]))
    print("\n%d disagreements" % len(disagreements))
    groups = collections.OrderedDict()
    for one in disagreements:
        groups.setdefault((one["kind"], one["text"][:60] if one["outcome"] != "ok" else "", one["said"][:80], one["case"]), []).append(one)
    for key, part in sorted(groups.items(), key=lambda item: -len(item[1]))[:run.options.list]:
        one = part[0]
        print("%6d  %s  %s  p%s  %s -> %s (%s)  %s: %s | expected %s | said %s\n        %s" %
              (len(part), key[0], one["case"], one["protocol"], one["writer"], one["target"], one["loader"], one["outcome"], one["text"][:110],
               one["expected"][:60], one["said"][:160], one["file"]))
    for line in run.trouble:
        print("trouble: %s" % line)


def cell_text(counter):
    if not counter:
        return "-"
    bad = sum(count for kind, count in counter.items() if kind.isupper() or kind.startswith(("FALSE", "WRONG")))
    return "%d/%d/%d/%d" % (sum(counter.values()), bad, counter["unknown"], counter["luck"])
