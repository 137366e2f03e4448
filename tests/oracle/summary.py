"""Numbers in the sentences of the summary (docs/measures.md, "summary"): sizes, efficiencies, and where the time goes."""
import json
import re
import subprocess
from collections import Counter

import paths
from parts import spans

PLACES, LEAST = 3, 1.0  # paths with most time that are told, from this percentage on


def ask(program, folder):
    """topic → sentences"""
    done = subprocess.run([program, str(folder), "--format", "json", "--quiet"], capture_output=True, text=True, timeout=120, check=False)
    found = {}
    for row in json.loads(done.stdout)["summary"]:
        found.setdefault(row["topic"], []).append(row["sentence"])
    return found


def number(text, pattern):
    match = re.search(pattern, text)
    return float(match.group(1).replace(",", "")) if match else None


def sizes(run, sentence):
    operations, mpi = sum(len(p.operations) for p in run.processors), sum(o.is_mpi for p in run.processors for o in p.operations)
    wanted = {r"([\d,]+) ranks? on": len(run.processors), r"([\d,]+) MPI calls?" if mpi else r"([\d,]+) operations?, no MPI calls": mpi or operations}
    if mpi and operations != mpi:
        wanted[r"([\d,]+) operations?, of them"] = operations
    return [f"{sentence}: not {value}" for pattern, value in wanted.items() if number(sentence, pattern) != value]


def factors(run, waiting, sentences):
    row, found = paths.efficiency(run, waiting)[0], []
    names = {"parallel efficiency": "efficiency", "= load balance": "load-balance", "x serialisation": "serialisation", "x transfer": "transfer"}
    for name, column in names.items():
        told = [number(s, r"([\d.]+) %") for s in sentences if s.startswith(name)]
        if float(row["useful-max"]) > 0 and (len(told) != 1 or abs(told[0] - float(row[column])) > 0.06):
            found.append(f"{name}: {told}, not {row[column]}")
    return found


def places(run, waiting, sentences):
    """Shares alone: a place that a sentence names can be found in `profile`."""
    times = Counter()
    for p in run.processors:
        for s in spans(p):
            times[s.path] += s.length
    for w in waiting.waits:
        times[w.call.path] -= w.length
    shares = [100 * time / run.total for _, time in times.most_common(PLACES)]
    wanted = [share for share in shares if share >= LEAST]
    told = [number(s, r"^([\d.]+) % of all time") for s in sentences if "of all time" in s]
    if len(told) > len(wanted) or any(abs(a - b) > 0.06 for a, b in zip(told, wanted)):
        return [f"Time: {told}, not {wanted}"]
    return []


def differences(program, folder, run, waiting):
    told = ask(program, folder)
    found = sizes(run, told["Run"][0]) + factors(run, waiting, told.get("Efficiency", []))
    return found + places(run, waiting, told.get("Time", []))
