#!/usr/bin/env python3
"""The oracle: measures recomputed in Python from their definitions, against those of hiera-transform.

run.py PROGRAM [--traces N] [--first SEED] [--keep DIR]  golden traces, and N random ones (24) from SEED (1) on
run.py PROGRAM FOLDER…                                   the traces in these folders, real runs for example"""
import argparse
import pathlib
import sys
import tempfile
from collections import Counter

import causes
import counting
import diff
import groups
import hang
import loops
import narrow
import paths
import search
import simulate
import summary
import sums
import table
import waits
from match import Matches
from trace import Run, Unsuitable

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "transform/cli"))

import check  # noqa: E402

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"
# What computes the rows, the measure, its options
MEASURES = [(waits.rows, "waits"), (causes.causes, "causes"), (paths.critical_path, "critical-path"), (paths.efficiency, "efficiency"),
            (paths.regions, "efficiency", "--by", "region", "--level", "app"),
            (paths.iterations, "efficiency", "--by", "iteration", "--level", "app"),
            (sums.rma, "rma"), (sums.imbalance, "imbalance"), (sums.imbalance_by_rank, "imbalance", "--by", "rank"),
            (groups.by_plane, "imbalance", "--by", "plane"), (groups.by_coordinates, "imbalance", "--by", "coordinates"),
            (groups.by_group, "imbalance", "--by", "group"), (sums.overlap, "overlap"), (sums.matrix, "matrix"), (sums.collectives, "matrix", "--by", "collective"), (sums.io, "io"),
            (groups.marked, "phases", "--depth", "0"), (counting.histogram, "histogram"),
            (counting.histogram_by_rank, "histogram", "--by", "rank"), (counting.histogram_by_peer, "histogram", "--by", "peer"),
            (counting.over_time, "over-time"), (search.over_time_waiting, "over-time", "--by", "waiting"),
            (paths.over_time, "over-time", "--by", "efficiency"), (search.bottlenecks, "bottlenecks"), (paths.slack, "slack"),
            (counting.profile, "profile"), (loops.loops, "loops"), (loops.by_rank, "loops", "--by", "rank"), (loops.by_thread, "loops", "--by", "thread"), (counting.hotspots, "hotspots"), (counting.by_operation, "perturbation"),
            (counting.by_level, "perturbation", "--by", "level"), (counting.by_rank, "perturbation", "--by", "rank")]


class Report:
    def __init__(self):
        self.agree, self.bad, self.left_out = Counter(), Counter(), Counter()

    def add(self, folder, name, differences):
        if differences:
            self.bad[name] += 1
            print(f"not ok {folder}: {name}")
            for line in differences[:5]:
                print("  " + line[:600])
        else:
            self.agree[name] += 1

    def print(self):
        for name in sorted(set(self.agree) | set(self.bad)):
            print(f"{name}: agrees on {self.agree[name]} traces" + (f", differs on {self.bad[name]}" if self.bad[name] else ""))
        for reason, n in sorted(self.left_out.items()):
            print(f"{n} left out: {reason}")


def compare_folder(program, folder, report):
    """Every measure on one run. Return what was read, or None if the oracle cannot read it."""
    compare_references(program, folder, report)
    try:
        run = Run(folder)
        waiting = waits.Waiting(Matches(run))
    except Unsuitable as reason:
        report.left_out[str(reason)] += 1
        return None
    answers = table.ask_all(program, folder, [question for _, *question in MEASURES])
    for rows_of, name, *options in MEASURES:
        theirs = answers[(name, *options)]
        mine = rows_of(run, waiting)
        if name == "causes":
            theirs = causes.merged(theirs)
        elif name == "bottlenecks":
            mine, theirs = search.told(mine, theirs)
        report.add(folder, " ".join([name, *options]), table.compare(mine, theirs, rows_of.keys))
    report.add(folder, "summary", summary.differences(program, folder, run, waiting))
    return run, waiting


def compare_references(program, folder, report):
    """What the answers themselves say that their numbers are."""
    try:
        report.add(folder, "references", check.check_folder(program, folder).differences)
    except check.Unsuitable as reason:
        report.left_out["references: " + str(reason)] += 1


def unseen_errors(program):
    """Whether hiera-check sees numbers and rows that are wrong."""
    folder, checked = GOLDEN / "traces/late", check.Check()
    answer = check.ask(program, folder, "times,counts,summary")
    answer["times"][0]["total"] += 1
    answer["counts"].pop()
    answer["summary"][0]["sentence"] = answer["summary"][0]["sentence"].replace("2 ranks", "3 ranks")
    checked.answer(answer, check.read_run(folder))
    found = sorted(line.partition(":")[0] for line in checked.differences)
    return [] if found == ["counts", "summary # rank", "times (0,) total"] else found or ["no error is seen"]


def compare_narrowed(program, folder, run, waiting, report):
    report.add(folder, "--from, --to: parts of the time add up", narrow.halves(program, folder, run))
    report.add(folder, "--ranks: ranks add up", narrow.ranks(program, folder, run))
    report.add(folder, "--level, --depth as --where", narrow.same_words(program, folder, run))
    report.add(folder, "--where", narrow.expressions(program, folder, run, waiting))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--traces", type=int, default=24)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    program, report = str(pathlib.Path(arguments.program).resolve()), Report()
    report.add("hiera-check", "errors are seen", unseen_errors(program))
    for folder in arguments.folders or sorted((GOLDEN / "traces").iterdir()):
        if pathlib.Path(folder).is_dir():
            compare_folder(program, folder, report)
    with tempfile.TemporaryDirectory() as scratch:
        seeds = [] if arguments.folders else range(arguments.first, arguments.first + arguments.traces)
        for seed in seeds:
            folder = pathlib.Path(arguments.keep or scratch) / f"random-{seed}"
            simulate.make(seed, folder)
            report.add(folder, "hang", hang.differences(program, seed, pathlib.Path(arguments.keep or scratch) / f"hang-{seed}"))
            read = compare_folder(program, folder, report)
            if read is None:
                report.add(folder, "the oracle reads its own traces", ["it does not"])
            elif seed % 6 == 0:
                compare_narrowed(program, folder, *read, report)
            elif seed % 3 == 0:
                report.add(folder, "diff", diff.differences(program, folder, *read, pathlib.Path(scratch) / f"slow-{seed}"))
            elif seed % 3 == 1:
                report.add(folder, "diff of changed programs",
                           diff.differences_of_changed(program, folder, read[0], pathlib.Path(scratch) / f"changed-{seed}", seed))
    report.print()
    sys.exit(1 if report.bad else 0)


if __name__ == "__main__":
    main()
