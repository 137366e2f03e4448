"""A probe script is a guest: however the program ends, it is not disturbed, and what the script has found is printed if that is possible."""

import os
import signal

from cases.probes import answers, run, split
from expect.case import core_case
from expect.judgement import expect, expect_true
from expect.trace import validate

SCRIPT = ('call::[end]::barrier { @n = count(); } region { @r[&name, &event] = count(); } '
          'END { print("end of", &rank); print(@n); print(@r); global_print(@n); }')


def found(result, rank=0):
    """(barriers, regions) that END has printed; None if it has not run."""
    if not os.path.exists(os.path.join(result.folder, f'answers.{rank}')):
        return None
    lines = answers(result, rank)
    expect('first line', lines[0], f'end of {rank}')
    tables = split(lines[1:])[0]
    return [row.split() for row in tables['n']], [row.split() for row in tables.get('r', [])]


@core_case('guest', ranks=[1, 2], smoke=True)
def a_script_does_not_change_output_and_exit_code(job):
    """`plain` looks at errno, the rounding of floating-point numbers and their exceptions, too."""
    script = 'call { @[&call, &event, &file, &line] = avg(&bytes * 0.1); :x = &depth / 3; } region { @r[&path] = sum(&duration); } END { print(@); print(@r); }'
    for mode, code in (('plain', 0), ('code', 3), ('no-mpi', 5)):
        off = job.run(mode, settings={'HIERA_ENABLED': 0})
        on = run(job, script, mode)
        expect(f'{mode}: exit code', (on.code, off.code), (code, code))
        expect(f'{mode}: output', sorted(on.out.splitlines()), sorted(off.out.splitlines()))
        expect(f'{mode}: messages', on.messages(), [])
        disabled = run(job, script, mode, settings={'HIERA_ENABLED': '0'})
        expect(f'{mode}: switched off', (disabled.code, disabled.messages(), os.listdir(disabled.folder)), (code, [], []))


@core_case('guest')
def a_script_ends_with_its_process(job):
    """END runs in exit and its like, and in MPI_Abort; not if another program replaces this one. A failed exec changes nothing."""
    for how, code, barriers in (('without-finalize', None, 10), ('abort', 7, 11), ('leaves 1', 4, 15), ('leaves 2', 4, 10), ('leaves 3', 4, 10), ('leaves 4', 4, 10),
                                ('leaves 5', 0, None), ('code', 3, 10), ('leaves 0', 0, 10)):
        result = run(job, SCRIPT, *how.split(), direct=how.startswith('leaves'))
        expect_true(code in (None, result.code), f'{how}: exit code {result.code}')
        there = found(result)
        expect(f'{how}: barriers', there and there[0], barriers and [[str(barriers)], [str(barriers)]][:len(there[0])])
        validate([result.path(0)])
        expect(f'{how}: barriers in the trace', len(result.trace(0).all(operation='barrier')), barriers or 10)


@core_case('guest', ranks=[2])
def a_rank_that_aborts_prints_what_it_has(job):
    """The other one is ended by a signal."""
    result = run(job, SCRIPT, 'abort')
    expect('exit code', result.code, job.run('abort', settings={'HIERA_ENABLED': 0}).code)
    expect('first rank', found(result)[0][0], ['11'])
    expect('second rank', found(result, 1), None)


@core_case('guest', smoke=True)
def a_signal_ends_a_process_with_a_script_as_without(job):
    for mode, number in (('signalled', signal.SIGTERM), ('signalled', signal.SIGKILL), ('faults', 0), ('faults', 1), ('faults', 2)):
        off = job.run(mode, int(number), settings={'HIERA_ENABLED': 0}, direct=True)
        result = run(job, SCRIPT + ' call::[end]::barrier { print("barrier"); }', mode, int(number), direct=True)
        what = f'{mode} {int(number)}'
        expect(f'{what}: status', result.code, off.code)
        expect(f'{what}: what was printed before', answers(result), ['barrier'] * 10)
        if number != signal.SIGKILL:
            validate([result.path(0)])
            expect(f'{what}: barriers in the trace', len(result.trace(0).all(operation='barrier')), 10)


@core_case('handler')
def a_script_keeps_still_in_a_signal_handler(job):
    """The handler has interrupted malloc, the collector while it writes, or the program, and calls exit or MPI_Abort."""
    for where, how in (('malloc', 'exit'), ('malloc', 'abort'), ('flush', 'exit'), ('flush', 'abort'), ('main', 'exit'), ('main', 'abort')):
        code = {'exit': 5, 'abort': 7}[how]
        off = job.run(where, how, settings={'HIERA_ENABLED': 0}, direct=True) if where != 'flush' else None
        result = run(job, SCRIPT, where, how, settings={'HIERA_BUFFER': '128k', 'HIERA_FILTER': 'env'}, direct=True)
        expect(f'{where} {how}: exit code', result.code, code)
        expect(f'{where} {how}: output', result.out, off.out if off else 'handler\n' + 'abort\n' * (how == 'abort'))
        expect(f'{where} {how}: END', found(result), None)
        validate([result.path(0)])


@core_case('guest', ranks=[2])
def children_tell_nothing(job):
    for exec_ in (0, 1):
        result = run(job, SCRIPT, 'child', exec_).good()
        expect('output', sorted(result.out.split('\n')), [''] + ['child 0'] * job.ranks)
        expect('first rank', found(result), ([['10'], ['20']], []))
        expect('second rank', found(result, 1), ([['10']], []))


@core_case('host')
def a_script_fires_on_small_stacks(job):
    script = ('region::[stop] { print(&path, &file, &duration); @[&path, &line] = avg(&duration); } '
              'call { print(&call); } region::[stop] { :a = :b; } region::nothing { :b = 1; } END { print(@); }')
    result = run(job, script, 'small-stacks', 16, direct=True).good()
    expect('output', result.out, 'joined\n')
    expect('lines', sum(line.startswith('step host.c ') for line in answers(result)), 12000)
    expect('messages', [line.partition('has no')[1] for line in result.messages()], ['has no', '', ''])


@core_case('host')
def a_script_does_not_end_threads_or_cause_traps(job):
    """A thread that is to be cancelled goes on, no floating-point trap is caused, and descriptors and memory may be used up."""
    script = ('region { print(&path); @[&name, &path] = avg(&duration); } region::[stop] { :a = :b; } region::nothing { :b = 1; } '
              'call { @c[&call, &file, &line] = avg(&bytes * 0.1); @q[&call] = quantize(&duration * 1.5); } END { print(@); print(@c); }')
    for mode in ('cancels', 'traps', 'no-descriptors', 'no-memory', 'at-exit', 'constructor'):
        off = job.run(mode, settings={'HIERA_ENABLED': 0}, direct=True)
        on = run(job, script, mode, direct=True)
        expect(f'{mode}: exit code, output', (on.code, on.out), (off.code, off.out))


@core_case('host')
def events_that_find_no_memory_are_counted(job):
    result = run(job, 'call::[end]::barrier { @n = count(); } END { print(@n); }', 'no-memory', direct=True, settings={'HIERA_TRACE': '0'})
    missed = int(result.messages()[0].split()[6])
    expect('message', result.messages(), [f'hiera: the probe script has missed {missed} events, on 1 ranks: there was no memory'])
    told = [line.split()[-1] for line in answers(result)]
    expect('told and missed', missed + (int(told[1]) if len(told) > 1 else 0), 20000)


@core_case('guest')
def a_script_works_without_mpi(job):
    result = run(job, SCRIPT, 'no-mpi', 1000, direct=True)
    expect('exit code, output', (result.code, result.out), (5, 'no MPI\n'))
    expect('regions', found(result)[1], [['alone', 'start', '1000'], ['alone', 'stop', '1000']])
    expect('files of a script that sees nothing', os.listdir(run(job, 'call { @ = count(); }', 'no-mpi', 0, direct=True).folder), [])


@core_case('guest')
def a_script_survives_closed_descriptors_and_another_folder(job):
    script = 'region::[stop]::step { print(&name); } call::[end]::barrier { print(&call); }'
    result = run(job, script, 'closes-all', 3, direct=True)
    expect('output', (result.code, result.out), (0, '1 4 mine\n'))
    folder = job.folder()
    result = job.run('elsewhere', folder=folder, settings={'HIERA_DIR': folder, 'HIERA_PROBE': script, 'HIERA_PROBE_OPTIONS': 'output=answers'}).good()
    expect('lines', len(answers(result)), 20005)


@core_case('guest')
def lines_that_cannot_be_written_are_said_once(job):
    """The file of the answers is on a full disk, or in a folder that is not there."""
    for output in ('/dev/full', '/nowhere/answers'):
        result = run(job, 'call::[end]::barrier { print(&call); }', 'lots', 100, settings={'HIERA_PROBE_OPTIONS': 'output=' + output})
        expect(f'{output}: exit code, output', (result.code, result.out), (0, 'done 100\n'))


@core_case('mixed', ranks=[4], needs=['transform'])
def ranks_without_hiera_do_not_hold_the_others(job):
    from cases import mixed  # pylint: disable=import-outside-toplevel
    script = 'call::[end]::send { @[&rank] = count(); } END { print("end", &rank); global_print(@); }'
    for traced in ((1, 2, 3), (0, 3), (2,)):
        folder = job.folder()
        result = mixed.run(job, traced, settings={'HIERA_PROBE': script, 'HIERA_PROBE_OPTIONS': 'output=' + os.path.join(folder, 'answers')}).good()
        result.folder = folder
        expect(f'{traced}: files', sorted(os.listdir(folder)), [f'answers.{rank}' for rank in traced])
        expect(f'{traced}: lines', [answers(result, rank)[0] for rank in traced], [f'end {rank}' for rank in traced])
        rows = [row.split()[0] for row in answers(result, traced[0])[2:]]
        expect(f'{traced}: ranks in the answers', [int(row) for row in rows], [rank for rank in traced if int(row_of(answers(result, traced[0])[2:], rank))])


def row_of(rows, rank):
    return next((row.split()[1] for row in rows if row.split()[0] == str(rank)), '0')


@core_case('bare', ranks=[2], smoke=True)
def hiera_run_takes_a_script(job):
    """On the command line, with lines and quotes, and in a file; mistakes are named before the job begins."""
    program = os.path.join(os.path.dirname(job.library), 'hiera-run')
    command = job.command([job.program], job.ranks, {})
    script = 'call::[end]::barrier {\n    @["it\'s \\"here\\"", &rank] = count();\n}\nEND { global_print(@); }\n'
    path = os.path.join(job.folder(), 'script.probe')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(script)
    plain = job.run().good()
    for given in (script, path):
        result = job.run('--quiet', '--probe', given, *command, program=program, direct=True).good()
        lines = [line for line in result.out.splitlines() if line not in plain.out.splitlines()]
        expect('answer', [line.split() for line in lines], [['@:', 'count'], ["it's", '"here"', '0', '1'], ["it's", '"here"', '1', '1']])
    for wrong, message in (('call { prnt(1); }', "--probe: column 8: there is no action 'prnt'; did you mean 'print'?\ncall { prnt(1); }\n       ^~~~"),
                           ('/nowhere/script', '--probe /nowhere/script: there is no such file')):
        done = job.run('--probe', wrong, *command, program=program, direct=True)
        told = '\n'.join(f'hiera-run: {line}' for line in message.split('\n'))
        expect(f'{wrong}: exit code, output, message', (done.code, done.out, done.err[:len(told)]), (2, '', told))


@core_case('bare', ranks=[2])
def a_wrong_script_is_said_once_and_the_job_runs(job):
    plain = job.run().good()
    result = run(job, 'call::sendd { print(&bytes); }', preload=job.library).good()
    expect('output', result.out, plain.out)
    expect('messages', result.messages(), ["hiera: HIERA_PROBE: --probe: column 7: there is no MPI function 'sendd'; did you mean 'send'?",
                                           'hiera: call::sendd { print(&bytes); }', 'hiera:       ^~~~~'])
    expect_true(os.path.exists(result.path(1)), 'the run is traced')
