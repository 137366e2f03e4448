"""Traces that are made for the sweep: of calls whose partners are found in ways that golden traces have little of."""


class Made:
    """A trace for each rank, whose calls follow each other."""

    def __init__(self, size, begins=None):
        """@param begins  when the trace of each rank begins, if not with the run"""
        self.size, self.begins, self.now, self.texts = size, begins, [0.0] * size, [[] for _ in range(size)]
        self.stopped = set()
        for rank in range(size):
            self.declare(rank, f'<hieraComm id="MPI_COMM_WORLD" ranks="0-{size - 1}"/>')

    def declare(self, rank, text):
        self.texts[rank].append(text)

    def call(self, rank, words, line, start=None, duration=0.25):
        """@param start  not before it; None: when the call before has ended, and a little later in some ranks"""
        begin = self.now[rank] + 0.01 * (rank * 7 % 5) if start is None else max(self.now[rank], start)
        self.now[rank] = begin + duration
        self.texts[rank].append(f'<hieraMPI operation={words} file="m.c" line="{line}" start_time="{begin:.3f}" finish_time="{self.now[rank]:.3f}"/>')

    def stop(self, rank, words, line):
        """The rank is in this call when the job is ended from outside."""
        self.texts[rank].append(f'<hieraMPI operation={words} file="m.c" line="{line}" start_time="{self.now[rank] + 0.1:.3f}" finish_time=""/>')
        self.stopped.add(rank)

    def together(self, ranks):
        """From now on these ranks go on at the same time."""
        latest = max(self.now[rank] for rank in ranks)
        for rank in ranks:
            self.now[rank] = latest

    def meet(self, rank, other):
        """The next call of a rank, if it lasts 0.4, ends after the last one of another rank."""
        self.now[rank] = max(self.now[rank], self.now[other] - 0.3)

    def write(self, folder):
        for rank, texts in enumerate(self.texts):
            since = f' mode="window" since="{self.begins[rank]}"' if self.begins else ''
            end = max(self.now) + 1
            if rank in self.stopped:
                texts = [*texts, f'<hieraEnd cause="signal" value="15" name="SIGTERM" time="{end + 1:.3f}"/>']
            (folder / f'trace{rank}.xml').write_text(
                f'<processor rank="P{rank}" init="0" finalize="{"" if rank in self.stopped else f"{end:.3f}"}" size="{self.size}" job="j1"{since}>' + '\n'.join(texts) + '</processor>\n', encoding='utf-8')


def expose_in_a_ring(made, ranks, window, step):
    """Each opens its window to the one before it, and writes into that of the one behind it; all too late for somebody."""
    behind = {rank: ranks[(i + 1) % len(ranks)] for i, rank in enumerate(ranks)}
    before = {other: rank for rank, other in behind.items()}
    for rank in ranks:
        start = made.now[rank] + 0.3 * ((rank + step) % 3)
        made.declare(rank, f'<hieraGroup id="P{rank}_to{step}" ranks="{before[rank]}"/><hieraGroup id="P{rank}_from{step}" ranks="{behind[rank]}"/>')
        made.call(rank, f'"win_post" group="P{rank}_to{step}" assert="0" win="{window(rank)}"', 20, start)
        made.call(rank, f'"win_start" group="P{rank}_from{step}" assert="0" win="{window(rank)}"', 21)
        made.call(rank, f'"put" target_rank="{ranks.index(behind[rank])}" bytes="8" win="{window(rank)}"', 22)
        made.call(rank, f'"win_complete" win="{window(rank)}"', 23, duration=0.5)
        made.call(rank, f'"win_wait" win="{window(rank)}"', 24, duration=0.7)


def lock_one(made, ranks, window, step):
    """All lock the window of one; some share it."""
    target = step % len(ranks)
    made.together(ranks)
    for place, rank in enumerate(ranks):
        made.call(rank, f'"win_lock" lock_type="{2 if (place + step) % 3 == 0 else 1}" rank="{target}" assert="0" win="{window(rank)}"', 30, duration=0.2 + 0.4 * place)
        made.call(rank, f'"get" target_rank="{target}" bytes="{rank}" win="{window(rank)}"', 31)
        made.call(rank, f'"win_flush" rank="{target}" win="{window(rank)}"', 32)
        made.call(rank, f'"win_unlock" rank="{target}" win="{window(rank)}"', 33)


def write_windows(folder):
    """Windows of all, and of some whose ranks in it are not those of the world."""
    made = Made(5)
    some = [4, 1, 3]
    for rank in some:
        made.declare(rank, '<hieraComm id="some" ranks="4 1 3"/>')
    for number, (comm, ranks) in enumerate((('MPI_COMM_WORLD', list(range(5))), ('some', some))):
        def window(rank, number=number):
            return f'P{rank}_win{number}'

        for rank in ranks:
            made.call(rank, f'"win_create" comm="{comm}" win="{window(rank)}"', 10 + number)
        for step in range(3):
            expose_in_a_ring(made, ranks, window, step)
            lock_one(made, ranks, window, step)
        for rank in ranks:
            made.call(rank, f'"win_fence" assert="0" win="{window(rank)}"', 40)
            made.call(rank, f'"accumulate" target_rank="{rank % len(ranks)}" bytes="16" win="{window(rank)}"', 41)
            made.call(rank, f'"win_fence" assert="0" win="{window(rank)}"', 42)
        made.together(ranks)
        for rank in ranks:
            made.call(rank, f'"win_free" win="{window(rank)}"', 43)
    made.write(folder)


def talk_between_groups(made, groups, comm, step):
    """A message each way, one of them from anybody, and collectives with a root in one group; by turns, somebody is late."""
    for here, there in (groups, groups[::-1]):
        sender, receiver = here[step % len(here)], there[(step + 1) % len(there)]
        posted = '" posted="any' if step % 2 else ''
        made.call(sender, f'"send" dest="{there.index(receiver)}" tag="1" bytes="8" comm="{comm}"', 20, made.now[sender] + 0.2 * (step + 1))
        made.meet(receiver, sender)
        made.call(receiver, f'"receive" rem="{here.index(sender)}{posted}" tag="1" bytes="8" comm="{comm}"', 21, duration=0.4)
        made.call(receiver, f'"isend" dest="{here.index(sender)}" tag="2" bytes="4" request="{step + 1}" comm="{comm}"', 22)
        made.meet(sender, receiver)
        made.call(sender, f'"receive" rem="{there.index(receiver)}" tag="2" bytes="4" comm="{comm}"', 23, duration=0.4)
        made.call(receiver, f'"wait" requests="{step + 1}"', 24)
        for rank in (*here, *there):
            root = step % len(there) if rank in here else 'MPI_ROOT' if there.index(rank) == step % len(there) else 'MPI_PROC_NULL'
            made.call(rank, f'"broadcast" root="{root}" bytes="8" rbytes="8" comm="{comm}"', 25, made.now[rank] + 0.1 * ((rank + step) % 3))
    for rank in (*groups[0], *groups[1]):
        made.call(rank, f'"allreduce" op="MPI_SUM" bytes="8" rbytes="8" comm="{comm}"', 26, duration=0.4)


def talk_to_another_job(made, ranks, name):
    """With processes that have no traces here; each rank has its own names of what it has in common with them."""
    for rank in ranks:
        made.declare(rank, f'<hieraComm id="{name(rank)}" ranks="0-{len(ranks) - 1}" remote="? ?"/><hieraComm id="{name(rank)}.1" ranks="? 0-{len(ranks) - 1} ?"/>')
        made.call(rank, f'"comm_spawn" maxprocs="2" root="0" comm="MPI_COMM_WORLD" newcomm="{name(rank)}"', 40)
    made.call(2, f'"send" dest="1" tag="3" bytes="8" comm="{name(2)}"', 41)
    for rank in ranks:
        made.call(rank, f'"barrier" comm="{name(rank)}"', 42)
    for rank in ranks:
        made.call(rank, f'"intercomm_merge" high="1" comm="{name(rank)}" newcomm="{name(rank)}.1"', 43)
    made.call(4, f'"send" dest="2" tag="4" bytes="8" comm="{name(4)}.1"', 44, made.now[1] + 1)
    made.call(1, f'"receive" rem="5" tag="4" bytes="8" comm="{name(1)}.1"', 45, duration=1.5)
    made.call(3, f'"receive" rem="0" tag="4" bytes="8" comm="{name(3)}.1"', 46)


def write_groups(folder):
    """Intercommunicators, and processes of another job."""
    made = Made(6)
    groups = [0, 2, 5], [1, 3]
    merged = [*groups[0], *groups[1]]
    for here, there in (groups, groups[::-1]):
        for rank in here:
            made.declare(rank, f'<hieraComm id="P0_comm1" ranks="{" ".join(map(str, here))}" remote="{" ".join(map(str, there))}"/>'
                               f'<hieraComm id="P0_comm2" ranks="{" ".join(map(str, merged))}"/><hieraComm id="MPI_COMM_SELF" ranks="{rank}"/>')
            made.call(rank, '"intercomm_create" local_comm="MPI_COMM_SELF" newcomm="P0_comm1"', 10, made.now[rank] + 0.1 * rank)
    for step in range(4):
        talk_between_groups(made, groups, 'P0_comm1', step)
    for rank in merged:
        made.call(rank, '"intercomm_merge" high="0" comm="P0_comm1" newcomm="P0_comm2"', 30)
    for rank in merged:
        made.call(rank, '"broadcast" root="3" bytes="8" rbytes="8" comm="P0_comm2"', 31, made.now[rank] + 0.1 * ((rank + 1) % 3))
    made.call(4, '"send" dest="0" tag="5" bytes="8" comm="MPI_COMM_WORLD"', 32)
    made.meet(0, 4)
    made.call(0, '"receive" rem="4" tag="5" bytes="8" comm="MPI_COMM_WORLD"', 33, duration=0.4)
    talk_to_another_job(made, range(6), lambda rank: f'P{rank}_comm3')
    made.write(folder)


def write_long(folder, ranks=4, steps=3000):
    """Traces of neighbours in a ring, and collectives: what processes tell each other is more than what they send at once."""
    texts, now = [[] for _ in range(ranks)], [10] * ranks

    def call(rank, words, start, finish):
        texts[rank].append(f'<hieraMPI operation={words} comm="MPI_COMM_WORLD" count="1" type="MPI_BYTE" file="l.c" line="{len(words)}" '
                           f'start_time="{start / 1e6:.6f}" finish_time="{finish / 1e6:.6f}"/>')

    for step in range(steps):
        begin = [now[rank] + (step * 7 + rank * rank * 5) % 11 for rank in range(ranks)]
        for rank in range(ranks):
            left, right = (rank - 1) % ranks, (rank + 1) % ranks
            now[rank] = max(begin[rank] + 3, begin[left] + 2)
            texts[rank].append(f'<hieraRegion level="app" operation="step" file="l.c" line="{1 + step % 3}" start_time="{begin[rank] / 1e6:.6f}" '
                               f'finish_time="{now[rank] / 1e6:.6f}">')
            call(rank, f'"irecv" rem="{left}" tag="{step % 5}" bytes="8" request="1"', begin[rank], begin[rank] + 1)
            call(rank, f'"send" dest="{right}" tag="{step % 5}" bytes="8"', begin[rank] + 1, begin[rank] + 2)
            call(rank, f'"wait" requests="1" sources="{left}" tags="{step % 5}" sizes="8"', begin[rank] + 2, now[rank])
            texts[rank].append('</hieraRegion>')
        if step % 16 == 0:
            finish = max(now) + 1
            for rank in range(ranks):
                call(rank, '"allreduce" bytes="8"', now[rank], finish)
            now = [finish] * ranks
    for rank in range(ranks):
        (folder / f'trace{rank}.xml').write_text(
            f'<processor rank="P{rank}" init="0" finalize="{(max(now) + 10) / 1e6:.6f}" size="{ranks}"><hieraComm id="MPI_COMM_WORLD" ranks="0-{ranks - 1}"/>'
            f'{"".join(texts[rank])}</processor>', encoding='utf-8')


def begin_later(made, rank, since, n_before):
    """What HIERA_MODE=window has of the time before: of n_before messages that were sent the last one is under way, and so is that which comes. Of a
    barrier all have called the trace has the call where it begins late."""
    size, late = made.size, since > 2
    made.declare(rank, f'<hieraBefore time="{since}" places="1 - {n_before - 1}{" 3" if late else ""}">'
                       f'<hieraChannel comm="MPI_COMM_WORLD" dest="{(rank + 1) % size}" tag="7" count="{n_before}"/>'
                       f'<hieraChannel comm="MPI_COMM_WORLD" rem="{(rank - 1) % size}" tag="7" count="{n_before - 1}"/>'
                       f'<hieraChannel comm="MPI_COMM_WORLD" count="{n_before + 2 + late}"/><hieraChannel win="P{rank}_win1" count="{n_before}"/></hieraBefore>')
    made.call(rank, f'"win_create" comm="MPI_COMM_WORLD" win="P{rank}_win1"', 10, 0.5)
    made.call(rank, f'"irecv" rem="{(rank - 1) % size}" tag="7" comm="MPI_COMM_WORLD" request="1"', 11)
    made.call(rank, f'"isend" dest="{(rank + 1) % size}" tag="7" bytes="{n_before}" comm="MPI_COMM_WORLD" request="2"', 12)
    barrier = '"ibarrier" comm="MPI_COMM_WORLD" request="3"'
    if late:
        made.call(rank, barrier, 19)
    made.declare(rank, '<hieraSince/>')
    made.now[rank] = since
    if not late:
        made.call(rank, barrier, 19)


def write_later(folder):
    """Traces that begin in the middle of the run, at different times, and do not end: of the last message one side is there, two wait for each other."""
    made = Made(4, begins=[4.0, 2.0, 4.0, 2.0])
    for rank, since in enumerate(made.begins):
        n_before = int(since) - 1
        begin_later(made, rank, since, n_before)
        made.call(rank, f'"waitall" requests="1 2 3" sources="{(rank - 1) % 4} - -" tags="7 - -" sizes="{n_before} - -"', 13)
        for n in range(n_before, 6):
            made.call(rank, f'"isend" dest="{(rank + 1) % 4}" tag="7" bytes="{n + 1}" comm="MPI_COMM_WORLD" request="{n + 3}"', 14, n + 1.5)
            made.call(rank, f'"receive" rem="{(rank - 1) % 4}" tag="7" bytes="{n + 1}" comm="MPI_COMM_WORLD"', 15, duration=0.3)
            made.call(rank, f'"wait" requests="{n + 3}"', 16, duration=0.1)
            made.call(rank, f'"win_fence" assert="0" win="P{rank}_win1"', 17, n + 2.2 + 0.1 * ((rank + n) % 3), duration=0.3)
            made.call(rank, '"broadcast" root="1" bytes="8" rbytes="8" comm="MPI_COMM_WORLD"', 18, duration=0.1)
    made.call(0, '"isend" dest="1" tag="7" bytes="7" comm="MPI_COMM_WORLD" request="70"', 40)
    made.stop(0, '"receive" rem="3" tag="9" comm="MPI_COMM_WORLD"', 41)
    made.stop(1, '"barrier" comm="MPI_COMM_WORLD"', 42)
    made.stop(2, '"broadcast" root="1" bytes="8" rbytes="8" comm="MPI_COMM_WORLD"', 43)
    made.stop(3, '"receive" rem="2" tag="7" comm="MPI_COMM_WORLD"', 44)
    made.write(folder)


def run_well(made, step):
    """What ends on all ranks: messages and requests between neighbours, and collectives."""
    size = made.size
    for rank in range(size):
        made.call(rank, f'"irecv" rem="{(rank - 1) % size}" tag="1" comm="MPI_COMM_WORLD" request="{2 * step + 1}"', 10)
        made.call(rank, f'"isend" dest="{(rank + 1) % size}" tag="1" bytes="8" comm="MPI_COMM_WORLD" request="{2 * step + 2}"', 11)
        made.call(rank, f'"waitall" requests="{2 * step + 1} {2 * step + 2}" sources="{(rank - 1) % size} -" tags="1 -" sizes="8 -"', 12, duration=0.5)
        made.call(rank, f'"sendrecv" dest="{(rank + 2) % size}" stag="2" rem="{(rank - 2) % size}" rtag="2" bytes="8" rbytes="8" comm="MPI_COMM_WORLD"', 13, duration=0.6)
    made.together(range(size))
    for rank in range(size):
        made.call(rank, '"allreduce" op="MPI_SUM" bytes="8" rbytes="8" comm="MPI_COMM_WORLD"', 14, made.now[rank] + 0.05 * rank)


def write_hung(folder):
    """Of six collectives five agree; some wait for messages that do not come, for a rank that has ended, or for a request that is no longer there; for
    one the message has come, and one is in no call."""
    made = Made(9)
    for step in range(5):
        run_well(made, step)
    made.call(4, '"send" dest="2" tag="7" bytes="9" comm="MPI_COMM_WORLD"', 20)
    made.call(4, '"send" dest="5" tag="1" bytes="9" comm="MPI_COMM_WORLD"', 21)
    made.call(2, '"irecv" rem="4" tag="8" comm="MPI_COMM_WORLD" request="90"', 22)
    made.call(3, '"irecv" rem="MPI_ANY_SOURCE" tag="3" comm="MPI_COMM_WORLD" request="91"', 23)
    made.stop(0, '"barrier" comm="MPI_COMM_WORLD"', 30)
    made.stop(1, '"allreduce" op="MPI_SUM" bytes="8" rbytes="8" comm="MPI_COMM_WORLD"', 31)
    made.stop(2, '"waitall" requests="9 90"', 32)
    made.stop(3, '"send" dest="6" tag="5" bytes="99999" comm="MPI_COMM_WORLD"', 33)
    made.stop(4, '"receive" rem="6" tag="4" comm="MPI_COMM_WORLD"', 34)
    made.stop(5, '"receive" rem="4" tag="1" comm="MPI_COMM_WORLD"', 35)
    made.stop(7, '"wait" requests="9"', 36)
    made.stopped.add(8)
    made.write(folder)


def break_messages(made, step):
    """One that nobody receives, one that comes in another size, and one that is received before it was sent."""
    size = made.size
    sender, receiver = step % size, (step * 3 + 1) % size
    made.call(sender, f'"send" dest="{(sender + 3) % size}" tag="9" bytes="8" comm="MPI_COMM_WORLD"', 1000 + step, duration=0.01)
    if step % 10 or sender == receiver:
        return
    made.call(receiver, f'"receive" rem="{sender}" tag="{step}" bytes="{4 * (step % 3)}" comm="MPI_COMM_WORLD"', 5000 + step % 70, duration=0.01)
    made.call(sender, f'"send" dest="{receiver}" tag="{step}" bytes="4" comm="MPI_COMM_WORLD"', 6000 + step % 90, made.now[receiver] + 0.2 - step % 2, duration=0.01)


def break_tree(made, rank, step):
    """An operation that ends before those that it calls, or calls more than fits into it."""
    begin = made.now[rank] = made.now[rank] + 0.1
    inside = ''.join(f'<hieraRegion level="inner" operation="part" file="m.c" line="{7 + step % 5}" start_time="{begin:.3f}" finish_time="{begin + 0.1 * (1 + step % 2):.3f}"/>' for _ in range(2))
    made.declare(rank, f'<hieraRegion level="app" operation="step" file="m.c" line="{1 + step % 3}" start_time="{begin:.3f}" finish_time="{begin + 0.15:.3f}">{inside}</hieraRegion>')
    made.now[rank] = begin + 0.3


def break_objects(made, rank):
    """What is not freed, and epochs of windows that do not begin or do not end."""
    window = f'P{rank}_win1'
    made.declare(rank, f'<hieraComm id="P{rank}_comm9" ranks="{rank}"/><hieraComm id="MPI_COMM_SELF" ranks="{rank}"/>')
    made.call(rank, f'"comm_dup" comm="MPI_COMM_SELF" newcomm="P{rank}_comm9"', 60)
    made.call(rank, f'"isend" dest="{(rank + 1) % made.size}" tag="8" bytes="8" comm="MPI_COMM_WORLD" request="5"', 61)
    made.call(rank, f'"receive" rem="{(rank - 1) % made.size}" tag="8" bytes="8" comm="MPI_COMM_WORLD"', 62)
    made.call(rank, f'"win_create" comm="MPI_COMM_WORLD" win="{window}"', 63)
    made.call(rank, f'"put" target_rank="{(rank + 1) % made.size}" bytes="8" win="{window}"', 64 + rank % 3)
    made.call(rank, f'"win_complete" win="{window}"', 67)
    for target in (rank, (rank + 1) % 3):
        made.call(rank, f'"win_lock" lock_type="1" rank="{target}" assert="0" win="{window}"', 68)


def write_broken(folder, steps=1050):
    """Of each kind of fault some, of some kinds more than have a text of their own, also in calls that one site makes on several communicators."""
    made = Made(8)
    pairs = [(rank, 7 - rank) for rank in range(4)]
    for number, pair in enumerate(pairs):
        for rank in pair:
            made.declare(rank, f'<hieraComm id="P{pair[0]}_comm1" ranks="{pair[0]} {pair[1]}"/>')
            made.call(rank, f'"comm_split" color="{number}" key="0" comm="MPI_COMM_WORLD" newcomm="P{pair[0]}_comm1"', 10)
    for step in range(steps):
        for number, pair in enumerate(pairs):
            for rank in pair:
                line = 10000 + (steps - step if number % 2 else step * 2)
                made.call(rank, f'"allreduce" op="MPI_SUM" bytes="{rank // 4}" rbytes="{rank // 4}" comm="P{pair[0]}_comm1"', line, duration=0.01)
        break_messages(made, step)
        break_tree(made, step % made.size, step)
    for rank in range(made.size):
        break_objects(made, rank)
    made.call(3, '"barrier" comm="MPI_COMM_WORLD"', 80)
    made.stop(5, '"allreduce" op="MPI_SUM" bytes="8" rbytes="8" comm="MPI_COMM_WORLD"', 81)
    made.stop(6, '"receive" rem="5" tag="77" comm="MPI_COMM_WORLD"', 82)
    made.write(folder)


WRITERS = [write_windows, write_groups, write_later, write_hung]
