"""The decorator `case` makes a function a test case: with which programs, on how many ranks and in which encodings it runs.

    @case('guest', ranks=[1, 2], compact=[1])
    def errors_are_returned_and_recorded(job):

is a test on two ranks for each MPI, and tests on one rank and in compact encoding, each with one MPI, the next one with the other
(-Devery_mpi=true: with each). So are all tests of a `core_case`, which tests what stands above MPI. `run.py --list` prints them for
meson."""

import functools
from collections import Counter, namedtuple

from expect import counter, tap
from expect.judgement import Skip

ENCODINGS = {'full': [], 'compact': ['--format', 'compact'], 'zstd': ['--format', 'compact', '--compress', 'zstd'],
             'gzip': ['--format', 'compact', '--compress', 'gzip'], 'container': ['--container', 'node']}
SPAWN_WORKS = ('openmpi',)  # Debian's MPICH 4.0.2 cannot spawn under its mpirun: "Error in spawn call", with Hiera or without.
BINDINGS = ('mpifh', 'mpi', 'mpi_f08')  # bindings of Fortran: one program for each, from the same source
IN_FORTRAN = '{program}, {case}'

# Most cases in a group of files whose cases take long: several groups of 20 end at about the same time.
PARTS = {'timed_loops': 3, 'sampling': 3, 'threads': 4, 'filters': 4, 'released': 4, 'smoke': 10}

CASES = {}  # name -> function
TESTS = []


class Test(namedtuple('Test', 'case file program title ranks encoding variant linked mpi needs smoke timeout is_core')):
    """A case with one program, for all MPIs."""

    def built(self):
        """Key of the program in meson's dictionary `programs`."""
        return '-'.join(part for part in (self.program, self.variant, self.linked) if part)

    def name(self, mpi):
        title = self.title.format(case=self.case.replace('_', ' '), program=self.program)
        encoding = '' if self.encoding == 'full' else self.encoding
        return ', '.join([*filter(None, (title, self.variant, encoding)), f'{mpi} {self.linked}'.strip(), f'{self.ranks} ranks'])

    def line(self, mpi, in_smoke, group, priority):
        """One line for meson.build, which splits it at the bars."""
        arguments = [*ENCODINGS[self.encoding], '--ranks', str(self.ranks), '--limit', str(self.timeout), self.case]
        return '|'.join([mpi, self.built(), self.name(mpi), 'mpi smoke' if in_smoke else 'mpi', ' '.join(arguments), group, str(priority)])


def case(*programs, ranks=(), compact=(), zstd=(), gzip=(), container=(), variants=('',), linked='', mpi=(), needs=(), smoke=False, timeout=180,
         title='{case}', is_core=False):
    """Make the function below a case of these programs.

    ranks, compact, zstd, gzip: numbers of ranks in each encoding; one rank if none is given;  container: in full encoding, in one file
    variants: the program is built in several ways;  linked: how libhiera is linked, `static` or `shared`, if not as usual
    mpi: only with these MPIs;  needs: 'transform', 'zstd': no test if it was not built
    smoke: one of its tests is in the suite `smoke`;  title: name of the test"""
    counts = {'full': ranks, 'compact': compact, 'zstd': zstd, 'gzip': gzip, 'container': container}
    if not any(counts.values()):
        counts['full'] = (1,)

    def declare(function):
        CASES[function.__name__] = function
        for program in programs:
            for variant in variants:
                add(Test(function.__name__, function.__module__.rpartition('.')[2], program, title, 0, 'full', variant, linked, tuple(mpi), tuple(needs),
                         smoke, timeout, is_core))
        return function

    def add(test):
        for encoding, numbers in counts.items():
            for n in numbers:
                TESTS.append(test._replace(ranks=n, encoding=encoding, needs=test.needs + ((encoding,) if encoding in ('zstd', 'gzip') else ())))

    return declare


def core_case(*programs, **how):
    """The same for a case to which it is all one which MPI there is: settings, folders, regions, rules, scripts."""
    return case(*programs, is_core=True, **how)


def timing_case(*programs, needs=(), **how):
    """A core_case in which loops are timed."""
    def declare(function):
        @functools.wraps(function)
        def check(job):
            if not counter.is_steady():
                raise Skip(counter.NONE)
            job.settings.update(counter.SETTINGS)
            function(job)
        return core_case(*programs, needs=['timed_loops', *needs], **how)(check)
    return declare


def lines(mpis, there, every_mpi):
    """One line for each test. Tests of the suite `smoke` run with the first MPI, on two ranks if possible.
    A group, which one test of meson runs, has the cases of one file and one MPI, or some of the suite `smoke`."""
    tests = {(test, mpi): in_smoke for test, mpi, in_smoke in chosen(mpis, there, every_mpi)}
    groups = tap.in_groups({(test, mpi): f'{"smoke" if in_smoke else test.file}, {mpi}' for (test, mpi), in_smoke in tests.items()},
                           lambda name: PARTS.get(name.partition(',')[0], 20))
    sizes = Counter(groups.values())
    for (test, mpi), in_smoke in tests.items():
        group = groups[test, mpi]
        yield test.line(mpi, in_smoke, group, sizes[group] * (5 if group.partition(',')[0] in PARTS else 1))


def chosen(mpis, there, every_mpi):
    """(test, MPI, whether it is in the suite `smoke`) of all tests."""
    turns = {True: 0, False: 0}  # of cases of the core, and of the others
    for test in TESTS:
        if set(test.needs) <= set(there):
            found = [mpi for mpi in mpis if mpi in test.mpi or not test.mpi]
            in_smoke = test.smoke and test is smokes(test)
            if is_by_turns(test) and not every_mpi and len(found) > 1:
                turns[test.is_core] += not in_smoke
                found = [found[0 if in_smoke else turns[test.is_core] % len(found)]]
            for mpi in found:
                yield test, mpi, in_smoke and mpi == mpis[0]


def is_by_turns(test):
    """What each MPI has its own code for is in the test on the most ranks; how calls are encoded is the same code for all."""
    return test.is_core or test.encoding != 'full' or test.ranks < max(t.ranks for t in TESTS if t.encoding == 'full' and is_of_one_case(t, test))


def is_of_one_case(a, b):
    return (a.case, a.program, a.variant, a.linked) == (b.case, b.program, b.variant, b.linked)


def smokes(test):
    same = [t for t in TESTS if (t.case, t.program, t.variant, t.encoding) == (test.case, test.program, test.variant, 'full')]
    return max(same, key=lambda t: (t.ranks == 2, -t.ranks), default=test)
