"""Constructs of 3.8 and later."""


def positional(a, /, b, *, c):
    if (n := len(a)) > b:
        return n
    return f"{c=}"


def leave(it):
    for x in it:
        try:
            return x
        finally:
            print(x)
