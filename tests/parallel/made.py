"""Traces that are made for the sweep: of calls whose partners are found in ways that golden traces have little of."""


class Made:
    """A trace for each rank, whose calls follow each other."""

    def __init__(self, size, job='job="j1"'):
        self.size, self.job, self.now, self.texts = size, job, [0.0] * size, [[] for _ in range(size)]
        for rank in range(size):
            self.declare(rank, f'<hieraComm id="MPI_COMM_WORLD" ranks="0-{size - 1}"/>')

    def declare(self, rank, text):
        self.texts[rank].append(text)

    def call(self, rank, words, line, start=None, duration=0.25):
        """@param start  not before it; None: when the call before has ended, and a little later in some ranks"""
        begin = self.now[rank] + 0.01 * (rank * 7 % 5) if start is None else max(self.now[rank], start)
        self.now[rank] = begin + duration
        self.texts[rank].append(f'<hieraMPI operation={words} file="m.c" line="{line}" start_time="{begin:.3f}" finish_time="{self.now[rank]:.3f}"/>')

    def together(self, ranks):
        """From now on these ranks go on at the same time."""
        latest = max(self.now[rank] for rank in ranks)
        for rank in ranks:
            self.now[rank] = latest

    def write(self, folder):
        for rank, texts in enumerate(self.texts):
            (folder / f'trace{rank}.xml').write_text(
                f'<processor rank="P{rank}" init="0" finalize="{max(self.now) + 1:.3f}" size="{self.size}" {self.job}>' + '\n'.join(texts) + '</processor>\n', encoding='utf-8')


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


WRITERS = [write_windows]
