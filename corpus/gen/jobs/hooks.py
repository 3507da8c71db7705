class Meta(type):
    def __call__(cls, *args):
        return super().__call__(*args)


class Named:
    def __set_name__(self, owner, name):
        self.name = name


class Key(metaclass=Meta):
    field = Named()

    def __init__(self, n):
        self.n = n

    def __init_subclass__(cls, **kwargs):
        cls.subclassed = True

    def __eq__(self, other):
        return self.n == other.n

    def __hash__(self):
        return hash(self.n)


class Sub(Key):
    pass


payload = {Key(1): "one", Sub(2): "two"}
