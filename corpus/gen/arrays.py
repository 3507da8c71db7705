"""numpy arrays, scalars and types by plain pickle, in band and out of band."""
import pickle
from common import PY2, attempt, finish, put, wanted
import numpy

LIBRARY = "numpy " + numpy.__version__
TOP = pickle.HIGHEST_PROTOCOL


def values():
    return {"f8": numpy.arange(6, dtype="f8").reshape(2, 3), "i2": numpy.array([1, -2], dtype=">i2"),
            "bool": numpy.array([True, False]), "text": numpy.array(["ab", "c"], dtype="U2"),
            "scalar": numpy.float64(1.5), "dtype": numpy.dtype([("a", "i4"), ("b", "f8", (2,))]),
            "objects": numpy.array([1, "x"], dtype=object), "empty": numpy.empty((0, 3))}


def inband():
    for protocol in sorted({0 if PY2 else 2, 2, TOP if TOP < 5 else 4, TOP}):
        put("numpy_%s_p%d" % (numpy.__version__, protocol), pickle.dumps(values(), protocol),
            "arrays, scalar, dtype, object array", library=LIBRARY, case="inband")


def oob():
    if TOP < 5:
        return
    buffers = []
    data = [numpy.arange(100, dtype="f8"), numpy.ones((2, 2), order="F"), numpy.array([1, 2])[::2]]
    body = pickle.dumps(data, 5, buffer_callback=buffers.append)
    put("numpy_%s_oob_p5" % numpy.__version__, body, "arrays, data out of band in %d buffers" % len(buffers),
        library=LIBRARY, load="buffers=%d" % len(buffers), case="oob")


def others():
    made = [numpy.ma.masked_array([1, 2, 3], [0, 1, 0]), numpy.array(["2024-01-02"], dtype="M8[D]"),
            numpy.random.RandomState(3), numpy.add, numpy.float32]
    put("numpy_%s_others_p%d" % (numpy.__version__, TOP), pickle.dumps(made, TOP),
        "masked array, dates, random state, ufunc, type", library=LIBRARY, case="others")


for function in (inband, oob, others):
    if wanted(function.__name__):
        attempt(function.__name__, function)
finish()
