"""Who belongs to whom, by the rules of MPI (docs/matching.md).

The one idea: each rule is a list of keys; what has the same key in the same order belongs together."""
import functools
from collections import defaultdict

import kinds
from trace import Unsuitable


class Message:
    """A message: the call that sends (posts, starts) it, the call that receives it, and the calls that complete both."""

    def __init__(self, send, receive):
        self.send, self.receive = send, receive


class End:
    """One end of a message. `post` is the call that starts it, `done` the call that completes it (itself, if blocking)."""

    def __init__(self, post, request, communicator, peer, tag, size):
        self.post, self.request, self.done = post, request, request.done if request else post
        self.communicator, self.peer, self.tag, self.size = communicator, peer, tag, size
        self.taken = post.s  # when the message leaves the queue
        self.message = None


class Collective:
    """The calls of all members. `posts` and `dones` by world rank; `kind` of kinds.py."""

    def __init__(self, name, communicator, posts, dones):
        self.name, self.communicator, self.posts, self.dones = name, communicator, posts, dones


class Request:
    """One use of a request: what posted it, what completed it, and what the status said."""

    def __init__(self, post, init=None):
        self.post, self.init, self.done = post, init, None
        self.source = self.tag = self.size = None

    @property
    def call(self):
        """The call that has the arguments."""
        return self.init or self.post


class Matches:
    def __init__(self, run):
        self.run = run
        self.requests = []
        self.completed = defaultdict(list)  # completing call → requests, in the order of its list
        self.uses = {}                      # posting call → its requests
        self.tested = {}                    # test in vain → (the requests that were active, are these all?)
        self.found = {}                     # probe → end of the message that it found
        self.messages = []
        self.ends = defaultdict(list)       # post → ends
        self.collectives = []
        self.collective_of = {}             # call → collective
        for p in run.processors:
            if p.has_threads:
                raise Unsuitable("further threads")
            self.find_requests(p)
        self.find_messages()
        self.window_names, self.handles = {}, {}
        self.find_collectives()

    # Requests

    def find_requests(self, p):
        active, persistent = {}, {}
        for o in calls(p):
            if o.name in kinds.UNKNOWN:
                raise Unsuitable(o.name)
            if o.name.endswith("_init") and o.get("request"):
                persistent[o.get("request")] = o
            elif o.name in kinds.STARTS:
                for number in (o.get("requests") or o.get("request") or "").split():
                    if number in persistent:
                        self.begin(active, number, Request(o, persistent[number]))
            elif o.get("request") and o.name not in kinds.COMPLETIONS and o.name != "request_free":
                self.begin(active, o.get("request"), Request(o))
            if o.get("pending"):
                self.test(o, active, persistent)
            elif o.name in kinds.COMPLETIONS and not o.open:
                self.complete(o, active)

    def begin(self, active, number, request):
        active[number] = request
        self.requests.append(request)
        self.uses.setdefault(request.post, []).append(request)

    def test(self, o, active, persistent):
        """`5..7 9` are 5, 6, 7 and 9; persistent requests that are not active do not count."""
        words, numbers = o.get("pending").split(), []
        whole = "..." not in words
        for word in words[:words.index("...")] if not whole else words:
            first, _, last = word.partition("..")
            numbers += map(str, range(int(first), int(last or first) + 1))
        whole = whole and all(n in active or n in persistent for n in numbers)
        self.tested[o] = ([active[n] for n in numbers if n in active], whole)

    def complete(self, o, active):
        numbers = (o.get("requests") or "").split()
        lists = [(o.get(name) or "").split() for name in ("sources", "tags", "sizes")]
        for i, number in enumerate(numbers):
            request = active.pop(number, None)
            if request is None:
                continue
            request.done = o
            request.source, request.tag, request.size = (texts[i] if i < len(texts) else None for texts in lists)
            self.completed[o].append(request)

    # Messages

    def find_messages(self):
        sends, receives = defaultdict(list), defaultdict(list)
        for p in self.run.processors:
            probes = {}
            for o in calls(p):
                self.add_ends(p, o, probes, sends, receives)
        for key in sends:
            for send, receive in zip(sends[key], receives.get(key, [])):
                message = Message(send, receive)
                send.message = receive.message = message
                self.messages.append(message)
        for p in self.run.processors:
            self.find_probed(p, receives)

    def find_probed(self, p, receives):
        """A probe that takes no message finds the first one that no receive takes which began before the probe ended."""
        for o in calls(p):
            if o.name not in ("probe", "iprobe") or o.get("flag") == "0" or o.get("comm") not in p.communicators or not o.get("rem").isdigit():
                continue
            sender = p.communicators[o.get("comm")].peers[int(o.get("rem"))]
            ends = [e for e in receives.get((o.get("comm"), sender, p.rank, o.get("tag")), []) if e.taken >= o.f and e.message]
            if ends:
                self.found[o] = ends[0]

    def add_ends(self, p, o, probes, sends, receives):
        if o.name.endswith("_init"):
            return
        if o.name in kinds.MATCHED_PROBES and o.get("message"):
            end = End(o, None, o.get("comm"), o.get("rem"), o.get("tag"), None)
            probes[o.get("message")] = self.found[o] = end
            self.put(p, end, receives, False)
            return
        if o.name in ("mrecv", "imrecv") and o.get("message") in probes:
            end = probes[o.get("message")]
            end.post = o
            end.request = self.uses[o][0] if o in self.uses else None
            end.done = end.request.done if end.request else o
            self.ends[o].append(end)
            return
        for call, request in [(u.call, u) for u in self.uses.get(o, [])] or [(o, None)]:
            if call.name in kinds.SENDS | kinds.SEND_RECEIVES | kinds.SEND_INITS:
                tag = call.get("stag", call.get("tag"))
                self.put(p, End(o, request, call.get("comm"), call.get("dest"), tag, size(call)), sends, True)
            if call.name in kinds.RECEIVES | kinds.SEND_RECEIVES | {"recv_init"}:
                source, tag = call.get("rem"), call.get("rtag", call.get("tag"))
                if request and request.source is not None:
                    if request.source == "-":
                        continue
                    source, tag = request.source, request.tag
                self.put(p, End(o, request, call.get("comm"), source, tag, None), receives, False)

    def put(self, p, end, table, sends):
        if end.peer is None or not end.peer.isdigit() or end.communicator not in p.communicators:
            return
        peer = p.communicators[end.communicator].peers[int(end.peer)]
        pair = (p.rank, peer) if sends else (peer, p.rank)
        table[(end.communicator, *pair, end.tag)].append(end)
        if end.post.name not in kinds.MATCHED_PROBES:
            self.ends[end.post].append(end)
        end.sends = sends

    # Collectives

    def find_collectives(self):
        """Windows and files have a name of their own on each rank: the collective that made them."""
        positions = defaultdict(lambda: defaultdict(list))
        for p in self.run.processors:
            for o in calls(p):
                self.count(p, o, positions)
        for key, by_rank in sorted(positions.items(), key=str):
            self.group(key, by_rank)

    def count(self, p, o, positions):
        name = kinds.base(o.name)
        if name.endswith("_init") and name[:-5] in kinds.COLLECTIVES | {"bcast"}:
            raise Unsuitable("persistent collectives")
        if name not in kinds.COLLECTIVES:
            return
        if name in kinds.OWN_MEMBERS:
            positions["own", o.get("newcomm")][p.rank].append(o)
        elif name in kinds.WINDOW_MAKERS or name == "file_open" or o.get("comm"):
            positions[self.named("comm", p, o)][p.rank].append(o)
        else:
            handle = o.get("win") or o.get("fh")
            positions[self.handles.get((p.rank, handle), ("unknown", p.rank, handle))][p.rank].append(o)
        if name in kinds.WINDOW_MAKERS or name == "file_open":
            made = o.get("win") or o.get("fh")
            self.handles[p.rank, made] = self.named("handle", p, o) + (len(positions[self.named("comm", p, o)][p.rank]),)
            if o.get("win"):
                self.window_names.setdefault(self.handles[p.rank, made], made)

    def named(self, kind, p, o):
        """Each rank has a MPI_COMM_SELF of its own."""
        return (kind, o.get("comm")) + ((p.rank,) if o.get("comm") == "MPI_COMM_SELF" else ())

    def group(self, key, by_rank):
        communicator = self.communicator(key, by_rank)
        if key[0] != "unknown" and communicator is None:
            raise Unsuitable("a communicator is not declared")
        if communicator is None:
            return
        if any(len(by_rank.get(r, [])) != len(next(iter(by_rank.values()))) for r in communicator.members):
            raise Unsuitable("a collective is not complete")
        for calls_of_one in zip(*(by_rank[r] for r in communicator.members)):
            self.make(communicator, calls_of_one)

    def make(self, communicator, members):
        if len({m.name for m in members}) > 1:
            raise Unsuitable("collectives that differ")
        dones = {m.rank: self.uses[m][0].done if m in self.uses else m for m in members}
        collective = Collective(kinds.base(members[0].name), communicator, {m.rank: m for m in members}, dones)
        self.collectives.append(collective)
        for m in members:
            self.collective_of[m] = collective

    def communicator(self, key, by_rank):
        """Of a window or a file that of the call which made it."""
        rank = next(iter(by_rank))
        return self.run.by_rank[rank].communicators.get(key[1])


@functools.cache
def calls(p):
    """MPI calls that lie in no other MPI call, in their order."""
    return [o for o in p.main if o.is_mpi and not (o.parent and any(a.is_mpi for a in o.parent.ancestors()))]


def size(call):
    return int(call.get("bytes", "0"))
