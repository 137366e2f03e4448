"""Checking generated traces against the DTD: by Hiera's tables, by libxml2, and by xmllint."""
import os
import shutil
import subprocess

from measuring.numbers import spread
from measuring.processes import Folder, alone, say, traces_of

XMLLINT, STREAMED, LIBXML2, TABLES, WHOLE = ('xmllint --valid', 'xmllint --stream --valid', 'reading, DTD by libxml2',
                                             'reading, DTD by tables', 'hiera-transform --validate')
RATIOS = [(TABLES, LIBXML2), (TABLES, STREAMED), (WHOLE, XMLLINT), (WHOLE, STREAMED)]


def commands_of(transform, traces, options):
    stage = os.path.join(options.programs, 'validate_stage')
    commands = {XMLLINT: ['xmllint', '--noout', '--valid', *traces], STREAMED: ['xmllint', '--noout', '--stream', '--valid', *traces],
                LIBXML2: [stage, 'libxml2', *traces], TABLES: [stage, 'tables', *traces],
                WHOLE: [transform, '--validate', '--output', '/dev/null', *traces]}
    return {name: command for name, command in commands.items() if shutil.which(command[0])}


def measure_spelling(mpi, transform, spelling, options):
    runs = {}
    with Folder(options.folder) as folder:
        subprocess.run([os.path.join(options.programs, 'generate'), folder, '2', str(options.validate_operations // 2), spelling], check=True)
        shutil.copy(os.path.join(os.path.dirname(__file__), '..', '..', 'dtd', 'trace.dtd'), folder)
        os.sync()
        traces = traces_of(folder)
        for _ in range(options.pairs):
            for name, command in commands_of(transform, traces, options).items():
                runs.setdefault(name, []).append(alone(mpi['stopwatch'], command))
        size = sum(os.path.getsize(path) for path in traces)
    rows = {name: {'seconds': spread([r[0] for r in rs]), 'mb': spread([r[1] for r in rs])} for name, rs in runs.items()}
    ratios = {f'{own} : {other}': spread([a[0] / b[0] for a, b in zip(runs[own], runs[other])])
              for own, other in RATIOS if own in runs and other in runs}
    return {'bytes': size, 'rows': rows, 'ratios': ratios}


def measure_validate(mpi, transform, options, notes):
    """{spelling: seconds and MB of each way in turns, and the ratios of seconds, turn by turn}"""
    say('validate')
    if not shutil.which('xmllint'):
        notes.append('xmllint left out: it is not installed')
    load = os.getloadavg()[0]
    spellings = {spelling: measure_spelling(mpi, transform, spelling, options) for spelling in ('full', 'compact')}
    return {'operations': options.validate_operations, 'load': [load, os.getloadavg()[0]], 'spellings': spellings}
