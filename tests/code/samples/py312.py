"""Constructs of 3.12 and later."""
type Alias[T] = list[T]


def generic[T: int, *Ts, **P](x: T) -> T:
    return [y for y in x if (lambda: y)()]


class Box[T]:
    value: T

    def get(self) -> T:
        return f"{self.value!r:{self.width}} {'nested'}"
