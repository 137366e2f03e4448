"""Traces in full and in compact encoding have the same content."""

import collections
import glob
import os
import re
import xml.etree.ElementTree as ET

from cases.loops import calls, expect_same
from expect.case import core_case
from expect.judgement import expect, expect_true
from expect.trace import TIMED, validate

DECLARED_MAX = 16  # declarations of one call site
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..')
GOLDEN = os.path.join(TOP, 'tests', 'golden')


@core_case('variants')
def compact_and_full_traces_agree(job):
    full = job.run(settings={'HIERA_FILTER': '', 'HIERA_FORMAT': 'full'}).good()
    for compress in ('none', 'zstd'):
        compact = job.run(settings={'HIERA_FILTER': '', 'HIERA_FORMAT': 'compact', 'HIERA_COMPRESS': compress}).good()
        for a, b in zip(full.valid(job.ranks), compact.valid(job.ranks)):
            expect_same(calls(a), calls(b))
    with open(compact.path(0), encoding='utf-8') as file:
        lines = file.read().split('\n')
    declared = [line for line in lines if line.startswith('<hieraCall ')]
    places = collections.Counter(line.split(' file="')[0].split('" ', 1)[1] + line.split(' file="')[1].split('"')[2] for line in declared)
    used = sum(line.startswith('<c ') for line in lines)
    print(f'{used} calls refer to {len(declared)} declarations')
    expect_true(used > 15 * len(declared), f'{used} calls, {len(declared)} declarations')
    expect_true(max(places.values()) <= 6 * DECLARED_MAX, f'declarations of a place: {places.most_common(3)}')


def read(*path):
    with open(os.path.join(TOP, *path), encoding='utf-8') as file:
        return file.read()


def of_processor(path):
    """The attributes of the root, in their order. ElementTree keeps it; what follows may be cut short."""
    with open(path, encoding='utf-8') as file:
        return re.findall(r'([\w.]+)="', re.search(r'<processor\b([^>]*)>', file.read(1 << 16)).group(1))


def words_of(paths, known):
    """Elements, and (element, attribute). Calls are one element in all encodings; of their arguments those count that readers of traces know."""
    found = set()
    for path in paths:
        try:
            for _, element in ET.iterparse(path, events=('start',)):
                call = element.tag in (*TIMED, 'hieraCall', 'c')
                tag = 'call' if call else element.tag
                found |= {tag, *((tag, name) for name in element.attrib if not call or name in known)}
        except ET.ParseError:
            pass  # a golden trace that is cut short
    return found


def golden_traces():
    """Those that stand for recorded ones."""
    other = [line.split()[0] for line in read('tests', 'golden', 'unlike-recorded.txt').splitlines() if not line.startswith('#')]
    traces = [path for folder in ('traces', 'profiles') for path in glob.glob(os.path.join(GOLDEN, folder, '**', '*.xml'), recursive=True)]
    return [path for path in traces if os.path.basename(path) != 'hieraCollector.xml' and
            not any(os.path.relpath(path, GOLDEN).startswith(name + '/') for name in other)]


@core_case('p2p', 'comms', ranks=[2], title='golden traces have what recorded ones have, {program}')
def golden_traces_are_like_recorded(job):
    """What only recorded traces have, no golden test has met."""
    results = [job.run(settings={'HIERA_FILTER': '', 'HIERA_FORMAT': encoding}).good() for encoding in ('full', 'compact')]
    recorded, golden = [result.path(rank) for result in results for rank in range(job.ranks)], golden_traces()
    order = re.findall(r'^  (\w+) ', re.search(r'<!ATTLIST processor\n(.*?)>', read('dtd', 'trace.dtd'), re.S).group(1), re.M)
    expect_true(len(golden) > 200, f'{len(golden)} golden traces')
    needed = set.intersection(*(set(of_processor(path)) for path in recorded))
    for path in recorded + golden:
        names = of_processor(path)
        expect(f'{path}: order of attributes', names, [name for name in order if name in names])
    for path in golden:
        expect(f'{path} lacks', needed - set(of_processor(path)), set())
    known = set(re.findall(r'X\(\w+, "(\w+)"\)', read('dtd', 'names.h')))
    expect('golden traces lack', words_of(recorded, known) - words_of(golden, known), set())


def same_in_auto(job, arguments, operation):
    """The trace is as long as the encoding needs to change; its calls are those of a trace in full. Return how many calls of an operation are
    in full."""
    traces = [job.run(*arguments, settings={'HIERA_FORMAT': encoding}).good() for encoding in ('full', 'auto')]
    validate([result.path(0) for result in traces])
    wanted, found = (calls(result.trace(0)) for result in traces)
    expect_same(wanted, found)
    with open(traces[1].path(0), encoding='utf-8') as file:
        text = file.read()
    place = text.index('<hieraCall ')
    print(f'{text.count(chr(10) + "<c ")} of {len(found)} calls are compact; the first declaration is at byte {place:,}')
    expect_true(4 << 20 <= place < 6 << 20, f'the first declaration is at byte {place}')
    return text.count(f' operation="{operation}" file=', 0, place)


@core_case('many', ranks=[1], smoke=True)
def long_traces_become_compact(job):
    """Three regions are open all the time, and one while the encoding changes. Distances of requests count from the last one in full encoding."""
    full = same_in_auto(job, [], 'barrier')
    expect_true(10000 < full < 20000, f'{full} barriers in full')


@core_case('stress', ranks=[1])
def requests_of_long_traces_agree(job):
    """The file of a thread changes its encoding too. The requests are too far from the first one for a distance from it."""
    full = same_in_auto(job, ['requests', 1, 8000], 'isend')
    expect_true(4000 < full < 8000, f'{full} sends in full')


def of_operation(lines, operation):
    """Return the number of declarations of an operation, and the later half of the calls that refer to them."""
    ids = {line.split('"')[1] for line in lines if line.startswith('<hieraCall ') and f' operation="{operation}"' in line}
    calls_ = [line for line in lines if line.startswith('<c ') and line.split('"')[1] in ids]
    expect(f'calls of {operation}', len(calls_), 800)
    return len(ids), calls_[400:]


@core_case('alike', smoke=True)
def repeated_calls_are_declared_once(job):
    """In `many` of alike.c, 60 different sends with tag 7 are repeated; the other sends are all different. Regions are always repeated."""
    result = job.run(settings={'HIERA_FORMAT': 'compact'}).good()
    with open(result.path(0), encoding='utf-8') as file:
        lines = file.read().split('\n')
    for operation, wanted in (('send', 200), ('again', 400)):
        declared, late = of_operation(lines, operation)
        again = [line for line in late if ' tag="1' not in line]
        told = sum(line.count('=') > 3 for line in again)
        print(f'{operation}: {declared} declarations; of {len(late)} later calls {len(again)} come again, {told} of them are told by differences')
        expect_true(abs(len(again) - wanted) < 10, f'{operation}: {len(again)} later calls come again')
        expect_true(told < len(again) // 8, f'{operation}: {told} of {len(again)} calls that came before are told by differences')
        expect_true(declared <= DECLARED_MAX + 60, f'{operation}: {declared} declarations of 60 calls that come again')
