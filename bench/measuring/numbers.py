"""Statistics: median and range of several runs; exponent over several sizes."""
import math
import statistics


def spread(values):
    return {'median': statistics.median(values), 'min': min(values), 'max': max(values), 'n': len(values)}


def differences(bare, traced, key):
    """Differences of pairs: each traced run minus the untraced run before it."""
    return spread([t[key] - b[key] for b, t in zip(bare, traced)])


def range_of(s, form):
    return f'{form.format(s["min"])} … {form.format(s["max"])}'


def with_range(s, form):
    return f'{form.format(s["median"])} ({range_of(s, form)})'


def exponent(points):
    """The slope of log value over log x by least squares: 1 is linear, 0 is constant. None for fewer than 2 points."""
    logs = [(math.log(x), math.log(value)) for x, value in points if value > 0]
    if len(logs) < 2:
        return None
    return statistics.linear_regression(*zip(*logs)).slope
