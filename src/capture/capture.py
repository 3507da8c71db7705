# Prints a fingerprint (pickle-target/1) of the interpreter that runs this. One source for Python 2.7 and for
# 3.6 and later, CPython and others. ASCII only. What a capture asks for comes before it, as `REQUEST = {...}`
# (request.c); picklesight makes the canonical form of what it prints.
#
#   main      {"open": bool, "names": [...]}: the names that the entry script defines
#   modules   modules whose names are all to be listed
#   names     [module, name]: is it there? An empty name asks for the module alone
#   only      nothing is to be told but what was asked for
#   timeout   seconds that importing one of them may take
#   fd        where to write; -1: standard output
#   inside    in a program that embeds the interpreter: nothing is forked, nothing is imported
#
# Folders are read to learn which modules exist; nothing is imported for that. A module of the standard library
# carries "s": true, which picklesight takes away when it compares them with its table. Names that were put
# into sys.modules as the script ran are none of its business, so it imports as little as it can.
import sys

PY2 = sys.version_info[0] == 2
DROPPED = [p for p in sys.path if not p or (p == sys.path[0] and __name__ == "__main__" and globals().get("__file__"))]
if not REQUEST["inside"]:
    sys.path[:] = [p for p in sys.path if p not in DROPPED]  # the folder of the script is not the target's

import os

SKIPPED = ("__pycache__", "__main__", "test", "tests", "idle_test")  # in the standard library
NOT_ENTERED = ("idlelib", "turtledemo", "site-packages", "dist-packages", "ensurepip._bundled")
# What describes a module and is in every one, or in none, depending on how it was found.
METADATA = set("""__name__ __doc__ __package__ __loader__ __spec__ __path__ __file__ __cached__ __builtins__ __all__
    __annotations__ __warningregistry__ __annotate__ __conditional_annotations__ __annotations_cache__""".split())
MAX_NAME = 1024


def text(value):
    """As a native text, whatever bytes it holds."""
    if PY2:
        return value.decode("utf-8", "replace") if isinstance(value, str) else value
    return value


def native(value):
    return value.encode("utf-8") if PY2 and not isinstance(value, str) else value


# ---- JSON, without the module --------------------------------------------------------------------------

def quoted(value):
    parts = ['"']
    for c in text(value):
        n = ord(c)
        if c in u'"\\':
            parts.append("\\" + str(c))
        elif 32 <= n < 127:
            parts.append(str(c))
        elif n > 0xffff:
            n -= 0x10000
            parts.append("\\u%04x\\u%04x" % (0xd800 + (n >> 10), 0xdc00 + (n & 0x3ff)))
        else:
            parts.append("\\u%04x" % n)
    return "".join(parts) + '"'


def is_clean(value):
    """Not a name that no document can hold: empty, long, or with half a surrogate pair."""
    value = text(value)
    try:
        return 0 < len(value.encode("utf-8")) <= MAX_NAME
    except UnicodeError:
        return False


def dumped(value):
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{%s}" % ",".join(quoted(k) + ":" + dumped(value[k]) for k in sorted(value, key=text))
    if isinstance(value, (list, tuple)):
        return "[%s]" % ",".join([dumped(v) for v in value])
    if isinstance(value, int):
        return str(int(value))
    return quoted(value)


# ---- the interpreter -----------------------------------------------------------------------------------

def magic():
    external = sys.modules.get("_frozen_importlib_external")
    data = getattr(external, "MAGIC_NUMBER", None)
    if data is None:
        import imp
        data = imp.get_magic()
    data = bytearray(data)
    return data[0] | data[1] << 8


def code_args():
    """How many arguments the constructor of code objects takes: tried with a code object's own."""
    code = magic.__code__
    fields = ["argcount", "nlocals", "stacksize", "flags", "code", "consts", "names", "varnames", "filename", "name",
              "firstlineno", "lnotab", "freevars", "cellvars"]
    if not PY2:
        fields.insert(1, "kwonlyargcount")
    if hasattr(code, "co_posonlyargcount"):
        fields.insert(1, "posonlyargcount")
    if hasattr(code, "co_exceptiontable"):
        fields[fields.index("firstlineno"):] = ["qualname", "firstlineno", "linetable", "exceptiontable", "freevars",
                                                "cellvars"]
    elif hasattr(code, "co_linetable"):
        fields[fields.index("lnotab")] = "linetable"
    try:
        type(code)(*[getattr(code, "co_" + field) for field in fields])
    except Exception:
        return None
    return len(fields)


def release():
    level, serial = sys.version_info[3:5]
    return level if level == "final" else "%s%d" % (level, serial)


def platform():
    import struct
    os_name = {"darwin": "macos", "win32": "windows", "cygwin": "cygwin"}.get(sys.platform, sys.platform)
    if os_name.startswith("linux"):
        os_name = "linux"
    machine = os.uname()[4] if hasattr(os, "uname") else os.environ.get("PROCESSOR_ARCHITECTURE", "")
    return {"os": os_name, "machine": machine.lower(), "bits": struct.calcsize("P") * 8, "byteorder": sys.byteorder}


def interpreter():
    import pickle
    implementation = getattr(sys, "implementation", None)
    name = implementation.name if implementation else "pypy" if hasattr(sys, "pypy_version_info") else "cpython"
    out = {
        "schema": "pickle-target/1", "implementation": name.lower(), "version": list(sys.version_info[:3]),
        "release": release(), "magic": magic(), "max_protocol": pickle.HIGHEST_PROTOCOL, "platform": platform(),
        "loader": {"name": "pickle", "fix_imports": not PY2, "persistent_load": False},
    }
    if not PY2:
        out["loader"]["encoding"] = "ASCII"
    if getattr(implementation, "cache_tag", None):
        out["cache_tag"] = implementation.cache_tag
    if code_args():
        out["code_args"] = code_args()
    return out


def extensions():
    try:
        registry = __import__("copy_reg" if PY2 else "copyreg")._inverted_registry
    except (ImportError, AttributeError):
        return {}
    return dict((str(code), "%s:%s" % key) for code, key in registry.items())


# ---- folders and archives ------------------------------------------------------------------------------

def extension_suffixes():
    try:
        import _imp
        found = _imp.extension_suffixes()
    except ImportError:
        import imp
        found = [row[0] for row in imp.get_suffixes() if row[2] == imp.C_EXTENSION]
    return sorted(found, key=len, reverse=True)


EXTENSIONS = extension_suffixes()
CODE = (".py", ".pyc", ".pyo") if PY2 else (".py", ".pyc")


def module_of(name):
    """What a file's name makes it: ("x.abi3.so") -> ("x", "e"). (None, None): no module."""
    for suffixes, kind in ((EXTENSIONS, "e"), (CODE, "m")):
        for suffix in suffixes:
            stem = name[:-len(suffix)]
            if name.endswith(suffix) and stem and "." not in stem:
                return stem, kind
    return None, None


def is_identifier(name):
    name = text(name)
    return not name[:1].isdigit() and name.replace(u"_", u"a").isalnum()


class Folder(object):
    """A folder that may hold modules."""

    def __init__(self, path):
        self.path = path
        self.files, self.folders = [], []
        try:
            names = os.listdir(path)
        except (OSError, TypeError):
            return
        for name in names:
            if name == "__pycache__" or name.startswith("."):
                continue
            # no module's name has a dot: what has one is a file of some kind, or a distribution's folder
            if "." in name and not name.endswith((".dist-info", ".egg-info", ".egg")):
                self.files.append(name)
            elif os.path.isdir(os.path.join(path, name)):
                self.folders.append(name)
            else:
                self.files.append(name)

    def folder(self, name):
        return Folder(os.path.join(self.path, name))

    def read(self, name, most):
        try:
            with open(os.path.join(self.path, name), "rb") as file:
                return file.read(most)
        except (IOError, OSError):
            return b""

    def size(self, name):
        try:
            return os.path.getsize(os.path.join(self.path, name))
        except OSError:
            return 0


class Archive(object):
    """The same in a zip file."""

    def __init__(self, importer, below=""):
        self.importer, self.path = importer, below
        self.files, self.folders = [], set()
        entries = getattr(importer, "_files", None) or importer._get_files()  # it reads them late since 3.13
        for name in entries:
            name = name.replace(os.sep, "/")
            if not name.startswith(below):
                continue
            first, slash, rest = name[len(below):].partition("/")
            if slash and first:
                self.folders.add(first)
            elif first:
                self.files.append(first)

    def folder(self, name):
        return Archive(self.importer, self.path + name + "/")

    def read(self, name, most):
        try:
            data = self.importer.get_data(os.path.join(self.importer.archive, (self.path + name).replace("/", os.sep)))
        except (IOError, OSError):
            return b""
        return data[:most]

    def size(self, name):
        return 0


def opened(path):
    """A folder, or a zip file that the interpreter can import from, or None."""
    if os.path.isdir(path):
        return Folder(path)
    if not os.path.isfile(path):
        return None
    try:
        import zipimport
        return Archive(zipimport.zipimporter(path))
    except Exception:
        return None


def contents(folder):
    """name -> kind, folder or None: what this one folder gives, as its finder ranks it."""
    found = {}
    for name in folder.files:
        stem, kind = module_of(name)
        if stem and stem != "__init__" and (stem not in found or kind == "e"):
            found[stem] = (kind, None, name)
    for name in folder.folders:
        if not is_identifier(name):
            continue
        inner = folder.folder(name)
        if any(module_of(file)[0] == "__init__" for file in inner.files):
            found[name] = ("p", inner, name)
        elif not PY2 and name not in found:
            found[name] = ("n", inner, name)
    return found


# ---- the standard library ------------------------------------------------------------------------------

def is_standard(path, base):
    if path == base or os.path.basename(path) == "lib_pypy":
        return True
    if os.path.isfile(os.path.join(path, "os.py")) or os.path.isfile(os.path.join(path, "os.pyc")):
        return True
    if os.path.isfile(path):
        return os.path.dirname(path) == os.path.dirname(base)
    return path.startswith(base + os.sep) and "-packages" not in path[len(base):]


def split_path():
    base = os.path.dirname(os.__file__)
    standard, other = [], []
    for path in sys.path:
        if not isinstance(path, type("")) and not isinstance(path, type(u"")):
            continue
        (standard if is_standard(path, base) else other).append(path)
    if base not in standard:
        standard.insert(0, base)
    return standard, other


def without_files():
    """Modules that the interpreter itself holds."""
    names = set(sys.builtin_module_names)
    try:
        import _imp
        names.update(name for name in _imp._frozen_module_names() if not name.endswith(".__init__"))
    except (ImportError, AttributeError):
        pass
    for name in ("_frozen_importlib", "_frozen_importlib_external", "zipimport"):
        if name in sys.modules:
            names.add(name)
    return set(n for n in names if "__main__" not in n and "<" not in n)


def standard_library(paths):
    """dotted name -> kind"""
    found, seen = {}, set()
    for path in paths:
        folder = opened(path)
        real = os.path.realpath(path)
        if folder is None or real in seen:
            continue
        seen.add(real)
        stack = [("", folder)]
        while stack:
            package, folder = stack.pop()
            for name, (kind, inner, _) in contents(folder).items():
                full = package + name
                if (package and name in SKIPPED) or full in SKIPPED[:2] or (full in found and found[full] != "n"):
                    continue
                if kind == "n" and not (package and any(row[0] != "n" for row in contents(inner).values())):
                    continue  # a folder of data
                found[full] = kind
                if inner and full not in NOT_ENTERED and full not in SKIPPED:
                    stack.append((full + ".", inner))
    for name in without_files():
        found.setdefault(name, "e")
    for name in list(sys.modules):  # made as a module is imported: os.path, collections.abc
        if name.rpartition(".")[0] in found and name not in found and is_identifier(name.rpartition(".")[2]):
            if sys.modules[name] is not None:
                found[name] = "x"
    if "os" not in found:
        raise SystemExit("picklesight: the standard library was not found")
    for name in list(found):  # a frozen package has no folder
        package = name.rpartition(".")[0]
        if package in found and found[package] in "em" and package in without_files():
            found[package] = "p"
    return found


# ---- other modules -------------------------------------------------------------------------------------

def makes_modules(folder, file, kind):
    """May it put modules below itself into sys.modules (six.moves)?"""
    size = folder.size(file)
    if size > 8000000 or file.endswith((".pyc", ".pyo")):
        return True
    data = folder.read(file, 8000000)
    if kind == "e":
        return b"PyImport_GetModuleDict" in data or b"PyImport_AddModule" in data or b"sys.modules" in data
    return b"sys.modules" in data or b"__path__" in data


def other_modules(folders):
    """name -> kind, list of folders (of a package or namespace)"""
    found = {}
    for folder in folders:
        for name, (kind, inner, file) in contents(folder).items():
            if name in found and (found[name][0] != "n" or kind not in "np"):
                if found[name][0] != "n":
                    continue
            if kind == "n" and name in found:
                found[name][1].append(inner)
                continue
            if kind in "me" and makes_modules(folder, file, kind):
                kind = "x"
            found[name] = (kind, [inner] if inner else [])
    return found


def finders():
    """Names that finders of editable installations map, and whether every finder is known."""
    known = True
    names = {}
    for finder in sys.meta_path:
        module = getattr(finder, "__module__", None) or type(finder).__module__
        name = getattr(finder, "__name__", None) or type(finder).__name__
        if name in ("BuiltinImporter", "FrozenImporter", "PathFinder", "DistutilsMetaFinder", "WindowsRegistryFinder"):
            continue
        mapping = getattr(sys.modules.get(module), "MAPPING", None)
        if name.startswith("_Editable") and isinstance(mapping, dict):
            for key, path in mapping.items():
                if "." not in key:
                    inner = Folder(path) if os.path.isdir(path) else None
                    names[key] = ("p" if inner else "m", [inner] if inner else [])
        elif not name.startswith("_Editable"):
            known = False
    return names, known


# ---- distributions -------------------------------------------------------------------------------------

def normalised(name):
    out = []
    for c in name.lower():
        c = "-" if c in "-_." else c
        if c != "-" or out[-1:] != ["-"]:
            out.append(c)
    return "".join(out)


def header(data):
    """Name and version of a metadata file."""
    name = version = None
    for line in data.decode("utf-8", "replace").splitlines():
        if not line.strip():
            break
        key, _, value = line.partition(":")
        if key.lower() == "name" and name is None:
            name = value.strip()
        elif key.lower() == "version" and version is None:
            version = value.strip()
    return name, version


def tops_of(info, record):
    """Top-level modules that a distribution says it brings."""
    data = info.read("top_level.txt", 100000)
    if data.strip():
        return set(line.strip().split("/")[0] for line in data.decode("utf-8", "replace").splitlines() if line.strip())
    found = set()
    for line in info.read(record, 20000000).decode("utf-8", "replace").splitlines():
        first, slash, _ = line.partition("/")
        if slash:
            if is_identifier(first):
                found.add(first)
        else:
            stem = module_of(line.partition(",")[0])[0]
            if stem:
                found.add(stem)
    return found


def distribution_in(folder, name):
    """(name, version, its folder of facts or None, what lists its files) of NAME.dist-info and the like."""
    if name.endswith(".dist-info"):
        info = folder.folder(name)
        return header(info.read("METADATA", 20000)) + (info, "RECORD")
    if name in folder.files:  # the metadata alone
        return header(folder.read(name, 20000)) + (None, "")
    info = folder.folder(name)
    return header(info.read("PKG-INFO", 20000)) + (info, "SOURCES.txt")


def named_by(file):
    """What the name of a folder of metadata says."""
    stem = file.rpartition(".")[0]
    name, _, rest = stem.partition("-")
    return name, rest.partition("-py")[0]


def distributions(folders):
    """name -> version, and top-level module -> name"""
    versions, owners = {}, {}
    for folder in folders:
        names = sorted(n for n in list(folder.folders) + folder.files if n.endswith((".dist-info", ".egg-info")))
        rows = [(distribution_in(folder, name), name) for name in names]
        if "EGG-INFO" in folder.folders:
            info = folder.folder("EGG-INFO")
            rows.append((header(info.read("PKG-INFO", 20000)) + (info, "SOURCES.txt"), "-.egg"))
        for (name, version, info, record), file in rows:
            name, version = name or named_by(file)[0], version or named_by(file)[1]
            if not name or not is_clean(name) or normalised(name) in versions:
                continue
            name = normalised(name)
            versions[name] = version or ""
            for top in tops_of(info, record) if info else ():
                owners.setdefault(top, name)
    return versions, owners


# ---- names of modules, each in a child process ---------------------------------------------------------

def guarded(function, seconds):
    """What function() returns, asked in a child process. None: it died, or took too long."""
    import marshal
    import select
    import signal
    import time
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            os.close(reader)
            if REQUEST["fd"] >= 0:
                os.close(REQUEST["fd"])  # what an import starts may live on
            nothing = os.open(os.devnull, os.O_RDWR)
            for fd in (0, 1, 2):
                os.dup2(nothing, fd)
            data = marshal.dumps(function())
            while data:
                data = data[os.write(writer, data):]
        finally:
            os._exit(0)
    os.close(writer)
    end, parts, ended = time.time() + seconds, [], False
    while not ended:
        left = end - time.time()
        ready = select.select([reader], [], [], left)[0] if left > 0 else []
        if not ready:
            break
        part = os.read(reader, 65536)
        parts.append(part)
        ended = not part
    os.close(reader)
    try:
        os.killpg(child, signal.SIGKILL)  # and what it started
    except OSError:
        pass
    os.waitpid(child, 0)
    try:
        return marshal.loads(b"".join(parts)) if ended else None
    except (ValueError, EOFError, TypeError):
        return None


def resolved(module, name):
    """True, False, or None when it cannot be told."""
    value = module
    for part in name.split("."):
        try:
            value = getattr(value, native(part))
        except AttributeError:
            return False
        except Exception:
            return None
    return True


def names_of(name, all_of_them, asked):
    """What an import of a module says: {"a", "lacks", "open"} or {"absent": name} or {"fails": True}."""
    if not REQUEST["inside"]:
        try:
            __import__(native(name))
        except ImportError as error:
            missing = getattr(error, "name", None)
            if PY2 and str(error).startswith("No module named "):
                missing = str(error)[16:]
                if (name + ".").startswith(missing + ".") or name.endswith("." + missing):
                    missing = name
            if missing and (name + ".").startswith(missing + "."):
                return {"absent": missing}
            return {"fails": True}
        except Exception:
            return {"fails": True}
        except BaseException:
            return None
    module = sys.modules.get(native(name))
    if module is None:
        return None
    found = set()
    space = getattr(module, "__dict__", {})
    if all_of_them:
        found.update(key for key in list(space) if isinstance(key, str) and key not in METADATA and is_clean(key))
        if "__getattr__" in space:  # what it says it answers
            offered = [key for of in (getattr(module, "__all__", ()), dir(module)) for key in list(of)]
            found.update(key for key in offered if isinstance(key, str) and key not in METADATA and is_clean(key) and
                         resolved(module, key))
    lacks = []
    for one in asked:
        there = resolved(module, one)
        if there:
            parts = native(one).split(".")
            found.update(".".join(parts[:end + 1]) for end in range(len(parts)))
        elif there is False:
            lacks.append(one)
    plain = type(module) is type(sys) and "__getattr__" not in space
    return {"a": sorted(found), "lacks": sorted(lacks), "open": not all_of_them or not plain,
            "all": all_of_them}


def can_fork():
    return hasattr(os, "fork") and sys.platform not in ("emscripten", "wasi") and not REQUEST["inside"]


def answers_of(package, modules):
    """module -> what it says, of one top-level package. Each in its own child, so that none sees what importing
    another one left behind; the package itself is imported once, around them."""
    seconds = REQUEST["timeout"]

    def around():
        try:
            __import__(native(package))
        except BaseException:
            pass
        return dict((name, guarded(lambda: names_of(name, *modules[name]), seconds)) for name in modules)

    if not can_fork():
        return dict((name, names_of(name, *modules[name])) for name in modules)
    if list(modules) == [package]:
        return {package: guarded(lambda: names_of(package, *modules[package]), seconds)}
    answers = guarded(around, seconds * (len(modules) + 1))
    if answers is None:  # the package brings its process down
        answers = dict((name, guarded(lambda: names_of(name, *modules[name]), seconds)) for name in modules)
    return answers


def asked_for():
    """module -> (all of its names?, names asked for); names is empty and all False: does it exist?"""
    wanted = {}
    for name in REQUEST["modules"]:
        wanted[name] = (True, set())
    for name, attribute in REQUEST["names"]:
        everything, names = wanted.setdefault(name, (False, set()))
        if attribute and "<" not in attribute:
            names.add(attribute)
    return wanted


# ---- the whole -----------------------------------------------------------------------------------------

class Capture(object):
    def __init__(self):
        self.modules, self.absent = {}, set()
        self.facts = interpreter()  # first, since it imports pickle, as the target does
        standard, other = split_path()
        self.only = REQUEST["only"]
        self.standard = standard_library(standard)
        self.folders = [folder for folder in map(opened, self.unique(other)) if folder is not None]
        self.other = other_modules(self.folders)
        mapped, self.known = finders()
        for name in mapped:
            self.other.setdefault(name, mapped[name])
        self.versions, self.owners = distributions(self.folders)

    def unique(self, paths):
        seen, out = set(), []
        for path in paths:
            real = os.path.realpath(path)
            if real not in seen:
                seen.add(real)
                out.append(path)
        return out

    def listed(self, name):
        """The entry of a module, made when its files are there; else None. Second: the part that is missing."""
        if name in self.modules:
            return self.modules[name], None
        if name in self.standard:
            entry = {"k": self.standard[name], "s": True}
        else:
            top, _, rest = name.partition(".")
            if top in self.standard:
                # what is not a package may make modules as it is imported (os.path)
                return None, None if self.standard[top] in "em" or "__main__" in name else name
            if top not in self.other:
                return None, top if self.known else None
            kind, folders = self.other[top]
            at = top
            for part in rest.split(".") if rest else ():
                at += "." + part
                if kind == "x" or not folders:
                    return None, at if kind in "me" else None
                found = other_modules(folders)
                if part not in found:
                    return None, None if kind == "n" else at
                kind, folders = found[part]
            entry = {"k": kind}
            if top in self.owners:
                entry["d"] = self.owners[top]
        self.modules[name] = entry
        return entry, None

    def everything(self):
        for name in self.standard:
            self.listed(name)
        for name in self.other:
            if is_clean(name) and name not in self.standard:
                self.listed(name)

    def missing(self, part):
        if part and not any((name + ".").startswith(part + ".") for name in self.modules):
            self.absent.add(part)

    def ask(self):
        wanted, groups = asked_for(), {}
        for name in wanted:
            if not is_clean(name) or name == "__main__":
                continue
            if wanted[name][0] or wanted[name][1]:
                groups.setdefault(name.partition(".")[0], {})[name] = wanted[name]
                continue
            entry, part = self.listed(name)
            if entry is None:
                self.missing(part)
        for package in sorted(groups):
            answers = answers_of(package, groups[package])
            for name in sorted(answers):
                self.take(name, answers[name])

    def take(self, name, answer):
        entry, part = self.listed(name)
        if answer and "absent" in answer and entry is None:
            self.missing(text(answer["absent"]))
            return
        if answer is None or "absent" in answer:
            if entry is not None and not REQUEST["inside"]:
                entry.update({"a": [], "open": True})
            return
        if entry is None:  # no file of it: made as another one was imported
            entry = self.modules[name] = {"k": "x"}
        if "fails" in answer:
            entry["fails"] = True
            return
        entry["a"] = answer["a"]
        if answer["all"]:
            entry["all"] = True
        if answer["open"]:
            entry["open"] = True
        # a submodule becomes an attribute when somebody imports it
        lacks = [n for n in answer["lacks"] if is_clean(n) and self.listed(name + "." + n.partition(".")[0])[0] is None]
        if lacks:
            entry["lacks"] = lacks

    def shadowed(self):
        """Modules of the standard library that are found elsewhere first."""
        standard = split_path()[0]
        for path in sys.path:
            if path in standard:
                return
            folder = opened(path) if path else None
            for name, (kind, _, _) in contents(folder).items() if folder else ():
                if name in self.standard and kind != "n" and name not in sys.builtin_module_names:
                    self.modules[name] = {"k": kind, "a": [], "open": True}

    def document(self):
        out = self.facts
        if not self.only:
            self.everything()
            self.shadowed()
        self.ask()
        out["stdlib"] = "listed"
        out["modules"] = self.modules
        complete = []
        if not self.only:
            complete = ["distributions"] + (["top_level"] if self.known else [])
            if self.versions:
                out["distributions"] = self.versions
        else:
            used = set(entry.get("d") for entry in self.modules.values())
            some = dict((n, self.versions[n]) for n in self.versions if n in used)
            if some:
                out["distributions"] = some
        if REQUEST["main"]["open"] is False:
            complete.append("extensions")
        if complete:
            out["complete"] = complete
        absent = set(self.absent)
        outer = [n for n in absent if not any(n.startswith(other + ".") for other in absent)]
        if outer:
            out["absent"] = sorted(outer)
        if extensions():
            out["extensions"] = extensions()
        out["main"] = {"open": REQUEST["main"]["open"], "names": REQUEST["main"]["names"]}
        return out


def main():
    result = dumped(Capture().document()) + "\n"
    if REQUEST["inside"]:
        return result
    if REQUEST["fd"] < 0:
        sys.stdout.write(result)
        sys.stdout.flush()
        return result
    data = result.encode("ascii")
    while data:
        data = data[os.write(REQUEST["fd"], data):]
    return result


RESULT = main()
