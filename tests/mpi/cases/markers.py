"""Markers of NVTX and Caliper are levels, whether or not the tool's own library is loaded."""

import os
import subprocess

from cases.balance import notes, outline
from expect.case import core_case
from expect.judgement import expect, expect_true

NVTX = ['outer', '.with attributes', '..registered', '...barrier', 'a range', '.barrier', 'barrier']
CALIPER = ['outer', '.caliper', '..barrier', '..stencil', '...3', '....barrier', '.plain', 'barrier']


def play(job, mode, own=False, **settings):
    markers = os.path.join(os.path.dirname(job.library), 'libhiera-markers.so')
    libraries = [job.library, markers] + ([job.beside('libtest-markers-own.so')] if own else [])
    result = job.run(mode, preload=':'.join(libraries), settings=dict(settings, NVTX_INJECTION64_PATH=markers)).good()
    return result, result.valid(job.ranks)


@core_case('markers', ranks=[1, 2], smoke=True)
def nvtx_ranges_are_recorded(job):
    result, traces = play(job, 'nvtx')
    expect('what the program sees', result.out.splitlines(), job.ranks * ['levels 0 1 0, 0 1 0, none 1'])
    for trace in traces:
        expect('tree', outline(trace), NVTX)
        expect('levels', {e.get('level') for e in trace.all('hieraRegion')}, {'nvtx'})
        expect('arguments', [e.get('args') for e in trace.all('hieraRegion')], [None, 'payload=7', 'domain=solver', None])
        expect('files', {(e.get('file'), int(e.get('line')) > 0) for e in trace.all('hieraRegion')}, {('markers.c', True)})
        expect('notes', notes(trace), {('end_alone', None): 1})
    for trace in play(job, 'injected')[1]:
        expect('tree', outline(trace), ['injected', '.barrier', 'barrier'])


@core_case('markers', ranks=[1, 2])
def caliper_regions_are_recorded(job):
    for trace in play(job, 'caliper')[1]:
        expect('tree', outline(trace), CALIPER)
        expect('levels', {e.get('level') for e in trace.all('hieraRegion')}, {'caliper'})
        expect('arguments', [e.get('args') for e in trace.all('hieraRegion')],
               [None, 'attribute=function', 'attribute=kernel', 'attribute=step', 'attribute=plain'])
        expect('notes', notes(trace), {('end_alone', None): 1})


@core_case('markers')
def markers_are_passed_on_to_the_tool(job):
    result, traces = play(job, 'caliper', own=True)
    expect('output', sorted(result.out.splitlines()), sorted(job.ranks * ['own begin outer', 'own 77 caliper', 'own end outer', 'own end outer']))
    for trace in traces:
        expect('tree', outline(trace), CALIPER)
    result, traces = play(job, 'nvtx', own=True)
    expect('what the program sees', result.out.splitlines(), job.ranks * ['levels 40 1 0, 41 41 0, none 0'])
    for trace in traces:
        expect('tree', outline(trace), NVTX)


@core_case('markers')
def hiera_run_preloads_markers_only_if_needed(job):
    run = os.path.join(os.path.dirname(job.library), 'hiera-run')
    bare = job.beside(f'test-bare-{job.mpi}')
    for program, there in ((job.program, True), (bare, False)):
        done = subprocess.run([run, '--print', job.mpirun, '-n', '1', program], capture_output=True, text=True, check=False,
                              env={k: v for k, v in os.environ.items() if k != 'NVTX_INJECTION64_PATH'})
        expect_true(done.returncode == 0, done.stderr)
        expect(f'{program}: markers', 'libhiera-markers' in done.stdout, there)
        expect(f'{program}: injection', 'NVTX_INJECTION64_PATH' in done.stdout and job.is_open_mpi, there and job.is_open_mpi)
