def scaled(factor, offset=0):
    def apply(x):
        return x * factor + offset
    return apply


payload = scaled(3, offset=2)
