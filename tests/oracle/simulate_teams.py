"""Random runs with threads of OpenMP: teams of different sizes, in each other too, threads that come late, and all that they wait in.

The one idea: a region gets threads that nobody else has meanwhile, so regions inside it share these, and no thread is in two places."""
import random

from write import Op, write_run


class Rank:
    def __init__(self, run, number):
        self.random, self.number = run.random, number
        self.init = self.clock = run.random.randint(0, 5000000)
        self.top = Op("processor", "", self.init, None)
        self.threads, self.outside = {}, False
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
            inner, g = self.body(t + self.some(), free, depth + 1, thread)
            return [self.op("app", "work", 26, t, g + f - t, inner)], g + f - t
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
        """A region of the thread `thread` and some of the free ones. What is left of these is for regions inside."""
        r = self.random
        others = r.sample(free, r.randint(0, min(3, len(free))))
        left = [x for x in free if x not in others]
        team, line = [thread, *others], 10 * depth + r.choice((0, 0, 1))
        begin = {x: t + self.some(500000) for x in team}
        at, done = dict(begin), {x: [] for x in team}
        for _ in range(r.randint(0, 2)):
            for i, x in enumerate(team):
                part, at[x] = self.body(at[x], left[i::len(team)], depth, x)
                done[x] += part
            last = max(at.values())
            for i, x in enumerate(team):
                inner, until = self.body(at[x] + self.some(), left[i::len(team)], 3, x) if r.random() < .2 else ([], last)
                inner = [self.op("openmp", "task", 23, at[x], until, inner)] if inner else []
                f = max(until, last) + self.some(50000)
                done[x].append(self.op("openmp", "barrier", 13, at[x], f, inner))
                at[x] = f
        end = {}
        for i, x in enumerate(team):
            part, at[x] = self.body(at[x], left[i::len(team)], depth, x)
            done[x] += part
        region = f" region={thread * 4 + depth}" if self.numbers_regions and (thread, depth) != (0, 0) else ""
        parts = {x: [self.op("openmp", "implicit task", line, begin[x], at[x], done[x], args=f"threads={len(team)}" + region)] for x in team}
        for i, x in enumerate(team):
            while r.random() < .2:
                s = at[x] + self.some()
                inner, at[x] = self.body(s, left[i::len(team)], 3, x)
                parts[x].append(self.op("openmp", "task", 23, s, at[x], inner))
            end[x] = at[x]
        for x in others:
            self.threads.setdefault(x, []).extend(parts[x])
        f = max(end.values()) + self.some(100000)
        return self.op("openmp", "parallel", line, t, f, parts[thread], args=f"requested={len(team)}" + region), f

    def stretch(self, t):
        free, done = list(range(1, self.random.randint(1, 6))), []
        for _ in range(self.random.randint(0, 3)):
            part, t = self.parallel(t + self.some(), free, 0, 0) if self.random.random() < .6 else self.part(t + self.some(), free, 1, 0)
            done += part if isinstance(part, list) else [part]
        return done, t + self.some()


class Run:
    """Steps of all ranks, between barriers; sometimes a message before one."""

    def __init__(self, seed):
        self.random = r = random.Random(seed)
        self.size = r.randint(1, 3)
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
        if self.random.random() < .7:
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
        done, begin = {}, {}
        for rank in self.ranks:
            begin[rank] = rank.clock + rank.some()
            done[rank], rank.clock = rank.stretch(begin[rank] + 100000)
        if self.size > 1 and self.random.random() < .5:
            sender, receiver = self.random.sample(self.ranks, 2)
            s, t, between = sender.clock, receiver.clock, dict(comm="MPI_COMM_WORLD", tag=1, type="MPI_BYTE", count=8, bytes=8)
            sender.clock, receiver.clock = s + 1 + sender.some(), max(s, t) + 1 + sender.some()
            done[sender].append(sender.op("mpi", "send", 30, s, sender.clock, dest=receiver.number, **between))
            done[receiver].append(receiver.op("mpi", "receive", 31, t, receiver.clock, rem=sender.number, **between))
        last = max(rank.clock for rank in self.ranks)
        for rank in self.ranks:
            s, rank.clock = rank.clock, last + 1 + rank.some()
            done[rank].append(rank.op("mpi", "barrier", 32, s, rank.clock, comm="MPI_COMM_WORLD"))
            rank.clock += rank.some()
            rank.top.children.append(rank.op("app", "step", 40, begin[rank], rank.clock, done[rank]))


def make(seed, folder):
    run = Run(seed)
    write_run(run, folder, [0] * run.size)
    return folder
