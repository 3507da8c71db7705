class Base(object):
    registry = {}

    def __init__(self, name):
        self.name = name

    def describe(self):
        return "base " + self.name


class Worker(Base):
    """A class with one of each."""
    limit = 5

    def describe(self):
        return super(Worker, self).describe() + "!"

    @property
    def short(self):
        return self.name[:self.limit]

    @staticmethod
    def twice(x):
        return 2 * x

    @classmethod
    def make(cls, name="default"):
        return cls(name)


payload = Worker
