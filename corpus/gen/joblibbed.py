"""joblib files: plain objects, compressed ones, and (where numpy is) arrays kept raw inside the stream."""
import datetime
import decimal
import os
import zlib
from common import OUT, PY2, attempt, finish, fresh_main, protocol_of, put, wanted
import joblib
try:
    import numpy
except ImportError:
    numpy = None

LIBRARY = "joblib " + joblib.__version__
MAIN = fresh_main("class Model(object):\n    def __init__(self):\n        self.weights = [1.5, 2.5]\n")


def dump(name, value, what, load="-", ending="pkl", case=None, **options):
    path = os.path.join(OUT, "joblib.tmp")
    written = joblib.dump(value, path, **options)
    with open(path, "rb") as source:
        data = source.read()
    for extra in written:
        os.remove(extra)
    library = LIBRARY + (", numpy " + numpy.__version__ if "numpy" in what and numpy else "")
    put("joblib_%s_%s.%s" % (joblib.__version__, name, ending), data, what, library=library, load=load, case=case,
        protocol=protocol_of(data if ending == "pkl" else zlib.decompress(data, 47)))  # 47: zlib or gzip


def plain():
    dump("plain", {"a": [1, 2], "when": datetime.date(2024, 1, 2), "n": decimal.Decimal("1.5"), "m": MAIN.Model()},
         "plain objects, no arrays", case="plain")


def compressed():
    value = {"rows": [{"id": n, "name": "row %d" % n} for n in range(20)]}
    dump("zlib", value, "plain objects, compress=3", "zlib", "pkl.zz", "compressed", compress=3)
    if not PY2:
        dump("gzip", value, "plain objects, gzip", "gzip", "pkl.gz", "compressed", compress=("gzip", 3))


def arrays():
    value = {"weights": numpy.arange(6, dtype="<f8").reshape(2, 3), "labels": numpy.array([1, 0, 1], dtype="i4"),
             "after": "the arrays"}
    dump("arrays", value, "numpy arrays, raw bytes inside the stream", "joblib", case="arrays")
    dump("array_big_endian", numpy.array([1, 2, 3], dtype=">i2"), "one numpy array, big-endian", "joblib", case="arrays")
    dump("array_objects", [numpy.array(["a", None, 3], dtype=object), "after"],
         "numpy object array: a pickle inside the stream", "joblib", case="arrays")
    dump("array_fortran", numpy.asfortranarray(numpy.arange(4.0).reshape(2, 2)), "numpy array in Fortran order",
         "joblib", case="arrays")
    dump("array_zlib", value, "numpy arrays, zlib", "joblib;zlib", "pkl.zz", "arrays", compress=3)


for function in (plain, compressed) + ((arrays,) if numpy else ()):
    if wanted(function.__name__):
        attempt(function.__name__, function)
finish()
