"""Messages of the simulator, and the calls that complete requests.

The one idea: a send and a receive are posted in any order; each asks for the other when somebody waits for it."""


ANY = ("waitany", "waitsome", "testany", "testsome")


class Pending:
    """An active request. `ready()` is when it can be over, None as long as nobody knows."""

    def __init__(self, number, post, ready, status=lambda: ("-", "-", "-"), key=None):
        self.number, self.post, self.ready, self.status, self.key = number, post, ready, status, key


class Posted:
    """A message end that has been posted."""

    def __init__(self, rank, op, size=0):
        self.rank, self.op, self.size = rank, op, size


class Messages:
    def communicator(self):
        return self.random.choice(sorted(self.communicators))

    def key(self):
        """Communicator, sender, receiver (world ranks), tag."""
        name = self.communicator()
        mine, remote = self.communicators[name]
        if remote is not None and self.random.random() < 0.5:
            mine, remote = remote, mine
        return name, self.random.choice(mine), self.random.choice(remote or mine), self.random.randint(0, 2)

    def rank_in(self, name, world, other):
        """The number of rank `world` for rank `other`."""
        mine, remote = self.communicators[name]
        if remote is None:
            return mine.index(world)
        return (remote if other in mine else mine).index(world)

    def partner(self, table, key, index):
        return table[key][index] if index < len(table[key]) else None

    def send(self, key, name=None, finish=True):
        """A blocking or non-blocking send. It is eager unless its receive is known already."""
        name = name or self.random.choice(("send", "send", "ssend", "isend", "isend", "bsend", "issend"))
        communicator, i, to, tag = key
        size, s = self.random.choice((0, 4, 8, 1000, 100000)), self.begin(i)
        index = len(self.sends[key])
        receive = self.partner(self.receives, key, index)
        if name in ("ssend",) and receive is None:
            name = "send"
        late = receive is not None and self.random.random() < 0.7
        attributes = dict(count=size, type="MPI_BYTE", dest=self.rank_in(communicator, to, i), tag=tag, comm=communicator, bytes=size)
        blocking = not name.startswith("i")
        f = s + self.cost() if not blocking or not late else max(s, receive.op.s) + self.cost()
        if not blocking:
            attributes["request"] = self.request(i)
        op = self.call(i, name, s, f, **attributes)
        self.sends[key].append(Posted(i, op, size))
        if not blocking:
            def ready():
                found = self.partner(self.receives, key, index)
                if name == "issend" or late:
                    return found.op.s if found else None
                return op.s
            self.ranks[i].pending.append(Pending(attributes["request"], op, ready, key=("send", key, index)))
        return op

    def receive_attributes(self, key, found):
        communicator, sender, i, tag = key
        attributes = dict(count=100000, type="MPI_BYTE", rem=self.rank_in(communicator, sender, i), tag=tag, comm=communicator)
        if found is not None:
            attributes["bytes"] = found.size
        return attributes

    def receive(self, key):
        """A blocking receive; its send must be posted."""
        found = self.partner(self.sends, key, len(self.receives[key]))
        i, s = key[2], self.begin(key[2])
        op = self.call(i, "receive", s, max(s, found.op.s) + self.cost(), **self.receive_attributes(key, found))
        self.receives[key].append(Posted(i, op))

    def irecv(self, key=None):
        key = key or self.key()
        i, s = key[2], self.begin(key[2])
        index, number = len(self.receives[key]), self.request(i)
        attributes = self.receive_attributes(key, None)
        if self.random.random() < 0.3:
            attributes.update(rem="MPI_ANY_SOURCE", tag="MPI_ANY_TAG")
        op = self.call(i, "irecv", s, s + self.cost(), request=number, **attributes)
        self.receives[key].append(Posted(i, op))

        def ready():
            found = self.partner(self.sends, key, index)
            return found.op.s if found else None

        def status():
            return self.rank_in(key[0], key[1], i), key[3], self.partner(self.sends, key, index).size
        self.ranks[i].pending.append(Pending(number, op, ready, status, ("receive", key, index)))

    def send_ahead(self):
        self.send(self.key())

    def open_keys(self):
        return sorted(k for k in self.sends if len(self.sends[k]) > len(self.receives[k]))

    def receive_ready(self):
        keys = self.open_keys()
        if keys:
            self.receive(self.random.choice(keys))

    def pair(self):
        """A blocking send and receive at the same time: the sender may wait for the receiver."""
        key = self.key()
        while len(self.sends[key]) > len(self.receives[key]):
            self.receive(key)
        while len(self.sends[key]) < len(self.receives[key]):
            self.send(key)
        if key[1] == key[2]:
            return
        i, to = key[1], key[2]
        s, r = self.begin(i), self.begin(to)
        f = max(s, r) + self.cost() if self.random.random() < 0.6 else s + self.cost()
        size = self.random.randint(0, 5000)
        op = self.call(i, "send", s, f, count=size, type="MPI_BYTE", dest=self.rank_in(key[0], to, i), tag=key[3], comm=key[0],
                       bytes=size)
        self.sends[key].append(Posted(i, op, size))
        got = self.call(to, "receive", r, max(s, r) + self.cost(), **self.receive_attributes(key, self.sends[key][-1]))
        self.receives[key].append(Posted(to, got))

    def drained(self, key):
        return len(self.sends[key]) == len(self.receives[key])

    def sendrecv(self):
        """A ring on a communicator."""
        name = self.communicator()
        mine, remote = self.communicators[name]
        keys = [(name, r, mine[(n + 1) % len(mine)], 7) for n, r in enumerate(mine)]
        if remote is not None or len(mine) < 2 or not all(self.drained(k) for k in keys):
            return
        starts = {r: self.begin(r) for r in mine}
        cost = {r: self.random.randint(0, 3000) for r in mine}
        for n, r in enumerate(mine):
            before, after = mine[n - 1], mine[(n + 1) % len(mine)]
            needs = [starts[r], starts[before]] + ([starts[after]] if self.random.random() < 0.4 else [])
            op = self.call(r, "sendrecv", starts[r], max(needs) + self.cost(), scount=cost[r], stype="MPI_BYTE", dest=(n + 1) % len(mine),
                           stag=7, rcount=9999, rtype="MPI_BYTE", rem=(n - 1) % len(mine), rtag=7, comm=name, bytes=cost[r],
                           rbytes=cost[before])
            self.sends[keys[n]].append(Posted(r, op, cost[r]))
            self.receives[keys[n - 1]].append(Posted(r, op))

    # Completion

    def provide(self, pending):
        """The other side of a message that somebody is about to wait for."""
        while pending.ready() is None:
            way, key, index = pending.key
            if way == "receive":
                self.send(key, self.random.choice(("isend", "send", "bsend")))
            else:
                self.irecv(key)

    def wait(self, i=None, all_of_them=False):
        i = self.random.randrange(self.size) if i is None else i
        rank, r = self.ranks[i], self.random
        if not rank.pending:
            return
        chosen = list(rank.pending) if all_of_them else r.sample(rank.pending, r.randint(1, min(4, len(rank.pending))))
        for p in chosen:
            self.provide(p)
        name = "waitall" if all_of_them else r.choice(("wait", "waitall", "waitall", "waitany", "waitsome", "test", "testsome", "testany"))
        if name in ("wait", "test"):
            chosen = chosen[:1]
        s = self.begin(i)
        times = [max(s, p.ready()) for p in chosen]
        end = (min if name in ANY else max)(times) + self.cost()
        if name in ANY:
            chosen = [p for p, t in zip(chosen, times) if t <= end]
            if name in ("waitany", "testany"):
                chosen = [min(chosen, key=lambda p: p.ready())]
        for p in chosen:
            rank.pending.remove(p)
        sources, tags, sizes = zip(*(p.status() for p in chosen))
        self.call(i, name, s, end, requests=" ".join(str(p.number) for p in chosen), sources=" ".join(map(str, sources)),
                  tags=" ".join(map(str, tags)), sizes=" ".join(map(str, sizes)))

    def failed_test(self):
        i = self.random.randrange(self.size)
        if self.ranks[i].pending:
            s = self.begin(i)
            self.call(i, "test", s, s + self.cost(), flag=0)

    def exchange(self):
        """Everybody posts receives and sends to its neighbours, and waits for all."""
        name = self.communicator()
        mine, remote = self.communicators[name]
        if remote is not None or len(mine) < 2:
            return
        for n, r in enumerate(mine):
            for other in {mine[n - 1], mine[(n + 1) % len(mine)]}:
                self.irecv((name, other, r, 5))
        for n, r in enumerate(mine):
            for other in sorted({mine[n - 1], mine[(n + 1) % len(mine)]}):
                self.send((name, r, other, 5), "isend")
        for r in mine:
            self.wait(r, True)


# --- Collectives of the simulator, blocking and not, in communicators and intercommunicators ---

class Collectives:
    def members(self, name):
        mine, remote = self.communicators[name]
        return mine + (remote or [])

    def collective(self, name=None, communicator=None):
        r = self.random
        communicator = communicator or self.communicator()
        remote = self.communicators[communicator][1]
        name = name or r.choice(("barrier", "allreduce", "alltoall", "broadcast", "scatter", "reduce", "gather", "scan", "exscan",
                                 "neighbor_alltoall"))
        if remote is not None and name in ("scan", "exscan") or name.startswith("neighbor") and communicator not in self.neighbors:
            name = "allreduce"
        members = self.members(communicator)
        starts = {m: self.begin(m) for m in members}
        roots = self.roots(communicator, name)
        for m in members:
            f = max([starts[m]] + [starts[n] for n in self.needs(communicator, name, m, roots)]) + self.cost()
            self.call(m, name, starts[m], f, site=1, comm=communicator, **self.sizes(name, m, roots))

    def roots(self, communicator, name):
        """What each member names as the root."""
        if name.lstrip("i") not in ("broadcast", "bcast", "scatter", "reduce", "gather"):
            return {}
        mine, remote = self.communicators[communicator]
        self.root = root = self.random.choice(mine)
        self.peers = len(remote or mine)
        if remote is None:
            return {m: mine.index(root) for m in mine}
        return {**{m: "MPI_ROOT" if m == root else "MPI_PROC_NULL" for m in mine}, **{m: mine.index(root) for m in remote}}

    def needs(self, communicator, name, m, roots):
        mine, remote = self.communicators[communicator]
        kind = name.lstrip("i")
        if kind.startswith("neighbor"):
            return [mine[x] for x in self.neighbors[communicator][mine.index(m)]]
        if not roots:
            if kind in ("scan", "exscan"):
                return mine[:mine.index(m)]
            return mine if remote is None else (remote if m in mine else mine)
        if remote is None:
            root = mine[roots[m]]
            return [root] if kind in ("broadcast", "bcast", "scatter") else mine if m == root else []
        if kind in ("broadcast", "bcast", "scatter"):
            return [mine[roots[m]]] if m in remote else []
        return remote if roots[m] == "MPI_ROOT" else []

    def sizes(self, name, m, roots):
        attributes = {}
        if roots:
            attributes["root"] = roots[m]
        kind = name.lstrip("i") if name != "ibcast" else "bcast"
        if kind in ("scatter", "gather", "broadcast", "bcast", "reduce"):
            root = self.is_root(m, roots)
            active = roots[m] != "MPI_PROC_NULL"
            whole = {"scatter": 8 * self.peers, "gather": 8 * self.peers}.get(kind, 8)
            if kind in ("scatter", "broadcast", "bcast"):
                attributes.update(bytes=whole if root else 0, rbytes=8 if active and (kind == "scatter" or not root) and
                                  not (root and roots[m] == "MPI_ROOT") else 0)
            else:
                attributes.update(bytes=8 if active and roots[m] != "MPI_ROOT" else 0, rbytes=whole if root else 0)
        elif "neighbor" in name:
            attributes.update(bytes=0, rbytes=0)
        elif "barrier" not in name:
            attributes.update(bytes=8, rbytes=8)
        return attributes

    def is_root(self, m, roots):
        return roots[m] == "MPI_ROOT" or "MPI_ROOT" not in roots.values() and self.root == m

    def icollective(self):
        communicator = self.communicator()
        name = self.random.choice(("ibarrier", "iallreduce", "ibcast", "ireduce", "iscan"))
        if self.communicators[communicator][1] is not None and name == "iscan":
            name = "ibarrier"
        roots, posts = self.roots(communicator, name), {}
        for m in self.members(communicator):
            s, number = self.begin(m), self.request(m)
            posts[m] = self.call(m, name, s, s + self.cost(), comm=communicator, request=number, **self.sizes(name, m, roots))
            needs = [m] + list(self.needs(communicator, name, m, roots))
            self.ranks[m].pending.append(Pending(number, posts[m], lambda needs=needs: max(posts[n].s for n in needs)))
