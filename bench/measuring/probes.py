"""Probe scripts in the running program, without a trace: `self` with 0, 1 and 10 clauses, beside LTTng-ust and uprobes; LAMMPS likewise."""
import contextlib
import shutil
import subprocess

from measuring.collector import iterations_for, in_turns, peer_run, traced_run
from measuring.lammps import STEPS, STEPS_QUICK, in_turns as lammps_in_turns, loop_seconds
from measuring.numbers import differences, spread
from measuring.peers import find_peers
from measuring.processes import Failed, fail, reason, say, under_mpi

WAITING_SECONDS = 20


def clauses(n, actions, predicate=''):
    return ' '.join(f'call::[end] {predicate} {{ {actions.replace("@", f"@a{i}")} }}' for i in range(n))


# row -> script. Each clause takes the end of every call.
SCRIPTS = {
    'no script': '',
    'clause of other calls': 'call::[end]::comm_split { @n = count(); }',
    '1 clause, predicate false': clauses(1, '@ = count();', '/&depth > 100/'),
    '10 clauses, predicates false': clauses(10, '@ = count();', '/&depth > 100/'),
    '1 clause, count': clauses(1, '@ = count();'),
    '1 clause, sum by call': clauses(1, '@[&call] = sum(&depth);'),
    '10 clauses, sum by call': clauses(10, '@[&call] = sum(&depth);'),
}


def settings_of(script):
    return {'HIERA_TRACE': '0', **({'HIERA_PROBE': script} if script else {})}


# --- uprobes ---


def library_of_mpi(program):
    """The MPI library that a program is linked with."""
    done = subprocess.run(['ldd', program], capture_output=True, text=True, check=False)
    paths = [line.split()[2] for line in done.stdout.splitlines() if line.strip().startswith('libmpi') and ' => /' in line]
    return paths[0] if paths else fail('ldd', done.stdout + done.stderr)


@contextlib.contextmanager
def counting(library):
    """bpftrace counts the begins of the calls of `self` by uprobes until the end of the block."""
    probes = ', '.join(f'uprobe:{library}:{name}' for name in ('MPI_Isend', 'MPI_Irecv', 'MPI_Wait'))
    command = ['bpftrace', '-e', 'BEGIN { printf("ready\\n"); } ' + probes + ' { @calls[func] = count(); }']
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as own:
        said = ''
        for line in own.stdout:
            said += line
            if line.strip() == 'ready':
                break
        if own.poll() is not None or 'ready' not in said:
            fail('bpftrace', said or 'it says nothing')
        try:
            yield
        finally:
            own.send_signal(2)
            rest = own.communicate(timeout=WAITING_SECONDS)[0]
        if '@calls' not in rest:
            fail('bpftrace', 'it counted nothing: ' + rest)


def uprobes(mpi, iterations, _parent):
    with counting(library_of_mpi(mpi['bare'])):
        return under_mpi(mpi, 1, [mpi['bare'], 'self', str(iterations)]), 0


def find_others(mpi, options, notes):
    """{tool: function}: LTTng-ust and uprobes, where they are there and may be used."""
    found = {name: run for name, run in find_peers(mpi, options, notes).items() if name == 'LTTng-ust'}
    if options.no_peers:
        return {}
    if not shutil.which('bpftrace'):
        notes.append('uprobes are not there to compare with (apt-get install bpftrace)')
        return found
    try:
        uprobes(mpi, 1000, options.folder)
        found['uprobes, count'] = uprobes
    except (Failed, OSError, subprocess.TimeoutExpired) as error:
        notes.append(f'uprobes left out, the kernel does not let us: {reason(error)}')
    return found


# --- rows ---


def measure_self(mpi, options, notes):
    iterations = iterations_for(mpi, 'self', options, notes)
    tools = {row: lambda script=script: traced_run(mpi, 'self', iterations, options.folder, settings_of(script)) for row, script in SCRIPTS.items()}
    for name, run in find_others(mpi, options, notes).items():
        tools[name] = lambda run=run: peer_run(run, mpi, iterations, options.folder)
    bare, runs, _ = in_turns(mpi, 'self', iterations, options.pairs, tools, notes)
    return {'bare_ns': spread([r['loop'] for r in bare]), 'pairs': options.pairs,
            'rows': {row: differences(bare, traced, 'loop') for row, traced in runs.items()}}


def measure_lammps(mpi, options, notes):
    lmp = shutil.which('lmp')
    if not lmp or mpi['name'] != 'openmpi':
        notes.append("probes on LAMMPS skipped: Debian's lammps, for Open MPI, is not there")
        return {}
    steps, pairs, rows = (STEPS_QUICK, 3, {}) if options.quick else (STEPS, options.pairs, {})
    for row in ('no script', '1 clause, sum by call', '10 clauses, sum by call'):
        say(f'probes: LAMMPS, {row}')
        try:
            rows[row] = lammps_in_turns(
                lambda: loop_seconds(mpi, lmp, steps, options.folder),
                lambda row=row: loop_seconds(mpi, lmp, steps, options.folder, LD_PRELOAD=mpi['library'], **settings_of(SCRIPTS[row])), pairs)
        except Failed as error:
            notes.append(f'LAMMPS, {row} left out: {reason(error)}')
    return rows


def measure_probes(mpi, options, notes):
    say(f'{mpi["name"]}: probes')
    return {'self': measure_self(mpi, options, notes), 'lammps': measure_lammps(mpi, options, notes)}
