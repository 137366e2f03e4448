"""Waiting: why a call waits, from when until when, and for whom (docs/measures.md, "waits").

The one idea: a call has dependences, each with the instant at which it is met. The class is that of the latest one (of
waitany and its like, of the earliest)."""
from collections import defaultdict

import kinds
from match import calls
from table import percent, seconds
from trace import ranks_text


class Dependence:
    """`call` needs `cause`, which starts at `time`."""

    def __init__(self, cls, cause):
        self.cls, self.cause, self.time = cls, cause, cause.s


class Wait:
    def __init__(self, call, cls, start, end, cause=None):
        self.call, self.cls, self.start, self.end, self.cause = call, cls, start, end, cause

    @property
    def length(self):
        return self.end - self.start

    def __repr__(self):
        return f"<{self.cls} {self.call} {self.start}-{self.end} for {self.cause}>"


class Waiting:
    def __init__(self, matches):
        self.matches = matches
        self.wrong = self.wrong_orders()
        self.epochs = Epochs(matches)
        self.locks = Locks(matches)
        self.waits = [w for p in matches.run.processors for o in calls(p) for w in self.of_call(o)]
        self.by_call = defaultdict(list)
        for w in self.waits:
            self.by_call[w.call].append(w)

    def wrong_orders(self):
        """Messages that overtake: one to the same rank and communicator was sent earlier and is received later."""
        wrong = set()
        groups = defaultdict(list)
        for m in self.matches.messages:
            groups[m.send.communicator, m.receive.post.rank].append(m)
        for group in groups.values():
            for m in group:
                if any(n.send.post.s < m.send.post.s and n.receive.done is not None and m.receive.done is not None
                       and received_later(n.receive, m.receive) for n in group):
                    wrong.add(m)
        return wrong

    def units(self, o):
        """What `o` may wait for: (posting call, its request or None) of each operation that it completes."""
        if o.name in kinds.COMPLETIONS:
            return [(r.post, r) for r in self.matches.completed.get(o, [])]
        return [(o, None)] if o not in self.matches.uses else []

    def of_unit(self, o, post, request, end_time=None):
        """Dependences of one operation that `o` completes; or that a call completes which ends at `end_time`."""
        found = []
        for end in self.matches.ends.get(post, []):
            if end.message is None or end.request is not request:
                continue
            m = end.message
            if not end.sends:
                found.append(Dependence("late sender, wrong order" if m in self.wrong else "late sender", m.send.post))
            elif m.receive.post.s <= (o.f if end_time is None else end_time):
                found.append(Dependence("late receiver", m.receive.post))
        collective = self.matches.collective_of.get(post)
        if collective:
            found += collective_needs(collective, post)
        return found + self.epochs.needs.get(post, [])

    def dependences(self, o):
        if o in self.matches.tested:
            requests, whole = self.matches.tested[o]
            if o.name in kinds.COMPLETE_ANY and not whole:
                return []
            return [self.of_unit(o, r.post, r, r.done.f if r.done else float("inf")) for r in requests]
        if o.name in kinds.PROBES:
            found = self.matches.found.get(self.next_probe(o))
            return [[Dependence("late sender", found.message.send.post)]] if found and found.message else []
        return [self.of_unit(o, post, request) for post, request in self.units(o)]

    def next_probe(self, o):
        """The probe that found what `o` asks for: itself, or the next one with a message that `o` asks for, too."""
        if o.get("flag") != "0":
            return o
        for later in calls(o.processor):
            end = self.matches.found.get(later)
            if later.s >= o.f and end and end.message and later.get("comm") == o.get("comm") and all(
                    o.get(name) in (later.get(name), "MPI_ANY_SOURCE", "MPI_ANY_TAG") for name in ("rem", "tag")):
                return later
        return None

    def of_call(self, o):
        waits = []
        units = self.dependences(o) if o.name != "mrecv" else []  # its message has already come
        decisive = latest(units) if o.name not in kinds.COMPLETE_ANY else earliest(units)
        if decisive and decisive.time > o.s and decisive.cause.processor is not o.processor:  # a test in vain for its own message
            waits.append(Wait(o, decisive.cls, o.s, min(decisive.time, o.f), decisive.cause))
        waits += self.completion(o, waits)
        if not waits:
            waits += self.locks.of_call(o)
        for w in waits:
            w.start, w.end = max(w.start, o.processor.init), min(w.end, o.processor.finalize)
        return [w for w in waits if w.length > 0]

    def completion(self, o, before):
        """The end of a blocking exchange among all: everybody has come, somebody has left."""
        c = self.matches.collective_of.get(o)
        if c is None or o in self.matches.uses or c.name not in kinds.ALL_TO_ALL | kinds.OWN_MEMBERS or c.name == "win_fence":
            return []
        cls = "barrier completion" if c.name in kinds.BARRIERS else "N x N completion"
        start = max([o.s, max(m.s for m in c.posts.values()), min(m.f for m in c.posts.values())] + [w.end for w in before])
        return [Wait(o, cls, start, o.f)]


def received_later(one, other):
    return one.done.s > other.done.s


def latest(units):
    found = [d for unit in units for d in unit]
    return max(found, key=lambda d: (d.time, d.cls.startswith("late sender"), -d.cause.rank), default=None)


def earliest(units):
    """Of the operations that were complete, the one that could be first; one that needs nobody could be at once."""
    if not units or not all(units):
        return None
    return min((latest([unit]) for unit in units), key=lambda d: (d.time, d.cause.rank))


def collective_needs(c, post):
    """The members whose start `post` needs."""
    posts = c.posts
    if c.communicator.remote is None:
        mine = c.communicator.ranks
    else:
        mine = c.communicator.ranks if post.rank in c.communicator.remote else c.communicator.remote
    others = [posts[r] for r in mine if r != post.rank]
    name = c.name
    if name in kinds.NEIGHBOR:
        near = post.processor.communicators[post.get("comm")]
        return [Dependence("wait at neighbors", posts[near.peers[i]]) for i in near.sources if near.peers[i] != post.rank]
    if name in kinds.ONE_TO_ALL | kinds.ALL_TO_ONE:
        return rooted_needs(c, post, others)
    if name in kinds.PREFIX:
        lower = c.communicator.ranks[:c.communicator.ranks.index(post.rank)]
        return [Dependence("early scan", posts[r]) for r in lower]
    if name in kinds.FILE_COLLECTIVES:
        return []
    cls = "wait at barrier" if name in kinds.BARRIERS else "wait at fence" if name == "win_fence" else "wait at N x N"
    return [Dependence(cls, m) for m in others]


def rooted_needs(c, post, others):
    root = post.get("root")
    if c.communicator.remote is None:
        root_rank = c.communicator.ranks[int(root)]
        if c.name in kinds.ONE_TO_ALL:
            return [Dependence("late broadcast", c.posts[root_rank])] if post.rank != root_rank else []
        return [Dependence("early reduce", m) for m in others] if post.rank == root_rank else []
    if c.name in kinds.ONE_TO_ALL:
        return [Dependence("late broadcast", m) for m in others if root.isdigit() and m.get("root") == "MPI_ROOT"]
    return [Dependence("early reduce", m) for m in others] if root == "MPI_ROOT" else []


class Epochs:
    """win_post → win_start or win_complete; win_complete → win_wait. The n-th post of a rank for another is the n-th
    start of that one for it."""

    def __init__(self, matches):
        self.needs = defaultdict(list)
        self.matches = matches
        posts, starts, completes, waits = (defaultdict(list) for _ in range(4))
        for p in matches.run.processors:
            accessed, exposed = {}, {}
            for o in calls(p):
                window = matches.handles.get((p.rank, o.get("win")))
                if o.name == "win_post":
                    exposed[window] = self.members(p, o)
                    for r in exposed[window]:
                        posts[window, p.rank, r].append(o)
                elif o.name == "win_start":
                    accessed[window] = (o, self.members(p, o))
                elif o.name == "win_complete" and window in accessed:
                    start, targets = accessed.pop(window)
                    for r in targets:
                        starts[window, r, p.rank].append((start, o))
                elif (o.name == "win_wait" or o.name == "win_test" and o.get("flag") == "1") and window in exposed:
                    for r in exposed.pop(window):
                        waits[window, p.rank, r].append(o)
        for key in posts:
            for post, (start, complete) in zip(posts[key], starts[key]):
                self.needs[start if post.s <= start.f else complete].append(Dependence("late post", post))
            for wait, (_, complete) in zip(waits[key], starts[key]):
                self.needs[wait].append(Dependence("late complete", complete))

    def members(self, p, o):
        return [r for r in p.groups.get(o.get("group"), [])]


class Locks:
    """An estimate: a lock, flush or unlock waits until the last conflicting unlock that ended inside it."""
    SHARED = {"2", "235", "302"}  # MPI_LOCK_SHARED of Open MPI, of MPICH and of the ABI of MPI 5.0

    def __init__(self, matches):
        self.matches, self.unlocks, self.shared = matches, defaultdict(list), {}
        for p in matches.run.processors:
            held = {}
            for o in calls(p):
                if o.name not in ("win_lock", "win_unlock", "win_flush"):
                    continue
                key = (matches.handles.get((p.rank, o.get("win"))), o.get("rank"))
                if o.name == "win_lock":
                    held[key] = o.get("lock_type") in self.SHARED
                self.shared[o] = held.get(key, False)
                if o.name == "win_unlock":
                    self.unlocks[key].append(o)

    def of_call(self, o):
        if o.name not in ("win_lock", "win_unlock", "win_flush"):
            return []
        key = (self.matches.handles.get((o.rank, o.get("win"))), o.get("rank"))
        ended = [u for u in self.unlocks[key] if u.rank != o.rank and o.s < u.f <= o.f
                 and not (self.shared[o] and self.shared[u])]
        if not ended:
            return []
        last = max(ended, key=lambda u: (u.f, -u.rank))
        return [Wait(o, "lock contention", o.s, last.f, last)]


# --- The measures about waiting and messages, each straight from its definition in docs/measures.md ---

def base_name(file):
    return file.rpartition("/")[2]


def rows(run, waiting):
    found = defaultdict(list)
    for w in waiting.waits:
        found[w.cls, w.call.path].append(w)
    return [{"class": cls, "operation": of[0].call.name, "file": base_name(of[0].call.file), "line": of[0].call.line, "path": path,
             "processors": ranks_text(w.call.rank for w in of), "count": len(of),
             "time": seconds(sum(w.length for w in of)), "share": percent(sum(w.length for w in of), run.total),
             "worst": seconds(max(w.length for w in of))} for (cls, path), of in found.items()]


rows.keys = ("class", "path")
