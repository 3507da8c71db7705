import enum


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 9

    def label(self):
        return self.name.lower()


payload = [Level.HIGH, Level]
