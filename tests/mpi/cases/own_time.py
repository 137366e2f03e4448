"""What Hiera does is not the program's time. The program measures with its own clock how long it computes before each operation; the trace of the
same run says the same, whatever Hiera has to do in between.

A busy machine may take the processor away between the two readings. So what happens often is judged by its median, and each setting is tried up to four
times. Gaps in which Hiera says that it took time are judged apart from others, since they are few."""

import csv
import os
import re
import statistics
import subprocess
from collections import defaultdict

from expect.case import core_case
from expect.judgement import Failure, expect, expect_true
from expect.rules import write_rules

RULES = ['job: calls > 0', 'region step: max(WallTime) < 3600', 'barrier: WallTime < 3600']
MODES = {'a trace': {}, 'buffers that are full': {'HIERA_BUFFER': '128k'}, 'counters': {'HIERA_COUNTERS': 'proc:rss,proc:self/io/rchar'},
         'a probe script': {'HIERA_PROBE': 'call::[begin] { @begins = count(); } call::[end] { @longest = max(&duration); } region:: { @regions = count(); }'},
         'samples': {'HIERA_SAMPLE': '1000/s'}, 'the last part of the run': {'HIERA_MODE': 'window,limit=225k'}}
# So many gaps between barriers have time of Hiera in them at least. The plug-in takes a microsecond, above which it is told: on a fast machine in a tenth
# of the gaps, else in nearly all.
INTERRUPTED = {'buffers that are full': 2, 'the last part of the run': 1, 'a plug-in': 100}
TRIES = 10  # a busy machine takes the processor away between two readings
FEW = 5


def ns(text):
    whole, _, part = text.partition('.')
    return int(whole) * 10**9 + int(part)


def gaps_of(trace):
    """[(nanoseconds before each operation outside of all others, and before the end, without those of hieraFlush; these)]. Behind the end is no gap."""
    gaps, since, own, end = [], ns(trace.root.get('init')), 0, ns(trace.root.get('finalize'))
    for element in trace.root:
        if element.tag == 'hieraFlush':
            own += min(ns(element.get('finish_time')), end) - min(ns(element.get('start_time')), end)
        elif element.tag in ('hieraMPI', 'hieraRegion'):
            gaps.append((ns(element.get('start_time')) - since - own, own))
            since, own = ns(element.get('finish_time')), 0
    return gaps[1 if trace.root.get('since') else 0:] + [(end - since - own, own)]


def measured(folder, rank):
    """[(what came before, nanoseconds)] of the program's clock."""
    with open(os.path.join(folder, f'own{rank}.txt'), encoding='utf-8') as file:
        return [(word, int(number)) for word, number in (line.rsplit(' ', 1) for line in file)]


def differences(trace, own, interrupted=0):
    """What of the program's time is longer or shorter in the trace."""
    gaps, by, wrong = gaps_of(trace), defaultdict(list), []
    if trace.root.get('since'):
        own = own[-len(gaps):]
    expect('operations', len(gaps), len(own))
    for (gap, of_hiera), (word, number) in zip(gaps, own):
        by[word + (', in spite of Hiera' if of_hiera else '')].append((gap, number))
    expect_true(len(by['call, in spite of Hiera']) >= interrupted, f"{len(by['call, in spite of Hiera'])} gaps have hieraFlush, expected {interrupted}")
    for word, pairs in filter(lambda item: item[1], by.items()):
        gap, number = (statistics.median(values) for values in zip(*pairs))
        margin = 0.2 * number + (200_000 if len(pairs) < FEW else 3_000)
        if not number - margin <= gap <= number + margin:
            wrong.append(f'after {word}: {number:.0f} ns by its own clock, {gap:.0f} ns in the trace')
    return wrong


def try_often(name, try_once):
    """`try_once` returns what is wrong."""
    for _ in range(TRIES):
        wrong = try_once()
        if not wrong:
            return
    raise Failure(f'{name}, {TRIES} times: ' + '\n'.join(wrong))


@core_case('own_time', ranks=[2])
def what_hiera_does_is_no_time_of_the_program(job):
    modes = {**MODES, 'rules': {'HIERA_ASSERT': write_rules(job.folder(), RULES)},
             'a plug-in': {'HIERA_PLUGIN': job.beside('libtest-plugin.so'), 'SLOW_MS': '-1'}}
    for name, settings in modes.items():
        def try_once(settings=settings, name=name):
            result = job.run(settings={'HIERA_FOLD': 'none', **settings}).good()
            return [line for rank in range(job.ranks)
                    for line in differences(result.trace(rank), measured(result.folder, rank), INTERRUPTED.get(name, 0))]

        try_often(name, try_once)


def answer(job, result, *arguments):
    """What hiera-transform prints, [{column: text}]."""
    done = subprocess.run([job.transform, *arguments, '--format', 'csv', result.traces], capture_output=True, text=True, check=False)
    said = re.sub(r'hiera-transform: threads waited for a processor for .*\n', '', done.stderr)  # the machine may be busy
    expect('exit code of hiera-transform', (done.returncode, said), (0, ''))
    return list(csv.DictReader(done.stdout.splitlines()))


def differences_of_answers(job, result):
    """The sums of computation, which last some 0.1 s, and half as long again with the time that Hiera takes for the plug-in."""
    sums = [sum(number for _, number in measured(result.folder, rank)) for rank in range(job.ranks)]
    rows = [answer(job, result, '--measure', 'efficiency', '--ranks', str(rank))[0] for rank in range(job.ranks)]
    run = answer(job, result, '--measure', 'efficiency')[0]
    summary = {row['topic']: row['sentence'] for row in reversed(answer(job, result, '--measure', 'summary'))}
    told = [(f'useful time of rank {rank}', ns(row['useful-max']), sums[rank]) for rank, row in enumerate(rows)]
    told += [('useful time, mean', ns(run['useful-mean']), statistics.mean(sums)),
             ('efficiency of the summary', float(summary['Efficiency'].split()[2]), 100 * statistics.mean(sums) / ns(run['time']))]
    return [f'{name}: {number} told, {own} by its own clock' for name, number, own in told if not 0.8 * own <= number <= 1.2 * own]


@core_case('own_time', ranks=[2], needs=['transform'])
def efficiency_is_that_of_the_program(job):
    plugin = {'HIERA_PLUGIN': job.beside('libtest-plugin.so'), 'SLOW_MS': '-1'}
    try_often('a plug-in', lambda: differences_of_answers(job, job.run(settings=plugin).good()))


@core_case('own_time')
def waiting_for_its_own_thread_is_no_time_of_the_program(job):
    """… at the end of a process that does not call MPI_Finalize."""
    def try_once():
        result = job.run('exit', direct=True)
        return differences(result.trace(0), measured(result.folder, 0))

    try_often('exit', try_once)
