"""Random runs with threads of OpenMP: teams of different sizes, in each other too, threads that come late, and all that they wait in.

The one idea: a region gets threads that nobody else has meanwhile, so regions inside it share these, and no thread is in two places.
In an exact run times of threads do not contradict each other, what has a lock has it alone, and each piece of work has a line of its own."""
import itertools
import random

from write import Op, write_run


class Rank:
    def __init__(self, run, number):
        self.random, self.number = run.random, number
        self.init = self.clock = run.random.randint(0, 5000000)
        self.top = Op("processor", "", self.init, None)
        self.threads, self.outside, self.exact, self.left = {}, False, run.exact, {}
        self.lines = itertools.count(1000 * (number + 1)) if run.exact else itertools.repeat(26)
        self.numbers_regions = number % 2 == 0  # as older traces do not

    def some(self, most=2000000):
        return self.random.choice((0, 1, self.random.randint(1, most), self.random.randint(1, most)))

    def op(self, level, name, line, s, f, children=(), **attributes):
        op = Op("hieraMPI" if level == "mpi" else "hieraRegion", name, s, f, attributes)
        op.level, op.line = level, line
        op.children += children
        return op

    def part(self, t, free, depth, thread):
        """Something that a thread does from `t` on: operations and their end."""
        r, f = self.random, t + self.some()
        what = r.choice(("useful", "useful", "critical", "lock", "tasks", "flush", "nested", *(() if self.outside else ("mpi", "io", "app"))))
        if what in ("critical", "lock") and self.exact:
            name, number = r.choice((("critical", 1), ("critical", 2), ("lock", 3), ("nest lock", 4)))
            ask, f = t, max(f, self.left.get(number, 0))
            g = self.left[number] = f + 1 + self.some()
            take, args = self.op("openmp", "acquire " + name, 20, ask, f, args=f"lock={number}"), {"args": f"lock={number}"}
            return [take, self.op("openmp", name, 20, f, g, **args) if name == "critical" else self.op("openmp", "release " + name, 20, g, g, **args)], g
        if what == "critical":
            g = f + self.some()
            return [self.op("openmp", "acquire critical", 20, t, f), self.op("openmp", "critical", 20, f, g)], g
        if what == "lock":
            return [self.op("openmp", r.choice(("acquire lock", "acquire ordered", "acquire atomic")), 21, t, f)], f
        if what == "tasks":
            s, name = t + self.some(), r.choice(("taskwait", "taskgroup"))
            inner, g = self.body(s, free, depth + 1, thread) if depth < 3 else ([], s)
            return [self.op("openmp", name, 22, t, g + f - t, [self.op("openmp", "task", 23, s, g, inner)])], g + f - t
        if what == "mpi":
            return [self.op("mpi", "iprobe", 24, t, f, rem=0, tag=0, comm="MPI_COMM_WORLD", flag=0)], f
        if what == "io":
            return [self.op("mpi", "file_write_at", 25, t, f, fh=f"P{self.number}_file1", offset=0, count=8, type="MPI_BYTE", bytes=8)], f
        if what == "app" and depth < 3:
            inner, g = ([], t + self.some()) if self.exact else self.body(t + self.some(), free, depth + 1, thread)
            return [self.op("app", "work", next(self.lines), t, g + f - t, inner)], g + f - t
        if what == "flush":
            return [("hieraFlush", t, f)], f
        if what == "nested" and depth < 3:
            region, g = self.parallel(t, free, depth + 1, thread)
            return [region], g
        return [], f

    def body(self, t, free, depth, thread):
        done = []
        for _ in range(self.random.randint(0, 3)):
            part, t = self.part(t + self.some(), free, depth, thread)
            done += part
        return done, t + self.some()

    def parallel(self, t, free, depth, thread):
        region = Region(self, t, free, depth, thread)
        for _ in range(self.random.randint(0, 2)):
            region.work()
            region.barrier()
        region.work()
        return region.close()

    def stretch(self, t):
        free, done = list(range(1, self.random.randint(1, 6))), []
        for _ in range(self.random.randint(0, 3)):
            part, t = self.parallel(t + self.some(), free, 0, 0) if self.random.random() < .6 else self.part(t + self.some(), free, 1, 0)
            done += part if isinstance(part, list) else [part]
        return done, t + self.some()


class Region:
    """A region of the thread `thread` and some of the free ones. What is left of these is for regions inside."""

    def __init__(self, rank, t, free, depth, thread):
        r = rank.random
        self.rank, self.begin_ns, self.depth, self.thread = rank, t, depth, thread
        self.others = r.sample(free, r.randint(0, min(3, len(free))))
        self.team, left, self.line = [thread, *self.others], [x for x in free if x not in self.others], 10 * depth + r.choice((0, 0, 1))
        self.left = {x: left[i::len(self.team)] for i, x in enumerate(self.team)}
        self.begin = {x: t + rank.some(500000) for x in self.team}
        self.at, self.done = dict(self.begin), {x: [] for x in self.team}

    def body(self, x, t, depth):
        return self.rank.body(t, self.left[x], depth, x)

    def work(self):
        for x in self.team:
            part, self.at[x] = self.body(x, self.at[x], self.depth)
            self.done[x] += part

    def barrier(self):
        r, last, tasks = self.rank, max(self.at.values()), {}
        for x in self.team:
            inner, until = self.body(x, self.at[x] + r.some(), 3) if r.random.random() < .2 else ([], last)
            tasks[x] = [r.op("openmp", "task", 23, self.at[x], until, inner)] if inner else [], until
        if r.exact:
            last = max(last, *(until for _, until in tasks.values()))
        leave = {x: max(until, last) + r.some(50000) + r.exact for x, (_, until) in tasks.items()}
        first = min(leave, key=leave.get)
        for x, (inner, _) in tasks.items():
            f = leave[x]
            if r.exact and x != first and r.random.random() < .3:  # a task of what follows
                s = leave[first] + 1 + r.some()
                after, end = self.body(x, s, 3)
                inner.append(r.op("openmp", "task", 23, s, end, after))
                f = end + r.some()
            self.done[x].append(r.op("openmp", "barrier", 13, self.at[x], f, inner))
            self.at[x] = f

    def call(self, op):
        """The thread that began the region calls MPI."""
        self.done[self.thread].append(op)
        self.at[self.thread] = op.f

    def close(self):
        r, end = self.rank, {}
        region = f" region={self.thread * 4 + self.depth}" if r.numbers_regions and (self.thread, self.depth) != (0, 0) else ""
        parts = {x: [r.op("openmp", "implicit task", self.line, self.begin[x], self.at[x], self.done[x], args=f"threads={len(self.team)}" + region)] for x in self.team}
        for x in self.team:
            while r.random.random() < .2:
                s = self.at[x] + r.some()
                inner, self.at[x] = self.body(x, s, 3)
                parts[x].append(r.op("openmp", "task", 23, s, self.at[x], inner))
            end[x] = self.at[x]
        for x in self.others:
            r.threads.setdefault(x, []).extend(parts[x])
        f = max(end.values()) + r.some(100000)
        return r.op("openmp", "parallel", self.line, self.begin_ns, f, parts[self.thread], args=f"requested={len(self.team)}" + region), f


class Run:
    """Steps of all ranks, between barriers; sometimes a message before one."""

    def __init__(self, seed, exact):
        self.random = r = random.Random(seed)
        self.size, self.exact = r.randint(1, 3), exact
        self.communicators, self.neighbors = {"MPI_COMM_WORLD": (list(range(self.size)), None)}, {}
        self.ranks = [Rank(self, i) for i in range(self.size)]
        for rank in self.ranks:
            rank.top.children.append(("hieraComm", "MPI_COMM_WORLD"))
        for rank in self.ranks:
            rank.init = self.reach_out(rank)
        for _ in range(r.randint(1, 3)):
            self.step()
        for rank in self.ranks:
            rank.finalize = self.reach_out(rank)
            rank.top.children += [self.thread(rank, x) for x in sorted(rank.threads)]

    def reach_out(self, rank):
        """Sometimes the program does something before MPI_Init, after MPI_Finalize, or meanwhile: return when that is."""
        begin = rank.clock = rank.clock + rank.some()
        if self.random.random() < .7 or self.exact:
            return begin
        rank.outside = True
        done, rank.clock = rank.stretch(begin)
        rank.top.children += done
        rank.outside = False
        return self.random.randint(begin, rank.clock)

    def thread(self, rank, x):
        thread = Op("hieraThread", str(x), 0, 0)
        thread.children += rank.threads[x]
        return thread

    def step(self):
        """What ranks do, then their calls: some make them in a region, in which they go on."""
        done, begin, regions = {}, {}, {}
        for rank in self.ranks:
            begin[rank] = rank.clock + rank.some()
            done[rank], rank.clock = rank.stretch(begin[rank] + 100000)
            if self.size > 1 and self.random.random() < .4:
                regions[rank] = Region(rank, rank.clock, [1, 2, 3], 0, 0)
                self.work(regions[rank])
        if self.size > 1 and self.random.random() < .5:
            sender, receiver = self.random.sample(self.ranks, 2)
            s, t, between = sender.clock, receiver.clock, dict(comm="MPI_COMM_WORLD", tag=1, type="MPI_BYTE", count=8, bytes=8)
            sender.clock, receiver.clock = s + 1 + sender.some(), max(s, t) + 1 + sender.some()
            self.call(done, regions, sender, sender.op("mpi", "send", 30, s, sender.clock, dest=receiver.number, **between))
            self.call(done, regions, receiver, receiver.op("mpi", "receive", 31, t, receiver.clock, rem=sender.number, **between))
        last = max(rank.clock for rank in self.ranks)
        for rank in self.ranks:
            s, rank.clock = rank.clock, last + 1 + rank.some()
            self.call(done, regions, rank, rank.op("mpi", "barrier", 32, s, rank.clock, comm="MPI_COMM_WORLD"))
            if rank in regions:
                region, rank.clock = regions[rank].close()
                done[rank].append(region)
            rank.clock += rank.some()
            rank.top.children.append(rank.op("app", "step", 40, begin[rank], rank.clock, done[rank]))

    def work(self, region):
        region.work()
        if self.random.random() < .5:
            region.barrier()
        region.rank.clock = region.at[0]

    def call(self, done, regions, rank, op):
        if rank not in regions:
            done[rank].append(op)
            return
        regions[rank].call(op)
        self.work(regions[rank])


def all_in(op):
    for child in op.children:
        if isinstance(child, Op):
            yield child
            yield from all_in(child)


def waits_of(part):
    """What the part itself waits in, and not a task or region inside."""
    for child in part.children:
        if isinstance(child, Op) and child.name not in ("task", "implicit task"):
            yield from [child] if child.name == "taskwait" else waits_of(child)


def create_tasks(rank, r):
    """Threads create most tasks where they go from one thing to the next, but none that ends behind a wait for it."""
    parts = [op for op in all_in(rank.top) if op.name in ("implicit task", "task")]
    for number, task in enumerate([op for op in parts if op.name == "task"], 1):
        among = {id(task), *map(id, all_in(task))}
        places = [(part, i, t) for part in parts if id(part) not in among
                  for i, t in enumerate([part.s, *(c.f if isinstance(c, Op) else c[2] for c in part.children)])
                  if t <= task.s and not any(t <= w.s and w.f < task.f for w in waits_of(part))]
        if places and r.random() < .8:
            part, i, t = r.choice(places)
            part.children.insert(i, rank.op("openmp", "create task", 19, t, t, args=f"task={number}"))
            task.attributes["args"] = f"task={number}"


def make(seed, folder, exact=False):
    run = Run(seed, exact)
    for rank in run.ranks:
        create_tasks(rank, random.Random(seed))
    write_run(run, folder, [0] * run.size)
    return folder
