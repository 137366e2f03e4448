"""Predictions of real runs: whatever MPI calls a program makes, hiera-predict replays them to the end, and leaves what is computed between them as
recorded, or as fast as it is told. How long MPI takes is not compared: that differs from run to run."""

import csv
import io
import os
import subprocess

from expect.case import core_case
from expect.judgement import Skip, expect, expect_true


def predict(job, result, *options):
    """Rows of the ranks: times in seconds."""
    if not job.predict:
        raise Skip('hiera-predict is not built')
    run = subprocess.run([os.path.abspath(job.predict), '--quiet', '--format=csv', *options, result.traces], capture_output=True, text=True, check=False)
    expect_true(run.returncode == 0, f'exit status of hiera-predict {options}: {run.returncode}\n{run.stderr}')
    rows = csv.DictReader(io.StringIO(run.stdout.split('\n\n')[1]))
    return [{name: float(value) for name, value in row.items() if name != 'processor'} for row in rows]


@core_case('p2p', 'completion', 'collectives', 'nbcoll', 'comms', 'rma', 'polls', ranks=[2], needs=['transform'], title='{program} is predicted')
def real_programs_are_predicted(job):
    result = job.run().good()
    in_vain = [sum('pending' in e.attrib or e.get('flag') == '0' for _, e in result.trace(rank).operations()) for rank in range(job.ranks)]
    for option, factor in (('--collectives=algorithms', 1), ('--collectives=one-step', 1), ('--network=eager=0', 1), ('--speed=true=2', 2)):
        rows = predict(job, result, option)
        expect('ranks', len(rows), job.ranks)
        for rank, row in enumerate(rows):
            # Up to 10 us behind a test in vain are part of its loop, which is not there any more.
            less = row['recorded_compute'] / factor - row['predicted_compute']
            expect_true(-1e-6 < less < 1e-6 + 1e-5 * in_vain[rank], f'{option}, rank {rank}: {in_vain[rank]} tests in vain, computes {row}')
            expect_true(abs(row['predicted'] - row['predicted_compute'] - row['predicted_mpi']) < 1e-8, f'{option}, rank {rank}: parts are not the whole: {row}')


def measure(job, folder, *options):
    return subprocess.run([os.path.abspath(job.transform), folder, *options], capture_output=True, text=True, check=False).stdout


@core_case('p2p', 'completion', 'collectives', 'nbcoll', 'comms', 'rma', 'polls', 'threads', ranks=[2], needs=['transform'], title='{program} is predicted as a trace')
def predicted_traces_are_valid(job):
    result = job.run().good()
    folder = os.path.join(result.traces, 'predicted')
    rows = predict(job, result, '--output', folder)
    counts = [measure(job, of, '--measure', 'counts', '--format=csv') for of in (result.traces, folder)]
    expect('counts', counts[1], counts[0])
    validated = measure(job, folder, '--validate')
    expect_true('errors: 0;' in validated, validated)
    times = csv.DictReader(io.StringIO(measure(job, folder, '--measure', 'times', '--format=csv')))
    for row, time in zip(rows, times):
        expect_true(abs(row['predicted'] - float(time['total'])) < 1e-8 and abs(row['predicted_mpi'] - float(time['communication'])) < 1e-6, f'{row}: {time}')
