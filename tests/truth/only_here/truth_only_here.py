"""A module that only writers have."""
value = 5


def twice(x):
    return x * 2


class Thing(object):
    def m(self):
        return 7
