"""More actions of the simulator: windows, files, persistent requests, matched probes."""
from simulate_messages import Pending, Posted


class More:
    def __init__(self, simulator):
        self.sim, self.random = simulator, simulator.random
        self.window = self.file = False
        self.initialised, self.probed, self.groups = {}, 0, 0

    def actions(self):
        found = [(self.persistent, 3), (self.matched_probe, 3)]
        if self.random.random() < 0.6:
            self.window = True
            self.everybody("win_create", lambda r: dict(comm="MPI_COMM_WORLD", win=f"P{r}_win1"))
            self.fence()
            found += [(self.fence, 4), (self.access, 6), (self.post_start, 4), (self.locks, 4), (self.lock_all, 1)]
        if self.random.random() < 0.5:
            self.file = True
            self.everybody("file_open", lambda r: dict(comm="MPI_COMM_WORLD", filename="out/a.bin", fh=f"P{r}_file1"))
            found += [(self.io, 6), (self.io_all, 2)]
        return found

    def close(self):
        if self.window:
            self.fence()
            self.everybody("win_free", lambda r: dict(win=f"P{r}_win1"))
        if self.file:
            self.everybody("file_close", lambda r: dict(fh=f"P{r}_file1"))

    def everybody(self, name, attributes, waits=True):
        sim = self.sim
        starts = {r: sim.begin(r) for r in range(sim.size)}
        for r in starts:
            sim.call(r, name, starts[r], (max(starts.values()) if waits else starts[r]) + sim.cost(), site=0, **attributes(r))

    # Windows

    def fence(self):
        self.everybody("win_fence", lambda r: {"assert": 0, "win": f"P{r}_win1"})

    def access(self, origin=None, target=None):
        sim, r = self.sim, self.random
        i = r.randrange(sim.size) if origin is None else origin
        target = r.randrange(sim.size) if target is None else target
        name, size, s = r.choice(("put", "put", "get", "accumulate", "get_accumulate", "rput", "rget")), r.choice((8, 800)), sim.begin(i)
        sizes = {"get": {"rbytes": size}, "rget": {"rbytes": size}, "get_accumulate": {"bytes": size, "rbytes": size}}.get(name, {"bytes": size})
        if name in ("get", "rget"):
            sizes = {"bytes": size}
        attributes = dict(target_rank=target, win=f"P{i}_win1", **sizes)
        if name[0] == "r":
            number = attributes["request"] = sim.request(i)
        op = sim.call(i, name, s, s + sim.cost(), **attributes)
        if name[0] == "r":
            sim.ranks[i].pending.append(Pending(number, op, lambda: op.s))

    def group(self, i, ranks):
        self.groups += 1
        name = f"P{i}_group{self.groups}"
        self.sim.ranks[i].stack[-1].children.append(("hieraGroup", {"id": name, "ranks": " ".join(map(str, ranks))}))
        return name

    def post_start(self):
        """One target, some origins. win_start waits for the post, or win_complete does."""
        sim, r = self.sim, self.random
        target = r.randrange(sim.size)
        origins = r.sample([o for o in range(sim.size) if o != target], r.randint(1, sim.size - 1))
        s = sim.begin(target)
        name = self.group(target, origins)
        post = sim.call(target, "win_post", s, s + sim.cost(), group=name, win=f"P{target}_win1", **{"assert": 0})
        completes = []
        for o in origins:
            s, name = sim.begin(o), self.group(o, [target])
            f = max(s, post.s) + sim.cost() if r.random() < 0.5 else s + sim.cost()
            sim.call(o, "win_start", s, f, group=name, win=f"P{o}_win1", **{"assert": 0})
            if r.random() < 0.5:
                self.access(o, target)
            s = sim.begin(o)
            completes.append(sim.call(o, "win_complete", s, max(s, post.s) + sim.cost(), win=f"P{o}_win1"))
        s = sim.begin(target)
        sim.call(target, "win_wait", s, max([s] + [c.s for c in completes]) + sim.cost(), win=f"P{target}_win1")

    def locks(self):
        """Some ranks lock one target one after the other."""
        sim, r = self.sim, self.random
        target, released = r.randrange(sim.size), 0
        for i in r.sample(range(sim.size), r.randint(1, sim.size)):
            shared, s, win = r.random() < 0.3, sim.begin(i), f"P{i}_win1"
            late = r.random() < 0.5
            granted = max(s, released)
            sim.call(i, "win_lock", s, (s if late else granted) + sim.cost(), lock_type=2 if shared else 1, rank=target, win=win, **{"assert": 0})
            self.access(i, target)
            if r.random() < 0.4:
                s = sim.begin(i)
                sim.call(i, "win_flush", s, max(s, granted) + sim.cost(), rank=target, win=win)
            s = sim.begin(i)
            op = sim.call(i, "win_unlock", s, max(s, granted) + sim.cost(), rank=target, win=win)
            released = op.f if not shared else released

    def lock_all(self):
        sim, r = self.sim, self.random
        i = r.randrange(sim.size)
        for name in ("win_lock_all", "win_flush_all", "win_unlock_all"):
            s = sim.begin(i)
            sim.call(i, name, s, s + sim.cost(), win=f"P{i}_win1", **({"assert": 0} if name == "win_lock_all" else {}))

    # Files

    def io(self):
        sim, r = self.sim, self.random
        i, name, size = r.randrange(sim.size), r.choice(("file_write_at", "file_read_at", "file_iwrite_at")), r.choice((0, 8, 80000))
        s, attributes = sim.begin(i), dict(fh=f"P{i}_file1", offset=0, count=size, type="MPI_BYTE", bytes=size)
        if name == "file_iwrite_at":
            attributes["request"] = sim.request(i)
            op = sim.call(i, name, s, s + sim.cost(), **attributes)
            sim.ranks[i].pending.append(Pending(attributes["request"], op, lambda: op.s))
        else:
            sim.call(i, name, s, s + sim.cost() * 3, **attributes)

    def io_all(self):
        self.everybody("file_write_at_all", lambda r: dict(fh=f"P{r}_file1", offset=0, count=8, type="MPI_BYTE", bytes=8), False)

    # Requests and probes

    def persistent(self):
        """Both sides start a persistent message, and wait for it."""
        sim, r = self.sim, self.random
        i, to = r.sample(range(sim.size), 2)
        key = ("MPI_COMM_WORLD", i, to, 9)
        if key not in self.initialised:
            self.initialised[key] = sim.request(i), sim.request(to)
            for rank, name, number, peer in ((i, "send_init", self.initialised[key][0], dict(dest=to, bytes=64)),
                                             (to, "recv_init", self.initialised[key][1], dict(rem=i))):
                s = sim.begin(rank)
                sim.call(rank, name, s, s + sim.cost(), count=64, type="MPI_BYTE", tag=9, comm=key[0], request=number, **peer)
        numbers, starts = self.initialised[key], []
        for rank, number in zip((i, to), numbers):
            s = sim.begin(rank)
            starts.append(sim.call(rank, r.choice(("start", "startall")), s, s + sim.cost(), requests=number))
        for rank, number, other, status in ((i, numbers[0], starts[1], ("-", "-", "-")), (to, numbers[1], starts[0], (i, 9, 64))):
            s, late = sim.begin(rank), rank == to or r.random() < 0.5
            sim.call(rank, "wait", s, (max(s, other.s) if late else s) + sim.cost(), requests=number, sources=status[0], tags=status[1],
                     sizes=status[2])

    def matched_probe(self):
        """A probe takes the message; a receive of it comes later."""
        sim, r = self.sim, self.random
        key = sim.key()
        while len(sim.receives[key]) > len(sim.sends[key]):
            sim.send(key)
        if sim.drained(key):
            sim.send(key, "send")
        i, index = key[2], len(sim.receives[key])
        found, s = sim.sends[key][index], sim.begin(i)
        self.probed += 1
        message = f"P{i}_message{self.probed}"
        rem = sim.rank_in(key[0], key[1], i)
        sim.call(i, "mprobe", s, max(s, found.op.s) + sim.cost(), rem=rem, tag=key[3], comm=key[0], message=message, bytes=found.size)
        s = sim.begin(i)
        if r.random() < 0.5:
            op = sim.call(i, "mrecv", s, s + sim.cost(), count=99999, type="MPI_BYTE", message=message, rem=rem, tag=key[3], bytes=found.size)
        else:
            number = sim.request(i)
            op = sim.call(i, "imrecv", s, s + sim.cost(), count=99999, type="MPI_BYTE", message=message, request=number)
            sim.ranks[i].pending.append(Pending(number, op, lambda: max(op.s, found.op.s), lambda: (rem, key[3], found.size)))
        sim.receives[key].append(Posted(i, op))
