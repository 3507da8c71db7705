import functools


def join(a, b, sep="-"):
    return sep.join([a, b])


payload = functools.partial(join, "first", sep="+")
