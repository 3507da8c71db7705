def classify(value):
    match value:
        case {"kind": "list", "items": [first, *rest]}:
            return first, len(rest)
        case int() | float() as number if number > 0:
            return number, 0
        case _:
            raise ValueError(f"{value!r} is nothing")


payload = classify
