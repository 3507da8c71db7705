"""One payload by the library itself, for a report of tests/data/load_failures.tsv.

    PYTHONPATH=FOLDER pythonX.Y corpus/reports/by_library.py WHAT FILE

FOLDER holds the library (pip install --target); MANIFEST.tsv has the line of each file."""
import pickle
import sys

what, path = sys.argv[1:3]


def plain(x):
    return x + 1


class Plain(object):
    factor = 2

    def run(self, x):
        for i in range(3):
            x += self.factor
        return x


def dump(obj, write, **options):
    with open(path, "wb") as file:
        file.write(write(obj, **options))


if what == "cloudpickle-lambda":
    import cloudpickle
    dump(lambda x: x + 1, cloudpickle.dumps)
elif what == "cloudpickle-function":
    import cloudpickle
    dump(plain, cloudpickle.dumps)
elif what == "cloudpickle-class":
    import cloudpickle
    dump(Plain, cloudpickle.dumps)
elif what == "cloudpickle-instance":
    import cloudpickle
    dump(Plain(), cloudpickle.dumps)
elif what == "dill-function":
    import dill
    dump(plain, dill.dumps)
elif what == "pandas-frame":
    import pandas
    dump(pandas.DataFrame({"a": [1, 2]}, index=[5, 6]), pickle.dumps, protocol=2)
elif what == "pillow-resampling":
    import PIL.Image
    dump({"method": PIL.Image.Resampling.BILINEAR}, pickle.dumps, protocol=4)
elif what == "networkx-graph":
    import networkx
    dump(networkx.path_graph(2), pickle.dumps, protocol=2)
