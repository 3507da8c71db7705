#!/usr/bin/env python3
"""Make the fuzzers' seeds, decode/ and facts/, from tests/data/edge_streams.tsv and payloads/.

y_ loads in CPython 3.11 with inert names, n_ does not; the rest of the name says what the seed shows. Streams of at
most 200 bytes: for each theme (first word of the note) and outcome a few, the ones that add new opcodes or exceptions
first. facts/ also gets payloads that were cut, joined, or changed in one place. Needs CPython 3.8 or later.
"""
import os
import pickle
import pickletools
import re
import sys

sys.dont_write_bytecode = True
import record_lookups  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
EDGES = os.path.join(os.path.dirname(HERE), "tests", "data", "edge_streams.tsv")
DECODE = set("""INT LONG LONG1 LONG4 FLOAT BINFLOAT BININT BININT1 BININT2 STRING BINSTRING SHORT_BINSTRING UNICODE
    SHORT_BINUNICODE BINUNICODE BINUNICODE8 BINBYTES SHORT_BINBYTES BINBYTES8 BYTEARRAY8 FRAME frame frames PROTO
    protocol invalid unassigned argument truncated trailing empty minimal STOP PUT BINPUT LONG_BINPUT GET BINGET
    LONG_BINGET EXT1 EXT2 EXT4 first second last code inner outer length lengths TUPLE1 TUPLE2 TUPLE3
    EMPTY_DICT EMPTY_LIST EMPTY_TUPLE""".split())

PLAIN = set("APPEND APPENDS ADDITEMS LIST TUPLE DICT FROZENSET DUP POP POP_MARK SETITEM SETITEMS MEMOIZE".split())


def loads(data, **options):
    options = dict({"encoding": None, "persid": True, "buffers": None, "extensions": []}, **options)
    return record_lookups.run(pickle.Unpickler, data, 0, options)[0] is None


def slug(text):
    for sign, word in (("''", " empty"), ("'-", " minus "), ("'+", " plus "), ('""', " empty")):
        text = text.replace(sign, word)
    words = re.sub(r"[^0-9A-Za-z]+", "_", text).strip("_").lower()
    return words if len(words) <= 48 else words[:48].rpartition("_")[0]


def opcodes(data):
    out = []
    try:
        for opcode, _, _ in pickletools.genops(data):
            out.append(opcode.name)
    except Exception:
        out.append("!")
    return out


def edges():
    with open(EDGES, encoding="utf-8") as source:
        names = source.readline().rstrip("\n").lstrip("#").split("\t")
        for line in source:
            row = dict(zip(names, line.rstrip("\n").split("\t")))
            plain = row["encoding"] == row["errors"] == row["buffers"] == "" and row["stub"] == "type" and row["persid"] == "1"
            if row["interpreter"] == "cpython-3.11" and plain and 0 < len(row["hex"]) <= 400:
                yield row


def from_edges(per_theme):
    """folder -> {name: bytes}"""
    groups, out = {}, {"decode": {}, "facts": {}}
    for row in edges():
        theme = re.match(r"[0-9A-Za-z_]*", row["note"]).group() or "other"
        if theme in PLAIN and row["ok"] == "0":
            continue  # the table itself has them all; they show nothing to facts
        groups.setdefault((theme, row["ok"]), []).append(row)
    seen = set()
    for (theme, ok), rows in groups.items():
        folder = "decode" if theme in DECODE else "facts"
        for turn in range(per_theme[folder]):
            def gain(row):
                data = bytes.fromhex(row["hex"])
                kinds = set(opcodes(data)) | {(theme, row["exception"])}
                return (len(kinds - seen), -len(data))
            if not rows:
                break
            best = max(rows, key=gain)
            if turn and not gain(best)[0]:
                break
            rows.remove(best)
            data = bytes.fromhex(best["hex"])
            seen |= set(opcodes(data)) | {(theme, best["exception"])}
            out[folder][("y_" if ok == "1" else "n_") + slug(best["note"])] = data
    return out


DECODE_MORE = {  # with these every opcode has a seed
    "y_one_of_each_number": b"\x80\x02(K\x01M\x01\x02J\x01\x02\x03\xff\x8a\x02\x00\x80\x8b\x01\x00\x00\x00\x05"
                            b"G?\xf0\x00\x00\x00\x00\x00\x00\x88\x89Nt.",
    "y_one_of_each_text": b"\x80\x05(U\x01aT\x01\x00\x00\x00bX\x01\x00\x00\x00c\x8c\x01d\x8d\x01" + bytes(7) +
                          b"eC\x01fB\x01\x00\x00\x00g\x8e\x01" + bytes(7) + b"h\x96\x01" + bytes(7) + b"it.",
    "y_one_of_each_line": b"(I1\nL2L\nF3.5\nS'four'\nVfive\np0\ng0\nt.",
    "y_one_of_each_container": b"\x80\x04(]K\x01a(K\x02e}K\x01Ns(K\x02Nu\x8f(K\x01\x90(K\x01\x91)K\x01\x85"
                               b"K\x01K\x02\x86K\x01K\x02K\x03\x87(l(dt.",
    "y_memo_of_each_size": b"\x80\x04Nq\x00r\x01\x00\x00\x00p2\n\x940(h\x00j\x01\x00\x00\x00g2\nh\x03t.",
    "y_stack_moves": b"K\x0120(K\x02K\x0310NN0.",
    "y_frame": b"\x80\x04\x95\x04\x00\x00\x00\x00\x00\x00\x00\x8c\x01a.",
    "y_long_str_255": b"\x80\x04\x8c\xff" + b"a" * 255 + b".",
    "y_one_of_each_object": b"\x80\x05((S'x'\nim\nn\n(cm\nn\nocm\nn\n)\x81cm\nn\n)}\x92\x8c\x01m\x8c\x01n\x93}bP1\nNQ"
                            b"C\x01a\x98t.",
    "n_next_buffer_without": b"\x80\x05\x97.",
    "n_cut_in_length": b"\x80\x04\x8d\x01\x00\x00",
    "n_cut_in_frame": b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00K\x01.",
    "n_no_stop": b"\x80\x02K\x01",
}


FACTS = {
    "y_global": b"cos\nsystem\n.",
    "y_global_called": b"cos\nsystem\n(S'true'\ntR.",
    "y_stack_global_called": b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x04true\x85R.",
    "y_python2_name": b"c__builtin__\neval\n(S'1'\ntR.",
    "y_python2_name_protocol_3": b"\x80\x03c__builtin__\neval\n.",
    "y_python2_name_after_second_proto": b"\x80\x04\x80\x02c__builtin__\nxrange\n.",
    "y_inst": b"(S'a'\nios\nsystem\n.",
    "y_obj": b"(cos\nsystem\nS'a'\no.",
    "y_newobj": b"\x80\x02c__main__\nC\n)\x81}U\x01aK\x01sb.",
    "y_newobj_ex": b"\x80\x04\x8c\x01m\x8c\x01C\x93)}\x8c\x01kK\x01s\x92.",
    "y_name_from_memo": b"\x80\x04\x8c\x02os\x94\x8c\x06system\x940h\x00h\x01\x93.",
    "y_name_kept_across_pop": b"\x80\x04\x8c\x06system\x940\x8c\x02osh\x00\x93.",
    "y_name_computed": b"\x80\x04\x8c\x08builtins\x8c\x07getattr\x93c__main__\nm\n\x8c\x06system\x86R.",
    "n_name_is_unknown": b"\x80\x04c__main__\nm\n)R\x8c\x06system\x93.",
    "n_name_is_bytes": b"\x80\x04C\x02os\x8c\x06system\x93.",
    "y_module_empty": b"\x80\x04\x8c\x00\x8c\x01a\x93.",
    "y_dotted_name": b"\x80\x04\x8c\x02os\x8c\x09path.join\x93.",
    "y_same_object_twice": b"\x80\x02c__main__\nC\nq\x00)\x81q\x01h\x01\x86.",
    "y_state_after_memo": b"\x80\x02}q\x00c__main__\nC\n)\x81h\x00b0h\x00U\x01aK\x01s.",
    "y_list_of_itself": b"]q\x00h\x00a.",
    "y_persistent_id": b"\x80\x02U\x03rowQ.",
    "y_persistent_line": b"Prow 1\n.",
    "n_persistent_in_mark": b"(Q.",
    "n_extension_unknown": b"\x80\x02\x82\x01.",
    "n_call_of_text": b"\x80\x02U\x01a)R.",
    "n_build_on_int": b"K\x01}b.",
    "n_second_names_after_error": b"cos\nsystem\n0K\x01a.",
    "n_surrogate_name": b"c\xed\xa0\x80\nx\n.",
    "n_name_not_utf8": b"c\xff\nx\n.",
    "y_marshal_loads": b"cmarshal\nloads\n(S'N'\ntR.",
    "y_code_constructor": b"\x80\x04\x8c\x05types\x8c\x08CodeType\x93(K\x00K\x00K\x00K\x00K\x01K\x03C\x04\x97\x00d\x00"
                          b"N\x85))\x8c\x01f\x8c\x01g\x8c\x01gK\x01C\x00C\x00))tR.",
    "y_code_constructor_too_few": b"\x80\x04\x8c\x05types\x8c\x08CodeType\x93(K\x00C\x02d\x00tR.",
    "y_subimport": b"\x80\x04\x8c\x17cloudpickle.cloudpickle\x8c\x09subimport\x93\x8c\x04json\x85R.",
    "y_builtin_type": b"\x80\x04\x8c\x17cloudpickle.cloudpickle\x8c\x0d_builtin_type\x93\x8c\x08CodeType\x85R.",
    "y_dill_import": b"\x80\x04\x8c\x0adill._dill\x8c\x0e_import_module\x93\x8c\x04json\x85R.",
    "y_dill_eval": b"\x80\x04\x8c\x0adill._dill\x8c\x0a_eval_repr\x93\x8c\x011\x85R.",
    "y_copyreg_reconstructor": b"ccopy_reg\n_reconstructor\n(c__main__\nC\nc__builtin__\nobject\nNtR.",
}


def derived():
    out = dict(FACTS)

    def payload(name):
        with open(os.path.join(HERE, "payloads", name), "rb") as source:
            return source.read()
    task = payload("cp311_cloudpickle_3.1.2_lambda_task.pkl")
    out["n_task_cut_in_code"] = task[:300]
    out["n_task_without_stop"] = task[:-1]
    out["y_task_with_trailing_bytes"] = task + b"\xff\xff"
    out["y_task_other_protocol"] = task[:1] + b"\x02" + task[2:]
    out["y_task_other_name"] = task.replace(b"_make_function", b"_fake_function")
    out["y_task_in_bytes"] = pickle.dumps([task], 4)
    out["y_two_pickles"] = payload("py27_newstyle_p2.pkl") * 2
    out["y_pickle_in_a_call"] = b"\x80\x04cpickle\nloads\nC" + bytes([len(FACTS["y_global_called"])]) + FACTS[
        "y_global_called"] + b"\x85R."
    out["y_module_name_changed"] = payload("cp313_pathlib_local_p5.pkl").replace(b"pathlib._local", b"pathlib._nowhe")
    out["n_memo_hole"] = payload("cp312_enums_p4.pkl")[:40] + b"h\xfe."
    out["n_py27_nonascii_cut"] = payload("py27_nonascii_str_p2.pkl")[:-4]
    return out


def main():
    found = from_edges({"decode": 2, "facts": 1})
    found["decode"].update(DECODE_MORE)
    found["facts"].update(derived())
    for folder, seeds in found.items():
        path = os.path.join(HERE, folder)
        os.makedirs(path, exist_ok=True)
        for old in os.listdir(path):
            if not old.startswith("crash-"):
                os.remove(os.path.join(path, old))
        for name, data in sorted(seeds.items()):
            real = "y_" if loads(data) else "n_"
            if real != name[:2]:
                print("%s/%s: CPython says %s" % (folder, name, real))
                name = real + name[2:]
            with open(os.path.join(path, name), "wb") as sink:
                sink.write(data)
        names = os.listdir(path)
        print("%s: %d seeds, %d load, %d bytes, opcodes not seen: %s" % (
            folder, len(names), sum(n.startswith("y_") for n in names), sum(map(len, seeds.values())),
            " ".join(sorted({o.name for o in pickletools.opcodes} - {o for d in seeds.values() for o in opcodes(d)}))))


if __name__ == "__main__":
    main()
