"""Reader of Pajé traces: pajeng's pj_dump reads the file, and what it prints is read here."""
import subprocess
from dataclasses import dataclass

import read_trace


@dataclass
class State:
    thread: tuple  # rank, thread
    level: str
    name: str
    place: str
    start: int
    finish: int


@dataclass
class Link:
    sender: tuple
    receiver: tuple
    bytes: str
    start: int
    finish: int


class Trace:
    """states: a list; links: number of the message → Link."""

    def __init__(self, lines):
        self.states, self.links, self.containers = [], {}, []
        for line in lines:
            kind, _, rest = line.partition(", ")
            if kind == "State":
                self.read_state(rest.split(", ", 6))
            elif kind == "Link":
                self.read_link(rest.rsplit(", ", 8))
            else:
                assert kind == "Container", line
                self.containers.append(rest.split(", ")[1])

    def read_state(self, cells):
        thread, level, start, finish, _, _, name = cells
        name, _, place = name.rpartition(", ")
        self.states.append(State(lane(thread), level, name, place, read_trace.nanoseconds(start),
                                 read_trace.nanoseconds(finish)))

    def read_link(self, cells):
        _, start, finish, _, value, sender, receiver, key, size = cells
        assert value == "message", cells
        assert int(key) not in self.links, "two links have the same key"
        self.links[int(key)] = Link(lane(sender), lane(receiver), size, read_trace.nanoseconds(start),
                                    read_trace.nanoseconds(finish))


def lane(name):
    """"P3 thread 2" → (3, 2)."""
    words = name.split()
    return int(words[0][1:]), int(words[2]) if len(words) == 3 else 0


def dump(path):
    run = subprocess.run(["pj_dump", "--float-precision=9", "--user-defined", str(path)], capture_output=True, text=True,
                         timeout=120)
    assert run.returncode == 0 and not run.stderr, f"pj_dump: exit {run.returncode}: {run.stderr}{run.stdout[-300:]}"
    return Trace(run.stdout.splitlines())


def check_order(path):
    """Every line behind the definitions has the number of a defined event and as many fields, in the order of time."""
    fields, last, number = {}, None, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split(maxsplit=2)
            if words[0] == "%EventDef":
                number = words[2].strip()
                fields[number] = []
            elif words[0] == "%":
                fields[number].append(words[1])
            elif words[0] != "%EndEventDef" and fields[words[0]][0] == "Time":
                time = read_trace.nanoseconds(words[1])
                assert time >= 0 and (last is None or time >= last), f"not in the order of time: {line}"
                last = time
