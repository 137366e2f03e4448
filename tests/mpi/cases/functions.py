"""Programs compiled with -finstrument-functions: their functions are the level `function`."""

import os
import subprocess

from cases.balance import notes, outline
from expect.case import core_case
from expect.judgement import expect, expect_true

# Long functions wait for 30 ms. Short ones may be interrupted for that long on a busy machine, and are then recorded.
SETTINGS = {'HIERA_BUFFER': '128k', 'HIERA_SHORT': '25ms'}
SHORT = ('tiny', 'other_tiny', 'handler')


def play(job, mode, **settings):
    result = job.run(mode, settings=dict(SETTINGS, **settings)).good()
    traces = result.valid(job.ranks)
    for trace in traces:
        expect('lost', trace.lost(), {})
    return traces


def main_of(trace):
    """Functions called by main(): the outline without those before main() and without those that may be short."""
    lines = [line for line in outline(trace) if line.lstrip('.') not in SHORT]
    expect('the constructor', lines[:2], ['early', '.takes_long'])
    expect('main', lines[2], 'main')
    return [line[1:] for line in lines[3:]]


def shorts(trace, parent=None):
    """{name: number of short calls}, directly in one operation or in the whole trace"""
    found = {}
    for e in (trace.root.iter('hieraRegion') if parent is None else parent.findall('hieraRegion')):
        if e.get('operation') in SHORT:
            found[e.get('operation')] = found.get(e.get('operation'), 0) + 1
    for e in (trace.root.iter('hieraFiltered') if parent is None else parent.findall('hieraFiltered')):
        expect('level of counted functions', e.get('level'), 'function')
        found[e.get('operation')] = found.get(e.get('operation'), 0) + int(e.get('count'))
    return found


def function(trace, name, n=0):
    return trace.all('hieraRegion', level='function', operation=name)[n]


@core_case('functions', ranks=[1, 2], compact=[1], variants=['', '-O2'], smoke=True)
def short_functions_are_counted_and_others_recorded(job):
    for trace in play(job, 'plain'):
        expect('tree', main_of(trace), ['plain', '.region', '..takes_long', '..calls_mpi', '...barrier', '..deep'] +
               ['..' + '.' * i + 'deep' for i in range(1, 701)] + ['..' + '.' * 701 + 'barrier'])
        # takes_long is called twice: by the constructor and by `region`.
        expect('counted in takes_long', [shorts(trace, function(trace, 'takes_long', n)) for n in (0, 1)], 2 * [{'tiny': 1000}])
        expect('counted in the region', shorts(trace, trace.one('hieraRegion', operation='region')), {'tiny': 500})
        expect('counted in calls_mpi', shorts(trace, function(trace, 'calls_mpi')), {'tiny': 2, 'other_tiny': 1})
        expect('file', {e.get('file') for e in trace.all('hieraRegion')}, {'functions.c'})
        expect('notes', notes(trace), {})
        for e in trace.root.iter('hieraFiltered'):
            parent = next(p for p in trace.root.iter() if e in list(p))
            duration = float(parent.get('finish_time')) - float(parent.get('start_time'))
            expect_true(0 <= float(e.get('time')) <= duration, f'{e.attrib}: in a parent of {duration} s')


@core_case('functions', variants=['', '-O2'])
def all_functions_are_recorded_without_a_minimum_time(job):
    for trace in play(job, 'plain', HIERA_SHORT='0'):
        expect('only counted', trace.all('hieraFiltered'), [])
        expect('tiny, other_tiny', (len(trace.all('hieraRegion', operation='tiny')), len(trace.all('hieraRegion', operation='other_tiny'))), (2502, 1))


@core_case('functions')
def functions_may_wrap_begin_and_end(job):
    for trace in play(job, 'wrapped'):
        expect('tree', main_of(trace), ['wrapped', '.wraps_begin', '..wrapped', '...barrier', '.barrier'])
        expect('notes', notes(trace), {})


@core_case('functions', variants=['', '-O2'])
def functions_left_by_longjmp_are_reported(job):
    for trace in play(job, 'jumps'):
        expect('tree', main_of(trace), ['jumps', '.jump', '..barrier', '..jump', '...barrier', '...jump', '....barrier', '.calls_mpi', '..barrier'])
        expect('notes', notes(trace), {('left', 'jump'): 3})


def name_places(job, trace):
    """If the buffer gets full in a signal handler, names are not looked up, and the trace has object and offset. Replace these by names."""
    table = [line.split() for line in subprocess.run(['nm', '--defined-only', job.program], capture_output=True, text=True, check=True).stdout.splitlines()]
    names = {f'{os.path.basename(job.program)}+{int(address, 16):#x}': name for address, kind, name in table if kind in 'tT'}
    for e in trace.root.iter():
        if e.tag in ('hieraRegion', 'hieraFiltered') and e.get('operation') in names:
            e.set('operation', names[e.get('operation')])


@core_case('functions')
def functions_in_signal_handlers_do_no_harm(job):
    for trace in play(job, 'signals'):
        expect('barriers', len(trace.all(operation='barrier')), 2000)
        name_places(job, trace)
        expect('calls_mpi', len(trace.all('hieraRegion', operation='calls_mpi')), 2000)
        found = shorts(trace)
        expect('other_tiny', found['other_tiny'], 202000)
        expect_true(found.get('handler', 0) > 10, f'calls of the handler: {found}')


@core_case('functions')
def functions_of_threads_are_recorded(job):
    for trace in play(job, 'threads'):
        for section in trace.root.findall('hieraThread'):
            expect('in a thread', [e.get('operation') for e in section.iter('hieraRegion') if e.get('operation') not in SHORT], ['work', 'takes_long'])
        expect('sections', len(trace.root.findall('hieraThread')), 4)
        expect('counted', shorts(trace), {'tiny': 1000 * (1 + 4 + 4), 'other_tiny': 4000})


@core_case('functions')
def functions_in_children_and_pauses_are_not_recorded(job):
    for trace in play(job, 'forks'):
        expect('tree', main_of(trace), ['forks', '.takes_long'])
    for trace in play(job, 'paused'):
        expect('tree', main_of(trace), ['paused', '.takes_long'])
        expect('counted', shorts(trace), {'tiny': 2000})


@core_case('functions', ranks=[1], compact=[1], zstd=[1])
def functions_stay_open_over_flushes(job):
    for trace in play(job, 'many'):
        expect_true(len(trace.all('hieraFlush')) > 5, 'there were flushes')
        expect('tree', main_of(trace), ['many'] + 7000 * ['.calls_mpi', '..barrier'])
        expect('counted', shorts(trace), {'tiny': 1000 + 14000, 'other_tiny': 7000})


@core_case('functions')
def functions_can_be_filtered(job):
    for rules, there in (('env,level=function/operation=*mpi', {'early', 'main', 'plain', 'takes_long', 'deep'}),
                         ('env,level=function,+operation=pl*', {'plain'}), ('env,file=func*.c', set()),
                         ('env,level=function/time=-25ms', {'early', 'main', 'plain', 'takes_long'})):
        for trace in play(job, 'plain', HIERA_FILTER=rules):
            found = {e.get('operation') for e in trace.all('hieraRegion', level='function')}
            expect(rules, found - {'calls_mpi', 'deep'} if 'time' in rules else found, there)
            expect('barriers', len(trace.all(operation='barrier')), 2)
    for trace in play(job, 'plain', HIERA_LEVELS='mpi'):
        expect('without the level', len(trace.all('hieraRegion')), 0)


@core_case('functions', variants=['C++', 'Fortran'])
def functions_have_readable_names(job):
    result = job.run(settings=SETTINGS).good()
    wanted = {'cc': {'main', 'shop::Basket<int>::add(int)', 'shop::weigh(double)', 'late(shop::Basket<int>&)'},
              'f90': {'MAIN__', 'solver::relax', 'outside'}}[os.path.basename(job.program).split('-')[2]]
    for trace in result.valid(job.ranks):
        names = {e.get('operation') for e in trace.all('hieraRegion', level='function')}
        expect_true(wanted <= names, f'names: expected {wanted}, actual {names}')
        expect('notes', notes(trace), {})
