#!/usr/bin/env python3
"""`make truth`: what picklesight says of payloads on targets, beside what really happens there. See README.md."""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import environments  # noqa: E402
import judge  # noqa: E402

SKLEARN = ",".join("sklearn." + part for part in ("linear_model", "preprocessing", "tree", "ensemble", "pipeline", "cluster",
                                                  "svm", "neighbors"))
WARM = ("sklearn", "pandas", "numpy", "dill", "cloudpickle")


def run_inside(python, files, call, arguments, cwd, more_path=None):
    """Executes files of this folder in one dict of an interpreter whose `__main__` stays empty."""
    # eval of a compiled module runs it, and binds nothing outside g
    code = ("(lambda g: [[eval(compile(open(p, 'rb').read(), p, 'exec'), g) for p in %r], eval(%r, g)])"
            "({'__name__': 'truth', 'arguments': %r})" % ([os.path.join(HERE, name) for name in files], call, arguments))
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    environment.update(PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="0", OMP_NUM_THREADS="1",
                       OPENBLAS_NUM_THREADS="1", PYTHONWARNINGS="ignore")
    if more_path:
        environment["PYTHONPATH"] = more_path
    return subprocess.run([python, "-c", code], cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, check=False)


class Environment(object):
    def __init__(self, key, name, python, specs):
        self.key, self.name, self.python, self.specs = key, name, python, specs
        self.label = key + "/" + name
        self.serializers = ["pickle"] if name == "bare" else []
        if "numpy" in name:
            self.serializers = ["pickle", "cloudpickle"]
        elif name != "bare":
            self.serializers = [name.split("-")[0]]


class Run(object):
    def __init__(self, options):
        self.options = options
        self.cache = os.path.abspath(options.cache)
        self.work = os.path.join(self.cache, ("quick-" if options.quick else "run-") + options.cases)
        self.empty = os.path.join(self.cache, "empty")
        self.trouble = []
        for folder in (self.work, self.empty):
            os.makedirs(folder, exist_ok=True)
        self.tool = os.path.join(self.work, "picklesight")  # a copy: the tree may be built again meanwhile
        shutil.copy(options.tool, self.tool)
        self.not_own = collections.Counter()
        self.pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
        self.started = time.time()

    def say(self, text):
        print("%5.0fs  %s" % (time.time() - self.started, text), file=sys.stderr, flush=True)

    # ---- environments, payloads, fingerprints

    def find_quick(self):
        """The interpreters as they are: nothing is installed for them."""
        here = environments.interpreters()
        self.environments = []
        for key in environments.KEYS:
            if key not in here:
                self.trouble.append("left out: %s: no such interpreter" % key)
                continue
            env = Environment(key, "bare", here[key], [])
            for name in ("cloudpickle", "dill"):
                if not subprocess.run([here[key], "-c", "import " + name], cwd=self.empty, check=False,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
                    env.serializers.append(name)
            self.environments.append(env)
        if not any(len(env.serializers) > 1 for env in self.environments):
            self.trouble.append("left out: cloudpickle: no interpreter has it")

    def find(self):
        here = environments.interpreters()
        maker = environments.Maker(self.cache, not self.options.no_pip)
        self.environments = []
        for key, name, specs in environments.rows():
            if self.options.only and key not in self.options.only.split(","):
                continue
            python = maker.make(key, here[key], name, specs) if key in here else None
            if python:
                self.environments.append(Environment(key, name, python, specs))
            else:
                self.trouble.append("left out: %s/%s: %s" % (key, name, "not to be had" if key in here else
                                                            "no such interpreter"))
        self.trouble += maker.trouble

    def write_one(self, env):
        folder = os.path.join(self.work, "payloads", env.key, env.name)
        index = os.path.join(folder, "index.jsonl")
        if os.path.exists(index) and not self.options.fresh:
            return
        os.makedirs(folder, exist_ok=True)
        needs = "bool(c['needs'])" if "numpy" in env.name else "not c['needs']"
        if self.options.quick:
            needs += " and c['number'] %% %d == %d" % (self.options.every, int(self.options.seed) % self.options.every)
        done = run_inside(env.python, ["common.py", "kinds.py", self.options.cases + ".py", "writer.py"],
                          "produce(arguments, [c for c in CASES if %s])" % needs,
                          [",".join(env.serializers), folder, index + ".new"], self.empty,
                          os.path.join(HERE, "only_here"))
        if done.returncode:
            self.trouble.append("%s: the writer ended: %s" % (env.label, done.stdout.strip()[-300:]))
        else:
            os.rename(index + ".new", index)

    def write(self):
        list(self.pool.map(self.write_one, self.environments))
        self.payloads, self.not_written = [], collections.Counter()
        for env in self.environments:
            index = os.path.join(self.work, "payloads", env.key, env.name, "index.jsonl")
            for line in open(index) if os.path.exists(index) else []:
                row = json.loads(line)
                if "trouble" in row:
                    self.not_written[row["serializer"] + ": " + row["trouble"].split(" ")[0]] += 1
                    continue
                if self.share_of("%s %s %s" % (env.label, row["case"], row["protocol"])) >= self.options.keep:
                    continue
                with open(row["file"], "rb") as stream:
                    data = stream.read()
                row["writer"], row["id"] = env, len(self.payloads)
                row["warm"] = next((name for name in WARM if name.encode() in data), "")
                row["size"] = len(data)
                self.payloads.append(row)

    def asked(self):
        """A report with what all payloads ask for, for `capture --for`."""
        names, modules = set(), {"by_reference": set(), "when_run": set()}
        for start in range(0, len(self.payloads), 2000):
            paths = "\0".join(row["file"] for row in self.payloads[start:start + 2000])
            done = subprocess.run([self.tool, "facts", "--format", "jsonl", "--files0-from", "-"], input=paths.encode(),
                                  stdout=subprocess.PIPE, check=False)
            for line in done.stdout.splitlines():
                one = json.loads(line)
                for entry in one.get("globals", []):
                    for spelling in (entry, entry.get("spelled")):
                        if spelling:
                            names.add((spelling["module"], spelling["name"]))
                for kind in modules:
                    modules[kind].update(one.get("modules", {}).get(kind, []))
        # of the standard library the tables have the names of modules; what is in classes is asked for
        names = set((module, name) for module, name in names
                    if "." in name or module.split(".")[0] not in sys.stdlib_module_names)
        path = os.path.join(self.work, "asked.json")
        with open(path, "w") as out:
            json.dump({"schema": "picklesight-report/1", "payloads": [{
                "globals": [{"module": module, "name": name} for module, name in sorted(names)],
                "modules": {kind: sorted(modules[kind]) for kind in modules}}]}, out)
        return path

    def capture_one(self, env):
        """Three fingerprints: of what the payloads ask for; of everything, asked for nothing; the first with an open
        `__main__`."""
        base = os.path.join(self.work, "fingerprint-%s-%s" % (env.key, env.name))
        env.fingerprint, env.plain_fingerprint, env.open_fingerprint = (base + end + ".json" for end in ("", "-plain", "-open"))
        if os.path.exists(env.open_fingerprint) and self.options.recheck:
            return
        for path, more in ((env.fingerprint, ["--for", self.asked_report]), (env.plain_fingerprint, [])):
            done = subprocess.run([self.tool, "capture", "--python", env.python, "--main", "closed", "--output", path] + more,
                                  cwd=self.empty, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            if done.returncode:
                self.trouble.append("%s: no fingerprint: %s" % (env.label, done.stdout[-300:]))
                env.fingerprint = None
                return
        with open(env.fingerprint) as stream:
            document = json.load(stream)
        document["main"]["open"] = True
        with open(env.open_fingerprint, "w") as out:
            json.dump(document, out)

    def capture(self):
        self.asked_report = self.asked()
        list(self.pool.map(self.capture_one, self.environments))
        self.environments = [env for env in self.environments if env.fingerprint]

    # ---- pairs

    def chosen(self, row, env):
        """A payload goes to its own environment, and to a share of the others that the seed decides."""
        if row["writer"] is env:
            return True
        share = self.options.near if row["writer"].key == env.key else self.options.share
        return self.share_of("%s %s %s %s" % (row["writer"].label, row["case"], row["protocol"], env.label)) < share

    def share_of(self, text):
        """A number from 0 to 1 that the seed and the text decide."""
        return int(hashlib.md5((self.options.seed + " " + text).encode()).hexdigest()[:8], 16) / 2.0 ** 32

    def pairs(self):
        """{(environment, loader): [payload]}"""
        self.plan = collections.OrderedDict()
        for env in self.environments:
            for row in self.payloads:
                if not self.chosen(row, env):
                    continue
                self.plan.setdefault((env, "pickle"), []).append(row)
                if row["serializer"] == "dill" and env.name.startswith("dill"):
                    self.plan.setdefault((env, "dill"), []).append(row)
        return sum(len(rows) for rows in self.plan.values())

    def really_one(self, group):
        env, loader, warm, rows = group
        name = os.path.join(self.work, "jobs-%s-%s-%s-%s" % (env.key, env.name, loader, warm or "cold"))
        with open(name, "w") as out:
            for row in rows:
                out.write(json.dumps({"id": row["id"], "path": row["file"], "use": row["use"], "loader": loader,
                                      "buffers": row.get("buffers")}) + "\n")
        warmers = {"sklearn": "numpy,pandas," + SKLEARN, "pandas": "numpy,pandas"}.get(warm, warm)
        if loader == "dill":
            warmers = "dill"
        done = run_inside(env.python, ["common.py", "target.py"], "serve(arguments)", [name, name + ".out", warmers],
                          self.empty)
        found = {}
        if done.returncode:
            self.trouble.append("%s: the target ended: %s" % (env.label, done.stdout.strip()[-300:]))
        for line in open(name + ".out"):
            one = json.loads(line)
            found[one["id"]] = (one["outcome"], one["text"])
        return env, loader, found

    def really(self):
        groups = []
        for (env, loader), rows in self.plan.items():
            by_warm = collections.OrderedDict()
            for row in rows:
                by_warm.setdefault(row["warm"] if env.name != "bare" else "", []).append(row)
            groups += [(env, loader, warm, part) for warm, part in by_warm.items()]
        groups.sort(key=lambda group: -len(group[3]))
        self.reality = {}
        for env, loader, found in self.pool.map(self.really_one, groups):
            self.reality.setdefault((env, loader), {}).update(found)

    # ---- verdicts

    def check_group(self, env, loader, rows, fingerprint, options):
        found = {}
        for start in range(0, len(rows), 2000):
            part = rows[start:start + 2000]
            names = "\0".join(row["file"] for row in part)
            command = [self.tool, "check", "--against", fingerprint, "--format", "jsonl", "--files0-from", "-"] + options
            if loader != "pickle":
                command += ["--loader", loader]
            done = subprocess.run(command, input=names.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            by_path = {}
            for line in done.stdout.splitlines():
                one = json.loads(line)
                if "path" in one and one.get("results"):
                    by_path[one["path"]] = one
            for row in part:
                if row["file"] in by_path:
                    found[row["id"]] = judge.Said(by_path[row["file"]])
                else:
                    self.trouble.append("%s: no verdict on %s" % (env.label, row["file"]))
        return found

    def check_one(self, target):
        """What is said with each of the three fingerprints."""
        env, loader = target
        rows = self.plan[target]
        found = [{}, {}, {}]
        for count in sorted(set(row.get("buffer_count", -1) for row in rows)):
            part = [row for row in rows if row.get("buffer_count", -1) == count]
            options = ["--buffers", str(count)] if count >= 0 else []
            for said, fingerprint in zip(found, (env.fingerprint, env.plain_fingerprint, env.open_fingerprint)):
                said.update(self.check_group(env, loader, part, fingerprint, options))
        return target, found

    def check(self):
        self.said = dict(self.pool.map(self.check_one, list(self.plan)))


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", default="build/picklesight")
    parser.add_argument("--cache", default="build/truth")
    parser.add_argument("--cases", default="cases")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--share", type=float, default=0.1, help="of other interpreters' payloads, for each target")
    parser.add_argument("--keep", type=float, default=1.0, help="of the payloads")
    parser.add_argument("--near", type=float, default=0.25, help="the same, of the same interpreter")
    parser.add_argument("--only", help="interpreters, by commas")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=24, help="with --quick: one case in so many")
    parser.add_argument("--no-pip", action="store_true", help="only environments without distributions, or made before")
    parser.add_argument("--quick", action="store_true", help="a part of the cases, over the interpreters as they are")
    parser.add_argument("--fresh", action="store_true", help="write the payloads anew")
    parser.add_argument("--recheck", action="store_true", help="use what really happened in the last run")
    parser.add_argument("--list", type=int, default=40, help="how many disagreements to print")
    return parser.parse_args()


def main():
    options = parse()
    run = Run(options)
    if options.quick:
        options.fresh = True
        run.find_quick()
    else:
        run.find()
    run.say("%d environments" % len(run.environments))
    run.write()
    run.say("%d payloads" % len(run.payloads))
    run.capture()
    run.say("fingerprints")
    run.say("%d pairs" % run.pairs())
    kept = os.path.join(run.work, "reality.json")
    if options.recheck:
        by_label = {env.label: env for env in run.environments}
        run.reality = {}
        for label, loader, found in json.load(open(kept)):
            run.reality[by_label[label], loader] = {int(key): tuple(value) for key, value in found.items()}
    else:
        run.really()
        with open(kept, "w") as out:
            json.dump([[env.label, loader, found] for (env, loader), found in run.reality.items()], out)
    run.say("really loaded")
    run.check()
    run.say("checked")
    return judge.report(run)


if __name__ == "__main__":
    sys.exit(main())
