# Executed by forms.py in every interpreter, in a dict that holds common.py and forms_cases.py: writes the objects, and
# loads what all interpreters wrote with the unpickler in Python, which tells at which opcode it failed.
import io
import pickle

PURE = getattr(pickle, "_Unpickler", None) or pickle.Unpickler  # Python 2's is in Python
ACTS = ("REDUCE", "NEWOBJ", "NEWOBJ_EX", "OBJ", "INST", "BUILD")


class Counting(PURE):
    """Counts the opcodes that call something or set a state."""
    dispatch = dict(PURE.dispatch)
    acts = 0


def counted(old):
    def act(self):
        self.acts += 1
        old(self)
    return act


for one in ACTS:
    if hasattr(pickle, one):
        code = getattr(pickle, one)
        code = code if code in Counting.dispatch else code[0]
        Counting.dispatch[code] = counted(Counting.dispatch[code])


def value_of(modules, expression):
    space = {"__name__": "made"}
    for module in modules:
        __import__(module)
        space[module.split(".")[0]] = sys.modules[module.split(".")[0]]  # noqa: F821
    return eval(compile(expression, "made", "eval", 0, True), space)


def write_forms(folder, index, serializers, done):
    with open(index, "a") as out:
        for number, modules, expression, text in recipes():  # noqa: F821
            if number in done:
                continue

            def work(say):
                try:
                    expected = use(text, value_of(modules, expression))  # noqa: F821
                except BaseException as error:
                    say("E " + described(error))  # noqa: F821
                    return
                say("X " + expected)
                done = {}
                for serializer in serializers:
                    module = __import__(serializer)
                    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                        try:
                            data = module.dumps(value_of(modules, expression), protocol)
                        except BaseException:
                            continue
                        if data in done:
                            continue
                        done[data] = 1
                        path = os.path.join(folder, "%03d_%s_p%d.pkl" % (number, serializer, protocol))  # noqa: F821
                        with open(path, "wb") as stream:
                            stream.write(data)
                        say("P " + path)

            said, _ = forked(work)  # noqa: F821
            row = {"number": number, "expected": None, "paths": []}
            for line in said:
                if line.startswith("X "):
                    row["expected"] = line[2:]
                if line.startswith("P "):
                    row["paths"].append(line[2:])
            out.write(json.dumps(row) + "\n")  # noqa: F821


def load_forms(jobs, answers):
    uses = {number: text for number, _, _, text in recipes()}  # noqa: F821
    with open(jobs) as lines, open(answers, "a") as out:
        for line in lines:
            path, number = json.loads(line)  # noqa: F821
            with open(path, "rb") as stream:
                data = stream.read()

            def work(say):
                reader = Counting(io.BytesIO(data))
                try:
                    reader.load()
                except BaseException as error:
                    say("A %d %s" % (reader.acts, described(error)))  # noqa: F821
                try:
                    value = pickle.loads(data)
                except BaseException as error:
                    say("E " + described(error))  # noqa: F821
                    return
                say("L")
                try:
                    say("R " + use(uses[number], value))  # noqa: F821
                except BaseException as error:
                    say("U " + described(error))  # noqa: F821

            said, signal_number = forked(work)  # noqa: F821
            out.write(json.dumps([path, number, said, signal_number]) + "\n")  # noqa: F821
