"""Applications of Debian, each as its package has it, with a small input: from debian/, or from the examples of the package."""

import glob
import gzip
import os
import random
import shutil
import subprocess

from subject import Case

INPUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'debian')
PACKAGES = ('r-cran-rmpi libcoarrays-openmpi-dev libcoarrays-mpich-dev phyml examl freefem++ gpaw gpaw-data quantum-espresso '
            'quantum-espresso-data cp2k cp2k-data '
            'openfoam openfoam-examples nwchem-openmpi nwchem-mpich python3-slepc4py python3-mpi4py-fft ray '
            'python3-meep-openmpi netpipe-openmpi netpipe-mpich2')
COARRAYS = '/usr/lib/x86_64-linux-gnu/open-coarrays'
SLEPC = '/usr/lib/slepcdir/slepc3.18/x86_64-linux-gnu-real/lib/python3/dist-packages'
PETSC = '/usr/lib/petscdir/petsc3.18/x86_64-linux-gnu-real/lib/python3/dist-packages'
CAVITY = '/usr/share/doc/openfoam-examples/examples/incompressible/icoFoam/cavity/cavity'
PSEUDO = '/usr/share/espresso/pseudo'
FOAM_HOME = {'WM_PROJECT_DIR': '/usr/share/openfoam'}
ONE_THREAD = {'OMP_NUM_THREADS': '1'}
NUMBER = r'-?\d+(\.\d+)?([eE][-+]?\d+)?'
# What varies in their output: times, dates, sizes of memory, numbers of processes.
MEASURED = (rf' *{NUMBER}',)
TIMES = (r'(?mi)^.*\b(time|cpu|wall|elapsed|seconds|memory|date|started|ended|mb)\b.*$',)
PHYML = TIMES + (r'(?m)^.*(Random seed|likelihood|sec|\.\.\.).*$', r'(?m)^.*[\d]+h\d+m\d+s.*$')
FOAM = (r'(?m)^(Date|Time|Host|PID|Build|Case|ExecutionTime).*$', r'(?m)^.*(hosts|slaves|pids|Slave|"\S*\.\d+").*$')
CP2K = (r'(?m)^.*(PROGRAM (STARTED|ENDED|RAN|PROCESS|STOPPED)|MEMORY|[Mm]emory|mem\[|dbcsr_|COMMUNICATION|MP_\w+|\bT I M I N G\b).*$',
        r'(?m)^( *\d+ OT \w+ +\S+) +[\d.]+',
        r'(?m)^ \w+ +\d+ +\d+\.\d.*$', r'(?m)^ +- \w.*$')
NWCHEM = (r'(?m)^.*([Tt]ime|date|compiled|hostname|program|prefix|wall|cpu).*$',
          r'(?m)^.*([Mm]emory|[Hh]eap|stack|global|hardfail|MA usage|bytes|requests|ns of|blocks|calls:|Forming|Starting).*$',
          r'(?m)^ *d= *\d.*$', r'(?m)(\d) +\d+\.\d$', r'MO Center=.*r\^2', r'(?m)^.*\d[DE]-\d\d.*$', r'-(?=0\.0+\b)', r'(?<=\.\d{8})\d+')
ESPRESSO = (r'(?m)^.*(WALL|CPU|starts on|secs|RAM|Dynamical|This run was terminated).*$',)


def need(path):
    if not os.path.exists(path):
        raise SystemExit(f'{path} is missing: apt-get install --no-install-recommends {PACKAGES}')
    return path


def unpacked(source, folder):
    """The file SOURCE, or SOURCE.gz, in a folder."""
    target = os.path.join(folder, os.path.basename(source))
    if os.path.exists(source):
        shutil.copy(source, target)
    else:
        with gzip.open(need(source + '.gz')) as packed, open(target, 'wb') as file:
            shutil.copyfileobj(packed, file)
    return target


def program(name):
    return need(f'/usr/bin/{name}')


def given(name):
    return os.path.join(INPUTS, name)


def cases(folder, mpi):
    os.makedirs(folder, exist_ok=True)
    yield from coarrays(folder, mpi)
    yield Case('NetPIPE', [program({'openmpi': 'NPopenmpi', 'mpich': 'NPmpich2'}[mpi]), '-u', '20000', '-n', '20'], 2, folder, timings=MEASURED, counted=True)
    for ranks in {'openmpi': (2,), 'mpich': (1, 2)}[mpi]:
        yield Case(f'NWChem, {ranks}', [program(f'nwchem.{mpi}'), given('water.nw')], ranks, folder, ONE_THREAD, timings=NWCHEM, counted=True)
    if mpi == 'openmpi':
        yield from biology(folder)
        yield from physics(folder)
        yield from scripts(folder)


def coarrays(folder, mpi):
    """The tests that OpenCoarrays installs, those left out in which images fail on purpose: Debian's MPI has no fault tolerance."""
    for test in sorted(glob.glob(need(f'{COARRAYS}/{mpi}/bin') + '/OpenCoarrays-*-tests/*')):
        name = os.path.basename(test)
        if 'fail' not in name and 'abort' not in name:
            yield Case(f'OpenCoarrays {name}, 4', [test], 4, folder, counted=True)


def biology(folder):
    examples = '/usr/share/doc/phyml/examples'
    yield Case('PhyML, 2', [program('phyml-mpi'), '-i', unpacked(f'{examples}/nucleic', folder)] + '-b 4 -o n --r_seed 1 --no_memory_check'.split(),
               2, folder, timings=PHYML, counted=True)
    tree = alignment(folder)
    if not os.path.exists(os.path.join(folder, 'eight.binary')):
        subprocess.run([program('parse-examl'), '-s', 'eight', '-m', 'DNA', '-n', 'eight'], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    yield Case('ExaML, 2', [need('/usr/lib/examl/bin/examl-sse2'), '-t', tree] + '-m GAMMA -s eight.binary -n T1'.split(), 2, folder, ONE_THREAD,
               timings=TIMES, fresh=('*.T1', '*.T1_*'), counted=True)
    reads = [unpacked(f'/usr/share/doc/ray/test_data/ecoli_1K_{n}.fq', folder) for n in (1, 2)]
    yield Case('Ray, test of the network, 2', [program('Ray'), '-test-network-only', '-p', *reads, '-o', 'assembly'], 2, folder,
               timings=MEASURED + TIMES, fresh=('assembly',))


def alignment(folder):
    """Eight sequences that have drifted apart by chance, and a tree of them; the name of its file."""
    chance = random.Random(1)
    sequences = ['']
    for _ in range(3):  # each one becomes two, which differ in a tenth of their places
        sequences = [''.join(chance.choice('ACGT') if chance.random() < 0.1 else c for c in (s or 'ACGT' * 75)) for s in sequences for _ in range(2)]
    with open(os.path.join(folder, 'eight'), 'w', encoding='utf-8') as file:
        file.write('8 300\n' + ''.join(f't{i} {s}\n' for i, s in enumerate(sequences)))
    with open(os.path.join(folder, 'eight.tree'), 'w', encoding='utf-8') as file:
        file.write('((t0,t4),(t1,t5),((t2,t6),(t3,t7)));\n')
    return 'eight.tree'


def physics(folder):
    cavity = os.path.join(folder, 'cavity')
    if not os.path.exists(os.path.join(cavity, 'processor0')):
        shutil.copytree(need(CAVITY), cavity, dirs_exist_ok=True)
        with open(os.path.join(cavity, 'system', 'decomposeParDict'), 'w', encoding='utf-8') as file:
            file.write('FoamFile { version 2.0; format ascii; class dictionary; object decomposeParDict; }\n'
                       'numberOfSubdomains 2;\nmethod simple;\nsimpleCoeffs { n (2 1 1); delta 0.001; }\n')
        for step in ('blockMesh', 'decomposePar'):
            subprocess.run([program(step)], cwd=cavity, env=os.environ | FOAM_HOME, stdout=subprocess.DEVNULL, check=True)
    yield Case('OpenFOAM icoFoam, 2', [program('icoFoam'), '-parallel'], 2, cavity, FOAM_HOME, timings=FOAM, counted=True)
    with open(given('silicon.in'), encoding='utf-8') as file, open(os.path.join(folder, 'silicon.in'), 'w', encoding='utf-8') as filled:
        filled.write(file.read().replace('@UPF@', need(PSEUDO)).replace('@SILICON@', 'Si.pz-vbc.UPF'))
    yield Case('Quantum ESPRESSO, 2', [program('pw.x'), '-in', 'silicon.in'], 2, folder, ONE_THREAD, timings=ESPRESSO, fresh=('out',), counted=True)
    yield Case('CP2K, 2', [program('cp2k.psmp'), '-i', given('hydrogen.inp')], 2, folder,
               ONE_THREAD | {'CP2K_DATA_DIR': need('/usr/share/cp2k')}, timings=CP2K,
               fresh=('hydrogen-*',), counted=True)
    yield Case('FreeFem++, 3', [program('FreeFem++-mpi'), '-nw', '-v', '0', given('poisson.edp')], 3, folder, ONE_THREAD, counted=True)


def scripts(folder):
    python = program('python3')
    yield Case('GPAW, 2', [program('gpaw'), 'python', given('hydrogen_gpaw.py')], 2, folder, ONE_THREAD, counted=True)
    yield Case('slepc4py, 2', [python, given('eigenvalues.py')], 2, folder, ONE_THREAD | {'PYTHONPATH': f'{need(SLEPC)}:{need(PETSC)}'}, counted=True)
    yield Case('mpi4py-fft, 4', [python, given('transforms.py')], 4, folder, ONE_THREAD, counted=True)
    yield Case('Meep, 2', [python, given('resonator.py')], 2, folder, ONE_THREAD,
               timings=TIMES + (r'(?m)^.*( s/step|structure|choose_chunk|run \d+ finished).*$',), counted=True)
    yield Case('Rmpi, 2', [program('Rscript'), given('calls.R')], 2, folder, ONE_THREAD, counted=True)
