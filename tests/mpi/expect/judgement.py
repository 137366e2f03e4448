"""How a case fails or is skipped."""


class Failure(Exception):
    """A value is not the expected one."""


def expect(what, actual, expected):
    """Fail if the values differ. For dictionaries the message names the entries that differ; long values are shortened."""
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
    """The case cannot run here, and why."""
