"""Interpreters that are here, and throw-away environments over them.

An environment is a virtual environment without pip and a .pth file that names folders of distributions, which
are shared where they are pure Python. Everything lies under one cache folder and is kept between runs."""
from __future__ import print_function

import glob
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KEYS = ["cp27"] + ["cp3%d" % minor for minor in range(6, 16)] + ["sys311", "pypy39"]
COMPILED = ("numpy", "pandas", "scikit-learn", "scipy")


def interpreters():
    """{"cp311": path}: the newest of each CPython under ~/.pyenv or on PATH, PyPy, the system's Python."""
    found = {}
    wanted = [("cp27", "2.7")] + [("cp3%d" % minor, "3.%d" % minor) for minor in range(6, 16)]
    for key, version in wanted:
        under = sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/%s.*/bin/python" % version)))
        on_path = shutil.which("python" + version)
        for path in under[::-1] + [on_path]:
            if path and answers(path, "cpython-" + version):
                found[key] = path
                break
    pypy = shutil.which("pypy3")
    if pypy and answers(pypy, "pypy-3.9"):
        found["pypy39"] = pypy
    system = "/usr/bin/python3"
    if os.path.exists(system):
        found["sys" + ask(system).split("-")[1].replace(".", "")] = system
    return found


def ask(path):
    code = ("import platform, sys; "
            "print('%s-%d.%d' % ((platform.python_implementation().lower(),) + tuple(sys.version_info[:2])))")
    try:
        return subprocess.run([path, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                              cwd="/", universal_newlines=True).stdout.strip()
    except OSError:
        return ""


def answers(path, name):
    return ask(path) == name


def rows():
    with open(os.path.join(HERE, "environments.tsv")) as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                parts = line.rstrip("\n").split("\t") + [""]
                yield parts[0], parts[1], parts[2].split()


class Maker(object):
    def __init__(self, cache, pip=True):
        self.cache, self.pip = cache, pip
        self.tool = None
        self.trouble = []

    def run(self, command, **more):
        return subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, **more)

    def installer(self):
        if not self.tool:
            folder = os.path.join(self.cache, "tool")
            python = os.path.join(folder, "bin", "python")
            if not os.path.exists(python):
                self.run([sys.executable, "-m", "venv", folder])
                self.run([python, "-m", "pip", "install", "-q", "virtualenv==20.15.1", "setuptools<80", "wheel"])
            self.tool = python
        return self.tool

    def library(self, spec, key, together):
        """The folder that holds a distribution; None: it cannot be had."""
        binary = any(one.split("==")[0] in COMPILED for one in together)
        folder = os.path.join(self.cache, "lib", "+".join(together) + ("-" + key if binary else ""))
        if os.path.exists(os.path.join(folder, ".done")):
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        command = [self.installer(), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile",
                   "--target", folder]
        if binary:
            version = key[2] + "." + key[3:] + ".20"  # one that every micro release before it would do for
            command += ["--only-binary=:all:", "--implementation", "cp", "--python-version", version]
            for platform in ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64",
                             "manylinux2010_x86_64", "manylinux1_x86_64"):
                command += ["--platform", platform]
            abi = {"cp27": "cp27mu", "cp36": "cp36m", "cp37": "cp37m"}.get(key)
            if abi:
                command += ["--abi", abi, "--abi", "abi3", "--abi", "none"]
            if any(one.startswith("scipy==") for one in together):  # pip asks its own Python, not the one named
                command += ["--ignore-requires-python"]
        else:
            command += ["--no-deps", "--ignore-requires-python"]
        done = self.run(command + list(together))
        if done.returncode:
            self.trouble.append("%s: %s: %s" % (key, " ".join(together), done.stdout.strip().splitlines()[-1:]))
            return None
        open(os.path.join(folder, ".done"), "w").close()
        return folder

    def make(self, key, path, name, specs):
        """The environment's interpreter, or None."""
        folder = os.path.join(self.cache, "env", key, name)
        python = os.path.join(folder, "bin", "python")
        stamp = os.path.join(folder, ".specs")
        text = " ".join([path] + specs)
        if os.path.exists(stamp) and open(stamp).read() == text:
            return python
        if specs and not self.pip:
            return None
        shutil.rmtree(folder, ignore_errors=True)
        if key == "cp27":
            done = self.run([self.installer(), "-m", "virtualenv", "-q", "-p", path, "--no-pip", "--no-setuptools",
                             "--no-wheel", "--no-periodic-update", folder])
        else:
            done = self.run([path, "-m", "venv", "--without-pip", folder])
        if not os.path.exists(python):
            self.trouble.append("%s/%s: %s" % (key, name, done.stdout.strip().splitlines()[-1:]))
            return None
        libraries = []
        if any(one.split("==")[0] in COMPILED for one in specs):
            libraries.append(self.library(None, key, [one for one in specs if "cloudpickle" not in one]))
            specs = [one for one in specs if "cloudpickle" in one]
        for spec in specs:
            libraries.append(self.library(spec, key, [spec]))
        if None in libraries:
            return None
        site = self.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], cwd="/").stdout.strip()
        if libraries:
            with open(os.path.join(site, "libraries.pth"), "w") as pth:
                pth.write("\n".join(os.path.abspath(one) for one in libraries) + "\n")
        with open(stamp, "w") as out:
            out.write(text)
        return python


def main():
    cache = os.path.abspath(sys.argv[1])
    maker = Maker(cache)
    here = interpreters()
    for key, name, specs in rows():
        if key not in here:
            print("%s/%s: no such interpreter" % (key, name))
        else:
            print(key, name, maker.make(key, here[key], name, specs), flush=True)
    print("\n".join(maker.trouble))


if __name__ == "__main__":
    main()
