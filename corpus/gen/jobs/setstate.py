class Counter(object):
    def __init__(self, start):
        self.value = start

    def __getstate__(self):
        return {"value": self.value, "version": 2}

    def __setstate__(self, state):
        if state["version"] != 2:
            raise ValueError("wrong version")
        self.value = state["value"]


payload = Counter(41)
