"""Some expressions of --where, each beside what it means in Python."""
from collections import Counter

import kinds
from table import ask


class Partners:
    """The rank that `partner.rank` means: of several, the lowest."""

    def __init__(self, matches):
        self.matches = matches

    def of_post(self, post, requests):
        found = [(end.message.receive if end.sends else end.message.send).post.rank for end in self.matches.ends.get(post, [])
                 if end.message is not None and (end.request is None or end.request in requests)]
        c = self.matches.collective_of.get(post)
        if c is not None and c.name in kinds.ONE_TO_ALL | kinds.ALL_TO_ONE:
            root = next(r for r, o in c.posts.items() if o.get("root") == "MPI_ROOT") if c.communicator.remote is not None else \
                c.communicator.ranks[int(post.get("root"))]
            found += [root] if root != post.rank else []
        return found

    def rank(self, o):
        requests = self.matches.completed.get(o) or self.matches.uses.get(o, [])
        found = [r for post in {u.post for u in requests} | {o} for r in self.of_post(post, requests)]
        return min(found, default=None)


def waited(o, waiting):
    return sum(w.length for w in waiting.by_call[o]) + sum(waited(c, waiting) for c in o.children)


def number(o, name):
    value = o.get(name)
    return int(value) if value is not None and value.lstrip("-").isdigit() else None


def more(value, than):
    return value is not None and value > than


EXPRESSIONS = {
    'bytes > 100': lambda o, w: more(number(o, "bytes"), 100),
    'operation =~ "send|^wait.*l$"': lambda o, w: "send" in o.name or o.name == "waitall",
    'duration > 5us && rank in 0-1': lambda o, w: o.f - o.s > 5000 and o.rank in (0, 1),
    'waiting > 10us': lambda o, w: waited(o, w) > 10000,
    'waiting > 0.5 * duration && level == "mpi"': lambda o, w: o.is_mpi and 2 * waited(o, w) > o.f - o.s,
    'inside("app", "step")': lambda o, w: any(a.level == "app" and a.name == "step" for a in o.ancestors()[:-1]),
    'not inside("app", "step") -> depth == 0': lambda o, w:
        any(a.level == "app" and a.name == "step" for a in o.ancestors()[:-1]) or o.depth == 0,
    'parent.operation == "step"': lambda o, w: o.parent is not None and o.parent.name == "step",
    'parent.operation != "step"': lambda o, w: o.parent is not None and o.parent.name != "step",
    'partner.rank == 0': lambda o, w: o.is_mpi and Partners(w.matches).rank(o) == 0,
    'class == "Grid" or line >= 300': lambda o, w: o.cls == "Grid" or o.line >= 300,
    'tag == 1': lambda o, w: number(o, "tag") == 1,
    'comm == "MPI_COMM_WORLD"': lambda o, w: o.get("comm") == "MPI_COMM_WORLD",
    'start < finish - 1ms': lambda o, w: o.f - o.s > 1000000,
    'host == "h1" xor depth > 1': lambda o, w: (o.processor.host == "h1") != (o.depth > 1),
}


def differences(program, folder, run, waiting):
    found = []
    for text, means in EXPRESSIONS.items():
        mine = Counter((o.level, o.name) for p in run.processors for o in p.operations if means(o, waiting))
        theirs = Counter({(r["level"], r["operation"]): int(r["count"]) for r in ask(program, folder, "counts", ("--where", text))})
        for key in sorted(set(mine) | set(theirs)):
            if mine[key] != theirs[key]:
                found.append(f"--where '{text}': {key}: oracle {mine[key]}, hiera-transform {theirs[key]}")
    return found
