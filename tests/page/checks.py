"""Checks of the tests of pages."""


class Checks:
    """Counts checks that hold, and prints the expected and the actual value of those that fail."""

    def __init__(self):
        self.done, self.failed = 0, 0

    def equal(self, what, expected, actual):
        self.done += 1
        if expected != actual:
            self.failed += 1
            print(f"FAILED {what}: expected {expected!r}, actual {actual!r}", flush=True)

    def true(self, what, condition, actual=None):
        self.equal(what, True, bool(condition) if actual is None or condition else actual)
