"""Traces with folded loops (HIERA_FOLD=times) have the calls of those without; in any case of the life of a process. The traces are
unfolded by expect/loops.py. With HIERA_FOLD=statistics they have their sums."""

import os
import random
import re
import subprocess

from expect import profiles
from expect.case import core_case
from expect.judgement import expect, expect_true
from expect.trace import TIMED, validate

FOLDED = {'HIERA_FOLD': 'times', 'HIERA_FILTER': ''}
SUMMED = {'HIERA_FOLD': 'statistics'}
MOMENTS = 4
# Bytes a call in folded traces, beside times
MOST_REGIONS, MOST_REQUESTS = 0.6, 18


def calls(trace):
    return [(depth, e.tag, {k: v for k, v in e.items() if k not in ('start_time', 'finish_time')}) for depth, e in trace.walk() if e.tag in TIMED]


def expect_same(wanted, found):
    expect('calls', len(found), len(wanted))
    for i, (expected, actual) in enumerate(zip(wanted, found)) if found != wanted else ():
        expect(f'call {i}', actual, expected)


def compare(job, *arguments, **settings):
    """The calls of a folded trace are those of a full one. Return the folded run."""
    full, folded = (job.run(*arguments, settings=dict(settings, **chosen)).good() for chosen in ({'HIERA_FORMAT': 'full', 'HIERA_FILTER': ''}, FOLDED))
    validate([result.path(rank) for result in (full, folded) for rank in range(job.ranks)])
    for rank in range(job.ranks):
        expect_same(calls(full.trace(rank)), calls(folded.trace(rank)))
    return folded


@core_case('variants', smoke=True)
def folded_and_full_traces_agree(job):
    compare(job)


@core_case('many', ranks=[1])
def folded_regions_agree(job):
    """Three regions are open all the time; a buffer ends in the middle of a loop."""
    folded = compare(job, 40)
    expect_short(folded, most=MOST_REGIONS)


def expect_short(folded, most):
    """Bytes a call, of which those of times depend on the machine: more where it is busy."""
    loops, n = folded.trace(0).n_loops, len(calls(folded.trace(0)))
    with open(folded.path(0), encoding='utf-8') as file:
        text = file.read()
    beside = len(re.sub(' times="[^"]*"', '', text))
    print(f'{loops} loops; {len(text) / n:.2f} bytes a call, {beside / n:.2f} beside times')
    expect_true(loops > 2 and beside / n < most, f'{loops} loops, {beside / n:.2f} bytes a call beside times (at most {most})')


@core_case('stress', ranks=[1])
def folded_requests_agree(job):
    folded = compare(job, 'requests', 1, 3000)
    expect_short(folded, most=MOST_REQUESTS)
    summed = job.run('requests', 1, 3000, settings={**SUMMED, 'HIERA_FILTER': ''}).good()
    validate([summed.path(0)])
    expect('calls and bytes', profiles.calls_of(summed.trace(0)), profiles.calls_of(folded.trace(0)))
    expect_true(len(summed.trace(0).all('hieraTurns')) in range(1, 20), 'sums')


def count(job, trace):
    """How many operations hiera-transform finds."""
    run = subprocess.run([job.transform, trace, '--measure', 'counts', '--format', 'csv'], capture_output=True, text=True, check=False)
    expect('hiera-transform', run.returncode, 0)
    return sum(int(row.split(',')[2]) for row in run.stdout.splitlines()[1:])


@core_case('guest', ranks=[1], needs=['transform'])
def folded_operations_lost_by_a_limit_are_counted(job):
    """The file is as long as it may be before all is written."""
    n = 250000
    result = job.run('limited', n, settings={'HIERA_BUFFER': '128k', 'HIERA_FOLD': 'times'}).good()
    expect('messages', len(result.messages()), 1)
    validate([result.path(0)])
    with open(result.path(0), encoding='utf-8') as file:
        lost = sum(int(lost) for lost in re.findall('<hieraLost count="([0-9]+)"', file.read()))
    kept = count(job, result.path(0))
    print(f'{kept} kept, {lost} lost')
    expect('operations kept and lost', kept + lost, 2 * n)
    expect_true(kept > n // 2 and lost > 1000, f'{kept} kept, {lost} lost')  # times are longer on a busy machine, and take more room


@core_case('guest', ranks=[1], needs=['transform'])
def sums_of_loops_do_not_grow(job):
    """A hundred times as many turns: the same size."""
    sizes = []
    for n in (2000, 200000):
        result = job.run('lots', n, settings={**SUMMED, 'HIERA_BUFFER': '128k'}).good()
        validate([result.path(0)])
        expect(f'operations of {n} steps', count(job, result.path(0)), 2 * n)
        sizes.append(os.path.getsize(result.path(0)))
    print(f'{sizes} bytes')
    expect_true(sizes[1] < sizes[0] + 200 + 8 * 3 * 4, f'{sizes} bytes')
    turns = result.trace(0).one('hieraTurns')
    expect('turns', turns.get('turns'), str(200000 - 16))
    steps, = [e for e in turns if e.get('operation') == 'step']
    spreads = {s.get('of'): sum(int(word.split(':')[1]) for word in s.get('bins').split()) for s in steps.findall('hieraSpread')}
    expect('values', spreads, {'time': 200000 - 16, 'gap': 200000 - 17})


def size_of(path):
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


@core_case('guest', ranks=[1], needs=['transform'])
def killed_programs_leave_whole_loops(job):
    """SIGKILL at some sizes of the file: it is whole, and hiera-transform finds the same calls as this test."""
    moments = random.Random(2)
    for i in range(MOMENTS):
        folder, size = job.folder(), moments.randint(1, 60_000)
        trace = os.path.join(folder, 'trace0.xml')
        settings = {'HIERA_DIR': folder, 'HIERA_BUFFER': '128K', **FOLDED}
        with subprocess.Popen([job.program, 'lots', '100000000'], env=job.environment(settings), cwd=folder, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and size_of(trace) < size:
                pass
            process.kill()
        expect('the program was killed', process.returncode, -9)
        run = subprocess.run([job.transform, trace, '--export', f'full:{folder}/full'], capture_output=True, text=True, check=False)
        expect(f'kill {i}, at {size} bytes', (run.returncode, run.stdout), (0, ''))
        text = subprocess.run(['sed', '/<hieraLost/,$d', trace], capture_output=True, text=True, check=False).stdout
        expect_true('<hieraLoop ' in text or size < 10000, f'no loop before {size} bytes')
        with open(f'{folder}/full/trace0.xml', encoding='utf-8') as file:
            found = len(re.findall('<hiera(?:MPI|Region) ', file.read()))
        expect(f'calls after kill {i}', found, count(job, trace))
        job.clean()
