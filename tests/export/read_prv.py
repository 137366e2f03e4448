"""Reader of Paraver's traces: FILE.prv, FILE.pcf and FILE.row, by the description of the format (Paraver's manual)."""
import re
from collections import defaultdict
from dataclasses import dataclass, field

HEAD = re.compile(r"#Paraver \(\d\d/\d\d/\d{4} at \d\d:\d\d\):(\d+)_ns:(\d+)\(([\d,]+)\):1:(\d+)\(([\d:,]+)\),0\n")
MPI = range(50000001, 50000006)
CONSTRUCTS = {60000001, 60000005, 60000006, 60000007, 60000018, 60000022, 60000023, 60000025, 60000029, 60000033}
FUNCTION, FUNCTION_LINE, CALLER_LINE = 60000019, 60000119, 80000001
SIZES = 50100001, 50100002
FIRST_COUNTER = 91000001
RUNNING = 1


@dataclass
class Operation:
    thread: str  # its row: "P3 thread 2"
    name: str
    place: str
    start: int
    finish: int
    counted: dict = field(default_factory=dict)  # label of a counter → value


@dataclass
class Message:
    sender: str
    receiver: str
    times: tuple  # logical and physical send, logical and physical receive
    bytes: int
    tag: int


def read_labels(path):
    """Sections of .pcf: states → {number: label}; values → {type: {number: label}}; types → {type: label}."""
    states, types, values, section, current = {}, {}, {}, None, []
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split(maxsplit=1)
        if not words:
            continue
        if re.fullmatch("[A-Z_]+", line):
            section = line
            if line == "EVENT_TYPE":
                current = []
        elif section == "STATES":
            states[int(words[0])] = words[1]
        elif section == "EVENT_TYPE":
            number, label = words[1].split(maxsplit=1)
            current.append(int(number))
            types[int(number)], values[int(number)] = label, {}
        elif section == "VALUES":
            for number in current:
                assert int(words[0]) not in values[number], f"{line}: the value has two labels"
                values[number][int(words[0])] = words[1]
    return states, types, values


def read_rows(path):
    rows, level, left = {}, None, 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if left:
            rows[level].append(line)
            left -= 1
        elif line:
            _, level, _, size = line.split()
            rows[level], left = [], int(size)
    assert left == 0
    return rows


class Trace:
    """operations: a list; messages: a list; states: row of a thread → [(begin, end, number)]; constructs: [(row, type, value, time)] of OpenMP."""

    def __init__(self, stem):
        self.state_labels, self.types, self.values = read_labels(stem.with_suffix(".pcf"))
        self.rows = read_rows(stem.with_suffix(".row"))
        self.operations, self.messages, self.states, self.constructs = [], [], defaultdict(list), []
        self.open = defaultdict(list)
        with open(stem.with_suffix(".prv"), encoding="utf-8") as file:
            self.read_head(file.readline())
            self.last = 0
            for line in file:
                self.read_record(line, [int(word) for word in line.split(":")])
        assert not any(self.open.values()), "an operation has no end"

    def read_head(self, line):
        end, nodes, cpus, tasks, threads = HEAD.fullmatch(line).groups()
        cpus, threads = [int(n) for n in cpus.split(",")], [[int(n) for n in t.split(":")] for t in threads.split(",")]
        assert len(cpus) == int(nodes) == len(self.rows["NODE"]) and len(threads) == int(tasks) == len(self.rows["TASK"])
        assert sum(cpus) == len(self.rows["CPU"]) and sum(n for n, _ in threads) == len(self.rows["THREAD"])
        self.end = int(end)
        node_of = [node for node, n in enumerate(cpus, 1) for _ in range(n)]
        names = iter(self.rows["THREAD"])
        self.threads = {(task, thread): (next(names), node) for task, (n, node) in enumerate(threads, 1)
                        for thread in range(1, n + 1)}
        self.node_of = node_of

    def place(self, cpu, application, task, thread):
        name, node = self.threads[task, thread]
        assert application == 1 and self.node_of[cpu - 1] == node, "the CPU is on another node"
        return name

    def read_record(self, line, numbers):
        assert min(numbers[:6]) >= 0, line
        assert numbers[5] >= self.last, f"not in the order of time: {line}"
        self.last = numbers[5]
        thread = self.place(*numbers[1:5])
        if numbers[0] == 1:
            _, _, _, _, _, begin, end, state = numbers
            assert state in self.state_labels and begin < end <= self.end, line
            assert not self.states[thread] or self.states[thread][-1][1] == begin, f"not where the last state ends: {line}"
            self.states[thread].append((begin, end, state))
        elif numbers[0] == 2:
            self.read_event(thread, numbers[5], dict(zip(numbers[6::2], numbers[7::2], strict=True)), line)
        else:
            assert numbers[0] == 3 and len(numbers) == 15, line
            self.messages.append(Message(thread, self.place(*numbers[7:11]), (*numbers[5:7], *numbers[11:13]), *numbers[13:]))

    def read_event(self, thread, time, pairs, line):
        for type_, value in pairs.items():
            assert type_ in self.types, line
            assert type_ in SIZES or type_ >= FIRST_COUNTER or value in self.values[type_], line
        self.constructs += [(thread, self.types[number], self.values[number][value], time) for number, value in pairs.items() if number in CONSTRUCTS]
        type_ = next(iter(pairs))
        place = pairs[FUNCTION_LINE if type_ == FUNCTION else CALLER_LINE]
        stack = self.open[thread]
        if pairs[type_]:
            name = self.values[type_][pairs[type_]]
            operation = Operation(thread, name.partition(":")[2] if type_ == FUNCTION else name,
                                  self.values[CALLER_LINE][place] if place else "", time, None)
            stack.append((type_, operation))
            self.operations.append(operation)
        else:
            assert stack and stack[-1][0] == type_ and place == 0, line
            operation = stack.pop()[1]
            operation.finish = time
            operation.counted = {self.types[number]: value for number, value in pairs.items() if number >= FIRST_COUNTER}
