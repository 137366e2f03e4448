"""Random valid traces: a small simulator of MPI.

The one idea: actions happen in one global order, in which whatever an action needs has been posted before, so nothing can
deadlock. Each rank has a clock of its own; a call ends when what it needs has begun, plus a cost."""
import random
import sys
from collections import defaultdict

from simulate_messages import Collectives, Messages
from simulate_more import More
from write import Op, write_run


class Rank:
    def __init__(self, number, clock):
        self.number, self.init, self.clock = number, clock, clock
        self.top = Op("processor", "", clock, None)
        self.stack = [self.top]
        self.requests = 0
        self.pending = []


class Simulator(Messages, Collectives):
    def __init__(self, seed, actions=60):
        self.random = random.Random(seed)
        r = self.random
        self.size = r.randint(2, 6)
        self.ranks = [Rank(i, r.randint(0, 2000000)) for i in range(self.size)]
        self.communicators = {"MPI_COMM_WORLD": (list(range(self.size)), None)}
        self.neighbors = {}
        self.sends, self.receives = defaultdict(list), defaultdict(list)
        self.pace = [r.choice((1, 1, 1, 4)) for _ in range(self.size)]
        self.made = 0
        self.prologue()
        choices = [(self.region_all, 6), (self.region_one, 3), (self.end_region, 8), (self.send_ahead, 8),
                   (self.receive_ready, 8), (self.irecv, 8), (self.pair, 8), (self.sendrecv, 4), (self.wait, 10),
                   (self.collective, 8), (self.icollective, 4), (self.exchange, 6), (self.failed_test, 2), (self.flush, 4)]
        self.more = More(self)
        choices += self.more.actions()
        names, weights = zip(*choices)
        for action in r.choices(names, weights, k=actions):
            action()
        self.epilogue()

    # Calls

    def begin(self, i, busy=None):
        """The next call of rank i starts after some computation."""
        rank, r = self.ranks[i], self.random
        return rank.clock + (busy if busy is not None else r.choice((r.randint(1, 999), r.randint(1000, 99999),
                             r.randint(100000, 2000000))) * self.pace[i])

    def cost(self):
        return self.random.choice((self.random.randint(1, 999), self.random.randint(1000, 50000)))

    def call(self, i, name, s, f, site=None, **attributes):
        op = Op("hieraMPI", name, s, f, attributes)
        op.line = 10 * (1 + sum(map(ord, name)) % 50) + (self.random.randint(0, 2) if site is None else site)
        rank = self.ranks[i]
        rank.stack[-1].children.append(op)
        rank.clock = f if f is not None else s
        return op

    def finish(self, i, op, f):
        op.f = f
        self.ranks[i].clock = f

    def request(self, i):
        self.ranks[i].requests += 1
        return self.ranks[i].requests

    # Regions

    def enter(self, i, name, line):
        s = self.begin(i)
        level = {"step": "app", "phase": "app", "solve": "lib", "sum": "oops"}[name]
        op = Op("hieraOOPS" if level == "oops" else "hieraRegion", name, s, None, {})
        op.level, op.line = level, line
        self.ranks[i].stack[-1].children.append(op)
        self.ranks[i].stack.append(op)
        self.ranks[i].clock = s

    def leave(self, i):
        rank = self.ranks[i]
        if len(rank.stack) > 1:
            op = rank.stack.pop()
            op.f = rank.clock = self.begin(i)

    def region_all(self):
        name, line = self.random.choice(("step", "phase", "solve", "sum")), self.random.randint(1, 2)
        for i in range(self.size):
            if len(self.ranks[i].stack) < 5:
                self.enter(i, name, line)

    def region_one(self):
        i = self.random.randrange(self.size)
        if len(self.ranks[i].stack) < 5:
            self.enter(i, self.random.choice(("step", "phase", "solve", "sum")), self.random.randint(1, 2))

    def end_region(self):
        if self.random.random() < 0.6:
            for i in range(self.size):
                self.leave(i)
        else:
            self.leave(self.random.randrange(self.size))

    def flush(self):
        """Hiera works, in computation."""
        rank = self.ranks[self.random.randrange(self.size)]
        s = rank.clock + self.random.choice((0, self.random.randint(1, 99999)))
        rank.clock = s + self.random.randint(1, 999999)
        rank.stack[-1].children.append(("hieraFlush", s, rank.clock))

    # Begin and end

    def declare(self, name, mine, remote=None):
        self.communicators[name] = (mine, remote)
        for m in mine + (remote or []):
            self.ranks[m].stack[-1].children.append(("hieraComm", name))

    def split(self):
        """Two halves."""
        self.made += 1
        mine, _ = self.communicators["MPI_COMM_WORLD"]
        starts = {m: self.begin(m) for m in mine}
        groups = [[m for m in mine if m % 2 == c] for c in (0, 1)]
        for group in groups:
            self.declare(f"P{group[0]}_comm{self.made}", group)
        for m in mine:
            self.call(m, "comm_split", starts[m], max(starts.values()) + self.cost(), site=0, color=m % 2, key=0, comm="MPI_COMM_WORLD",
                      newcomm=f"P{m % 2}_comm{self.made}")
        return groups

    def prologue(self):
        for i in range(self.size):
            self.ranks[i].stack[-1].children.append(("hieraComm", "MPI_COMM_WORLD"))
        if self.random.random() < 0.5:
            groups = self.split()
            if self.random.random() < 0.4:
                self.connect(groups)
        if self.random.random() < 0.4:
            self.cart()

    def connect(self, groups):
        """An intercommunicator of both halves."""
        name, everybody = "P0_commgabc.1", sum(groups, [])
        self.declare(name, *groups)
        starts = {m: self.begin(m) for m in everybody}
        for m in everybody:
            self.call(m, "intercomm_create", starts[m], max(starts.values()) + self.cost(), site=0, newcomm=name, tag=99,
                      local_comm=f"P{m % 2}_comm{self.made}")

    def cart(self):
        self.made += 1
        name, size = f"P0_comm{self.made}", self.size
        self.neighbors[name] = [[n for n in (m - 1, m + 1) if 0 <= n < size] for m in range(size)]
        self.declare(name, list(range(size)))
        starts = {m: self.begin(m) for m in range(size)}
        for m in range(size):
            self.call(m, "cart_create", starts[m], max(starts.values()) + self.cost(), site=0, comm="MPI_COMM_WORLD", newcomm=name,
                      dims=f"{size // 2} 2" if size % 2 == 0 else f"{size}")

    def epilogue(self):
        while True:
            for i in range(self.size):
                self.wait(i, True)
            keys = self.open_keys()
            if keys:
                self.receive(keys[0])
            elif not any(rank.pending for rank in self.ranks):
                break
        self.more.close()
        for i in range(self.size):
            while len(self.ranks[i].stack) > 1:
                self.leave(i)
            self.ranks[i].finalize = self.begin(i)


def make(seed, folder, actions=60):
    """Write the traces of a random run; now and then its clocks are wrong."""
    run = Simulator(seed, actions)
    r = random.Random(seed + 1)
    shifts = [r.choice((0, r.randint(-300000, 3000000))) if seed % 5 == 4 else 0 for _ in run.ranks]
    write_run(run, folder, shifts)


if __name__ == "__main__":
    make(int(sys.argv[1]), sys.argv[2])
