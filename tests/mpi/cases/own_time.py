"""What Hiera does is not the program's time. The program measures with its own clock how long it computes before each operation; the trace of the
same run says the same, whatever Hiera has to do in between.

A busy machine may take the processor away between the two readings. So what happens often is judged by its median, and each setting is tried up to four
times."""

import os
import statistics
from collections import defaultdict

from expect.case import case
from expect.judgement import Failure, expect
from expect.rules import write_rules

RULES = ['job: calls > 0', 'region step: max(WallTime) < 3600', 'barrier: WallTime < 3600']
MODES = {'a trace': {}, 'buffers that are full': {'HIERA_BUFFER': '128k'}, 'counters': {'HIERA_COUNTERS': 'proc:rss,proc:self/io/rchar'},
         'a probe script': {'HIERA_PROBE': 'call::[begin] { @begins = count(); } call::[end] { @longest = max(&duration); } region:: { @regions = count(); }'},
         'samples': {'HIERA_SAMPLE': '1000/s'}}
TRIES = 4


def ns(text):
    whole, _, part = text.partition('.')
    return int(whole) * 10**9 + int(part)


def gaps_of(trace):
    """Nanoseconds before each operation outside of all others, and before the end, without those of hieraFlush."""
    gaps, since, own = [], ns(trace.root.get('init')), 0
    for element in trace.root:
        if element.tag == 'hieraFlush':
            own += ns(element.get('finish_time')) - ns(element.get('start_time'))
        elif element.tag in ('hieraMPI', 'hieraRegion'):
            gaps.append(ns(element.get('start_time')) - since - own)
            since, own = ns(element.get('finish_time')), 0
    return gaps + [ns(trace.root.get('finalize')) - since - own]


def measured(folder, rank):
    """[(what came before, nanoseconds)] of the program's clock."""
    with open(os.path.join(folder, f'own{rank}.txt'), encoding='utf-8') as file:
        return [(word, int(number)) for word, number in (line.rsplit(' ', 1) for line in file)]


def differences(trace, own):
    """What of the program's time is longer or shorter in the trace."""
    gaps, by, wrong = gaps_of(trace), defaultdict(list), []
    expect('operations', len(gaps), len(own))
    for gap, (word, number) in zip(gaps, own):
        by[word].append((gap, number))
    for word, pairs in by.items():
        gap, number = (statistics.median(values) for values in zip(*pairs))
        margin = 0.2 * number + (200_000 if len(pairs) == 1 else 3_000)
        if not number - margin <= gap <= number + margin:
            wrong.append(f'after {word}: {number:.0f} ns by its own clock, {gap:.0f} ns in the trace')
    return wrong


@case('own_time', ranks=[2])
def what_hiera_does_is_no_time_of_the_program(job):
    rules = {'HIERA_ASSERT': write_rules(job.folder(), RULES)}
    for name, settings in {**MODES, 'rules': rules}.items():
        for _ in range(TRIES):
            result = job.run(settings={'HIERA_FOLD': 'none', **settings}).good()
            wrong = [line for rank, trace in enumerate(result.valid(job.ranks)) for line in differences(trace, measured(result.folder, rank))]
            if not wrong:
                break
        if wrong:
            raise Failure(f'{name}, {TRIES} times: ' + '\n'.join(wrong))
