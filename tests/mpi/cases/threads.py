"""Programs with many threads: every call is recorded once, in the section of its thread.

The traces are large, and in full encoding. They are read line by line, one element each, and validated only by xmllint."""

import re
from collections import Counter

from expect.case import case, core_case
from expect.judgement import Skip, expect, expect_true
from expect.trace import validate

ATTRIBUTE = re.compile(r' ([a-z_]+)="([^"]*)"')


class Sections:
    """Elements by section; the first is that of the main thread."""

    def __init__(self, path):
        self.counts, self.started, self.completed, self.open, self.lost = [Counter()], {}, [], 0, 0
        self.sends, self.sent = [], []
        with open(path, encoding='utf-8') as file:
            for line in file:
                self.take(line.lstrip())

    def take(self, line):
        if line.startswith('<hieraThread'):
            self.counts.append(Counter())
        elif line.startswith('<hieraLost'):
            self.lost += 1
        elif line.startswith(('<hieraMPI', '<hieraRegion')):
            found = dict(ATTRIBUTE.findall(line))
            self.counts[-1][found['operation']] += 1
            self.open += not found['finish_time']
            if found['operation'] == 'irecv':
                expect_true(found['request'] not in self.started, f'request {found["request"]} is started twice')
                self.started[found['request']] = (len(self.counts) - 1, found['comm'], found['tag'])
            elif found['operation'] == 'isend':
                self.sends.append(found['request'])
            elif found['operation'] == 'wait' and '-' in found.get('tags', '-'):
                self.sent.append(found['requests'])
            elif found['operation'] == 'wait':
                self.completed.append((len(self.counts) - 1, found['requests'], found['tags'], found['sizes']))


def run(job, mode, threads, calls, **settings):
    result = job.run(mode, threads, calls, settings={'HIERA_FORMAT': 'full', **settings})
    if result.code == 77:
        raise Skip('this MPI has no MPI_THREAD_MULTIPLE')
    result.good()
    expect('ranks without wrong messages', result.out.count('mismatches 0'), job.ranks)
    validate([result.path(rank) for rank in range(job.ranks)])
    return result, [Sections(result.path(rank)) for rank in range(job.ranks)]


def check_work(mode, sections, threads, calls):
    """Check the calls of each thread. 4 of 1000 are a receive, a send, the wait for a neighbour's receive and the wait for the send."""
    each = {'work': 1, 'irecv': calls // 1000, 'isend': calls // 1000, 'wait': calls // 500, 'type_size': calls - calls // 250}
    workers = [count for count in sections.counts if count]
    expect(f'{mode}: threads that work', len(workers), threads)
    for number, count in enumerate(workers):
        expect(f'{mode}: calls of thread {number}', dict(count), each)
    expect(f'{mode}: operations without an end, elements hieraLost', (sections.open, sections.lost), (0, 0))
    expect(f'{mode}: receives completed', len(sections.completed), threads * calls // 1000)
    for section, request, tag, size in sections.completed:
        starter, _, posted = sections.started.pop(request)
        expect_true(starter != section, f'request {request} was completed by the thread that started it')
        expect(f'{mode}: tag and size of request {request}', (tag, size), (posted, '4'))
    expect(f'{mode}: receives never completed', sections.started, {})
    expect_true(sorted(sections.sends) == sorted(sections.sent), f'{mode}: not every send is completed once, by its number')


@case('stress')
def eight_threads_lose_no_call(job):
    for mode, calls in (('pthreads', 4000), ('openmp', 2000)):
        threads = 8
        _, traces = run(job, mode, threads, calls, HIERA_BUFFER='128k')
        for sections in traces:
            check_work(mode, sections, threads, calls)
            print(f'{mode}: {threads} threads, {sum(sum(count.values()) - count["work"] for count in sections.counts)} calls')


@core_case('stress', ranks=[2])
def messages_between_threads_are_matched(job):
    """All threads use the same communicator, peer and tag, so their messages cannot be told apart. All are matched, without an error."""
    threads, calls = 8, 500
    result, traces = run(job, 'ranks', threads, calls)
    for sections in traces:
        made = sum(sections.counts, Counter())
        expect('messages of a rank', (made['isend'], made['irecv']), (threads * calls, threads * calls))
    found = job.findings(result)
    expect('errors and warnings', [line for line in found if 'note: ' not in line], [])
    sent, received = job.conservation(result)['MPI_COMM_WORLD'][:2]
    expect('messages matched', (sent, received), 2 * (job.ranks * threads * calls,))


def completions(path):
    """{number of a request: operation that started it}, and (number, tag, size) of each completed request"""
    started, completed = {}, []
    with open(path, encoding='utf-8') as file:
        for line in file:
            found = dict(ATTRIBUTE.findall(line)) if line.lstrip().startswith('<hieraMPI') else {}
            if 'request' in found:
                started[found['request']] = found
            if 'requests' in found:
                completed += zip(*(found[name].split() for name in ('requests', 'tags', 'sizes')))
    return started, completed


@case('stress')
def requests_of_threads_keep_their_numbers(job):
    """Threads complete requests of other threads, and sends share a handle. Each request is completed once, by the right number."""
    threads, calls = 8, 1000
    result, _ = run(job, 'requests', threads, calls)
    started, completed = completions(result.path(0))
    expect('requests', len(started), 2 * threads * calls)
    expect_true(sorted(started) == sorted(number for number, _, _ in completed), 'not every request is completed once')
    for number, tag, size in completed:
        start = started[number]
        receives = start['operation'] == 'irecv'
        is_own = (tag, size) == ((start['tag'], str(4 * (int(start['tag']) % 7 + 1))) if receives else ('-', '-'))
        expect_true(is_own, f'{start["operation"]} {number} of tag {start["tag"]} is completed with tag {tag}, size {size}')


def come_and_go(job, mode, waits):
    """Check that memory does not grow with the number of ended threads."""
    threads, calls = 1000, 5
    result, traces = run(job, mode, threads, calls)
    for sections in traces:
        counts = [dict(count) for count in sections.counts[1:]]
        expect('sections and their calls', counts, threads * [{'wait': waits, 'type_size': calls - 1}])
    expect('ranks that say how much memory it took', result.out.count('grown by'), job.ranks)
    for grown in re.findall(r'grown by (-?\d+) kB', result.out):
        expect_true(int(grown) < 250, f'memory for the second {threads // 2} threads: expected none, actual {grown} kB')


@core_case('stress')
def memory_does_not_grow_with_ended_threads(job):
    come_and_go(job, 'come-and-go', 1)


@core_case('stress', needs=['fortran'])
def memory_does_not_grow_with_ended_fortran_threads(job):
    come_and_go(job, 'come-and-go-fortran', 2)


@core_case('stress', ranks=[2])
def threads_that_never_end_do_not_block_the_job(job):
    """Detached threads run until the process ends. The job ends, and all calls of the main thread are recorded."""
    _, traces = run(job, 'detached', 2, 500, HIERA_BUFFER='128k')
    for sections in traces:
        expect('calls of the main thread', dict(sections.counts[0]), {'wait': 1, 'type_size': 499})
        expect('sections', len(sections.counts), 3)
        for count in sections.counts[1:]:
            expect_true(list(count) == ['for ever'], f'operations of a thread that runs for ever: {count}')


@core_case('stress', ranks=[1, 2])
def threads_started_before_mpi_init_are_recorded(job):
    """Half of them end before MPI_Init, the other half go on after it."""
    threads, calls = 16, 1000
    _, traces = run(job, 'early', threads, calls)
    for sections in traces:
        ended = [dict(count) for count in sections.counts[1:] if 'wait' not in count]
        going = [dict(count) for count in sections.counts[1:] if 'wait' in count]
        expect('threads that ended before MPI_Init', ended, threads // 2 * [{'early': calls}])
        expect('threads that went on', going, threads // 2 * [{'early': calls, 'wait': 1, 'type_size': calls - 1}])
