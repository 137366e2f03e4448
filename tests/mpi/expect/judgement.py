"""What was expected and what was found."""


class Failure(Exception):
    """What was expected and what was found."""


def expect(what, actual, expected):
    """Of two dictionaries, a failure names the entries that differ, and of a long value its beginning."""
    if actual == expected:
        return
    if isinstance(actual, dict) and isinstance(expected, dict):
        keys = [k for k in {**expected, **actual} if k not in actual or k not in expected or actual[k] != expected[k]]
        actual, expected = ({k: values[k] for k in keys if k in values} for values in (actual, expected))
    raise Failure(f'{what}: expected {expected!r:.2000}, actual {actual!r:.2000}')


def expect_true(condition, what):
    if not condition:
        raise Failure(what)


class Skip(Exception):
    """Cannot be tested here, and why."""
