# Loads and uses payloads for real, each in a forked child. Executed by harness.py in a dict that holds common.py:
# jobs (a file of JSON lines) and answers are named in `arguments`.
import pickle


def load_with(job):
    with open(job["path"], "rb") as stream:
        data = stream.read()
    more = {}
    if job.get("buffers"):
        with open(job["buffers"]) as stream:
            more["buffers"] = [bytearray(one.encode("latin-1")) for one in json.load(stream)]  # noqa: F821
    if job.get("loader") == "dill":
        import dill
        return dill.loads(data)
    return pickle.loads(data, **more)


def answer(job):
    """outcome ok, load, run (an exception), crash-load, crash-run (a signal); and the result or the error."""
    def work(say):
        try:
            value = load_with(job)
        except BaseException as error:
            say("E load " + described(error))  # noqa: F821
            return
        say("L")
        try:
            say("R " + use(job["use"], value))  # noqa: F821
        except BaseException as error:
            say("E run " + described(error))  # noqa: F821

    said, signal_number = forked(work)  # noqa: F821
    loaded = said[:1] == ["L"]
    last = said[-1] if said else ""
    if last.startswith("R ") and not signal_number:
        return "ok", last[2:]
    if last.startswith("E ") and not signal_number:
        phase, text = last[2:].split(" ", 1)
        return phase, text
    return "crash-" + ("run" if loaded else "load"), "signal %d" % signal_number


def serve(arguments):
    jobs, answers, warm = arguments
    for name in warm.split(","):
        try:
            if name:
                __import__(name)
        except BaseException:
            pass
    with open(jobs) as lines, open(answers, "w") as out:
        for line in lines:
            job = json.loads(line)  # noqa: F821
            outcome, text = answer(job)
            out.write(json.dumps({"id": job["id"], "outcome": outcome, "text": text}) + "\n")  # noqa: F821
            out.flush()
