"""Prints what the classes of some modules have, as JSON: module -> class -> names.

    PYTHON -E -s -S members.py >members/<version>.json

Classes whose methods are pickled by name now and then (`str.join`, `OrderedDict.fromkeys`). A name counts
when getattr(class, name) answers because of the class, a base of it, or its metaclass. What every object
or class has (EVERY, and names of `type`) is left out, and so are exceptions, enumerations that are not there
to be derived from, and what describes the source."""
import json
import sys

MODULES = """builtins array collections contextvars dataclasses datetime decimal enum fractions functools ipaddress
    itertools operator pathlib pathlib._local queue random re statistics string uuid zoneinfo""".split()
EVERY = set("""__class__ __delattr__ __doc__ __eq__ __format__ __ge__ __getattribute__ __gt__ __hash__ __init__ __le__
    __lt__ __ne__ __new__ __reduce__ __reduce_ex__ __repr__ __setattr__ __sizeof__ __str__ __subclasshook__ __dict__
    __module__ __name__ __weakref__ __slots__ __abstractmethods__ __annotations__ __annotate__ __annotate_func__
    __annotations_cache__ __static_attributes__ __firstlineno__ __qualname__ __dir__ __init_subclass__ __getstate__
    __orig_bases__ __parameters__ __type_params__ __dataclass_fields__ __dataclass_params__ __text_signature__
    _abc_impl _abc_cache _abc_registry _abc_negative_cache _abc_negative_cache_version""".split())


def own(cls, roots):
    """Names from cls and its bases, but for those of roots."""
    return set(name for base in cls.__mro__ if base not in roots for name in vars(base))


def members(cls):
    names = own(cls, (object,))
    if type(cls) is not type:
        names |= own(type(cls), (type, object))
    found = []
    for name in names - EVERY:
        try:
            getattr(cls, name)
        except Exception:
            continue
        found.append(name)
    return sorted(found)


def is_wanted(module, name, value):
    if not isinstance(value, type) or value.__name__ != name:
        return False
    if value.__module__.split("._")[0] != module.split("._")[0]:  # pathlib and pathlib._local hold the same classes
        return False
    if issubclass(value, BaseException):
        return False
    return type(value).__name__ not in ("EnumMeta", "EnumType") or name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")


def main():
    out = {}
    for name in MODULES:
        try:
            __import__(name)
        except ImportError:
            continue
        module = sys.modules[name]
        for key in sorted(vars(module)):
            value = vars(module)[key]
            if is_wanted(name, key, value):
                out.setdefault(name, {})[key] = members(value)
    print(json.dumps(out, sort_keys=True, separators=(",", ":")))


main()
