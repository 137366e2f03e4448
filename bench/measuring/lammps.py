"""A real program: LAMMPS' melt (a Lennard-Jones crystal that melts) of 256 atoms on 2 ranks. With so few
atoms it does little but communicate: 340,000 calls a second of both ranks together, on a quiet machine."""
import os
import re
import shutil
import statistics
import subprocess

from measuring.collector import spellings_known
from measuring.numbers import spread
from measuring.processes import Failed, Folder, bytes_of, environment, fail, launcher, reason, say

MELT = """units lj
lattice fcc 0.8442
region box block 0 4 0 4 0 4
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0
neighbor 0.3 bin
neigh_modify delay 0 every 1
fix 1 all nve
thermo {steps}
run {steps}
"""

NOISE_MAX_PERCENT = 5
BARE_SECONDS_MAX = 5  # two on a quiet machine; a slower machine is too noisy to judge by
PAIRS_IF_BUSY = 3
STEPS, STEPS_QUICK = 25000, 500


def loop_seconds(mpi, lmp, steps, parent, after=None, **more):
    """Time of the loop as LAMMPS prints it; `after` is called with the folder of the traces."""
    with Folder(parent) as folder:
        script = os.path.join(folder, 'in.melt')
        with open(script, 'w', encoding='utf-8') as file:
            file.write(MELT.format(steps=steps))
        command = launcher(mpi, 2) + [lmp, '-in', script, '-log', 'none']
        done = subprocess.run(command, env=environment(HIERA_DIR=folder, **more), capture_output=True, text=True,
                              check=False)
        found = re.search(r'^Loop time of (\S+)', done.stdout, re.MULTILINE)
        if done.returncode != 0 or not found:
            fail('lmp', done.stdout + done.stderr)
        if more and more.get('HIERA_TRACE') != '0' and not bytes_of(folder):
            fail('tracing lmp', 'there is no trace')
        if after:
            after(folder)
        return float(found[1])


def bytes_per_call(mpi, lmp, steps, options, settings):
    """Bytes per MPI call, with the calls before and after the loop."""
    found = []

    def divide(folder):
        done = subprocess.run([options.transform, '--quiet', folder, '--measure', 'counts', '--format', 'csv'],
                              capture_output=True, text=True, check=False)
        calls = sum(int(line.split(',')[2]) for line in done.stdout.splitlines() if line.startswith('mpi,'))
        if calls == 0:
            fail('counting the calls of lmp', done.stderr)
        found.append(bytes_of(folder) / calls)

    loop_seconds(mpi, lmp, steps, options.folder, divide, LD_PRELOAD=mpi['library'], **settings)
    return spread(found)


def percent(numerators, denominators):
    return [100 * (n / d - 1) for n, d in zip(numerators, denominators)]


def in_turns(run_bare, run_traced, pairs):
    """Untraced and traced runs in turns. Each traced run is compared with the untraced run before it. For the noise, each
    untraced run is compared with the untraced run before it."""
    bare, traced = [run_bare()], []
    if bare[0] > BARE_SECONDS_MAX:
        pairs = min(pairs, PAIRS_IF_BUSY)
    for _ in range(pairs):
        traced.append(run_traced())
        bare.append(run_bare())
    between = percent(bare[1:], bare)
    noise = statistics.median(map(abs, between))
    return {'bare_s': spread(bare), 'traced_s': spread(traced), 'added_percent': spread(percent(traced, bare)),
            'untraced_percent': spread(between), 'noise_percent': noise, 'quiet': noise <= NOISE_MAX_PERCENT, 'pairs': pairs}


def measure_lammps(mpi, options, notes):
    lmp = shutil.which('lmp')
    if not lmp or mpi['name'] != 'openmpi':
        notes.append('LAMMPS skipped: ' + ("Debian's is linked with Open MPI" if lmp else
                                           'not installed (apt-get install lammps)'))
        return None
    steps, pairs, rows = (STEPS_QUICK, 3, {}) if options.quick else (STEPS, 12, {})
    for spelling, settings in spellings_known(mpi).items():
        if spelling not in ('full', 'compact'):
            continue
        say(f'LAMMPS, {spelling}')
        try:
            rows[spelling] = in_turns(
                lambda: loop_seconds(mpi, lmp, steps, options.folder),
                lambda settings=settings: loop_seconds(mpi, lmp, steps, options.folder, LD_PRELOAD=mpi['library'], **settings),
                pairs)
        except Failed as error:
            notes.append(f'LAMMPS, {spelling} left out: {reason(error)}')
            continue
        if options.transform:
            try:
                rows[spelling]['bytes'] = bytes_per_call(mpi, lmp, steps, options, settings)
            except Failed as error:
                notes.append(f'bytes per call of LAMMPS, {spelling} left out: {reason(error)}')
        if not rows[spelling]['quiet']:
            notes.append(f'LAMMPS, {spelling}: untraced runs differ by {rows[spelling]["noise_percent"]:.0f} % from one to the '
                         'next: too much to judge by')
    return rows
