#!/usr/bin/env python3
"""Which forms of standard library objects (src/facts/forms.c) each Python takes: writes src/facts/forms.def, or checks it.

    python3 tests/truth/forms.py --cache build/truth --dump build/forms/dump [--check]

Every interpreter of environments.py writes the objects of forms_cases.py in every protocol, and loads what the others
wrote. An opcode that fails says that its form is refused; an object that loads and does not answer as its writer's, where
the target makes one that does, says that the form that came last is of no use there. Where the same form did both, nothing
is said. Python 3.14 and 3.15 are taken to be as 3.13."""
import argparse
import collections
import concurrent.futures
import json
import os
import pickletools
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import environments  # noqa: E402
import harness  # noqa: E402

VERSIONS = ["cp27", "cp36", "cp37", "cp38", "cp39", "cp310", "cp311", "cp312", "cp313", "cp314", "cp315", "pypy39"]
DILL = {"cp27": "dill-0.3.4", "cp36": "dill-0.3.4", "cp37": "dill-0.3.7", "cp38": "dill-0.3.6", "cp39": "dill-0.4.0", "cp310": "dill-0.3.8",
        "cp311": "dill-0.4.1", "cp312": "dill-0.4.0", "cp313": "dill-0.4.1", "pypy39": "dill-0.3.6"}
ACTS = ("REDUCE", "NEWOBJ", "NEWOBJ_EX", "OBJ", "INST", "BUILD")


def inside(python, call, arguments):
    done = harness.run_inside(python, ["common.py", "forms_cases.py", "forms_inside.py"], call, arguments, "/")
    if done.returncode:
        print(done.stdout[-2000:], file=sys.stderr)


def acts_of(path):
    with open(path, "rb") as stream:
        data = stream.read()
    return [at for code, _, at in pickletools.genops(data) if code.name in ACTS]


class Forms(object):
    def __init__(self, options):
        self.options = options
        self.work = os.path.join(os.path.abspath(options.cache), "forms")
        os.makedirs(self.work, exist_ok=True)
        here = environments.interpreters()
        maker = environments.Maker(os.path.abspath(options.cache))
        self.python = {key: maker.make(key, here[key], DILL[key], [DILL[key].replace("-", "==")]) for key in VERSIONS if key in here}

    def write(self):
        self.expected, self.paths = {}, {}
        for key, python in self.python.items():
            folder = os.path.join(self.work, key)
            index = os.path.join(folder, "index.jsonl")
            os.makedirs(folder, exist_ok=True)
            if not os.path.exists(index) or self.options.fresh:
                inside(python, "write_forms(*arguments)", [folder, index, ["pickle", "dill"]])
            for line in open(index):
                row = json.loads(line)
                self.expected[key, row["number"]] = row["expected"]
                for path in row["paths"]:
                    self.paths[path] = (key, row["number"])

    def choose(self):
        """One payload of those that write one object in the same forms, seen by one kind of interpreter."""
        self.found, seen, chosen = self.forms(), set(), {}
        for path, (key, number) in self.paths.items():
            rows = self.found[path]
            try:
                spelled = "_p0" in path or "_p1" in path or "_p2" in path  # Python 2 can read it
                what = (number, spelled, tuple(rows[at] for at in sorted(rows)), self.expected[key, number])
            except KeyError:
                continue
            if rows and what not in seen:
                seen.add(what)
                chosen[path] = (key, number)
        self.paths = chosen

    def load(self):
        self.answers = {}
        def one(item):
            key, python = item
            name = os.path.join(self.work, "jobs-" + key)
            if not os.path.exists(name + ".out") or self.options.fresh:
                with open(name, "w") as out:
                    for path, (_, number) in self.paths.items():
                        out.write(json.dumps([path, number]) + "\n")
                inside(python, "load_forms(*arguments)", [name, name + ".out"])
            for line in open(name + ".out"):
                path, _, said, crash = json.loads(line)
                self.answers[key, path] = (said, crash)
        list(concurrent.futures.ThreadPoolExecutor(2).map(one, self.python.items()))

    def forms(self):
        """{path: {offset: (module, name, form, state)}}"""
        done = subprocess.run([self.options.dump], input="\n".join(self.paths) + "\n", stdout=subprocess.PIPE, universal_newlines=True,
                              check=True)
        found = collections.defaultdict(dict)
        for line in done.stdout.splitlines():
            path, offset, module, name, form, state = line.split("\t")
            found[path][int(offset)] = (module, name, form, state)
        return found

    def judge(self):
        """{form: {version: set of "ok", "load", "run"}}"""
        self.verdicts = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
        forms = self.found
        for path, (writer, number) in self.paths.items():
            offsets = acts_of(path)
            rows = [forms[path].get(at) for at in offsets]
            own = self.answers.get((writer, path), ([], 0))[0]
            if "R " + str(self.expected[writer, number]) not in own:  # its own writer does not read it
                continue
            for key in self.python:
                self.judge_one(key, path, writer, number, rows)

    def judge_one(self, key, path, writer, number, rows):
        said, crash = self.answers.get((key, path), ([], 1))
        acts = [line for line in said if line.startswith("A ")]
        loaded = "L" in said
        note = (path, said)
        if not loaded:
            if not acts:  # the unpickler in C alone refuses it
                return
            last = int(acts[0].split(" ")[1])
            text = acts[0].split(" ", 2)[2]
            for row in rows[:max(last - 1, 0)]:
                self.add(row, key, "ok", note)
            if last and not any(word in text for word in ("import", "No module", "attribute lookup", "Can't get", "has no attribute") if "__setstate__" not in text):
                self.add(rows[last - 1], key, "load", note)
            elif last and "object has no attribute" in text:
                self.add(rows[last - 1], key, "load", note)
            return
        if acts:
            return
        right = "R " + str(self.expected[writer, number]) in said
        native = self.expected.get((key, number))
        if right:
            for row in rows:
                self.add(row, key, "ok", note)
            return
        for row in rows[:-1]:
            self.add(row, key, "ok", note)
        if rows and native == self.expected[writer, number]:
            self.add(rows[-1], key, "run", note)

    def add(self, row, key, what, note):
        if row:
            self.verdicts[row][key][what].append(note)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cache", default="build/truth")
    parser.add_argument("--dump", default="build/forms/dump")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    run = Forms(options)
    run.write()
    run.choose()
    print('%d payloads' % len(run.paths), file=sys.stderr)
    run.load()
    run.judge()
    for row, by_key in sorted(run.verdicts.items()):
        bad = {key: sorted(what) for key, what in by_key.items() if set(what) != {"ok"}}
        if bad:
            print(row, {key: "+".join(what) for key, what in bad.items()}, "|", [key for key in by_key if key not in bad])
            for key, what in list(bad.items())[:2]:
                for one in what:
                    if one != "ok":
                        print("      ", key, by_key[key][one][0])


if __name__ == "__main__":
    main()
