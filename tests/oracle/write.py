"""Operations of the simulator → XML."""
import pathlib
from xml.sax.saxutils import quoteattr


class Op:
    def __init__(self, tag, name, s, f, attributes=None):
        self.tag, self.name, self.s, self.f = tag, name, s, f
        self.attributes, self.children, self.level, self.line = attributes or {}, [], "mpi", 0


def seconds(t):
    return f"{t // 10**9}.{t % 10**9:09d}"


def attributes_of(pairs):
    return "".join(f" {k}={quoteattr(str(v))}" for k, v in pairs.items() if v is not None)


def comm(run, rank, name):
    mine, remote = run.communicators[name]
    if remote is not None and rank in remote:
        mine, remote = remote, mine
    pairs = {"id": name, "ranks": " ".join(map(str, mine)), "remote": " ".join(map(str, remote)) if remote else None}
    if name in run.neighbors:
        near = " ".join(map(str, run.neighbors[name][mine.index(rank)]))
        pairs.update(neighbors_in=near, neighbors_out=near)
    return f"<hieraComm{attributes_of(pairs)}/>\n"


def element(run, rank, op, shift, indent):
    if isinstance(op, tuple):
        if op[0] == "hieraComm":
            return indent + comm(run, rank, op[1])
        if op[0] == "hieraFlush":
            return f"{indent}<hieraFlush start_time={quoteattr(seconds(op[1] + shift))} finish_time={quoteattr(seconds(op[2] + shift))}/>\n"
        return f"{indent}<{op[0]}{attributes_of(op[1])}/>\n"
    if op.tag == "hieraThread":
        return f"{indent}<hieraThread id={quoteattr(op.name)}>\n" + "".join(element(run, rank, c, shift, indent + "  ") for c in op.children) + f"{indent}</hieraThread>\n"
    pairs = {"level": op.level} if op.tag == "hieraRegion" else {"class": "Grid"} if op.tag == "hieraOOPS" else {}
    pairs["method" if op.tag == "hieraOOPS" else "operation"] = op.name
    pairs.update(file="src/app.c", line=op.line, start_time=seconds(op.s + shift), finish_time=seconds(op.f + shift))
    pairs.update(op.attributes)
    inner = "".join(element(run, rank, c, shift, indent + "  ") for c in op.children)
    if not inner:
        return f"{indent}<{op.tag}{attributes_of(pairs)}/>\n"
    return f"{indent}<{op.tag}{attributes_of(pairs)}>\n{inner}{indent}</{op.tag}>\n"


def write_run(run, folder, shifts):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for rank, shift in zip(run.ranks, shifts):
        shift += 10**9
        root = {"rank": f"P{rank.number}", "init": seconds(rank.init + shift), "finalize": seconds(rank.finalize + shift),
                "size": run.size, "application": "random", "job": "j1", "host": f"h{rank.number % 2}", "format": 1,
                "clock": 1 + rank.number if any(shifts) else 1, "clock_error": "0.010000000" if any(shifts) else "0.000000000"}
        body = "".join(element(run, rank.number, op, shift, "  ") for op in rank.top.children)
        (folder / f"trace{rank.number}.xml").write_text(
            '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE processor SYSTEM "trace.dtd">\n'
            f"<processor{attributes_of(root)}>\n{body}</processor>\n")
