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
        if said.parse == "fails":  # load and run are then what the prefix shows
            return ("agrees: fails", False) if not real_load else ("WRONG PHASE: says it is not read", True)
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


def own_trouble(row, own):
    """Why a payload proves nothing: its own writer, reading it again, does not get what was written. Names of
    `__main__` are an exception: that they are missing is the point."""
    if own[0] != "ok":
        if row["serializer"] == "pickle" and own[0] == "load" and "__main__" in own[1]:
            return None
        return "its own writer cannot use it (%s)" % row["serializer"]
    return "its own writer gets another result" if own[1] != row["expected"] else None


class Counts(object):
    """Of the pairs under one kind of fingerprint."""

    def __init__(self):
        self.total, self.kinds, self.matrix = 0, collections.Counter(), {}
        self.by_target = collections.defaultdict(collections.Counter)
        self.by_serializer = collections.defaultdict(collections.Counter)
        self.disagreements, self.unknowns, self.examples = [], collections.Counter(), {}

    def add(self, env, loader, row, said, real):
        outcome, text = real
        kind, bad = judge(said, outcome, outcome == "ok" and text != row["expected"])
        short = kind.split(":")[0]
        self.total += 1
        self.kinds[kind] += 1
        self.by_target[env.label + (" (dill.loads)" if loader == "dill" else "")][short] += 1
        self.by_serializer[row["serializer"] + (" " + row["writer"].name if "-" in row["writer"].name else "")][short] += 1
        self.matrix.setdefault(row["writer"].key, {}).setdefault(env.key, collections.Counter())[short] += 1
        if bad:
            self.disagreements.append({
                "kind": kind, "case": row["case"], "protocol": row["protocol"], "writer": row["writer"].label, "target": env.label,
                "loader": loader, "file": row["file"], "outcome": outcome, "text": text, "expected": row["expected"],
                "said": said.why(), "load": said.load, "run": said.run})
        if said.is_unknown():
            key = (said.why() or "nothing")[:160]
            self.unknowns[key] += 1
            self.examples.setdefault(key, (row["case"], row["writer"].label, env.label, outcome, row["file"]))

    def unknown(self):
        return "%d of %d (%.2f %%)" % (sum(self.unknowns.values()), self.total, 100.0 * sum(self.unknowns.values()) / max(self.total, 1))


def report(run):
    counts, filtered = [Counts(), Counts(), Counts()], collections.Counter()
    for (env, loader), rows in run.plan.items():
        for row in rows:
            said = [one.get(row["id"]) for one in run.said[env, loader]]
            real = run.reality[env, loader].get(row["id"])
            own = run.reality.get((row["writer"], "dill" if row["serializer"] == "dill" else "pickle"), {}).get(row["id"])
            if None in said or real is None or own is None:
                filtered["no answer"] += 1
                continue
            trouble = own_trouble(row, own)
            if trouble:
                filtered[trouble] += 1
                run.not_own["%s %s: %s" % (row["case"], row["writer"].label, own[1][:80])] += 1
                continue
            for count, one in zip(counts, said):
                count.add(env, loader, row, one, real)
    if run.options.quick:
        return show_quick(run, counts[0], filtered)
    show(run, counts, filtered)
    with open(os.path.join(run.work, "disagreements.jsonl"), "w") as out:
        for count, name in zip(counts, ("asked", "plain", "open")):
            for one in count.disagreements:
                out.write(json.dumps(dict(one, fingerprint=name)) + "\n")
    with open(os.path.join(run.work, "filtered.txt"), "w") as out:
        for key, count in run.not_own.most_common():
            out.write("%d %s\n" % (count, key))
    bad = counts[0].disagreements or counts[1].disagreements
    return 1 if bad or sum(counts[0].unknowns.values()) > 0.01 * counts[0].total else 0


def show(run, counts, filtered):
    first, plain, opened = counts
    keys = list(collections.OrderedDict.fromkeys(env.key for env in run.environments))
    print("pairs: %d; payloads: %d; interpreters: %d; targets: %d" % (first.total, len(run.payloads), len(keys), len(run.plan)))
    for kind, count in sorted(first.kinds.items()):
        print("%9d  %s" % (count, kind))
    print("unknown: %s" % first.unknown())
    print("unknown with __main__ open: %s" % opened.unknown())
    print("unknown with a fingerprint that was asked for nothing: %s" % plain.unknown())
    print("filtered: %d" % sum(filtered.values()))
    for why, count in filtered.most_common():
        print("%9d  %s" % (count, why))
    print("not written: %s" % dict(run.not_written))
    print("\nwriter x target: pairs / disagreements / unknown / luck")
    print("%-8s" % "" + "".join("%17s" % key for key in keys))
    for writer in keys:
        print("%-8s" % writer + "".join("%17s" % cell_text(first.matrix.get(writer, {}).get(key)) for key in keys))
    print("\nby serializer")
    for name, counter in sorted(first.by_serializer.items()):
        print("  %-32s %s" % (name, dict(counter)))
    print("\nby target")
    for name, counter in sorted(first.by_target.items()):
        print("  %-34s %s" % (name, dict(counter)))
    show_unknown("unknown", first, run.options.list)
    show_unknown("unknown, asked for nothing", plain, run.options.list)
    show_disagreements("disagreements", first, run.options.list)
    show_disagreements("disagreements, asked for nothing", plain, run.options.list)
    for line in run.trouble:
        print("trouble: %s" % line)


def show_quick(run, counts, filtered):
    for line in run.trouble:
        print("truth: %s" % line)
    show_disagreements("disagreements", counts, run.options.list)
    print("truth: unknown %s; filtered %d; luck %d" %
          (counts.unknown(), sum(filtered.values()), sum(n for kind, n in counts.kinds.items() if kind.startswith("luck"))))
    print("%d passed, %d failed" % (counts.total - len(counts.disagreements), len(counts.disagreements)))
    return 1 if counts.disagreements or not counts.total else 0


def show_unknown(title, counts, most):
    print("\n%s: %d, because" % (title, sum(counts.unknowns.values())))
    for why, count in counts.unknowns.most_common(most):
        print("%7d  %s   e.g. %s" % (count, why, counts.examples[why]))


def show_disagreements(title, counts, most):
    print("\n%d %s" % (len(counts.disagreements), title))
    groups = collections.OrderedDict()
    for one in counts.disagreements:
        key = (one["kind"], one["text"][:60] if one["outcome"] != "ok" else "", one["said"][:80], one["case"])
        groups.setdefault(key, []).append(one)
    for key, part in sorted(groups.items(), key=lambda item: -len(item[1]))[:most]:
        one = part[0]
        print("%6d  %s  %s  p%s  %s -> %s (%s)  %s: %s | expected %s | said %s\n        %s" %
              (len(part), key[0], one["case"], one["protocol"], one["writer"], one["target"], one["loader"], one["outcome"],
               one["text"][:110], one["expected"][:60], one["said"][:160], one["file"]))


def cell_text(counter):
    if not counter:
        return "-"
    bad = sum(count for kind, count in counter.items() if kind.startswith(("FALSE", "WRONG")))
    return "%d/%d/%d/%d" % (sum(counter.values()), bad, counter["unknown"], counter["luck"])
