"""The example's assertions, as its README says: test_asserted.py MPIRUN PROGRAM HIERA-RUN RULES."""

import csv
import os
import subprocess
import sys
import tempfile

mpirun, program, hiera_run, rules = (os.path.abspath(path) for path in sys.argv[1:5])
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', OMPI_MCA_rmaps_base_oversubscribe='1',
                   OMPI_MCA_mpi_yield_when_idle='1', HIERA_QUIET='1')
transform = os.path.join(os.path.dirname(hiera_run), '..', 'transform', 'cli', 'hiera-transform')


def judge(folder, *arguments):
    """What became of each assertion and rule, by the last part of its name: (ok, failed)."""
    run = subprocess.run([transform, *arguments, folder, '--format', 'csv'], capture_output=True, text=True, check=False)
    return {row['assertion']: (int(row['ok']), int(row['failed'])) for row in csv.DictReader(run.stdout.splitlines())}


with tempfile.TemporaryDirectory() as folder:
    run = subprocess.run([hiera_run, '--dir', folder, '--assert', rules, mpirun, '-n', '4', program, '8'], env=environment, capture_output=True, text=True,
                         check=False)
    assert run.returncode == 1, f'exit status: expected 1, actual {run.returncode}\n{run.stderr}'
    assert 'asserted.c' in run.stderr, run.stderr
    found = judge(folder, '--assert', rules)
    steps = [found[text] for text in found if 'allreduce' in text]
    assert steps == [(24, 8)], f'steps with one reduction: expected [(24, 8)], actual {steps}'
    others = {text: ends for text, ends in found.items() if 'allreduce' not in text}
    assert len(others) == 5 and all(failed == 0 and ok > 0 for ok, failed in others.values()), others
    called = dict(environment, HIERA_MORE='on_violation=call', HIERA_TRACE='0', HIERA_ASSERT_DIR=folder)
    run = subprocess.run([hiera_run, mpirun, '-n', '4', program, '8'], env=called, capture_output=True, text=True, check=True)
    assert run.stderr.count('2 == 1 is false') == 8, run.stderr
