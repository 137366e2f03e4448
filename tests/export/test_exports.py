#!/usr/bin/env python3
"""Exports every golden trace in every format, and reads each file with a reader of its own.

test_exports.py PROGRAM [FOLDER…]"""
import csv
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path[:0] = [str(folder) for folder in pathlib.Path(__file__).resolve().parents[:2]]
import read_paje
import read_perfetto
import read_prv
import read_trace
from part import part_of

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE.parent / "golden"
TEAMS = HERE / "teams"  # threads of OpenMP
# Traces that have all times, in the order of time, so that their events are exactly the XML's.
EXACT = ["traces/chain", "traces/exchange", "traces/late", "traces/mixed", "traces/one-sided",
         "traces/overlap", "traces/persistent", "traces/threads", "traces/steps", "traces/storage", "figure4"]


def export(program, folder, kind, target):
    run = subprocess.run([program, "--quiet", str(folder), "--export", f"{kind}:{target}"], capture_output=True,
                         text=True, timeout=60)
    assert run.returncode == 0, f"{kind}: exit {run.returncode}: {run.stderr}"
    assert run.stdout == "", f"{kind}: {run.stdout}"


def measure(program, folder, name):
    run = subprocess.run([program, "--quiet", str(folder), "--measure", name, "--format", "json"], capture_output=True,
                         text=True, timeout=60)
    assert run.returncode == 0, f"{name}: exit {run.returncode}: {run.stderr}"
    return json.loads(run.stdout, parse_float=str)[name]


def read_csv(folder, name):
    with open(folder / f"{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def expect(what, expected, actual):
    assert expected == actual, f"{what}:\n expected {expected}\n actual   {actual}"


class Exports:
    """The files of one folder of traces, and the checks of each."""

    def __init__(self, program, folder, work):
        self.exact = folder in [TEAMS, *(GOLDEN / name for name in EXACT)]
        self.ranks = sorted((read_trace.read_rank(path) for path in folder.glob("trace*.xml")),
                            key=lambda rank: rank.rank) if self.exact else []
        self.hostile = folder.resolve() == HERE / "hostile"
        self.work, self.program, self.folder = work, program, folder
        for kind in ("chrome", "csv", "dot", "extrap", "folded", "graphml", "paje", "perfetto", "prv", "speedscope"):
            export(program, folder, kind, work / kind)
        self.operations = read_csv(work / "csv", "operations")
        self.messages = read_csv(work / "csv", "messages")

    def listed(self):
        """(rank, thread, name, start, finish) of each operation, as the XML says."""
        return sorted((rank.rank, o.thread, o.name, o.start, o.finish) for rank in self.ranks for o in rank.operations)

    def listed_calls(self):
        """(rank, thread, name, place, start, finish) of each operation, as the XML says."""
        return sorted((rank.rank, o.thread, o.name, f"{o.file.rpartition('/')[2]}:{o.line}" if o.line else o.file, o.start,
                       o.finish) for rank in self.ranks for o in rank.operations)

    def listed_messages(self):
        """(bytes, start and finish of the send, start of the receive, finish of what completed it) of each message."""
        def time(message, operation, which):
            return read_trace.nanoseconds(self.operations[int(message[operation] or message["receive"])][which])
        return sorted((int(m["bytes"] or 0), time(m, "send", "start"), time(m, "send", "finish"),
                       time(m, "receive", "start"), time(m, "ended_by", "finish")) for m in self.messages)

    def shift(self):
        """What formats without negative times take away from all times."""
        return min([0] + [rank.init for rank in self.ranks] + [o.start for rank in self.ranks for o in rank.operations])

    def check_csv(self):
        expect("numbers of operations", list(range(len(self.operations))), [int(o["operation"]) for o in self.operations])
        for message in self.messages:
            sender, receiver = (self.operations[int(message[end])] for end in ("send", "receive"))
            assert sender["comm"] in (message["comm"], ""), message  # the start of a persistent request names none
            assert sender["level"] == receiver["level"] == "mpi"
        members = read_csv(self.work / "csv", "members")
        collectives = read_csv(self.work / "csv", "collectives")
        assert {m["collective"] for m in members} <= {c["collective"] for c in collectives}
        if self.exact:
            expect("csv", self.listed(),
                   sorted((int(o["processor"]), int(o["thread"]), o["name"].lstrip("'"),
                           read_trace.nanoseconds(o["start"]), read_trace.nanoseconds(o["finish"]))
                          for o in self.operations))

    def check_chrome(self):
        events = json.loads((self.work / "chrome").read_text())["traceEvents"]
        slices = [e for e in events if e["ph"] == "X"]
        expect("slices of chrome", len(self.operations), len(slices))
        named = [(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"]
        expect("threads of chrome, each named once", sorted({(e["pid"], e["tid"]) for e in events}), sorted(named))
        last = {}
        for e in slices:
            assert e["dur"] >= 0, e
            before = last.get((e["pid"], e["tid"]))
            assert not before or before["ts"] <= e["ts"], f"{e} comes after {before}"
            assert not before or before["ts"] < e["ts"] or not 0 < before["dur"] < e["dur"], f"{before} comes before what it is in: {e}"
            last[e["pid"], e["tid"]] = e
        for phase in "sf":
            expect(f"arrows {phase}", list(range(len(self.messages))), sorted(e["id"] for e in events if e["ph"] == phase))
        expect("processes", {int(p["processor"]) for p in read_csv(self.work / "csv", "processors")},
               {e["pid"] for e in events if e["name"] == "process_name"})
        if self.exact:
            expect("chrome", self.listed(),
                   sorted((e["pid"], e["tid"], e["name"], round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000))
                          for e in slices))

    def check_perfetto(self):
        trace = read_perfetto.Trace((self.work / "perfetto").read_bytes())
        expect("slices of perfetto", len(self.operations), len(trace.slices))
        expect("flows", list(range(1, len(self.messages) + 1)), sorted(trace.flows))
        for number, ends in trace.flows.items():
            message = self.messages[number - 1]
            kinds = dict(ends)
            expect("kinds of a flow", ["ends", "leaves"], sorted(kinds))
            sender = self.operations[int(message["send"])]
            expect("a flow leaves", sender["name"].lstrip("'"), kinds["leaves"]["name"])
            expect("a flow leaves", f"P{sender['processor']}", trace.tracks[kinds["leaves"]["track"]][1].split()[0])
        if self.exact:
            shift = self.shift()
            expect("perfetto", self.listed(),
                   sorted((int(trace.tracks[s["track"]][1].split()[0][1:]),
                           int(trace.tracks[s["track"]][1].split()[-1]) if "thread" in trace.tracks[s["track"]][1] else 0,
                           s["name"], s["start"] + shift, s["finish"] + shift) for s in trace.slices))

    def check_paje(self):
        read_paje.check_order(self.work / "paje")
        if not shutil.which("pj_dump"):
            return
        trace = read_paje.dump(self.work / "paje")
        expect("states", len(self.operations), len(trace.states))
        expect("links", list(range(len(self.messages))), sorted(trace.links))
        for number, link in trace.links.items():
            message = self.messages[number]
            ends = [self.operations[int(message[end] or message["receive"])] for end in ("send", "ended_by")]
            expect("ends of a link", [int(end["processor"]) for end in ends], [link.sender[0], link.receiver[0]])
        if self.exact:
            shift = self.shift()
            expect("paje", self.listed(), sorted((*s.thread, s.name, s.start + shift, s.finish + shift) for s in trace.states))

    def check_prv(self):
        trace = read_prv.Trace(self.work / "prv")
        expect("operations of prv", len(self.operations), len(trace.operations))
        expect("messages of prv", len(self.messages), len(trace.messages))
        if not self.exact:
            return
        shift = self.shift()
        threads = {f"P{rank.rank}" + (f" thread {o.thread}" if o.thread else ""): (rank.rank, o.thread)
                   for rank in self.ranks for o in rank.operations}
        expect("prv", self.listed_calls(),
               sorted((*threads[o.thread], o.name, o.place, o.start + shift, o.finish + shift) for o in trace.operations))
        expect("times of messages", self.listed_messages(),
               sorted((m.bytes, *(time + shift for time in m.times)) for m in trace.messages))
        if self.folder == TEAMS:
            self.check_teams(trace)
        else:
            self.check_states(trace)

    def check_teams(self, trace):
        """States and events of constructs of OpenMP, worked out by hand from the trace, in ms. Threads stand by their numbers."""
        run, sync, fork, idle = "Running", "Synchronization", "Scheduling and Fork/Join", "Idle"
        expected = {
            "P0": [(0, run), (100, fork), (110, run), (200, sync), (320, run), (400, fork), (410, run), (440, fork), (500, run), (600, sync), (700, run)],
            "P0 thread 1": [(110, run), (230, sync), (250, run), (300, idle), (320, run)],
            "P0 thread 2": [(120, run), (150, sync), (160, run), (200, sync), (300, run)],
            "P1": [(0, run), (150, sync), (180, run), (300, fork), (400, run), (420, sync), (430, run), (550, sync), (700, run)],
            "P1 thread 1": [(220, sync), (240, run)]}
        states = {}
        for row in trace.rows["THREAD"]:
            states[row] = joined = []
            for begin, _, state in trace.states[row]:
                if not joined or joined[-1][1] != trace.state_labels[state]:
                    joined.append((begin // 10**6, trace.state_labels[state]))
        expect("states of threads", list(expected.items()), list(states.items()))
        expect("ends of threads", [1000, 380, 350, 1000, 280], [trace.states[row][-1][1] // 10**6 for row in expected])
        expect("constructs of a thread", [
            ("Parallel (OMP)", "REGION (open)", 100), ("Executed OpenMP parallel function", "team.c:10", 110), ("OpenMP barrier", "Begin", 200), ("OpenMP barrier", "End", 300),
            ("OpenMP unnamed-Lock", "Lock", 300), ("OpenMP unnamed-Lock", "End", 320), ("OpenMP unnamed-Lock", "Locked status", 320), ("OpenMP unnamed-Lock", "End", 360),
            ("Executed OpenMP parallel function", "End", 400), ("Executed OpenMP task function", "team.c:20", 410), ("Executed OpenMP task function", "End", 440), ("Parallel (OMP)", "End", 500)],
            [(type_, value, time // 10**6) for row, type_, value, time in trace.constructs if row == "P0"])
        others = {("OMP taskwait", "Begin"), ("Taskgroup calls", "End"), ("OpenMP named-Lock", "Lock"), ("OpenMP ordered section", "Waiting to enter"), ("OpenMP ordered section", "Inside ordered")}
        expect("constructs of others", others, others & {(type_, value) for _, type_, value, _ in trace.constructs})

    def check_states(self, trace):
        """Main threads are in a state from init to finalize, and run as long as they are in no MPI call."""
        for row in measure(self.program, self.folder, "times"):
            states = trace.states[f"P{row['processor']}"]
            expect("running", read_trace.nanoseconds(row["computation"]),
                   sum(end - begin for begin, end, state in states if state == read_prv.RUNNING))

    def check_speedscope(self):
        document = json.loads((self.work / "speedscope").read_text())
        frames, n = document["shared"]["frames"], 0
        for profile in document["profiles"]:
            stack, last = [], profile["startValue"]
            for event in profile["events"]:
                assert event["at"] >= last, "time goes back"
                last = event["at"]
                if event["type"] == "O":
                    assert event["frame"] < len(frames)
                    stack.append(event["frame"])
                    n += 1
                else:
                    expect("the frame that ends", stack.pop(), event["frame"])
            assert not stack and last <= profile["endValue"]
        names = [[int(number) for number in re.findall("[0-9]+", profile["name"])] for profile in document["profiles"]]
        expect("profiles by rank and thread", sorted(names), names)
        expect("operations of speedscope", len(self.operations), n)

    def check_extrap(self):
        """Each path and metric once, with a value of each rank; sums are those of `folded` and of the measure profile."""
        values, ranks = {}, len(read_csv(self.work / "csv", "processors"))
        for line in (self.work / "extrap").read_text().splitlines():
            entry = json.loads(line, parse_float=str)
            expect("fields of extrap", ["callpath", "metric", "params", "value"], sorted(entry))
            key = entry["callpath"], entry["metric"]
            assert key not in values and len(entry["value"]) == ranks <= entry["params"]["ranks"], line
            assert not values or "->" not in key[0] or (key[0].rpartition("->")[0], "time") in values, "no parent before it"
            values[key] = sum(map(read_trace.nanoseconds, entry["value"])) if key[1] == "time" else sum(entry["value"])
        expect("visits", len(self.operations), sum(n for (_, metric), n in values.items() if metric == "visits"))
        folded = [int(line.rpartition(" ")[2]) for line in (self.work / "folded").read_text().splitlines()]
        expect("times of extrap", sorted(folded), sorted(n for (_, metric), n in values.items() if metric == "time" and n))
        if self.exact and not any(o.thread for rank in self.ranks for o in rank.operations):
            _, *rows = measure(self.program, self.folder, "profile")
            expect("bytes", sum(max(0, int(o["bytes"] or 0)) for o in self.operations if o["level"] == "mpi"), sum(n for (_, metric), n in values.items() if metric == "bytes"))
            expect("paths", sorted((row["calls"], read_trace.nanoseconds(row["exclusive"])) for row in rows),
                   sorted((n, values[path, "time"]) for (path, metric), n in values.items() if metric == "visits"))

    def check_folded(self):
        total = 0
        for line in (self.work / "folded").read_text().splitlines():
            stack, _, number = line.rpartition(" ")
            assert stack and int(number) > 0, line
            total += 0 if stack.startswith("further threads;") else int(number)
        if self.exact:
            expect("sum of the stacks", sum(rank.finalize - rank.init for rank in self.ranks), total)

    def check_graphml(self):
        document = ElementTree.parse(self.work / "graphml")
        nodes = [{data.get("key"): data.text or "" for data in node} for node in document.iter() if node.tag.endswith("}node")]
        nodes = [node for node in nodes if node["kind"] == "operation"]
        expect("nodes of graphml", len(self.operations), len(nodes))
        if self.hostile:
            expect("names of graphml", sorted((o.name.rpartition("::")[2], o.file) for o in read_trace.read_rank(self.folder / "trace0.xml").operations),
                   sorted((node["operation"], node["file"]) for node in nodes))

    def check_dot(self):
        text = (self.work / "dot").read_text()
        expect("arrows of dot", len(self.messages), text.count("class=message"))
        if shutil.which("dot"):
            drawn = subprocess.run(["dot", "-Tplain", str(self.work / "dot")], capture_output=True, text=True, timeout=120)
            expect("graphviz", (0, ""), (drawn.returncode, drawn.stderr))
            nodes = [line.split()[1] for line in drawn.stdout.splitlines() if line.startswith("node n")]
            expect("nodes that graphviz draws", len(self.operations), len(nodes))
        if shutil.which("dot") and self.hostile:
            drawn = subprocess.run(["dot", "-Tsvg", str(self.work / "dot")], capture_output=True, timeout=120, check=True)
            texts = {node.text for node in ElementTree.fromstring(drawn.stdout).iter() if node.tag.endswith("}text")}
            for name in ("app:&lt;&#65; (t.c:9)", "0:#0 (a;b->c\\:3)"):
                assert name in texts, f"graphviz does not draw {name!r}: {texts}"
            assert any("f(A&amp;B&)" in text for text in texts), texts


    def check_counters(self):
        """All have the values of counters with the operation in which they were counted."""
        rows, counted = read_csv(self.work / "csv", "counted"), {}
        for row in rows:
            counted.setdefault((self.operations[int(row["operation"])]["name"].lstrip("'"), row["operation"]), {})[row["counter"]] = float(row["value"])
        expected, names = sorted((name, sorted(values.items())) for (name, _), values in counted.items()), {row["counter"] for row in rows}
        if self.folder == GOLDEN / "traces" / "counters":
            expect("operations with counters", 6, len(expected))
            expect("a value", {"mean(user:a,user:b)": -3, "proc:rss": 2097152, "user:steps": 20.4}, list(counted.values())[-1])

        def found(slices):
            values = [(name, sorted((key, value) for key, value in arguments.items() if key in names)) for name, arguments in slices]
            return sorted((name, value) for name, value in values if value)
        events = json.loads((self.work / "chrome").read_text())["traceEvents"]
        expect("counters of chrome", expected, found((e["name"], e["args"]) for e in events if e["ph"] == "X"))
        trace = read_perfetto.Trace((self.work / "perfetto").read_bytes())
        expect("counters of perfetto", expected, found((s["name"], s["arguments"]) for s in trace.slices))
        operations = read_prv.Trace(self.work / "prv").operations
        units = {row["counter"]: f" [{row['unit']}]" if row["unit"] else "" for row in rows}
        rounded = sorted((name, sorted((key + units[key], math.floor(abs(max(-9e18, min(9e18, value))) + 0.5) * (-1 if value < 0 else 1)) for key, value in values))
                         for name, values in expected)
        expect("counters of Paraver", rounded, sorted((o.name, sorted(o.counted.items())) for o in operations if o.counted))


CHECKS = ["csv", "counters", "chrome", "paje", "perfetto", "prv", "speedscope", "folded", "extrap", "graphml", "dot"]


def main(program, *folders):
    names = folders or [HERE / "hostile", TEAMS, GOLDEN / "paper", GOLDEN / "figure4", *part_of(sorted(p for p in (GOLDEN / "traces").iterdir() if p.is_dir()), 2, first=1)]
    failed = 0
    for folder in map(pathlib.Path, names):
        if not list(folder.glob("trace*.xml")):
            continue
        with tempfile.TemporaryDirectory() as work:
            try:
                exports = Exports(program, folder, pathlib.Path(work))
                for check in CHECKS:
                    getattr(exports, f"check_{check}")()
            except AssertionError as error:
                failed += 1
                print(f"FAILED {folder}: {error}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
