"""Difficult programs: small stacks, no memory, floating-point traps, unusual ends; and other tools in the same process."""

import os
import re
import shutil
import signal
import struct
import subprocess
import time

from cases import kill
from cases.guest import BUFFER, ended
from expect.case import case, core_case
from expect.judgement import Skip, expect, expect_true
from expect.trace import Trace, validate

SANITIZERS = ('address', 'undefined', 'thread')


def both(job, *arguments, **more):
    """Run the program without recording and with it. Exit code and output must be the same. Return the recorded run."""
    off = job.run(*arguments, settings={'HIERA_ENABLED': 0}, **more)
    on = job.run(*arguments, settings=BUFFER, **more)
    expect(f'{arguments}: exit code', on.code, off.code)
    expect(f'{arguments}: output', sorted(on.out.splitlines()), sorted(off.out.splitlines()))
    expect(f'{arguments}: messages', on.messages(), [])
    return on


def sites(elements):
    return {(e.get('file'), int(e.get('line')) > 0) for e in elements}


@core_case('host', ranks=[2], smoke=True)
def threads_with_small_stacks_are_recorded(job):
    for kilobytes in (16, 64):
        result = both(job, 'small-stacks', kilobytes).good()
        expect('output', result.out, 'joined\n' * job.ranks)
        for trace in result.valid(job.ranks):
            steps = trace.all('hieraRegion', operation='step')
            expect(f'{kilobytes}k: regions, call sites', (len(steps), sites(steps)), (12000, {('host.c', True)}))


@core_case('host')
def threads_are_not_cancelled_inside_hiera(job):
    result = both(job, 'cancels').good()
    expect('output', result.out, 'reached 1\n' * job.ranks)
    for trace in result.valid(job.ranks):
        expect('regions, barriers', (len(trace.all('hieraRegion')), len(trace.all(operation='barrier'))), (20000, 20000))


@case('host')
def mpi_in_atexit_and_constructors_is_recorded(job):
    for mode, code in (('at-exit', 6), ('constructor', 0)):
        result = both(job, mode, ranks=1)
        expect(f'{mode}: exit code', result.code, code)
        for trace in result.valid(1):
            barriers = trace.all(operation='barrier')
            expect(f'{mode}: barriers, call sites', (len(barriers), sites(barriers)), (10, {('host.c', True)}))
            expect(f'{mode}: end', ended(trace), None)


@core_case('host')
def floating_point_settings_do_not_matter(job):
    result = both(job, 'traps').good()
    expect('output', result.out, 'wrong: 0\n' * job.ranks)
    for trace in result.valid(job.ranks):
        expect('regions', len(trace.all('hieraRegion')), 10000)


def words(text):
    """The lines without numbers, which differ from run to run."""
    return sorted(re.sub(r'0x[0-9a-f]+|\d+', 'N', line) for line in text.splitlines())


@case('host')
def messages_of_fatal_mpi_errors_do_not_change(job):
    off = job.run('fatal-error', settings={'HIERA_ENABLED': 0})
    on = job.run('fatal-error', settings=BUFFER)
    expect_true(off.code != 0, 'the error was not fatal')
    expect('exit code', on.code, off.code)
    if 'ORTE_ERROR_LOG' not in off.err + on.err:  # Open MPI 4 sometimes loses its own message, with Hiera and without
        expect('text', words(on.err), words(off.err))
    validate([on.path(0)])
    expect('operations', [e.get('operation') for _, e in on.trace(0).operations()], ['barrier'] * 10 + ['send'])


@core_case('host')
def programs_without_memory_or_descriptors_run_on(job):
    result = both(job, 'no-descriptors', direct=True).good()
    expect('barriers', len(result.trace(0).all(operation='barrier')), 20000)
    result = both(job, 'no-memory', direct=True).good()
    trace = result.trace(0)
    kept, lost = len(trace.all(operation='barrier')), sum(trace.lost().values())
    expect(f'barriers kept ({kept}) and lost ({lost})', kept + lost, 20000)
    validate([result.path(0)])


@core_case('host')
def standard_descriptors_may_be_closed(job):
    """Files of Hiera must not get the numbers 0 to 2: the program's next output would be written into the trace."""
    def close():
        for fd in range(3):
            os.close(fd)
    result = job.run('at-exit', settings=BUFFER, direct=True, before=close)
    expect('exit code', result.code, 6)
    validate([result.path(0)])
    expect('barriers', len(result.trace(0).all(operation='barrier')), 10)


@case('host')
def signal_actions_of_the_program_are_kept(job):
    """Signal actions that are set after MPI_Init: the program's own handler runs, the default action ends it, and sigaction() returns either."""
    result = both(job, 'own-actions', 15, direct=True)
    expect('handler: exit code, output', (result.code, result.out), (8, '11\nmine\n'))
    expect('handler: barriers', len(result.trace(0).all(operation='barrier')), 10)
    result = both(job, 'own-actions', 1, direct=True)
    expect('default: exit code', result.code, -1)
    validate([result.path(0)])


@core_case('bare', ranks=[2], variants=['address', 'undefined'])
@case('bare', ranks=[2], variants=['thread'], mpi=['openmpi'])
def sanitizers_report_nothing_in_the_preloaded_library(job):
    """AddressSanitizer must be the first library of the process."""
    needed = subprocess.run(['ldd', job.program], capture_output=True, text=True, check=True).stdout
    first = re.findall(r'=> (\S*/libasan\.so\S*)', needed)
    result = job.run(preload=':'.join(first + [job.library]), settings={'ASAN_OPTIONS': 'detect_leaks=0'}).good()
    expect('reports', re.findall('.*(?:ERROR|WARNING|runtime error).*', result.out + result.err), [])
    for trace in result.valid(job.ranks):
        expect('calls', [e.get('operation') for _, e in trace.operations()], ['barrier', 'allreduce'])


@case('bare', ranks=[2], variants=['address'])
def sanitized_program_starts_under_hiera_run(job):
    run = os.path.join(os.path.dirname(job.library), 'hiera-run')
    for preloaded in ('', re.findall(r'=> (\S*/lib\w*san\.so\S*)', subprocess.run(['ldd', job.program], capture_output=True, text=True, check=True).stdout)[0]):
        result = job.run(*job.command([job.program], job.ranks, {}), program=run, direct=True,
                         settings={'ASAN_OPTIONS': 'detect_leaks=0', 'LD_PRELOAD': preloaded}).good()
        expect('reports', re.findall('.*(?:ERROR|WARNING|runtime error).*', result.out + result.err), [])
        for trace in result.valid(job.ranks):
            expect('calls', [e.get('operation') for _, e in trace.operations()], ['barrier', 'allreduce'])


class Counting:
    """A program that counts its barriers and SIGTERM signals in a file. Its trace is in full encoding, however long."""

    def __init__(self, job, goes_on):
        self.folder = job.folder()
        self.path = os.path.join(self.folder, 'trace0.xml')
        self.process = subprocess.Popen([job.program, 'counts', str(goes_on)], cwd=self.folder, env=job.environment(dict(BUFFER, HIERA_DIR=self.folder, HIERA_FORMAT='full')))

    def counted(self):
        try:
            with open(os.path.join(self.folder, 'counted'), 'rb') as file:
                return struct.unpack('QQ', file.read())
        except (OSError, struct.error):
            return 0, 0

    def wait_for(self, barriers=0, signals=0):
        while self.process.poll() is None and (self.counted()[0] < barriers or self.counted()[1] < signals):
            time.sleep(0.001)

    def end(self, number):
        self.process.send_signal(number)
        return self.process.wait(30)


@core_case('host')
def sigterm_at_any_moment_loses_no_call(job):
    """SIGTERM between two calls, in a call, and while the buffer is written: the trace has every call that has returned."""
    for barriers in (1, 1000, 5000, 12345):
        program = Counting(job, goes_on=0)
        program.wait_for(barriers)
        expect('status', program.end(signal.SIGTERM), -signal.SIGTERM)
        validate([program.path])
        trace, counted = Trace(program.path), program.counted()[0]
        trace.check_sound()
        found = len([e for e in trace.all(operation='barrier') if e.get('finish_time')])
        expect_true(found in (counted, counted + 1), f'barriers that have returned: counted {counted}, in the trace {found}')
        expect('end', ended(trace), ('signal', '15', 'SIGTERM'))


@core_case('writing', ranks=[2])
def a_signal_for_another_thread_while_the_buffer_is_written_loses_no_call(job):
    """The main thread must not return from the call in which it has written, since all buffers have been written by then."""
    result = job.run(settings=dict(BUFFER, HIERA_FORMAT='full'))
    expect_true(result.code != 0, f'exit code {result.code}')
    trace = Trace(os.path.join(result.folder, 'trace0.xml'))
    with open(os.path.join(result.folder, 'counted'), 'rb') as file:
        counted = struct.unpack('Q', file.read())[0]
    found = len([e for e in trace.all(operation='barrier') if e.get('finish_time')])
    expect_true(100 < counted < 100000 and found in (counted, counted + 1), f'barriers that have returned: counted {counted}, in the trace {found}')
    expect('end', ended(trace), ('signal', '15', 'SIGTERM'))


@core_case('host')
def sigkill_after_a_handled_sigterm_loses_one_buffer(job):
    """As Slurm ends jobs: SIGTERM, which the program handles, and SIGKILL if it does not end by then."""
    program = Counting(job, goes_on=1)
    program.wait_for(20000)
    program.process.send_signal(signal.SIGTERM)
    program.wait_for(signals=1)
    program.wait_for(program.counted()[0] + 20000)
    expect('status', program.end(signal.SIGKILL), -signal.SIGKILL)
    barriers, signals = program.counted()
    expect('signals that the program saw', signals, 1)
    with open(program.path, encoding='utf-8') as file:
        text = file.read()
    found = text.count('operation="barrier"')
    expect_true(barriers - 2100 <= found <= barriers + 1, f'barriers of {barriers}: expected all but one buffer, actual {found}')
    expect('end', ('<hieraEnd' in text, 'finalize=""' in text), (False, True))
    if job.transform:
        expect('what hiera-transform makes of it', kill.check(program.path, os.path.abspath(job.transform)), None)


@core_case('host')
def fault_in_a_thread_keeps_the_trace(job):
    result = both(job, 'thread-faults', direct=True)
    expect('exit code', result.code, -11)
    validate([result.path(0)])
    for _ in ('as it is', 'completed'):
        trace = result.trace(0)
        expect('barriers, regions', (len(trace.all(operation='barrier')), len(trace.all('hieraRegion'))), (10, 1))
        expect('end', ended(trace), ('signal', '11', 'SIGSEGV'))
        subprocess.run([os.path.join(os.path.dirname(job.library), 'hiera-recover'), result.traces], check=True)


def check_overflow(job, what, arguments, code, said):
    result = both(job, *arguments, direct=True)
    expect(f'{what}: exit code, output', (result.code, result.out), (code, said))
    validate([result.path(0)])
    trace = result.trace(0)
    expect(f'{what}: barriers, regions', (len(trace.all(operation='barrier')), len(trace.all('hieraRegion'))), (20, 1))
    return ended(trace)


@core_case('host')
def stack_overflow_in_a_thread_keeps_the_trace(job):
    """For a thread with an alternate signal stack and for one without."""
    for own in (0, 1):
        end = check_overflow(job, f'own stack: {own}', ('thread-overflows', own), -11, 'as it should be\n')
        expect('end', end, ('signal', '11', 'SIGSEGV'))
    end = check_overflow(job, 'own handler', ('handled-overflow',), 11, 'as it should be\nmine\n')
    expect('end', end, ('_exit', '11', None))


@core_case('host')
def alternate_stacks_are_freed_with_their_threads(job):
    off = job.run('stacks-go', settings={'HIERA_ENABLED': 0}, direct=True).good()
    on = job.run('stacks-go', direct=True).good()
    expect('without recording, with it', (off.out, on.out), ('given 0, left 0\n', 'given 20, left 0\n'))
    off = job.run('stacks-go', settings={'HIERA_MORE': 'signals=0'}, direct=True).good()
    expect('without handlers of signals', off.out, 'given 0, left 0\n')


@case('host', ranks=[2])
def exit_of_one_rank_keeps_the_traces(job):
    """The launcher ends the other ranks. How it does so, and with which exit code, differs: MPICH's is 0 or 1."""
    result = job.run('one-exits', settings=BUFFER)
    validate([result.path(rank) for rank in range(job.ranks)])
    expect('barriers of rank 0', len(result.trace(0).all(operation='barrier')), 10)
    expect('end of rank 0', ended(result.trace(0)), ('exit', '0', None))


def of_collector(log):
    with open(log, encoding='utf-8', errors='replace') as file:
        return [line for line in file if 'hiera_' in line or 'libhiera' in line]


# An MPI alone, without what it looks for outside the process, starts under valgrind in half the time.
LEAN = {'HWLOC_PLUGINS_PATH': '/none', 'OMPI_MCA_pml': 'ob1', 'OMPI_MCA_btl': 'self', 'OMPI_MCA_ess_singleton_isolated': '1', 'UCX_TLS': 'self'}


def under_valgrind(job, *words, preload=None, settings=None):
    """The run of a program, after which no error has the collector on its stack."""
    if not shutil.which('valgrind'):
        raise Skip('no valgrind')
    folder = job.folder()
    log = os.path.join(folder, 'valgrind.log')
    run = job.run('-q', '--error-limit=no', f'--log-file={log}', job.program, *words, program=shutil.which('valgrind'), preload=preload,
                  settings={**LEAN, **(settings or {})}, direct=True, folder=folder).good()
    expect('lines of errors with the collector on the stack', of_collector(log), [])
    return run


@core_case('host')
def valgrind_reports_nothing_in_hiera(job):
    run = under_valgrind(job, 'small-stacks', '16', settings=BUFFER)
    expect('regions', [len(trace.all('hieraRegion')) for trace in run.valid(1)], [12000])
    expect('files', {e.get('file') for e in run.trace(0).all('hieraRegion')}, {'host.c'})


@core_case('bare')
def valgrind_reports_nothing_in_the_preloaded_library(job):
    run = under_valgrind(job, preload=job.library)
    expect('calls', [[(e.get('operation'), e.get('file')) for _, e in trace.operations()] for trace in run.valid(1)],
           [[('barrier', 'bare.c'), ('allreduce', 'bare.c')]])


@case('loader', ranks=[1, 2], smoke=True)
def mpi_of_a_loaded_module_is_recorded(job):
    """The program is not linked with MPI; it loads a module that is."""
    result = job.run(job.beside(f'libtest-module-{job.mpi}.so'), preload=job.library).good()
    expect('output', result.out, f'{sum(range(job.ranks))}\n')
    for trace in result.valid(job.ranks):
        expect('operations', [e.get('operation') for _, e in trace.operations()], ['barrier', 'allreduce'])


@case('loader')
def unloading_a_module_does_no_harm(job):
    """The module that loaded libhiera is unloaded. Hiera's signal handlers can still be called."""
    for number in (signal.SIGTERM, signal.SIGSEGV):
        result = job.run(job.beside(f'libtest-linked-module-{job.mpi}.so'), int(number), direct=True)
        expect('exit code', result.code, -int(number))
        validate([result.path(0)])
        expect('operations', [e.get('operation') for _, e in result.trace(0).operations()], ['barrier', 'allreduce'])


@case('bare', ranks=[2], smoke=True)
def other_pmpi_tools_are_reported(job):
    tool = job.beside(f'libtest-other-tool-{job.mpi}.so')
    for what, order, said_place in (('behind', [job.library, tool], 'behind Hiera'), ('in front', [tool, job.library], None)):
        result = job.run(preload=':'.join(order)).good()
        expect(f'{what}: output', sorted(result.out.splitlines()), sorted([str(sum(range(job.ranks)))] + ['tool: 1'] * job.ranks))
        said = result.messages()
        if said_place:
            expect_true(len(said) == 1 and os.path.basename(tool) in said[0] and said_place in said[0], f'{what}: one message that names it: {said}')
        else:
            expect(f'{what}: messages', said, [])
        for trace in result.valid(job.ranks):
            expect(f'{what}: barriers', len(trace.all(operation='barrier')), 1)
            expect(f'{what}: lost', trace.lost(), {})


@case('bare', ranks=[1, 2])
def tool_that_hides_init_or_finalize_costs_no_trace(job):
    """Another tool before Hiera calls PMPI_Init or PMPI_Finalize."""
    for what in ('hiding-tool', 'keeping-tool'):
        tool = job.beside(f'libtest-{what}-{job.mpi}.so')
        result = job.run(preload=':'.join([tool, job.library])).good()
        expect(f'{what}: output', result.out.split(), [str(sum(range(job.ranks)))])
        expect(f'{what}: messages', result.messages(), [])
        expect(f'{what}: files', sorted(os.listdir(result.folder)),
               sorted(['hieraCollector.dtd', 'hieraCollector.xml', 'trace.dtd', 'visual.css', 'visual.xsl'] + [f'trace{i}.xml' for i in range(job.ranks)]))
        for rank, trace in enumerate(result.valid(job.ranks)):
            expect(f'{what}: rank and size', (trace.root.get('rank'), trace.root.get('size')), (f'P{rank}', str(job.ranks)))
            expect(f'{what}: operations', [(e.get('operation'), e.get('comm')) for _, e in trace.operations()],
                   [('barrier', 'MPI_COMM_WORLD'), ('allreduce', 'MPI_COMM_WORLD')])
            expect(f'{what}: end', (bool(trace.root.get('finalize')), ended(trace)), (True, None))
        expect(f'{what}: job', len({trace.root.get('job') for trace in result.valid(job.ranks)}), 1)


@core_case('host', variants=['address', 'undefined'])
@case('host', variants=['thread'], mpi=['openmpi'])
def sanitizers_report_nothing_with_a_probe_script(job):
    """Many threads, and clauses that share variables, aggregate, print and ask for places and stacks."""
    script = ('BEGIN { :n = 0; } region::[start] { :n++; :last[&name, &thread] = &name + stack(); } region::[stop] { @time[&name, &depth] = quantize(&duration); @lines[&file, &line] = count(); } '
              'region { @events[&event] = count(); } call { @calls[&call, &path] = count(); } END { print(:n); print(@events); print(@calls); }')
    settings = dict(BUFFER, ASAN_OPTIONS='detect_leaks=0', TSAN_OPTIONS='report_bugs=1', HIERA_PROBE=script)
    for arguments, code, regions in ((('at-exit',), 6, 0), (('small-stacks', '64'), 0, 12000)):
        result = job.run(*arguments, settings=settings, direct=True)
        expect(f'{arguments}: exit code', result.code, code)
        expect(f'{arguments}: reports', re.findall('.*(?:ERROR|WARNING|runtime error).*', result.out + result.err), [])
        expect(f'{arguments}: regions that begin', [int(line) for line in result.out.splitlines() if line.isdigit()][-1:], [regions])


@case('host', variants=SANITIZERS)
def sanitizers_report_nothing(job):
    """For threads that write on the program's stack, and for threads that write on a stack of Hiera."""
    settings = dict(BUFFER, ASAN_OPTIONS='detect_leaks=0', TSAN_OPTIONS='report_bugs=1')
    for arguments, code, barriers, regions in ((('at-exit',), 6, 10, 0), (('small-stacks', '64'), 0, 0, 12000)):
        result = job.run(*arguments, settings=settings, direct=True)
        expect(f'{arguments}: exit code', result.code, code)
        expect(f'{arguments}: reports', re.findall('.*(?:ERROR|WARNING|runtime error).*', result.out + result.err), [])
        expect(f'{arguments}: barriers, regions', [(len(trace.all(operation='barrier')), len(trace.all('hieraRegion'))) for trace in result.valid(1)],
               [(barriers, regions)])
