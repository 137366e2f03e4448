"""Who hangs (docs/measures.md, "hang"): random programs that may deadlock, run here rank by rank until nobody can go on.

A program is lists of blocking calls; a rank may also compute for ever. So it is known who is stuck: a rank that needs one that has ended, that
is stuck, or, of several of which one would do, only such ones."""
import random

from table import ask
from write import attributes_of, seconds

WORLD = "MPI_COMM_WORLD"
END = 100 * 10**9


class Rank:
    def __init__(self, number):
        self.number, self.calls, self.at, self.clock, self.sent = number, [], 0, 0, []
        self.ended = self.spins = False

    @property
    def call(self):
        return self.calls[self.at] if self.at < len(self.calls) else None


class Program:
    def __init__(self, seed):
        self.random = r = random.Random(seed)
        self.ranks = [Rank(i) for i in range(r.randint(2, 5))]
        n = len(self.ranks)
        for line in range(1, r.randint(2, 9)):
            kind = r.choice(("message", "message", "message", "barrier", "any"))
            if kind == "barrier":
                for rank in self.ranks:
                    rank.calls.append(("barrier", None, None, line))
                continue
            source, dest = r.sample(range(n), 2)
            self.ranks[source].calls.append(("ssend", dest, line, line))
            self.ranks[dest].calls.append(("receive", source if kind == "message" else None, line, line))
        for rank in r.sample(self.ranks, r.randint(0, 2)):  # faults: a call that is missing, in another place, or has another tag
            if not rank.calls:
                continue
            i = r.randrange(len(rank.calls))
            name, peer, tag, line = call = rank.calls.pop(i)
            if r.random() < 0.4:
                rank.calls.insert(r.randint(0, len(rank.calls)), call)
            elif tag is not None and r.random() < 0.5:
                rank.calls.insert(i, (name, peer, tag + 50, line))
        if r.random() < 0.3:
            self.forever = r.choice(self.ranks)
            del self.forever.calls[r.randint(0, len(self.forever.calls)):]
            self.forever.spins = True
        self.times = {}
        self.run()

    # Running it

    def done(self, ranks, finish):
        for rank in ranks:
            self.times[rank.number, rank.at] = (rank.clock, finish)
            rank.clock, rank.at = finish + self.random.randint(1, 10**6), rank.at + 1

    def partner(self, rank):
        """Who lets a call end: the sender of a receive; all others of a barrier. None: nobody yet."""
        name, peer, tag, _ = rank.call
        if name == "barrier":
            others = [o for o in self.ranks if o.call and o.call[0] == "barrier"]
            return others if len(others) == len(self.ranks) else None
        if name == "receive":
            for o in self.ranks:
                if o.call and o.call[:3] == ("ssend", rank.number, tag) and peer in (None, o.number):
                    return [rank, o]
        return None

    def run(self):
        """Ranks go on in any order. A receive from any rank has one message with its tag, so that the order does not matter."""
        for rank in self.ranks:
            rank.clock = self.random.randint(1, 10**6)
        going = True
        while going:
            going = False
            for rank in self.ranks:
                together = self.partner(rank) if rank.call else None
                if together:
                    self.done(together, max(r.clock for r in together) + self.random.randint(1, 10**6))
                    going = True
        for rank in self.ranks:
            rank.ended = rank.call is None and not rank.spins

    # What is true of it

    def stuck(self):
        """The largest set of ranks that wait in vain."""
        found = {r.number for r in self.ranks if r.call}
        while True:
            gone = found | {r.number for r in self.ranks if r.ended}
            still = {i for i in found if self.in_vain(self.ranks[i], gone)}
            if still == found:
                return found
            found = still

    def in_vain(self, rank, gone):
        name, peer, _, _ = rank.call
        others = {o.number for o in self.ranks if o is not rank}
        if name == "barrier":
            return any(o in gone and not (self.ranks[o].call or (None,))[0] == "barrier" for o in others)
        return peer in gone if peer is not None else others <= gone

    def state(self):
        if all(r.ended for r in self.ranks):
            return "ended normally"
        return "deadlock" if self.stuck() else "stopped"

    # Its trace

    def write(self, folder):
        folder.mkdir(parents=True)
        for rank in self.ranks:
            lines = [f'<hieraComm id="{WORLD}" ranks="0-{len(self.ranks) - 1}"/>']
            for i, (name, peer, tag, line) in enumerate(rank.calls[:rank.at + 1]):
                start, finish = self.times.get((rank.number, i), (rank.clock, None))
                pairs = {"operation": name, "file": "h.c", "line": line, "start_time": seconds(start), "finish_time": seconds(finish) if finish else ""}
                pairs.update({} if name == "barrier" else {"count": 1, "type": "MPI_INT", "tag": tag})
                pairs.update({"dest": peer} if name == "ssend" else {"rem": self.source(rank, i, peer)} if name == "receive" else {})
                pairs.update({"posted": "any"} if name == "receive" and peer is None and finish else {})
                pairs.update(comm=WORLD, **({"bytes": 4} if name == "ssend" or name == "receive" and finish else {}))
                lines.append(f"<hieraMPI{attributes_of(pairs)}/>")
            if not rank.ended:
                lines.append(f'<hieraEnd cause="signal" value="15" name="SIGTERM" time="{seconds(END)}"/>')
            root = {"rank": f"P{rank.number}", "init": seconds(0), "finalize": seconds(rank.clock) if rank.ended else "", "size": len(self.ranks),
                    "application": "random", "job": "j1", "format": 1}
            (folder / f"trace{rank.number}.xml").write_text(f"<processor{attributes_of(root)}>\n" + "\n".join(lines) + "\n</processor>\n")

    def source(self, rank, i, peer):
        """Whom a receive from any rank has heard of: who has sent with its tag."""
        if peer is not None or (rank.number, i) not in self.times:
            return "MPI_ANY_SOURCE" if peer is None else peer
        return next(o.number for o in self.ranks for k, call in enumerate(o.calls[:o.at]) if call[:3] == ("ssend", rank.number, rank.calls[i][2]))


def differences(program, seed, folder):
    """Write a program's traces, and compare what `hang` says."""
    made = Program(seed)
    made.write(folder)
    told, found = ask(program, folder, "hang"), []
    states = {row["state"] for row in told if row["processor"] == "all"}
    if states != {made.state()}:
        found.append(f"all: oracle {made.state()}, hiera-transform {states}")
    rows = {row["processor"]: row for row in told}
    for rank in made.ranks:
        state = "ended" if rank.ended else "waits" if rank.call else "computes"
        mine = (state, *((rank.call[0], str(rank.call[3]), seconds(END - rank.clock)) if rank.call else ("", "0", "")))
        row = rows.get(str(rank.number), {})
        theirs = (row.get("state"), row.get("operation"), row.get("line"), row.get("time") if rank.call else "")
        if mine != theirs:
            found.append(f"rank {rank.number}: oracle {mine}, hiera-transform {theirs}")
    return found
