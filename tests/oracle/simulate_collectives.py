"""Collectives of the simulator, blocking and not, in communicators and intercommunicators."""
from simulate_messages import Pending


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
