#!/usr/bin/env python3
"""Which forms of standard library objects (src/facts/forms.c) each Python takes: writes src/facts/forms.def, or checks it.

    python3 tests/truth/forms.py --cache build/truth --dump build/forms/dump [--check]

Every interpreter of environments.py writes the objects of forms_cases.py in every protocol, and loads what the others
wrote. An opcode that fails says that its form is refused; an object that loads and does not answer as its writer's, where
the target makes one that does, says that the form that came last is not understood there; if it lacks an attribute, that is
left open, for other uses may do. Where the same form did both, nothing
is said. Python 3.14 and 3.15 are taken to be as 3.13."""
import argparse
import collections
import concurrent.futures
import json
import os
import re
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
    try:
        return [at for code, _, at in pickletools.genops(data) if code.name in ACTS]
    except ValueError:  # Python 2's strings of bytes
        return None


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
            if self.options.fresh and os.path.exists(index):
                os.unlink(index)
            done = [json.loads(line)["number"] for line in open(index)] if os.path.exists(index) else []
            inside(python, "write_forms(*arguments)", [folder, index, ["pickle", "dill"], done])
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
        self.all_paths, self.paths = self.paths, chosen

    def load(self):
        self.answers = {}
        def one(item):
            key, python = item
            name = os.path.join(self.work, "jobs-" + key)
            if self.options.fresh and os.path.exists(name + ".out"):
                os.unlink(name + ".out")
            done = set(json.loads(line)[0] for line in open(name + ".out")) if os.path.exists(name + ".out") else ()
            jobs = [(path, number) for path, (_, number) in self.paths.items() if path not in done]
            if jobs:
                with open(name, "w") as out:
                    for job in jobs:
                        out.write(json.dumps(job) + "\n")
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

    def own(self):
        """{version: forms that it writes and reads itself}: it takes those, whatever else they were part of."""
        found = collections.defaultdict(set)
        for path, (key, _) in self.all_paths.items():
            found[key].update(self.found[path].values())
        return found

    def judge(self):
        """{form: {version: {"ok", "load", "run" or "open": what met it}}}"""
        self.verdicts = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
        for path, (writer, number) in self.paths.items():
            offsets = acts_of(path)
            if offsets is None:
                continue
            rows = [self.found[path].get(at) for at in offsets]
            own = self.answers.get((writer, path), ([], 0))[0]
            if "R " + str(self.expected[writer, number]) not in own:  # its own writer does not read it
                continue
            for key in self.python:
                self.judge_one(key, path, writer, number, rows)
        for key, rows in self.own().items():
            for row in rows:
                if row in self.verdicts and key in self.verdicts[row]:
                    self.verdicts[row][key]["ok"].append(("its own", []))

    def judge_one(self, key, path, writer, number, rows):
        said = self.answers.get((key, path), ([], 1))[0]
        acts = [line for line in said if line.startswith("A ")]
        native = self.expected.get((key, number))
        if "L" not in said:
            if not acts:  # the unpickler in C alone refuses it
                return
            last, text = int(acts[0].split(" ")[1]), acts[0].split(" ", 2)[2]
            for row in rows[:max(last - 1, 0)]:
                self.add(row, key, "ok", (path, said))
            if last and not NAMES.search(text) and not OLD_STYLE.search(text):
                self.add(rows[last - 1], key, "load", (path, said))
            return
        if acts:
            return
        right = "R " + str(self.expected[writer, number]) in said
        empty = self.expected[writer, number] in ("[]", "0")  # what is lost as well as what is kept
        for row in rows if right and not empty else rows[:-1]:
            self.add(row, key, "ok", (path, said))
        if not right and rows and native == self.expected[writer, number]:
            raised = any(line.startswith("U AttributeError") for line in said)  # what else it has may do
            self.add(rows[-1], key, "open" if raised else "run", (path, said))

    def add(self, row, key, what, note):
        if row:
            self.verdicts[row][key][what].append(note)

    # ---- rows

    def masks(self, row):
        """Versions that refuse this form, by what happens; mixed experience says nothing."""
        load = run = some = 0
        for key, what in self.verdicts.get(row, {}).items():
            bits = 1 << VERSIONS.index(key)
            if key == "cp313":
                bits |= 3 << VERSIONS.index("cp314")
            if sorted(what) == ["ok", "run"] and not any(note[0] == "its own" for note in what["ok"]):
                some |= bits  # it depends on more than kinds
            if "ok" not in what and len(what) == 1:
                load |= bits if "load" in what else 0
                run |= bits if "run" in what else 0
                some |= bits if "open" in what else 0
        return load, run, some

    def rows(self):
        """[(module, name, form, load, run, open, [(state, load, run, open)])]"""
        names = collections.defaultdict(lambda: collections.defaultdict(dict))
        for module, name, form, state in self.verdicts:
            if not LEFT_OUT.match(module + "." + name):
                load, run, some = self.masks((module, name, form, state))
                if module == "_operator" and load:  # operator's, under Python 2: the same constructors
                    load |= 1
                names[module, name][form][state] = load, run, some
        rows = []
        for (module, name), forms in sorted(names.items()):
            if any(mask != NOTHING for states in forms.values() for mask in states.values()):
                rows += [(module, name) + row for row in merged(forms, module == "itertools")]
        return sorted(rows, key=lambda row: (not any(one[:2] == row[:2] and one[6] for one in rows), row[:2]))

    def text(self):
        lines, states = [], []
        rows = self.rows()
        for at, (module, name, form, load, run, some, more) in enumerate(rows):
            assert at < 254 or not more, "a form with states has a number of 8 bits"
            lines.append('FORM_NEW("%s", "%s", "%s", %d, %d, 0x%03x, 0x%03x, 0x%03x)' % (module, name, form, len(states), len(more), load, run, some))
            states += ['FORM_STATE("%s", "%s", "%s", 0x%03x, 0x%03x, 0x%03x)' % ((module, name) + state) for state in more]
        return HEAD + "\n".join(lines + states) + "\n"


NOTHING = (0, 0, 0)
HEAD = """/* facts/forms.def - made by tests/truth/forms.py. Do not edit. What forms mean: forms.c. Masks: bits of match/versions.def.
 * FORM_NEW(module, name, form, first row of its states, how many, versions in which the load fails, in which
 *   another object than was written is loaded, in which it lacks some attributes)
 * FORM_STATE(module, name, form, the same three): a state of an object that was made in the form that points here */
"""
# a name that is not there is another matter than a form
NAMES = re.compile(r"'module' object has no attribute|module '.*' has no attribute|No module named|cannot import|Can't get|attribute lookup")
# USE_OLD of uses.def
OLD_STYLE = re.compile(r"\(classobj\)|class \w+ has no attribute '__new__'")
# functions that give what another one makes of its arguments; what other tables know
LEFT_OUT = re.compile(r"dill|cloudpickle|_?ast\.|_codecs\.|re\.|_?functools\.reduce|_operator\.getitem|builtins\.(getattr|eval|type)$|"
                      r"importlib\.(_|import)|_frozen|logging\._|dis\.|sched\.|copyreg|"
                      r"_pickle_support|_contextvars")
def any_text(form):
    """s! for texts of one character; the names of classes are left as they are."""
    return re.sub(r"(:[^;]*;)|s(=.)?", lambda match: match.group(1) or "s!", form)


LEVELS = [lambda form: re.match(r"[A-Zt]", form).group() + "*" if form[:1] in "RNXOt" and len(form) > 1 else form,
          lambda form: re.match(r".\d+", form).group() + "*" if re.match(r"[RNXt]\d", form) else form,
          lambda form: form[0] + any_text(re.sub(r"t\d+(\([^()]*\))?", "t#", re.sub("s=.", "s", form[1:]))),
          lambda form: form[0] + any_text(re.sub(r"t(\d+)(\([^()]*\))?", r"t\1#", re.sub("s=.", "s", form[1:]))),
          any_text,
          lambda form: form]


def one_of(values):
    """The value that is the same in all."""
    return values[0] if all(value == values[0] for value in values) else None


def joined(values):
    """The mask that is the same in all, and the states that any has, where they say the same of each; or None."""
    states = {}
    for mask, more in values:
        for state in more:
            if mask != values[0][0] or states.setdefault(state[0], state) != state:
                return None
    if any(mask != values[0][0] for mask, _ in values):
        return None
    return values[0][0], tuple(states[state] for state in ordered(states))


def general(found, boldly, join=one_of):
    """{form: value} with forms that mean more, where all that they mean has one value."""
    done, more = {}, {}
    for level, change in enumerate(LEVELS):
        groups = collections.defaultdict(list)
        for form in found:
            groups[change(form)].append(form)
        for name, forms in groups.items():
            value = join([found[form] for form in forms])
            if any(form in done for form in forms) or value is None:
                continue
            if level < 2 and len(forms) < 2 and not boldly:
                continue
            for form in forms:
                done[form] = name
            more[name] = value
    return more


def ordered(forms):
    return sorted(forms, key=lambda form: ("*" in form, -len(form), form))


def merged(forms, boldly):
    found = {}
    for form, states in forms.items():
        more = general({state: mask for state, mask in states.items() if state}, boldly)
        tuples = [mask for state, mask in states.items() if state[:1] == "t"]
        common = (1 << len(VERSIONS)) - 1
        for load, run_bits, _ in tuples:
            common &= load | run_bits
        if boldly and tuples and common and "t*" not in more:  # refused all, in one way or another
            more["t*"] = (common, 0, 0)
        found[form] = (states.get("", NOTHING), tuple((state,) + more[state] for state in ordered(more)))
    rows = general(found, boldly, joined)
    told = {form for form in rows if any(one[1:] != NOTHING for one in rows[form][1])}
    return [(form,) + rows[form][0] + (list(rows[form][1]) if form in told else [],) for form in ordered(rows)
            if rows[form][0] != NOTHING or form in told]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cache", default="build/truth")
    parser.add_argument("--dump", default="build/forms/dump")
    parser.add_argument("--fresh", action="store_true", help="write and load anew")
    parser.add_argument("--check", action="store_true", help="compare with what is there, and write nothing")
    parser.add_argument("--why", help="module.name: print what its forms met")
    options = parser.parse_args()
    run = Forms(options)
    run.write()
    run.choose()
    print("%d payloads" % len(run.paths), file=sys.stderr)
    run.load()
    run.judge()
    if options.why:
        for row in sorted(run.verdicts):
            if ".".join(row[:2]) == options.why:
                print(row[2:], {key: {one: notes[0] for one, notes in what.items()} for key, what in run.verdicts[row].items()})
        return 0
    text = run.text()
    if options.check:
        with open(TABLE) as stream:
            same = stream.read() == text
        print("forms.def: %s" % ("as the interpreters say" if same else "differs from what the interpreters say"))
        return 0 if same else 1
    with open(TABLE, "w") as out:
        out.write(text)
    return 0


TABLE = os.path.join(HERE, "..", "..", "src", "facts", "forms.def")


if __name__ == "__main__":
    sys.exit(main())
