"""HIERA_SAMPLE: samples are in the region, function and loop in which the CPU time was, and the program does not notice."""

import csv
import io
import os
import re
import signal
import subprocess

from expect.case import core_case
from expect.judgement import expect, expect_true

MANY = '500/s'


def time_in(trace, path, thread='0'):
    """Seconds of the samples in a path of regions and all below it."""
    of = next(node for node in trace.root.iter('hieraSamples') if node.get('thread') == thread)
    node, period = of, float(of.get('period'))
    for name in path:
        node = next((one for one in node.findall('hieraSampled') if one.get('operation') == name), None)
        if node is None:
            return 0
    return period * sum(int(sample.get('periods') or sample.get('count')) for sample in node.iter('hieraSample'))


def measure(job, result, *names):
    """The tables of these measures, each as dictionaries."""
    run = subprocess.run([os.path.abspath(job.transform), '--measure', ','.join(names), '--format', 'csv', result.traces], capture_output=True, text=True, check=False)
    expect_true(run.returncode == 0, run.stderr)
    return [list(csv.DictReader(io.StringIO(table))) for table in run.stdout.split('\n\n')]


def check_times(trace):
    """The program knows its CPU times. A sample is a matter of chance: three deviations are allowed, and a third or more. A thread that records
    nothing is found up to 0.16 s after it has begun, on a busy machine later."""
    period = float(trace.root.find('hieraSamples').get('period'))
    for path, seconds, part in ((['all', 'long'], 0.6, 0.35), (['all', 'short'], 0.2, 0.35), (['all', 'threads', '(other threads)'], 0.5, 0.6)):
        found = time_in(trace, path)
        expect_true(abs(found - seconds) < max(part * seconds, 3 * (seconds * period) ** 0.5), f'{path}: expected {seconds} s of samples, actual {found}')


def sampled(job, rate, *arguments, **settings):
    """The program is as it is without samples, when it opens nothing, and no call is interrupted."""
    result = job.run(*arguments, settings={'HIERA_SAMPLE': rate, **settings})
    expect('exit code', result.code, 3)
    expect('output', sorted(result.out.splitlines()), [f'rank {rank}: 0 more descriptors' + ', 0 interrupted' * len(arguments) for rank in range(job.ranks)])
    return result


@core_case('sampled', ranks=[1], container=[2], needs=['transform'])
def samples_are_where_the_time_is(job):
    result = sampled(job, MANY, 'interrupted')
    for rank, trace in enumerate(result.valid(job.ranks)):
        check_times(trace)
        of = trace.root.find('hieraSamples')
        expect('lost samples', of.get('missed'), None)
        total = float(of.get('period')) * int(of.get('count'))
        expect_true(total <= 1.1 * float(of.get('time')), f'rank {rank}: {total} s of samples in {of.get("time")} s of CPU time')
    rows, profile = measure(job, result, 'samples', 'profile')  # both at once: it reads all of the MPI's machine code
    loops = [row for row in rows if row['path'].startswith('all > long > spin_long') and 'loop' in row['path']]
    expect_true(loops, f'no loop of spin_long in {rows}')
    whole = next(row for row in rows if row['path'].startswith('all > long > spin_long'))
    expect_true(float(loops[0]['time']) > 0.95 * float(whole['time']), f'{loops[0]} of {whole}')
    quiet = [row for row in rows if 'all > threads > (other threads) > spin_quietly' in row['path']]
    expect_true(quiet, f'no spin_quietly in {rows}')
    hot = {row['path'].split(' > ')[-1].split()[0]: row['hot'] for row in profile}
    for region, function in (('long', 'spin_long'), ('short', 'spin_short'), ('threads', 'spin_quietly')):
        expect_true(re.match(rf'computes in loop sampled\.c:\d+.* in {function}\S* sampled\.c:\d+', hot[region]), f'{region}: {hot[region]}')
    expect('samples of the region around them', hot['all'], '')
    job.findings(result)


@core_case('sampled', needs=['transform'])
def timers_sample_where_the_kernel_does_not(job):
    result = sampled(job, '100/s,timer')
    for trace in result.valid(job.ranks):
        expect('source', trace.root.find('hieraSamples').get('source'), 'timer')
        check_times(trace)
    expect('messages', result.messages(), [])


@core_case('sampled', needs=['transform'])
def profiles_have_samples(job):
    for trace in sampled(job, MANY, HIERA_MODE='profile').valid(job.ranks):
        check_times(trace)


@core_case('threads', ranks=[1], needs=['transform'])
def threads_that_end_leave_their_samples(job):
    result = job.run(settings={'HIERA_SAMPLE': '1000/s', 'HIERA_BUFFER': '16k'})
    trace = result.valid(job.ranks)[0]
    numbers = [node.get('thread') for node in trace.root.iter('hieraSamples')]
    expect_true('0' in numbers and len(numbers) > 1, f'threads with samples: {numbers}')
    expect('each thread once', len(set(numbers)), len(numbers))
    measure(job, result, 'samples')


@core_case('sampled', ranks=[1], needs=['transform'])
def a_rank_that_is_killed_or_ended_by_a_signal_leaves_its_samples(job):
    for number in (signal.SIGKILL, signal.SIGTERM):
        result = job.run('interrupted', int(number), settings={'HIERA_SAMPLE': MANY})
        if number == signal.SIGKILL:
            subprocess.run([os.path.abspath(job.transform), '--recover', result.traces], check=True, capture_output=True)
        check_times(result.valid(job.ranks)[0])


NEVER_RESTARTED = ['poll', 'select', 'epoll_wait', 'nanosleep', 'semtimedop', 'sem_timedwait', 'pause']
RESTARTED = ['read', 'sem_wait', 'waitpid']


@core_case('sampled_host', ranks=[1])
def signals_of_timers_interrupt_what_is_never_restarted(job):
    """docs/recording.md names these calls. Where the kernel samples there is no handler, and nothing is interrupted."""
    for rate, interrupted in (('100/s,timer', NEVER_RESTARTED), ('100/s', [])):
        result = job.run('calls', settings={'HIERA_SAMPLE': rate})
        expect('exit code', result.code, 3)
        expect(rate, sorted(result.out.splitlines()),
               sorted(f'{call}: {"EINTR" if call in interrupted else "goes on"}' for call in NEVER_RESTARTED + RESTARTED))


@core_case('sampled_host', ranks=[1])
def a_handler_of_the_program_gets_its_signals_alone(job):
    result = job.run('handler', settings={'HIERA_SAMPLE': '100/s,timer'})
    expect('signals', result.out.strip(), 'own signals come: yes, others come: no')
    expect_true(any('SIGURG' in message for message in result.messages()), result.messages())
    trace = result.valid(job.ranks)[0]
    expect('samples after it has a handler', time_in(trace, ['after']), 0)


@core_case('sampled_host', ranks=[1])
def a_timer_of_the_program_is_no_sample(job):
    """Its signal comes five hundred times in each second, with our handler."""
    trace = job.run('timer', settings={'HIERA_SAMPLE': '20/s,timer'}).valid(job.ranks)[0]
    found = time_in(trace, ['with a timer'])
    expect_true(found < 1, f'0.5 s of CPU time: {found} s of samples')


@core_case('sampled_host', ranks=[1])
def threads_that_come_and_go_leave_nothing(job):
    for rate in ('1000/s', '100/s,timer'):
        result = job.run('threads', settings={'HIERA_SAMPLE': rate})
        expect(rate, result.out.strip(), 'more descriptors: 0, many more mappings: no')
        result.valid(job.ranks)


@core_case('sampled_host', ranks=[1], needs=['transform'])
def samples_in_a_library_that_was_unloaded(job):
    """It is loaded by a path that counts from the folder of the run; the trace has the whole path. If it had not, a message would say so."""
    folder = job.folder()
    result = job.run('library', os.path.relpath(job.beside('libtest-spinner.so'), folder), settings={'HIERA_SAMPLE': '200/s'}, folder=folder)
    expect('output', result.out.strip(), 'unloaded: yes')
    result.valid(job.ranks)
    rows = {row['path'].split(' > ')[-1].split()[0]: float(row['time']) for row in measure(job, result, 'samples')[0] if row['path'].startswith('library > ')}
    expect_true(rows.get('spin_in_library', 0) > 0.6, f'1 s of CPU time in the library: {rows}')
    path = os.path.join(result.traces, 'trace0.xml')
    with open(path, encoding='utf-8') as file:
        text = re.sub(r'path="[^"]*/libtest', 'path="./libtest', file.read())
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    said = subprocess.run([os.path.abspath(job.transform), '--measure', 'samples', result.traces], capture_output=True, text=True, check=True).stderr
    expect_true(re.search(r'in ./libtest-spinner.so are not known: its path is relative; \S*/libtest-spinner.so: cannot be opened', said), said)
