def total(n):
    def square(x):
        return x * x
    if n < 1:
        return 0
    return sum(square(v) for v in sorted(range(n), key=lambda v: -v)) + total(n - 1)


payload = total
