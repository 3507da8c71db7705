# Writes payloads: executed by harness.py in a dict that holds common.py and cases.py.
import pickle
import hashlib

__version_info = sys.version_info  # noqa: F821


def protocols_of(case, serializer, module):
    highest = module.HIGHEST_PROTOCOL if serializer == "pickle" else pickle.HIGHEST_PROTOCOL
    if serializer == "pickle":
        return sorted(set([highest, 2, min(highest, (0, 1, 3, 4)[case["number"] % 4])]))
    return [None, 2] if case["number"] % 3 == 0 else [None]


def applies(case, serializer):
    version = tuple(sys.version_info[:2])  # noqa: F821
    if not case["first"] <= version <= case["last"]:
        return False
    if case["by"] and serializer[0] not in case["by"]:
        return False
    for module in case["needs"]:
        try:
            __import__(module)
        except ImportError:
            return False
    return True


def write(case, serializer, folder):
    """Payloads of one case, in a child: [{"file", "protocol", "expected", "buffers"}] or an error."""
    def work(say):
        import __main__
        space = __main__.__dict__
        exec(compile(case["source"], "job.py", "exec", 0, True), space)
        value = space["obj"]
        module = __import__(serializer)
        try:
            expected = use(case["use"], value)  # noqa: F821
        except BaseException as error:
            say("E use " + described(error))  # noqa: F821
            return
        exec(compile(case["source"], "job.py", "exec", 0, True), space)  # a use may have changed it
        value = space["obj"]
        done = set()
        for protocol in protocols_of(case, serializer, module):
            name = "%04d_%s_p%s" % (case["number"], serializer, "x" if protocol is None else protocol)
            buffers = []
            try:
                if case["buffers"]:
                    if protocol is None or protocol < 5:
                        continue
                    data = module.dumps(value, protocol=protocol, buffer_callback=buffers.append)
                elif protocol is None and serializer == "dill" and case["number"] % 2:
                    data = module.dumps(value, recurse=True)
                elif protocol is None:
                    data = module.dumps(value)
                else:
                    data = module.dumps(value, protocol)
            except BaseException as error:
                say("E dump " + described(error))  # noqa: F821
                continue
            if data in done:
                continue
            done.add(data)
            path = os.path.join(folder, name + ".pkl")  # noqa: F821
            with open(path, "wb") as out:
                out.write(data)
            row = {"case": case["name"], "file": path, "protocol": protocol, "expected": expected}
            if case["buffers"]:
                row["buffers"] = path[:-4] + ".buffers"
                row["buffer_count"] = len(buffers)
                with open(row["buffers"], "w") as out:
                    json.dump([bytes(one.raw()).decode("latin-1") for one in buffers], out)  # noqa: F821
            say("P " + json.dumps(row))  # noqa: F821
    return forked(work)  # noqa: F821


def produce(arguments, cases):
    serializers, folder, index = arguments
    with open(index, "w") as out:
        for serializer in serializers.split(","):
            for name in serializer, "pickletools":
                try:
                    __import__(name)
                except BaseException:
                    break
            for case in cases:
                if not applies(case, serializer):
                    continue
                said, signal_number = write(case, serializer, folder)
                for line in said:
                    if line.startswith("P "):
                        row = json.loads(line[2:])  # noqa: F821
                        row.update(use=case["use"], serializer=serializer)
                        out.write(json.dumps(row) + "\n")  # noqa: F821
                    else:
                        out.write(json.dumps({"case": case["name"], "serializer": serializer,  # noqa: F821
                                              "trouble": line[2:]}) + "\n")
                if signal_number:
                    out.write(json.dumps({"case": case["name"], "serializer": serializer,  # noqa: F821
                                          "trouble": "signal %d" % signal_number}) + "\n")
