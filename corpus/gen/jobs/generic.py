import typing

T = typing.TypeVar("T", bound=int)


class Box(typing.Generic[T]):
    item: T

    def get(self) -> T:
        return self.item


payload = Box[int]
