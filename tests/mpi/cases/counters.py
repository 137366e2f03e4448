"""HIERA_COUNTERS and HIERA_COUNTERS_PRINT: counters with known answers on regions, read by the program, printed by the helper thread."""

import math
import os
import re
import subprocess
import time

from expect.case import core_case
from expect.judgement import expect, expect_true

PAGE = 4096
MEMORY = 64 << 20


def counted(element):
    """{counter: value} of a region, which has them at its end."""
    own = [child for child in element if child.tag == 'hieraCounted']
    expect_true(len(own) <= 1 and (not own or element[-1] is own[0]), f'{element.attrib}: what was counted is the last element')
    return {word.rsplit('=', 1)[0]: float(word.rsplit('=', 1)[1]) for word in own[0].get('values').split(' ')} if own else {}


def kinds(trace):
    return {e.get('name'): (e.get('unit'), e.get('kind')) for e in trace.root.iter('hieraCounter')}


@core_case('counters', ranks=[1, 2], compact=[2], smoke=True)
def regions_have_what_was_counted(job):
    names = 'user:steps,user:level,user:small,user:real,user:squares,user:hand,perf:page-faults,proc:rss,sum(user:steps, user:small),user:never,perf:none,mpi:none'
    result = job.run('regions', settings={'HIERA_COUNTERS': names}).good()
    expect('messages', [[name for name in ('perf:none', 'mpi:none') if name in m] for m in result.messages()], [['perf:none'], ['mpi:none']])
    for rank, trace in enumerate(result.valid(job.ranks)):
        steps, done = trace.all('hieraRegion', operation='step'), 0
        for i, region in enumerate(steps):
            before, done = done, done + rank + 11
            values = counted(region)
            expect(f'step {i}', {name: values.get(f'user:{name}') for name in ('steps', 'level', 'small', 'real', 'squares', 'hand')},
                   {'steps': rank + 11, 'level': 100 * (before + rank + 1), 'small': 1, 'real': 0.5, 'squares': done**2 - before**2, 'hand': done})
            expect(f'the aggregate in step {i}', values['sum(user:steps,user:small)'], rank + 12)
            expect_true('user:never' not in values, 'a counter that is never registered')
        for region in trace.all('hieraOOPS', method='sum'):
            expect('steps of a method', counted(region)['user:steps'], 10)
        check_memory(trace)
        expect('longjmp', counted(trace.one('hieraRegion', operation='left'))['user:steps'], 1000)
        expect_true('user:steps' not in counted(trace.one('hieraRegion', operation='removed')), 'a counter that was removed')
        expect('kinds', {name: kinds(trace)[name] for name in ('user:steps', 'user:level', 'user:real', 'user:hand', 'proc:rss', 'perf:page-faults')},
               {'user:steps': ('', 'grows'), 'user:level': ('B', 'level'), 'user:real': ('ns', 'grows'), 'user:hand': ('', 'level'),
                'proc:rss': ('B', 'level'), 'perf:page-faults': ('', 'grows')})


def check_memory(trace):
    """Page faults are those of the thread, and memory that was touched is resident."""
    touched, full = (counted(trace.one('hieraRegion', operation=name)) for name in ('touch', 'full'))
    expect_true(MEMORY // PAGE <= touched['perf:page-faults'] < MEMORY // PAGE + 100 or touched['perf:page-faults'] >= MEMORY // (512 * PAGE),
                f'page faults: {touched}')
    expect_true(MEMORY < full['proc:rss'] < MEMORY + (1 << 30), f'resident memory: {full}')
    expect_true(touched['proc:rss'] < full['proc:rss'] - MEMORY // 2, f'and when it is freed: {touched}')
    threads = trace.all('hieraRegion', operation='thread')
    expect('threads', len(threads), 4)
    for region in threads:
        expect_true(counted(region)['perf:page-faults'] > 0, 'page faults of a thread')
    expect_true(counted(trace.one('hieraRegion', operation='outer'))['perf:page-faults'] < 200, 'faults of other threads are not its own')


@core_case('counters', ranks=[1], compact=[1], zstd=[1])
def counters_survive_full_buffers(job):
    result = job.run('many', settings={'HIERA_COUNTERS': 'user:steps', 'HIERA_BUFFER': '128k'}).good()
    trace = result.valid(job.ranks)[0]
    ones = trace.all('hieraRegion', operation='one')
    expect('regions', (len(ones), {counted(e)['user:steps'] for e in ones}), (8000, {3.0}))
    expect('all', counted(trace.one('hieraRegion', operation='all'))['user:steps'], 24000)
    expect('declarations', len(list(trace.root.iter('hieraCounter'))), 1)


@core_case('counters', ranks=[2], needs=['transform'])
def measures_know_counters(job):
    result = job.run('regions', settings={'HIERA_COUNTERS': 'user:steps,proc:rss'}).good()

    def ask(*arguments):
        run = subprocess.run([os.path.abspath(job.transform), result.traces, '--format', 'csv', *arguments], capture_output=True, text=True, check=False)
        expect_true(run.returncode == 0, run.stderr)
        head, *rows = [line.split(',') for line in run.stdout.splitlines()]
        return [dict(zip(head, row, strict=True)) for row in rows]

    profile = {row['path'].split(' > ')[-1].split(' ')[0]: row for row in ask('--measure', 'profile', '--counters', 'user:steps,proc:rss')}
    expect('sum over ranks', profile['step']['user:steps'], str(5 * 11 + 5 * 12))
    expect('of methods', profile['Grid::sum']['user:steps'], '100')
    expect_true(int(profile['touch']['proc:rss']) > MEMORY // 64, 'greatest memory')
    statistics = [row for row in ask('--measure', 'statistics', '--counters', 'user:steps') if row['operation'] == 'step']
    expect('statistics', [(row['count'], row['sum'], row['min'], row['max']) for row in statistics], [('10', '115', '11', '12')])
    chosen = ask('--measure', 'operations', '--where', 'counter("user:steps") == 12')
    expect('--where', [(row['processor'], row['operation'], row['count']) for row in chosen], [('1', 'step', '5')])


@core_case('counters', ranks=[1, 2], smoke=True)
def programs_read_counters(job):
    for settings in ({}, {'HIERA_TRACE': '0'}, {'HIERA_ENABLED': '0'}):
        result = job.run('read', settings=settings).good()
        expect(f'{settings}: what is wrong', result.out, '')


@core_case('counters', ranks=[2])
def counters_without_the_setting_cost_no_element(job):
    trace = job.run('regions').good().valid(job.ranks)[0]
    expect('elements', [e.tag for e in trace.root.iter() if 'Count' in e.tag], [])


def lines_of(text):
    return [line.split(',') for line in text.splitlines() if re.match(r'\d+,(user|proc|perf):', line)]


@core_case('counters', ranks=[1, 2], smoke=True)
def counters_are_printed_at_intervals(job):
    folder = job.folder()
    file = os.path.join(folder, 'log')
    settings = {'HIERA_COUNTERS_PRINT': '20ms:user:level,proc:rss,perf:page-faults,user:none'}
    on_error = job.run('helper', settings=settings).good()
    job.run('helper', settings={**settings, 'HIERA_MORE': 'counters_file=' + file}).good()
    for rank in range(job.ranks):
        with open(f'{file}.{rank}', encoding='utf-8') as log:
            head, *rest = log.read().splitlines()
        expect('head', head, 'rank,counter,n,time,value,unit')
        for rows in (lines_of('\n'.join(rest)), [row for row in lines_of(on_error.err) if row[0] == str(rank)]):
            check_rows(rows, rank)


def check_rows(rows, rank):
    """All counters at each reading, one after the other; a forked child prints nothing."""
    names = ['user:level', 'proc:rss', 'perf:page-faults', 'user:none']
    expect_true(len(rows) >= 3 * len(names) and len(rows) % len(names) == 0, f'{len(rows)} lines: {rows[:8]}')
    for i, (of, name, n, seconds, value, unit) in enumerate(rows):
        expect(f'line {i}', (of, name, n, unit), (str(rank), names[i % len(names)], str(i // len(names) + 1), {'user:level': 'B', 'proc:rss': 'B'}.get(name, '')))
        expect_true(0 < float(seconds) < 100 and (math.isnan(float(value)) == (name == 'user:none')), f'line {i}: {rows[i]}')
    times = [float(row[3]) for row in rows]
    expect_true(times == sorted(times), 'later readings have later times')


@core_case('counters')
def the_last_reading_of_a_counter_of_mpi_is_that_of_its_end(job):
    """The helper reads once more when the process ends, after MPI_Finalize."""
    hiera_run = os.path.join(os.path.dirname(job.library), 'hiera-run')
    listed = subprocess.run([hiera_run, f'--library={job.library}', '--counters', 'mpi:cvar/*'], capture_output=True, text=True, check=True).stdout
    names = re.findall(r'^  (mpi:cvar/\S+)', listed, re.M)[:20]
    result = job.run('helper', settings={'HIERA_COUNTERS_PRINT': '50ms:' + ','.join(names)}).good()
    rows = [line.split(',') for line in result.err.splitlines() if re.match(r'0,mpi:', line)]
    values = {name: [row[4] for row in rows if row[1] == name] for name in names}
    known = [name for name in names if any(value != 'nan' for value in values[name][:-1])]
    expect_true(len(known) > 3, values)
    expect('last readings that are not known', [name for name in known if values[name][-1] == 'nan'], [])


@core_case('counters', ranks=[1])
def the_helper_thread_delays_no_end(job):
    for how in ('finalize', 'exit', '_exit', 'exec', 'signal'):
        begin = time.monotonic()
        result = job.run('helper', how, settings={'HIERA_COUNTERS_PRINT': '1ms:proc:rss,user:steps'})
        took = time.monotonic() - begin
        expect_true(result.code == 0 or how != 'finalize', f'{how}: exit code {result.code}')
        expect_true(took < 20, f'{how}: {took} s')
        expect_true('wrong' not in result.out, f'{how}: {result.out}')
        expect_true(len(lines_of(result.err)) >= 2, f'{how}: {result.err[-500:]}')
        result.trace(0)


@core_case('counters', ranks=[1])
def nobody_need_read_what_is_printed(job):
    names = ','.join(['proc:rss', 'user:steps', *[f'user:{"n" * 100}{i}' for i in range(50)]])
    env = job.environment({'HIERA_DIR': job.folder(), 'HIERA_COUNTERS_PRINT': f'1ms:{names}'})
    begin = time.monotonic()
    with subprocess.Popen([job.program, 'helper', 'exit'], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        process.wait(60)
        took = time.monotonic() - begin
        printed = len(process.stderr.read())
    expect_true(printed > 32 << 10, f'the pipe is not full: {printed} bytes')
    expect_true(took < 20, f'it took {took} s to end')


# --- what regions allocate ---

ALLOCATED = ('allocations', 'frees', 'bytes_allocated', 'bytes_freed')


def allocated_line(region):
    values = counted(region)
    return ' '.join([region.get('operation'), *(f'{values[f"malloc:{name}"]:.0f}' for name in ALLOCATED)])


@core_case('allocating')
def regions_have_what_they_allocate(job):
    """By counters and by a probe script, to the byte; the collector's own memory is not among it."""
    library = os.path.join(os.path.dirname(job.library), 'libhiera-malloc.so')
    names, script = ','.join(f'malloc:{name}' for name in ALLOCATED), 'region::[stop] /&name != "small"/ { print(&name, ' + ', '.join(f'&{name}' for name in ALLOCATED) + '); }'
    folder = job.folder()
    result = job.run(folder=folder, preload=f'{job.library}:{library}', settings={'HIERA_BUFFER': '64k', 'HIERA_COUNTERS': names, 'HIERA_PROBE': script,
                                                                                   'HIERA_PROBE_OPTIONS': 'output=' + os.path.join(folder, 'answers')}).good()
    *lines, held = result.out.splitlines()
    expect('a counter of the process', held, 'held 1')
    trace = result.valid(1)[0]
    expect('counters', sorted(allocated_line(region) for name in ('functions', 'nothing', 'thread') for region in trace.all('hieraRegion', operation=name)), sorted(lines))
    with open(os.path.join(folder, 'answers.0'), encoding='utf-8') as file:
        expect('a script', sorted(file.read().splitlines()), sorted(lines))
    expect('messages', result.messages(), [])


@core_case('allocating')
def memory_has_what_is_allocated(job):
    library = os.path.join(os.path.dirname(job.library), 'libhiera-malloc.so')
    result = job.run(preload=f'{job.library}:{library}', settings={'HIERA_TRACE': '0', 'HIERA_PROBE': 'memory::5ms { @held = max(&allocated); } END { print(@held); }'}).good()
    held = re.search(r'^@held: max on rank 0\n  (\d+)', result.out, re.M)
    expect_true(held and 100000 < int(held[1]) < 1 << 30, result.out)


@core_case('allocating')
def what_is_not_counted_is_not_known(job):
    result = job.run(settings={'HIERA_COUNTERS': 'malloc:bytes_allocated', 'HIERA_PROBE': 'region::[stop]::functions { print(&bytes_freed); }'}).good()
    expect_true('missing' in result.out.splitlines(), result.out)
    expect('held', result.out.splitlines()[-1], 'held 0')
    expect('messages', [m for m in result.messages() if 'libhiera-malloc.so is not preloaded' in m][:1], result.messages()[:1])


@core_case('allocating')
def hiera_run_preloads_it_for_those_who_ask(job):
    run = os.path.join(os.path.dirname(job.library), 'hiera-run')

    def preloads(*options, settings=None):
        done = subprocess.run([run, '--print', *options, job.program], capture_output=True, text=True, check=False, env=job.environment(settings or {}))
        expect('exit code', (done.returncode, done.stderr), (0, ''))
        return 'libhiera-malloc.so' in done.stdout

    expect('a script about memory', preloads('--probe', 'memory::1s { print(&allocated); }'), True)
    expect('a script that asks', preloads('--probe', 'region::[stop] { print(&frees); }'), True)
    expect('its counter', preloads('--probe', 'counter-create::"malloc:held"::1s { print(&counter_value); }'), True)
    expect('a setting', preloads(settings={'HIERA_COUNTERS': 'proc:rss,malloc:frees'}), True)
    expect('a script of a setting', preloads(settings={'HIERA_PROBE': 'region::[stop] { print(&allocations); }'}), True)
    expect('others', (preloads(), preloads('--probe', 'region::[stop] { print(&duration); }')), (False, False))
