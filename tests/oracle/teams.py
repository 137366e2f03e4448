#!/usr/bin/env python3
"""Threads of OpenMP: `threads` and `efficiency` recomputed from docs/measures.md, moment by moment, on random runs (simulate_teams.py).

teams.py PROGRAM LIBRARY [--traces N] [--first SEED] [--keep DIR]  N random runs; LIBRARY: two processes of PROGRAM, through it, have to give the same
teams.py PROGRAM LIBRARY FOLDER…                                   the traces in these folders, real runs for example"""
import argparse
import fractions
import json
import pathlib
import sys
import tempfile
from collections import defaultdict
from statistics import median_low

import kinds
import search
import simulate_teams
from counting import bins, useful_stretches
from match import Matches
from paths import Passes, inside_level
from table import compare, percent, ratio, seconds
from trace import Run, ranks_text
from waits import Waiting

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "parallel"))
import together  # noqa: E402

IDLE = {"barrier": "wait at barrier", "taskwait": "wait for tasks", "taskgroup": "wait for tasks", "acquire critical": "wait for critical"}
SUMS = ["useful", "mpi", "io", "own", "serial", "lb", "sched"]


def is_openmp(o, name):
    return o is not None and o.level == "openmp" and o.name == name


def part_around(o):
    return next((x for x in reversed(o.ancestors()[:-1]) if is_openmp(x, "task") or is_openmp(x, "implicit task")), None)


def number(o):
    """Which region a region or an implicit task says that it is."""
    return next((word for word in o.get("args", "").split() if word.startswith("region=")), None)


class Rank:
    """What each thread of a rank does in each interval between two times of its trace."""

    def __init__(self, p):
        self.p, self.part, self.region = p, {}, {}
        regions = [o for o in p.operations if is_openmp(o, "parallel")]
        self.members = {r: {r.thread} for r in regions}
        for o in sorted((o for o in p.operations if is_openmp(o, "implicit task") and not is_openmp(o.parent, "parallel")), key=lambda o: o.s):
            found = [r for r in regions if r.s <= o.s <= r.f and o.thread not in self.members[r] and number(r) == number(o)]
            if found:
                r = min(found, key=lambda r: (r.f < o.f, (r.file, r.line) != (o.file, o.line), len(self.members[r]), r.s))
                self.members[r].add(o.thread)
                self.part[r, o.thread], self.region[o] = o, r
        self.teams = [r for r in regions if len(self.members[r]) > 1]
        times = [t for o in p.operations for t in (o.s, o.f)] + [t for flush in p.flushes for t in flush[:2]]
        self.times = sorted({p.init, p.finalize, *(t for t in times if p.init < t < p.finalize)})
        self.by_thread = {x: [o for o in p.operations if o.thread == x] for x in {0} | {o.thread for o in p.operations}}
        self.n = max(map(self.busy, self.times))
        self.places, self.needs = self.find_places(), self.find_needs()

    def find_places(self):
        """Which thread counts as which one, for each interval: who comes when there were n gets the place that is free for the longest time."""
        stays, last, free, found = [], {}, {}, {(0, i): 0 for i in range(len(self.times) - 1)}
        for x in sorted(set(self.by_thread) - {0}):
            there = [i for i, t in enumerate(self.times[:-1]) if self.state(x, t)[0] is not None]
            stays += [(i, x, next(k for k in range(i, len(self.times)) if k not in there)) for i in there if i - 1 not in there]
        for i, x, end in sorted(stays):
            place = next((p for p, of in last.items() if of == x and free[p] <= i), None)
            if place is None:
                place = x if len(free) < self.n - 1 else min(free, key=free.get)
            last[place], free[place] = x, end
            found.update({(x, k): place for k in range(i, end)})
        return found

    def by_place(self):
        """Intervals of what counts as one thread: which one, times, the team, what it does, and where."""
        for (x, i), place in self.places.items():
            yield place, self.times[i], self.times[i + 1], *self.state(x, self.times[i])

    def busy(self, t):
        return 1 + sum(x != 0 and self.state(x, t)[0] is not None for x in self.by_thread)

    def team(self, o):
        """The innermost team around an operation; a task can run behind the implicit task."""
        for x in reversed(o.ancestors()):
            if x in self.region or x in self.teams:
                return self.region.get(x, x)
        before = [x for x in self.region if x.thread == o.thread and x.depth == 0 and x.f <= o.ancestors()[0].s]
        last = max(before, key=lambda x: x.s, default=None)
        return self.region[last] if last and o.ancestors()[0].s < self.region[last].f else None

    def state(self, thread, t):
        """The team, what the thread does, and where."""
        around = max((o for o in self.by_thread[thread] if o.s <= t < o.f), key=lambda o: o.depth, default=None)
        team = self.team(around) if around else None
        if around is None and thread != 0:
            parts = sorted(((part.s, part.f, r) for (r, x), part in self.part.items() if x == thread), key=lambda part: part[0])
            last, following = max((p for p in parts if p[0] <= t), key=lambda p: p[0], default=None), next((p for p in parts if p[0] > t), None)
            if last and t < last[2].f:
                return last[2], "end of region", last[2]
            return (following[2], "start of region", following[2]) if following and following[2].s <= t else (None, None, None)
        if team is not None and t >= team.f:
            return None, None, None
        call = next((o for o in around.ancestors() if o.is_mpi), None) if around else None
        if call:
            return team, "io" if kinds.is_io(call) else "mpi", call
        if thread == 0 and any(s <= t < f for s, f, _ in self.p.flushes):
            return team, "own", around
        if team is not None and around is team:
            mine = next(o for o in self.by_thread[thread] if o.parent is team and o.name == "implicit task")
            return team, "start of region" if t < mine.s else "end of region", team
        if team is not None and around.level == "openmp" and (around.name in IDLE or around.name.startswith("acquire")):
            return team, IDLE.get(around.name, "wait for lock"), around
        return team, "useful", around

    def find_needs(self):
        """Of each wait for tasks, and each task: when what it needs is done, and by which thread."""
        created, needs = {}, defaultdict(list)
        for o in (o for o in self.p.operations if is_openmp(o, "create task")):
            created[o.get("args")] = o
        tasks = [o for o in self.p.operations if is_openmp(o, "task")]
        for o in tasks:
            by = created.get(o.get("args"))
            needs[o] += [(by.s, by.thread)] if by else [None]
        for w in (o for o in self.p.operations if is_openmp(o, "taskwait")):
            before = [v.s for v in self.p.operations if is_openmp(v, "taskwait") and part_around(v) is part_around(w) and v.thread == w.thread and v.s < w.s]
            mine = {c.get("args") for c in created.values() if part_around(c) is part_around(w) and c.thread == w.thread and max(before, default=0) <= c.s <= w.s}
            needs[w] += [(o.f, o.thread) for o in tasks if o.get("args") in mine]
            last = max(needs[w], default=(0, 0))[0]
            needs[w] += [None for o in tasks if o.get("args") not in created and last < o.f <= w.f]
        return needs

    def is_late(self, thread, begin, end):
        """Whether a thread idles because another one comes late with what a task needs that begins then, or a wait for tasks that ends."""
        found = [needs for o, needs in self.needs.items() if o.thread == thread and end == (o.s if o.name == "task" else o.f)]
        return any(None not in needs and needs and max(needs)[0] > begin and max(needs)[1] != thread for needs in found)

    def next(self, t):
        """The operation that begins next, unless the one around ends first."""
        around = max((o for o in self.by_thread[0] if o.s <= t < o.f), key=lambda o: o.depth, default=None)
        return min((o for o in self.by_thread[0] if o.parent is around and o.s > t), key=lambda o: o.s, default=None)

    def gap(self, thread, s):
        """The time around a moment in which a thread does the same, between the begins and ends of its operations."""
        i = k = self.times.index(s)
        now, edges = self.state(thread, s), {t for o in self.by_thread[thread] for t in (o.s, o.f)}
        while i > 0 and self.times[i] not in edges and self.state(thread, self.times[i - 1]) == now:
            i -= 1
        k += 1
        while k + 1 < len(self.times) and self.times[k] not in edges and self.state(thread, self.times[k]) == now:
            k += 1
        return self.times[i], self.times[k]

    def intervals(self, start, end):
        """How long, what, where, the team and the thread, how many threads."""
        for s, e in zip(self.times, self.times[1:]):
            length = min(e, end) - max(s, start)
            for thread in list(self.by_thread) if length > 0 else []:
                team, what, place = self.state(thread, s)
                if what in ("wait at barrier", "end of region") and team and self.is_late(thread, *self.gap(thread, s)):
                    what = "wait for tasks"
                if thread == 0 or team is not None:
                    yield length, what, place, team, thread, 1
                if thread == 0:
                    outside = ("no part in region", team) if team else ("main thread in MPI", place) if what in ("mpi", "io") else ("serial part", self.next(s))
                    yield length, *outside, None, None, self.n - self.busy(s)

    def sums(self, window):
        """Thread-nanoseconds of each kind, as the efficiency divides them."""
        found, idle = dict.fromkeys(SUMS, 0), defaultdict(lambda: defaultdict(int))
        for length, what, _, team, thread, n in self.intervals(*window):
            if what in found:
                found[what] += length
            elif team is None:
                found["serial"] += n * length
            else:
                idle[team][thread] += length
        for team, of in idle.items():
            least = min(of.get(thread, 0) for thread in self.members[team])
            found["sched"] += least * len(self.members[team])
            found["lb"] += sum(of.values()) - least * len(self.members[team])
        return found


def threads(ranks, start, end):
    rows, whole = defaultdict(lambda: [0, set()]), 0
    for r in ranks:
        whole += r.n * inside((start, end), r.p.init, r.p.finalize)
        for length, what, place, _, _, n in r.intervals(start, end) if r.n > 1 else []:
            if what not in SUMS and n:
                row = rows[what, *((place.name, place.file.rpartition("/")[2], place.line) if place else ("", "", 0))]
                row[0] += n * length
                row[1].add(r.p.rank)
    return [{**dict(zip(threads.keys, key)), "time": seconds(time), "share": percent(time, whole), "processors": ranks_text(of)} for key, (time, of) in rows.items()]


def factors(region, iteration, time, ideal, sums):
    """sums: of each rank how many threads it has, and what these do."""
    n, everybody = sum(of for of, _ in sums), {k: sum(found[k] for _, found in sums) for k in SUMS}
    idle = sum(everybody[k] for k in ("serial", "lb", "sched"))
    busy = n * time - idle
    best = max(((of, found["useful"], of * time - found["serial"] - found["lb"] - found["sched"]) for of, found in sums), key=lambda r: r[1] / r[2])
    perfect = best[2] - (time - min(ideal, time))
    row = {"region": region, "iteration": iteration, "processes": len(sums), "threads": n, "time": seconds(time), "useful-mean": seconds(everybody["useful"] // n),
           "useful-max": seconds(max(found["useful"] // of for of, found in sums)), "io-mean": seconds(everybody["io"] // n)}
    parts = {"efficiency": (everybody["useful"], n * time), "load-balance": (everybody["useful"] * best[2], busy * best[1]), "communication": best[1:],
             "serialisation": (best[1], perfect), "transfer": (perfect, best[2])}
    openmp = {"mpi": (everybody["useful"], busy), "openmp": (busy, n * time), "openmp-serialisation": (n * time - everybody["serial"], n * time),
              "openmp-load-balance": (busy + everybody["sched"], n * time - everybody["serial"]), "openmp-scheduling": (busy, busy + everybody["sched"])}
    return {**row, **{k: ratio(*part) for k, part in parts.items()}, **{k: ratio(*part) if n > len(sums) else "" for k, part in openmp.items()}}


def inside(window, s, e):
    return max(0, min(e, window[1]) - max(s, window[0]))


def ideal_in(r, passes, window):
    """What is left of a window in the ideal run: of a call its begin."""
    left = inside(window, r.p.init, r.p.finalize)
    for c in passes.calls[r.p.rank]:
        begin = max(c.s, r.p.init)
        left += inside(window, begin, min(c.f, begin + passes.lasts[c])) - inside(window, begin, c.f)
    return left


def ideal_of(r, passes, o):
    """What is left of an operation: there a call can wait longer than it did."""
    return o.f - o.s + sum(passes.lasts[c] - (c.f - c.s) for c in passes.calls[r.p.rank] if o in c.ancestors())


def run_row(run, ranks, passes, window):
    time, ideal, window = run.end - run.start, max(passes.ideal().values()) - run.start, (max(window[0], run.start), min(window[1], run.end))
    if window != (run.start, run.end):
        time, ideal = max(inside(window, r.p.init, r.p.finalize) for r in ranks), max(ideal_in(r, passes, window) for r in ranks)
    return [factors("", 0, time, ideal, [(r.n, r.sums(window)) for r in ranks])]


def iteration_rows(ranks, passes):
    found = defaultdict(list)
    for r in ranks:
        seen = defaultdict(int)
        for o in inside_level(r.p.outermost, "app"):
            seen[o.name] += 1
            found[o.name, seen[o.name]].append((r, o))
    return [factors(*key, max(o.f - o.s for _, o in of), max(ideal_of(r, passes, o) for r, o in of), [(r.n, r.sums((o.s, o.f))) for r, o in of]) for key, of in found.items()]


def stretches(r, thread):
    """Times in which a thread computes without a break."""
    found, before = [], None
    for s, e in zip(r.times, r.times[1:]):
        is_useful = r.state(thread, s)[1] == "useful"
        if is_useful and before == s:
            found[-1] += e - s
        elif is_useful:
            found.append(e - s)
        before = e if is_useful else None
    return found


def histogram(ranks):
    """Of ranks without teams that of the main thread, which breaks also at calls of no length."""
    return [{"processor": r.p.rank, "thread": thread, **b} for r in ranks for thread in (r.by_thread if r.n > 1 else [0])
            for b in bins(stretches(r, thread) if r.n > 1 else [e - s for s, e in useful_stretches(r.p)], seconds)]


def iteration_times(ranks, level):
    """phases --by iteration: what all threads do on average."""
    found = defaultdict(list)
    for r in ranks:
        seen = defaultdict(int)
        for o in inside_level(r.p.outermost, level):
            seen[o.level, o.step] += 1
            found[o.level, o.step, seen[o.level, o.step]].append((r, o))
    rows = []
    for (_, _, k), of in found.items():
        sums, n = [r.sums((o.s, o.f)) for r, o in of], sum(r.n for r, _ in of)
        mean = {name: sum(each[part] for each in sums for part in parts) // n
                for name, parts in (("useful", ["useful"]), ("mpi", ["mpi", "io"]), ("idle", ["serial", "lb", "sched"]))}
        rows.append({"start": seconds(min(o.s for _, o in of)), "iteration": k, "time": seconds(max(o.f - o.s for _, o in of)),
                     **{name: seconds(ns) for name, ns in mean.items()}, "ranks": len(of)})
    return rows


def done_by(r, thread, start, end):
    """What one thread does; it idles while it is in no team."""
    found = dict.fromkeys(["useful", "mpi", "io", "own"], 0)
    for x, s, e, _, what, _ in r.by_place():
        if x == thread and what in found:
            found[what] += inside((start, end), s, e)
    idle = inside((start, end), r.p.init, r.p.finalize) - sum(found.values()) if r.n > 1 else 0
    return {**found, "idle": idle}


def over_time(run, ranks, by_thread, n=6):
    rows, edges = [], [run.start + (run.end - run.start) * i // n for i in range(n + 1)]
    for start, end in zip(edges, edges[1:]):
        if by_thread:
            found = [({"processor": r.p.rank, "thread": x}, 1, done_by(r, x, start, end)) for r in ranks for x in sorted(set(r.places.values()))]
        else:
            sums = [r.sums((start, end)) for r in ranks]
            all_sums = {k: sum(each[k] for each in sums) for k in SUMS}
            found = [({}, sum(r.n for r in ranks), {**all_sums, "idle": sum(all_sums[k] for k in ("serial", "lb", "sched"))})]
        for keys, among, times in found:
            row = {**keys, "from": seconds(start), "to": seconds(end)}
            for name in ("useful", "mpi", "io", "idle"):
                row[name], row[name + "_share"] = seconds(times[name]), percent(times[name], among * (end - start))
            rows.append(row)
    return rows


def regions(ranks, window):
    """imbalance --by region: the useful time of each thread in each region."""
    times, names = defaultdict(lambda: defaultdict(int)), [(r.p.rank, x) for r in ranks for x in sorted(set(r.places.values()))]
    for r in ranks:
        for x, s, e, region, what, place in r.by_place():
            if not r.teams:
                region = next((o for o in reversed(place.ancestors() if place else []) if is_openmp(o, "parallel")), None)
            if what == "useful":
                name = "parallel " + region.file.rpartition("/")[2] + f":{region.line}" * (region.line > 0) if region else "outside of regions"
                times[name][r.p.rank, x] += inside(window, s, e)
    rows, n = [], len(names)
    for name, of in times.items() if set(times) - {"outside of regions"} else []:
        t = [of[key] for key in names]
        total, most, middle = sum(t), max(t), median_low(t)
        if total == 0:
            continue
        longest = [f"{rank}:{x}" for (rank, x), ns in zip(names, t) if most - ns <= ns - total // n]
        rows.append({"region": name, "threads": sum(ns > 0 for ns in t), "useful": seconds(total), "mean": seconds(total // n), "median": seconds(middle),
                     "max": seconds(most), "imbalance": percent(n * most - total, n * most), "overload": seconds(sum(max(0, n * ns - total) for ns in t) // n),
                     "factor": ratio(most, middle), "longest": " ".join(longest[:8] + ["…"] * (len(longest) > 8))})
    return rows


def idle_evidence(ranks):
    """bottlenecks, hypothesis threads: idle time as a part of that of the rank, in the region or in the operation around the main thread."""
    found = []
    for r in ranks:
        for s, e in zip(r.times, r.times[1:]) if r.n > 1 else []:
            idle = [(team, 1) for team, what, _ in (r.state(x, s) for x in r.by_thread) if team and what not in SUMS]
            team, _, place = r.state(0, s)
            for where, n in [*idle, (team or place, r.n - r.busy(s))]:
                path = (*(["further threads"] if where and where.thread else []), *search.steps_of(where))
                found.append((path, r.p.rank, 0, fractions.Fraction(n * (e - s), r.n)))
    return found


def compare_bottlenecks(run, ranks, theirs):
    """The call paths in which threads idle. Times are sums of rounded ones."""
    mine = search.rows_of(run, "threads", idle_evidence(ranks), 4.0) if any(r.n > 1 for r in ranks) else []
    mine, theirs = search.told(mine, [row for row in theirs if row["hypothesis"] == "threads"])
    return compare([{**row, "time": ""} for row in mine], [{**row, "time": ""} for row in theirs], search.bottlenecks.keys)


regions.keys = ("region",)
iteration_times.keys, histogram.keys = ("iteration", "start"), ("processor", "thread", "from")
threads.keys, factors.keys = ("class", "operation", "file", "line"), ("region", "iteration")


def differences(program, library, folder):
    run = Run(folder)
    for p in run.processors:
        p.has_threads = False  # calls of further threads have no dependences
    passes, ranks, whole = Passes(run, Waiting(Matches(run))), [Rank(p) for p in run.processors], (run.start, run.end)
    passes.ideal()
    window = (run.start + (run.end - run.start) // 4, run.end - (run.end - run.start) // 3)
    times = ["--from", seconds(window[0]), "--to", seconds(window[1])]
    questions = [(["threads"], threads(ranks, *whole)), (["efficiency"], run_row(run, ranks, passes, whole)),
                 (["threads", *times], threads(ranks, *window)), (["efficiency", *times], run_row(run, ranks, passes, window)),
                 (["efficiency", "--by", "iteration", "--level", "app"], iteration_rows(ranks, passes)),
                 (["over-time", "--bins", "6", "--by", "idle"], over_time(run, ranks, False)), (["over-time", "--bins", "6", "--by", "thread"], over_time(run, ranks, True)),
                 (["imbalance", "--by", "region"], regions(ranks, whole)), (["imbalance", "--by", "region", *times], regions(ranks, window)),
                 (["histogram", "--by", "thread"], histogram(ranks)), (["phases", "--by", "iteration", "--level", "app"], iteration_times(ranks, "app"))]
    keys = {"threads": threads.keys, "efficiency": factors.keys, "histogram": histogram.keys, "phases": iteration_times.keys,
            "imbalance": regions.keys}
    for question, mine in questions:
        of = keys.get(question[0], ("processor", "thread", "from") if question[-1] == "thread" else ("from",))
        command = [program, str(folder), "--format", "json", "--measure", *question]
        said = together.alone(command)
        rows = json.loads(said[1], parse_float=str)[question[0]] if said[1] else []  # no operation has the level
        theirs = [{k: ("0" if k == "line" else "") if v is None else str(v) for k, v in row.items()} for row in rows]
        yield from (f"{' '.join(question)}: {line}" for line in compare(mine, theirs, of))
        if said != together.through_sockets(command, library, 2):
            yield f"{' '.join(question)}: two processes say something else"
    lost = [program, str(folder), "--format", "json", "--measure", "bottlenecks", "--thresholds", "threads=4"]
    said = together.alone(lost)
    yield from (f"bottlenecks: {line}" for line in compare_bottlenecks(run, ranks, [{k: str(v) for k, v in row.items()} for row in json.loads(said[1], parse_float=str)["bottlenecks"]]))
    if said != together.through_sockets(lost, library, 2):
        yield "bottlenecks: two processes say something else"
    slack = [program, str(folder), "--format", "csv", "--measure", "slack,critical-path"]
    if together.alone(slack) != together.through_sockets(slack, library, 2):
        yield "slack or critical-path: two processes say something else"
    if b"errors: 0; warnings: 0" not in together.alone([program, str(folder), "--validate"])[1]:
        yield "--validate finds errors"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("library")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--traces", type=int, default=12)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as scratch:
        seeds = [] if arguments.folders else range(arguments.first, arguments.first + arguments.traces)
        made = [simulate_teams.make(seed, pathlib.Path(arguments.keep or scratch) / f"teams-{seed}") for seed in seeds]
        for folder in arguments.folders or made:
            found = list(differences(arguments.program, arguments.library, folder))
            bad += bool(found)
            print(*[f"not ok {folder}: {line[:600]}" for line in found[:5]], sep="\n", end="\n" if found else "")
    print(f"{len(arguments.folders or made)} runs, {bad} differ")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
