import dataclasses
import typing


@dataclasses.dataclass
class Order:
    number: int
    lines: typing.List[str] = dataclasses.field(default_factory=list)
    open: bool = True

    def close(self) -> None:
        self.open = False


payload = Order(7, ["a"])
