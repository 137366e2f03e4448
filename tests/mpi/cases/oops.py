"""OOPS: its methods give the right answers, and its trace has the right classes, methods and lines."""

import re
from pathlib import Path

from expect.case import core_case
from expect.judgement import expect, expect_true
from expect.trace import TIMED

# Classes and methods of the grammar in the paper (written with small first letters), and those that only its tables or its "..."
# contain: load, scan, fromPrevious and toNext.
CLASSES = '''distributionBlocked distributionCyclic distributionNone matrix vector vectorRepl vectorSequ group partner topology
topologyGrid topologyLinear topologyPlain topologyPipe topologyTorus workgroup'''.split()
METHODS = '''allreduce barrier bcast col distributionBlocked distributionCyclic distributionNone fromEast fromNext fromNorth
fromSouth fromWest fromNE fromNW fromSE fromSW gather gatherv globalToLocal isInGroup localSize localToGlobal matrix max min
partner prod recv reduce row scatter scatterv send split store subGroup sum syncGhostsCart topologyGrid topologyPipe toEast
toNorth toPrevious toSouth toWest toNE toNW toSE toSW vector vectorRepl vectorSequ load scan fromPrevious toNext'''.split()

SOURCES = sorted((Path(__file__).parent.parent / 'programs' / 'oops').glob('*.c'))


def small_first(name):
    return name[0].lower() + name[1:]


def lines():
    """{word: (file, line)} of all lines that are marked with GOLDEN"""
    return {m.group(1): (source.name, n) for source in SOURCES for n, line in enumerate(source.read_text(encoding='utf-8').splitlines(), 1)
            if (m := re.search(r'/\* GOLDEN (.*?) \*/', line))}


def place(element):
    return element.get('file'), int(element.get('line'))


def is_own(file):
    return file in {source.name for source in SOURCES}


def told(element):
    """Class::method, or the MPI operation."""
    return element.get('operation') or f"{element.get('class')}::{element.get('method')}"


def outermost(trace):
    return [e for d, e in trace.operations() if d == 0]


def check_methods(trace):
    calls = trace.all('hieraOOPS')
    expect('classes that are missing', set(CLASSES) - {small_first(e.get('class')) for e in calls}, set())
    missing = set(METHODS) - {small_first(e.get('method')) for e in calls}
    expect('methods that are missing', missing, set())


def check_places(trace):
    """Calls of the program have lines of the program, calls inside OOPS have lines of OOPS, and every MPI call is inside a method."""
    own = {'comm_set_errhandler', 'error_class', 'error_string'}
    for depth, e in trace.operations():
        file, line = place(e)
        if depth == 0 and e.get('operation') not in own | {'init', 'finalize', 'initialized', 'finalized'}:
            expect(f'{told(e)} at depth 0, in {file}', (e.tag, is_own(file)), ('hieraOOPS', True))
        if depth > 0:
            expect_true(not is_own(file), f'{told(e)} at depth {depth} has the place {file}:{line}')
        expect_true(line > 0, f'{told(e)} at depth {depth} has no line')


def chain(element):
    """An operation, its first child, the first child of that, and so on: names and files."""
    found = []
    while element is not None:
        found.append((told(element), element.get('file')))
        element = next((e for e in element if e.tag in TIMED), None)
    return found


def named(trace, where, name):
    return [e for e in outermost(trace) if place(e) == where and told(e) == name]


def check_collectives(trace, golden):
    bcast = named(trace, golden['bcast'], 'TopologyTorus::bcast')[0]
    expect('bcast', chain(bcast), [('TopologyTorus::bcast', golden['bcast'][0]), ('Group::bcast', 'topology_methods.c'),
                                   ('broadcast', 'collective.c')])
    expect('root', [e.get('root') for e in bcast.iter()], ['0', '0', '0'])
    total = named(trace, golden['sum to all'], 'TopologyPipe::sum')[0]
    expect('sum', chain(total), [('TopologyPipe::sum', golden['sum to all'][0]), ('Group::sum', 'topology_methods.c'),
                                 ('allreduce', 'reduction.c')])
    expect('root of a sum to all', total.get('root'), None)


def check_grid(trace, golden, rank, ranks):
    """The calls inside the constructor of a grid: one pipe of all members, then pipes of rows and columns."""
    grid, = named(trace, golden['grid'], 'TopologyGrid::TopologyGrid')
    cols = 2 if ranks == 4 else ranks
    expect('arguments', (grid.get('gsize'), grid.get('cols')), (str(ranks), str(cols)))
    expect('children', [told(e) for e in grid],
           ['TopologyPipe::TopologyPipe', 'TopologyGrid::split', 'TopologyPipe::TopologyPipe', 'TopologyGrid::split',
            'TopologyPipe::TopologyPipe'])
    pipe, row, _, col, _ = grid
    ends = [str(r) if 0 <= r < ranks else '-2' for r in (rank - 1, rank + 1)]
    expect('ends', [pipe.get('previous'), pipe.get('next')], ends)
    expect('colours', [row.get('color'), col.get('color')], [str(rank // cols), str(rank % cols)])
    expect('split', [name for name, _ in chain(row)], ['TopologyGrid::split', 'Group::split', 'comm_split'])


@core_case('oops', ranks=[1, 2, 4], smoke=True)
def oops_gives_the_right_answers(job):
    result = job.run(settings={'HIERA_FILTER': 'env'}).good()
    answers, golden = int(result.out), lines()
    expect_true(answers > 5000, f'answers: {answers}')
    for rank, trace in enumerate(result.valid(job.ranks)):
        expect('lost', trace.lost(), {})
        check_methods(trace)
        check_places(trace)
        check_collectives(trace, golden)
        check_grid(trace, golden, rank, job.ranks)
    if job.transform:
        found = [line for line in job.findings(result, None) if 'note: ' not in line]  # both ranks send before they receive
        expect('errors and warnings', [line for line in found if 'warning: would deadlock without buffering: ' not in line], [])
    print(f'{answers} answers as expected')
