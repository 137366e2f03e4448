"""Traces of several ranks in one file (HIERA_CONTAINER): each is what the rank would write alone, and what fails costs the same."""

import glob
import os
import re
import subprocess
import xml.etree.ElementTree as ET

from cases import kill
from cases.clocks import EARLY
from cases.folders import COMPANIONS, Waiting, wait_until
from cases.guest import BUFFER
from expect.case import SPAWN_WORKS, case, core_case
from expect.container import Container, Damaged
from expect.judgement import expect, expect_true
from expect.trace import Trace, validate

NUMBERS = re.compile(r'(?<=[">= ])-?[0-9]+(?:\.[0-9]+)?(?=[" ])| (?:clock|job|process)="[^"]*"|\s+')
EACH = {1: ['traces0.hiera'], 2: ['traces0.hiera', 'traces2.hiera'], 3: ['traces0.hiera', 'traces3.hiera'], 'node': ['traces0.hiera']}


def containers_in(folder):
    return sorted(os.path.basename(path) for path in glob.glob(os.path.join(glob.escape(folder), '*.hiera')))


def listed(folder):
    return [element.text for element in ET.parse(os.path.join(folder, 'hieraCollector.xml')).getroot()]


def text_of(result, rank):
    """The trace without what differs between two runs: times, numbers of processes, blanks that keep room."""
    with open(result.path(rank), encoding='utf-8') as file:
        return NUMBERS.sub('_', file.read())


def ranks_in(path):
    """None if the container is not made yet."""
    try:
        return Container(path).ranks()
    except (FileNotFoundError, Damaged):
        return None


def whole_sums(path, ranks):
    """Every block of a job that has ended has a sum, which is right."""
    container = Container(path)
    expect('ranks', container.ranks(), ranks)
    for rank in ranks:
        container.trace(rank)
        expect(f'rank {rank}: blocks without a sum', container.unsummed(rank), [])
    return container


@case('guest', ranks=[1, 4], compact=[2], zstd=[2], gzip=[2], mpi=['mpich'])
@case('guest', ranks=[2], smoke=True)
def traces_in_a_container_are_those_of_single_files(job):
    alone = job.run('lots', 1500, settings=BUFFER).good()
    shared = job.run('lots', 1500, settings=dict(BUFFER, HIERA_CONTAINER='node')).good()
    expect('messages', shared.messages(), [])
    expect('files', listed(shared.traces), ['traces0.hiera'])
    shared.valid(job.ranks)
    for rank in range(job.ranks):
        expect(f'rank {rank}: the trace', text_of(shared, rank), text_of(alone, rank))
    container = whole_sums(os.path.join(shared.traces, 'traces0.hiera'), list(range(job.ranks)))
    kept = sum(len(container.trace(rank)) for rank in range(job.ranks))
    print(f'{kept} bytes of traces in {len(container.data)}')
    expect_true(kept <= len(container.data) <= 4096 + 1.05 * kept + 140000 * job.ranks, f'{kept} bytes take {len(container.data)}')


@case('guest', ranks=[4], mpi=['mpich'], needs=['transform'])
def so_many_ranks_share_a_file(job):
    for each, names in EACH.items():
        folder = job.folder()
        result = job.run('lots', 100, folder=folder, settings={'HIERA_CONTAINER': each}).good()
        expect(f'{each}: messages', result.messages(), [])
        if each == 1:
            expect('files of their own', containers_in(folder), [])
            continue
        expect(f'{each}: files', (containers_in(folder), listed(folder)), (names, names))
        expect(f'{each}: ranks', sorted(rank for name in names for rank in Container(os.path.join(folder, name)).ranks()), [0, 1, 2, 3])
        expect(f'{each}: findings', job.findings(result), [])
    transform = os.path.abspath(job.transform)
    counted = subprocess.run([transform, os.path.join(folder, 'traces0.hiera#2'), '--measure', 'counts', '--format', 'csv'], capture_output=True, text=True, check=True)
    expect('one rank', counted.stdout, 'level,operation,count\napp,step,100\nmpi,barrier,100\n')
    target = job.folder()
    subprocess.run([transform, folder, '--quiet', '--export', f'full:{target}'], check=True)
    validate([os.path.join(target, f'trace{rank}.xml') for rank in range(4)] + [os.path.join(target, 'hieraCollector.xml')])
    for rank in range(4):
        expect(f'rank {rank}: barriers', len(Trace(os.path.join(target, f'trace{rank}.xml')).all(operation='barrier')), 100)


@case('clocks', ranks=[4], mpi=['mpich'])
def ranks_of_a_host_share_a_file(job):
    """Four ranks on three hosts; the second and the last one are not alone with the first by chance of their numbers."""
    hosts = [0, 1, 0, 2]
    clocks = ' '.join(f'{host},{host * 1000000},0' for host in hosts)
    result = job.run(0.01, preload=job.hosts, settings={'HIERA_TEST_BASE': 0, 'HIERA_TEST_CLOCKS': clocks, 'HIERA_CONTAINER': 'node'}).good()
    names = {'traces0.hiera': [0, 2], 'traces1.hiera': [1], 'traces3.hiera': [3]}
    expect('files', listed(result.traces), sorted(names))
    for name, ranks in names.items():
        whole_sums(os.path.join(result.traces, name), ranks)


@case('threads', ranks=[2], zstd=[2], mpi=['mpich'])
def parts_of_threads_are_in_the_container(job):
    result = job.run(settings=dict(BUFFER, HIERA_CONTAINER='node')).good()
    result.valid(job.ranks)
    expect('files', sorted(name for name in os.listdir(result.traces) if not re.match(r'trace\d', name)), sorted(COMPANIONS + ['traces0.hiera']))
    container = whole_sums(os.path.join(result.traces, 'traces0.hiera'), [0, 1])
    expect('blocks that belong to a thread', [e.offset for e in container.extents.values() if e.thread not in (0, 0xffffffff)], [])


@case('clocks', mpi=['mpich'])
def trace_begun_before_mpi_init_moves_into_the_container(job):
    result = job.run(0, 'early', settings={**EARLY, 'HIERA_CONTAINER': 'node', 'HIERA_TEST_BASE': 0}).good()
    validate([result.path(0)])
    expect('files', [name for name in os.listdir(result.traces) if name.startswith('.')], [])
    container = whole_sums(os.path.join(result.traces, 'traces0.hiera'), [0])
    expect('early regions', container.trace(0).count(b'operation="early"'), 9000)


@case('guest', ranks=[2], mpi=['openmpi'])
@case('guest', zstd=[2], mpi=['mpich'])
def kill_of_a_rank_leaves_the_container_readable(job):
    """Rank 0 is killed between two calls; the launcher may kill the others at any moment."""
    for n in (0, 7777):
        result = job.run('killed', n, settings=dict(BUFFER, HIERA_CONTAINER='node'))
        validate([result.path(0)])
        trace = result.trace(0)
        trace.check_sound()
        found = len(trace.all(operation='barrier'))
        expect_true(n - 2000 <= found <= n, f'barriers of {n}: expected all but one buffer, actual {found}')
        path = os.path.join(result.traces, 'traces0.hiera')
        for rank in Container(path).ranks() if job.transform else []:
            expect(f'rank {rank}', kill.check(f'{path}#{rank}', os.path.abspath(job.transform), job.compress, result.path(rank)), None)


@core_case('folder', ranks=[2])
def running_job_keeps_its_container(job):
    """A second job uses a subfolder. Both are complete; afterwards a third one replaces what is there, with single files."""
    job.container = 'node'
    folder = job.folder()
    first = Waiting(job, folder)
    path = os.path.join(folder, 'traces0.hiera')
    wait_until(lambda: ranks_in(path) == [0, 1], 'the container does not come', first)
    second = job.run('lots', 7, folder=folder).good()
    said = second.messages()
    expect_true(len(said) == 1 and 'another job' in said[0], f'one message: {said}')
    own = [name for name in os.listdir(folder) if name.startswith('hiera-')]
    alone = job.run('no-mpi', 5, folder=folder, direct=True, program=job.beside(f'test-guest-{job.mpi}'))
    expect_true(len(alone.messages()) == 1 and 'another job' in alone.messages()[0], f'one message of a program without MPI: {alone.messages()}')
    expect('the first', first.go_on()[1], [])
    expect('folders', (len(own), len([name for name in os.listdir(folder) if name.startswith('hiera-')])), (1, 2))
    for place, barriers in ((folder, 7), (os.path.join(folder, own[0]), 7)):
        container = whole_sums(os.path.join(place, 'traces0.hiera'), [0, 1])
        expect(f'{place}: barriers', [container.trace(rank).count(b'"barrier"') for rank in (0, 1)], [barriers] * 2)
    job.run('lots', 7, folder=folder, settings={'HIERA_CONTAINER': 1}).good()
    expect('containers afterwards', containers_in(folder), [])
    with open(path, 'w', encoding='ascii') as file:
        file.write('mine')
    taken = job.run('lots', 7, folder=folder).good()
    expect_true(len(taken.messages()) == 1 and 'traces0.hiera is not a file of Hiera' in taken.messages()[0], f'{taken.messages()}')
    with open(path, encoding='ascii') as file:
        expect('a file of others', file.read(), 'mine')


@case('children', ranks=[2], mpi=SPAWN_WORKS)
def spawned_processes_have_containers_of_their_own(job):
    result = job.run(settings={'HIERA_CONTAINER': 'node'}).good()
    for folder in [result.traces, *glob.glob(os.path.join(result.traces, 'spawned-*'))]:
        whole_sums(os.path.join(folder, 'traces0.hiera'), [0, 1])


@case('guest', mpi=['mpich'])
def closed_descriptors_of_a_container_are_opened_again(job):
    result, alone = (job.run('closes-all', settings=dict(BUFFER, HIERA_CONTAINER=each), direct=True) for each in ('node', 1))
    expect('exit code, output', (result.code, result.out), (alone.code, alone.out))
    expect('the trace', text_of(result, 0), text_of(alone, 0))
