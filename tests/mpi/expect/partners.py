"""Whether windows have the partners that the whole trace of the same calls has."""

import csv
import os
import subprocess
from collections import defaultdict

from expect.judgement import expect, expect_true


class Tables:
    """What hiera-transform has found, by `--export csv`: operations of each rank in their order, messages, and the members of collectives."""

    def __init__(self, job, result):
        folder = os.path.join(job.folder(), 'tables')
        subprocess.run([os.path.abspath(job.transform), result.traces, '--quiet', '--export', f'csv:{folder}'], capture_output=True, check=True)
        self.operations = defaultdict(list)
        for row in self.rows(folder, 'operations'):
            self.operations[int(row['processor'])].append((row['operation'], row['name']))
        self.messages = [(row['send'], row['receive']) for row in self.rows(folder, 'messages')]
        self.collectives = defaultdict(set)
        for row in self.rows(folder, 'members'):
            self.collectives[row['collective']].add(row['operation'])

    @staticmethod
    def rows(folder, name):
        with open(os.path.join(folder, name + '.csv'), encoding='utf-8') as file:
            return list(csv.DictReader(file))


def carried(trace):
    """How many operations the trace has before its window begins."""
    tags = [e.tag for _, e in trace.walk()]
    expect_true('hieraSince' in tags, 'the trace begins later')
    return tags[:tags.index('hieraSince')].count('hieraMPI')


def same_calls(whole, window, traces):
    """Operation of a window -> the same call of the whole. The calls of a window are the last ones."""
    same = {}
    for rank, trace in enumerate(traces):
        here = window.operations[rank][carried(trace):]
        there = whole.operations[rank][-len(here):]
        expect_true(0 < len(here) < len(whole.operations[rank]), f'rank {rank}: the window is a part of the run')
        expect(f'rank {rank}: calls', [name for _, name in here], [name for _, name in there])
        same.update({a: b for (a, _), (b, _) in zip(here, there)})
    return same


def check(job, whole, window, traces):
    """Each message with both ends in windows is there, and no other; likewise each collective with several members in them."""
    whole, window = Tables(job, whole), Tables(job, window)
    same = same_calls(whole, window, traces)
    inside = set(same.values())
    expected = {(send, receive) for send, receive in whole.messages if send in inside and receive in inside}
    found = [(same.get(send), same.get(receive)) for send, receive in window.messages]
    expect('messages that the whole has not', sorted(set(found) - expected, key=str), [])
    expect('messages that the windows have not', sorted(expected - set(found)), [])
    expect_true(len(found) > 20, f'there are messages: {len(found)}')
    members = [frozenset(same[each] for each in each_of if each in same) for each_of in window.collectives.values()]
    together = [frozenset(each_of & inside) for each_of in whole.collectives.values()]
    expect('collectives', sorted(sorted(each) for each in members if len(each) > 1), sorted(sorted(each) for each in together if len(each) > 1))
