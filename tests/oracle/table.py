"""Rows of a measure as hiera-transform prints them, and how two tables are compared."""
import csv
import io
import subprocess

class Refused(Exception):
    pass


def ask(program, folder, measure, options=()):
    """The rows of a measure, as dictionaries."""
    done = subprocess.run([program, str(folder), "--measure", measure, "--format", "csv", *options],
                          capture_output=True, text=True, timeout=120)
    if "no operation" in done.stderr or "no Cartesian topology" in done.stderr:
        return []
    if done.returncode not in (0, 1):
        raise Refused(" ".join([measure, *options]) + ": " + done.stderr)
    return rows(done.stdout)


def ask_all(program, folder, questions):
    """The rows of each of these questions, (measure, *options): those with the same options are asked of one process."""
    answers = {}
    for options in {tuple(options) for _, *options in questions}:
        measures = [measure for measure, *other in questions if tuple(other) == options]
        done = subprocess.run([program, str(folder), "--measure", ",".join(measures), "--format", "csv", *options],
                              capture_output=True, text=True, timeout=120)
        tables = done.stdout.split("\n\n") if done.returncode in (0, 1) else []
        if len(tables) == len(measures):
            answers.update(((measure, *options), rows(text)) for measure, text in zip(measures, tables))
        else:  # one of them is refused
            answers.update(((measure, *options), ask(program, folder, measure, options)) for measure in measures)
    return answers


def rows(text):
    lines = [line for line in text.splitlines() if not line.startswith("partial:")]
    return list(csv.DictReader(io.StringIO("\n".join(lines))))


def seconds(nanoseconds):
    sign = "-" if nanoseconds < 0 else ""
    return f"{sign}{abs(nanoseconds) // 10**9}.{abs(nanoseconds) % 10**9:09d}"


def percent(part, whole):
    """Hundredths of a percent, to the nearest."""
    if whole == 0:
        return "0.00"
    return f"{100 * part / whole:.2f}"


def ratio(part, whole):
    """The same; 0 of 0, or of 0 at all, is nothing that is known."""
    return percent(part, whole) if whole else ""


def same(name, mine, theirs):
    """Equal; a derived number may differ by some of its last digit, since docs do not say how it is rounded."""
    if mine == theirs:
        return True
    try:
        one, other = float(mine), float(theirs)
    except ValueError:
        return False
    digits = len(mine.partition(".")[2])
    return abs(one - other) <= LOOSE.get(name, 0) * 1.01 * 10.0 ** -digits


# By how many units of its last digit a number may differ.
LOOSE = {**dict.fromkeys("""share saves mean deviation imbalance overload factor useful-mean io-mean efficiency load-balance
    communication serialisation transfer openmp openmp-serialisation openmp-load-balance openmp-scheduling send receive drift rate mean_bytes useful mpi useful_share mpi_share io_share
    bytes_mean bytes_deviation apart""".split(), 1), "direct": 200, "indirect": 200, "value": 1, "change": 1, "own": 1, "waiting_share": 1, "explains": 1}


def compare(mine, theirs, keys):
    """Differences as text; the rows are paired by `keys`."""
    def index(rows):
        table = {}
        for row in rows:
            key = tuple(str(row[k]) for k in keys)
            while key in table:
                key += ("again",)
            table[key] = row
        return table
    a, b = index(mine), index(theirs)
    found = []
    if "direct" in (mine or theirs or [{}])[0]:
        for table, other in ((a, b), (b, a)):
            for key in set(other) - set(table):
                table[key] = {**other[key], "direct": seconds(0), "indirect": seconds(0)}
    for key in sorted(set(a) | set(b), key=str):
        if key not in b:
            found.append(f"only the oracle has {a[key]}")
        elif key not in a:
            found.append(f"only hiera-transform has {b[key]}")
        else:
            bad = [k for k in a[key] if not same(k, str(a[key][k]), b[key][k])]
            if bad:
                found.append(f"{key}: " + ", ".join(f"{k}: oracle {a[key][k]}, hiera-transform {b[key][k]}" for k in bad))
    return found
