"""What traces in the full encoding say, read with Python's XML parser: nothing of Hiera's reader is used."""
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field

OPERATIONS = {"hieraMPI", "hieramMPI", "hieraOOPS", "hieraRegion"}


@dataclass
class Operation:
    name: str
    file: str
    line: int
    start: int
    finish: int  # nanoseconds; None: the trace does not say
    thread: int
    depth: int
    children: list = field(default_factory=list)


@dataclass
class Rank:
    rank: int
    init: int
    finalize: int
    operations: list  # in document order


def nanoseconds(text):
    whole, _, fraction = text.partition(".")
    negative = whole.startswith("-")
    value = abs(int(whole or 0)) * 10**9 + int((fraction + "0" * 9)[:9])
    return -value if negative else value


def name_of(element):
    if "method" in element.attrib:
        return element.get("class", "") + "::" + element.get("method")
    return element.get("operation", "")


def read_operations(element, thread, depth, into):
    for child in element:
        if child.tag in OPERATIONS:
            finish = child.get("finish_time")
            operation = Operation(name_of(child), child.get("file", ""), int(child.get("line", 0)),
                                  nanoseconds(child.get("start_time")), finish and nanoseconds(finish), thread, depth)
            into.append(operation)
            read_operations(child, thread, depth + 1, into)
        elif child.tag == "hieraThread":
            read_operations(child, int(child.get("id")), 0, into)


def read_rank(path):
    root = ElementTree.parse(path).getroot()
    operations = []
    read_operations(root, 0, 0, operations)
    return Rank(int(root.get("rank")[1:]), nanoseconds(root.get("init")), nanoseconds(root.get("finalize")), operations)
