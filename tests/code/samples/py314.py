"""Constructs of 3.14 and later."""


def template(name):
    return t"hello {name!r:>{name}}"


def annotated(x: Undefined) -> Undefined:
    try:
        return x
    except ValueError, TypeError:
        return None
