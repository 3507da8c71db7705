"""Payloads of public reports of loads that failed, where the library itself is not at hand: what its pickler would
write, put together from stand-ins. Run it anywhere; the same bytes come out.

    python3 corpus/reports/make.py            writes the files beside it

What each is for: tests/data/load_failures.tsv. Files that are not written here are by the libraries themselves:
MANIFEST.tsv has how."""
import os
import pickle
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))


def module(name):
    parts = name.split(".")
    for i in range(1, len(parts) + 1):
        path = ".".join(parts[:i])
        sys.modules.setdefault(path, types.ModuleType(path))
        if i > 1:
            setattr(sys.modules[".".join(parts[:i - 1])], parts[i - 1], sys.modules[path])
    return sys.modules[name]


def stand_in(path, name, base=object):
    """A class that pickles as `name` of module `path`."""
    made = type(name, (base,), {"__module__": path})
    setattr(module(path), name, made)
    return made


def function(path, name):
    def made(*args):
        raise NotImplementedError
    made.__module__, made.__name__, made.__qualname__ = path, name, name
    setattr(module(path), name, made)
    return made


class Call:
    """Pickles as a call, then perhaps a state."""
    def __init__(self, callee, *args, state=None):
        self.reduced = (callee, args) if state is None else (callee, args, state)

    def __reduce__(self):
        return self.reduced


def instance(path, name, state, base=object):
    made = object.__new__(stand_in(path, name)) if base is object else stand_in(path, name, base)()
    made.__dict__.update(state)
    return made


def put(name, obj, protocol=4):
    data = obj if isinstance(obj, bytes) else pickle.dumps(obj, protocol)
    with open(os.path.join(HERE, name), "wb") as file:
        file.write(data)


def main():
    # modules that are not there
    put("custom_error.pkl", instance("custom.errors", "JobError", {}, Exception), 4)
    put("s3fs_graph.pkl", {"read": Call(stand_in("s3fs.core", "S3FileSystem"), False)}, 4)
    put("backports_abc.pkl", [stand_in("backports_abc", "Generator")], 2)
    put("driver_function.pkl", (function("driver_utils.steps", "clean"), (1, 2)), 4)
    put("broadcast_function.pkl", function("jobs.setup", "init_worker"), 5)
    put("pyspark_error.pkl", instance("pyspark.sql.utils", "AnalysisException", {"desc": "no table"}, Exception), 4)
    put("airflow_dag_function.pkl", function("unusual_prefix_0a1b2c_example_dag", "callable_of_the_dag"), 4)
    put("prefect_flow.pkl", function("__prefect_loader__", "my_flow"), 4)
    put("script_folder_utils.pkl", instance("utils", "Model", {"w": 1.5}), 3)
    put("yolo_whole_model.pkl", {"model": instance("models.yolo", "Model", {"yaml": {}, "training": False})}, 2)
    put("dill_regex.pkl", {"re": Call(function("dill._dill", "_import_module"), "_regex")}, 4)
    put("dill_umath.pkl", Call(function("dill._dill", "_import_module"), "numpy.core._multiarray_umath.add"), 4)
    put("rq_job.pkl", ("app.tasks.scan", None, (instance("app.models", "ScanOptions", {"deep": True}),), {}), 4)

    # names that moved
    put("sklearn_externals.pkl", instance("sklearn.externals.joblib.numpy_pickle", "NDArrayWrapper",
                                          {"filename": "m.pkl_01.npy", "subclass": None, "allow_mmap": True}), 2)
    put("torch_tensor.pkl", Call(function("torch._utils", "_rebuild_tensor_v2"),
                                 "storage", 0, (2, 3), (3, 1), False, {}), 2)
    put("gensim_vocab.pkl", {"word": instance("gensim.models.keyedvectors", "Vocab", {"count": 3, "index": 0})}, 2)
    put("gensim_euclidean.pkl", instance("gensim.models.keyedvectors", "EuclideanKeyedVectors", {"vector_size": 2}), 2)
    put("spacy_cluster.pkl", {80: function("spacy.lang.lex_attrs", "cluster")}, 4)
    put("langchain_document.pkl", instance("langchain.schema.document", "Document", {"page_content": "x"}), 4)

    # states and arguments
    ctor = function("numpy.random._pickle", "__bit_generator_ctor")
    put("numpy_unknown_generator.pkl", Call(ctor, "MT64", state={"bit_generator": "MT64"}), 2)
    put("numpy_known_generator.pkl", Call(ctor, "PCG64", state={"bit_generator": "PCG64"}), 2)
    put("django_queryset.pkl", instance("django.db.models.query", "QuerySet",
                                        {"_result_cache": [], "_django_version": "5.2.6"}), 5)
    put("django_old_queryset.pkl", instance("django.db.models.query", "QuerySet",
                                            {"_result_cache": [], "_django_version": "1.11.29"}), 2)
    put("cython_matcher.pkl", Call(function("spacy.matcher.phrasematcher", "__pyx_unpickle_PhraseMatcher"),
                                   stand_in("spacy.matcher.phrasematcher", "PhraseMatcher"), 102742709, None), 4)
    put("networkx_old_graph.pkl", instance("networkx.classes.graph", "Graph",
                                           {"graph": {}, "node": {1: {}}, "adj": {1: {}}, "edge": {1: {}}}), 2)
    put("langchain_old_document.pkl", instance("langchain.schema", "Document",
                                               {"page_content": "x", "metadata": {}}), 4)
    put("xgboost_model.pkl", instance("xgboost.sklearn", "XGBClassifier", {"max_depth": 3, "_Booster": None}), 4)
    put("prefect_result.pkl", instance("prefect.engine.results.s3_result", "S3Result", {"bucket": "b"}), 4)
    put("gym_module.pkl", Call(function("ray.cloudpickle.cloudpickle", "subimport"), "gym"), 4)

    # __main__ and loaders
    put("main_function.pkl", {"get_x": function("__main__", "my_func")}, 4)
    put("main_tokenizer.pkl", [instance("__main__", "Tokenizer", {"n": 1})], 2)
    put("main_transformer.pkl", [instance("__main__", "ColumnSelector", {"columns": ["a"]})], 3)

    # systems and text
    put("posix_path.pkl", b"\x80\x04\x8c\x07pathlib\x8c\x09PosixPath\x93\x8c\x01/\x8c\x04data\x86R.")
    put("windows_path.pkl", b"\x80\x04\x8c\x07pathlib\x8c\x0bWindowsPath\x93\x8c\x03C:\\\x8c\x02w1\x86R.")
    put("crlf_protocol_0.pkl", b"cnumpy.core.multiarray\r\n_reconstruct\r\np0\r\n.")
    put("py2_text_0x81.pkl", b"\x80\x02}U\x04nameU\x05\x81mehrs.")
    put("py2_datetime.pkl", b"\x80\x02cdatetime\ndatetime\nU\n\x07\xe6\x0b\x1e\x0c\0\0\0\0\0\x85R.")
    put("persistent_tensor.pkl", b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((U\x07storagectorch\nFloatStorage\n"
        b"U\x010U\x03cpuK\x06tQK\x00K\x06\x85K\x01\x85\x89}tR.")
    put("buffer.pkl", b"\x80\x05(\x97\x98l.")
    put("extension.pkl", b"\x80\x02\x82\xf0)R.")

    # no pickles
    put("lfs_pointer.pkl", b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32\nsize 12345\n")
    put("html_page.pkl", b"<!DOCTYPE html><html><head><title>Quota exceeded</title></head></html>\n")
    put("image.pkl", b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xdb")
    whole = pickle.dumps({"weights": [float(i) for i in range(40)]}, 4)
    put("truncated.pkl", whole[:len(whole) * 2 // 3])


if __name__ == "__main__":
    main()
