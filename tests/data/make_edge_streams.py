#!/usr/bin/env python3
"""Turn a JSON-lines record of edge streams into the flat table the C tests read.

    make_edge_streams.py SOURCE.jsonl [OUT.tsv]        (default output: edge_streams.tsv beside this file)

Every source line is an object: "hex" (the stream), "note", optional "opts" (encoding, errors, buffers,
persid, stub) and "expect": interpreter -> outcome (ok, error_type, offset_consumed, globals, persistent_ids).
One line of the table is one (stream, interpreter); README.md explains the columns.  No Python is needed to
read the table, and nothing in it is ever unpickled here.
"""
import json
import os
import sys

COLUMNS = ("interpreter", "hex", "encoding", "errors", "buffers", "persid", "stub", "ok", "exception",
           "consumed", "globals", "persistent_ids", "note")


def hexname(text):
    return text.encode("utf-8", "surrogatepass").hex()


def escape(text):
    out = text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
    return out.encode("utf-8", "backslashreplace").decode("utf-8")


def rows(case):
    opts = case.get("opts", {})
    unknown = set(opts) - {"encoding", "errors", "buffers", "persid", "stub"}
    if unknown:
        raise SystemExit("unknown option in source: %s" % ", ".join(sorted(unknown)))
    for interpreter in sorted(case["expect"], key=lambda name: (name != "cpython-3.11", name)):
        out = case["expect"][interpreter]
        consumed = out.get("offset_consumed")
        names = ["%s:%s" % (hexname(module), hexname(name)) for module, name in out.get("globals", ())]
        yield (interpreter, case["hex"], opts.get("encoding", ""), opts.get("errors", ""),
               str(opts.get("buffers", "")), "1" if opts.get("persid", True) else "0", opts.get("stub", "type"),
               "1" if out["ok"] else "0", "-" if out["ok"] else out["error_type"],
               "-" if consumed is None else str(consumed), ",".join(names) or "-",
               str(len(out.get("persistent_ids", ()))), escape(case["note"]))


def main(argv):
    if len(argv) not in (2, 3):
        sys.exit(__doc__)
    target = argv[2] if len(argv) == 3 else os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                                         "edge_streams.tsv")
    streams = lines = 0
    with open(argv[1], encoding="utf-8") as source, open(target, "w", encoding="utf-8", newline="\n") as sink:
        sink.write("#" + "\t".join(COLUMNS) + "\n")
        for line in source:
            if line.strip():
                streams += 1
                for row in rows(json.loads(line)):
                    if any("\t" in cell or "\n" in cell for cell in row):
                        sys.exit("a cell holds a separator: %r" % (row,))
                    sink.write("\t".join(row) + "\n")
                    lines += 1
    print("%s: %d streams, %d lines" % (os.path.basename(target), streams, lines))


if __name__ == "__main__":
    main(sys.argv)
