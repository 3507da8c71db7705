"""Constructs of 3.11 and later."""


def groups(f):
    try:
        f()
    except* ValueError as e:
        return_value = e
    except* (TypeError, OSError):
        return_value = None
    return return_value
