"""What `make bench` measures, made by the interpreter that it embeds, with its own pickle.

make(kind, megabytes) returns a list of payloads: one of about that size, or, for "tasks", many small
ones that are all different. Same interpreter, same bytes.
"""

import pickle


def items_for(megabytes, bytes_each):
    return max(1, int(megabytes * 1e6 / bytes_each))


def scattered(i, count):
    """0 .. count - 1 in no order that a branch predictor could learn."""
    return (i * 2654435761 % 4294967296 >> 7) % count


def ints(megabytes):
    return [i * 2654435761 % 2147483648 for i in range(items_for(megabytes, 5.0))]


def dicts(megabytes):
    return [
        {"id": i, "name": f"user{i}", "score": i * 0.5, "active": scattered(i, 3) == 0}
        for i in range(items_for(megabytes, 37.9))
    ]


def strings(megabytes):
    endings = ["", "-abcdef", "-some more of it", "-x", " \u00e9t\u00e9", "/usr/share/doc/README",
               "-0123456789", "-yy", "-the quick brown fox jumps over the lazy dog"]
    return [f"{i:07x}{endings[scattered(i, 9)]}" for i in range(items_for(megabytes, 22.2))]


def nested(megabytes):
    """Lists, dicts, tuples, floats, None, booleans and references to what was there before."""
    tag = ("shared", 1.0, None)
    kinds = ["alpha", "beta", "gamma", "delta"]
    out = []
    for i in range(items_for(megabytes, 128.7)):
        point = (i * 0.25, i % 7)
        out.append(
            {
                "kind": kinds[scattered(i, 4)],
                "points": [point, (i, -i, None), point],
                "flags": (True, scattered(i, 2) == 0, None),
                "children": [{"tag": tag, "depth": scattered(i, 300)}, [], (i,)],
                f"k{i % 50}": {"value": f"v{i}", "weights": [0.5, i / 3, 1e300]},
            }
        )
    return out


def text(megabytes):
    return [
        [i, f"row {i}", i / 8, {"flag": scattered(i, 2) == 0, "none": None, "big": i << 40}, (i % 100, "t")]
        for i in range(items_for(megabytes, 110))
    ]


FUNCTIONS = [
    """
def {name}(rows, {a}={k}):
    return sum(rows) * {c} > {b} + {a}
""",
    """
def {name}({a}, {d}):
    return math.sqrt({a} * {k} + {d} ** 2) / {b}
""",
    """
def {name}(path, *{a}):
    return open(path, "{d}").read().strip("{a}")
""",
    """
def {name}({a}, {d}=None):
    return [{a} + {k}, {d} or {GLOBAL}]
""",
    """
{name} = lambda {a}, {d}={k}: ({a} - {d}) * {GLOBAL} + {b}
""",
]
WORDS = ("load clean merge score rank split train check fetch parse group count reduce shift scale "
         "match order trim pack send").split()


def tasks(count):
    """(function, args, kwargs) as a scheduler sends them; each function by value and different."""
    import cloudpickle
    import math

    out = []
    for i in range(count):
        a, d = f"{WORDS[i % 20]}_{i % 97}", f"{WORDS[(i + 1 + i // 20) % 20]}_{i}x"
        name, constant = f"{WORDS[i // 7 % 20]}_task_{i}", f"LIMIT_{i % 1000}"
        namespace = {"__name__": "__main__", "math": math, constant: i * 3}
        source = FUNCTIONS[i % len(FUNCTIONS)].format(
            name=name, a=a, d=d, b=i * 17 + 1, c=i % 13 + 2, k=i, GLOBAL=constant)
        exec(compile(source, f"/srv/jobs/{WORDS[i % 20]}_{i // 50}.py", "exec"), namespace)
        args = (f"key-{i:x}", i, [i / 7, None, True])
        kwargs = {a: f"part-{i % 250}"}
        out.append(cloudpickle.dumps((namespace[name], args, kwargs)))
    assert len(set(out)) == count
    return out


def make(kind, megabytes):
    if kind == "tasks":
        return tasks(int(megabytes / 6 * 10000))
    if kind == "bytes":
        return [pickle.dumps(b"0123456789abcdef" * int(megabytes * 1e6 / 16), 4)]
    value = {"ints": ints, "dicts": dicts, "strings": strings, "mix": nested, "text": text}[kind]
    return [pickle.dumps(value(megabytes), 0 if kind == "text" else 4)]
