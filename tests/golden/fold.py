"""Makes a profile of a trace, by docs/format.md: what the collector would have written in profile mode.

fold.py IN OUT folds one trace in full encoding."""
import sys
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

OPERATIONS = ("hieraMPI", "hieraOOPS", "hieraRegion")
KEPT = ("hieraComm", "hieraGroup", "hieraType", "hieraCounter", "hieraObject", "hieraLost", "hieraFiltered", "hieraPause", "hieraUnbalanced",
        "hieraEnd", "hieraFlush", "hieraUsage")


def nanoseconds(text):
    seconds, _, digits = text.partition(".")
    return int(seconds) * 10**9 + int((digits + "0" * 9)[:9])


def seconds(ns):
    return f"{ns // 10**9}.{ns % 10**9:09d}"


class Part:
    def __init__(self):
        self.calls = self.time = 0
        self.bytes, self.rbytes = None, None


def plus(a, b):
    return a if b is None else int(b) + (a or 0)


class Node:
    def __init__(self, tag, names):
        self.tag, self.names = tag, names
        self.children, self.parts, self.notes = {}, {}, []
        self.calls = self.time = self.open = self.failed = self.missed = 0
        self.bytes = self.rbytes = self.min = self.max = self.since = None
        self.first, self.last = None, ""
        self.times, self.sizes = {}, {}

    def add(self, element):
        start, finish = element.get("start_time"), element.get("finish_time")
        self.calls += 1
        self.first = self.first or start
        self.failed += "error" in element.attrib
        self.missed += element.get("flag") == "0" and "probe" in element.get("operation", "") and "win" not in element.attrib
        self.bytes, self.rbytes = plus(self.bytes, element.get("bytes")), plus(self.rbytes, element.get("rbytes"))
        if "bytes" in element.attrib:
            size = int(element.get("bytes")).bit_length()
            self.sizes[size] = self.sizes.get(size, 0) + 1
        if finish:
            time = nanoseconds(finish) - nanoseconds(start)
            self.last = max(self.last, finish, key=lambda t: nanoseconds(t) if t else -1)
            self.time += time
            self.min = time if self.min is None else min(self.min, time)
            self.max = time if self.max is None else max(self.max, time)
            self.times[time.bit_length()] = self.times.get(time.bit_length(), 0) + 1
        else:
            self.open += 1
            self.since = self.since or start

    def add_part(self, key, calls=1, time=0, size=None, rsize=None):
        part = self.parts.setdefault(key, Part())
        part.calls += calls
        part.time += time
        part.bytes, part.rbytes = plus(part.bytes, size), plus(part.rbytes, rsize)


class Fold:
    """One section: a processor or a thread."""

    def __init__(self):
        self.requests = {}  # number → node of the receive, communicator
        self.sends = {}  # number of a persistent one → node, communicator, destination, bytes
        self.windows = {}  # window → its communicator

    def children(self, element, nodes, notes):
        for child in element:
            if child.tag in OPERATIONS:
                names = tuple((n, child.get(n)) for n in ("level", "class", "method", "operation", "file", "line") if n in child.attrib)
                node = nodes.setdefault((child.tag, names), Node(child.tag, names))
                node.add(child)
                self.parts(child, node)
                self.children(child, node.children, node.notes)
            elif child.tag in KEPT:
                notes.append(child)

    def parts(self, element, node):
        get, comm = element.get, element.get("comm")
        time = nanoseconds(get("finish_time")) - nanoseconds(get("start_time")) if get("finish_time") else None
        for number, source, size in zip((get("requests") or "").split(), (get("sources") or "").split(), (get("sizes") or "").split()):
            if number in self.requests and source.isdigit() and size.isdigit():
                receive, of = self.requests[number]
                receive.add_part((of, source, None, None), size=size)
        name = get("operation") or ""
        for number in (get("requests") or "").split() if name.startswith("start") else []:
            if number in self.sends:
                send, of, dest, size = self.sends[number]
                send.add_part((of, dest, None, None), size=size)
        if "comm" in element.attrib and "win" in element.attrib:
            self.windows[get("win")] = comm
        comm = self.windows.get(get("win")) if "win" in element.attrib else comm
        if element.tag != "hieraMPI" or comm is None or time is None:
            return
        if name.endswith("_init") and "dest" in element.attrib:
            self.sends[get("request")] = node, comm, get("dest"), get("bytes")
            return
        if "request" in element.attrib and "rem" in element.attrib and "dest" not in element.attrib:
            self.requests[get("request")] = node, comm
        elif "dest" in element.attrib and "rem" in element.attrib:
            node.add_part((comm, get("dest"), None, "send"), time=time, size=get("bytes"))
            node.add_part((comm, get("rem"), None, "receive"), size=get("rbytes"))
        elif not (get("flag") == "0" and "probe" in get("operation")):
            node.add_part((comm, get("dest") or get("rem") or get("target_rank"), get("root"), None), time=time, size=get("bytes"), rsize=get("rbytes"))


def tag(name, attributes, end):
    return f"<{name}" + "".join(f" {k}={quoteattr(str(v))}" for k, v in attributes if v is not None) + end


def spread(of, bins):
    return tag("hieraSpread", [("of", of), ("bins", " ".join(f"{k}:{bins[k]}" for k in sorted(bins)))], "/>\n") if bins else ""


def write(nodes, notes, out):
    for note in notes:
        out.write(tag(note.tag, note.attrib.items(), "/>\n"))
    for node in nodes.values():
        out.write(tag(node.tag, node.names + (
            ("start_time", node.first), ("finish_time", node.last), ("calls", node.calls), ("time", seconds(node.time)),
            ("min", None if node.min is None else seconds(node.min)), ("max", None if node.max is None else seconds(node.max)),
            ("open", node.open or None), ("open_since", node.since), ("failed", node.failed or None), ("missed", node.missed or None),
            ("bytes", node.bytes), ("rbytes", node.rbytes)), ">\n"))
        out.write(spread("time", node.times) + spread("bytes", node.sizes))
        for (comm, peer, root, way), part in node.parts.items():
            out.write(tag("hieraPart", (("comm", comm), ("peer", peer), ("root", root), ("way", way), ("calls", part.calls),
                                        ("time", seconds(part.time)), ("bytes", part.bytes), ("rbytes", part.rbytes)), "/>\n"))
        write(node.children, node.notes, out)
        out.write(f"</{node.tag}>\n")


def fold(source, target):
    root = ElementTree.parse(source).getroot()
    with open(target, "w", encoding="utf-8") as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE processor SYSTEM "trace.dtd">\n')
        out.write(tag(root.tag, list(root.attrib.items()) + [("mode", "profile")], ">\n"))
        nodes, notes, section = {}, [], Fold()
        section.children(root, nodes, notes)
        write(nodes, [n for n in notes if n.tag not in ("hieraFiltered", "hieraEnd", "hieraUsage")], out)
        write({}, [n for n in notes if n.tag == "hieraFiltered"], out)
        for thread in root.iter("hieraThread"):
            out.write(tag(thread.tag, thread.attrib.items(), ">\n"))
            inside, of_thread = {}, []
            Fold().children(thread, inside, of_thread)
            write(inside, of_thread, out)
            out.write("</hieraThread>\n")
        write({}, [n for n in notes if n.tag in ("hieraUsage", "hieraEnd")], out)
        for samples in root.iter("hieraSamples"):
            out.write(ElementTree.tostring(samples, encoding="unicode"))
        out.write("</processor>\n")


if __name__ == "__main__":
    fold(*sys.argv[1:3])
