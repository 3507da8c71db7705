import re

SPACES = re.compile(r"\s+")


def clean(text):
    return SPACES.sub(" ", text).strip()


class Cleaner:
    def run(self, text):
        return clean(text)
