#!/usr/bin/env python3
"""Runs the stencil on some numbers of ranks: `hiera-transform .` alone must name the slow rank with its sweep and the late root
with its broadcast, at their lines, on one screen of 80 columns. A busy machine makes other ranks late as well, so there are
six tries. Use: test_stencil.py MPIRUN STENCIL HIERA_TRANSFORM RANKS…"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import pathlib

ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', OMPI_MCA_rmaps_base_oversubscribe='1',
                   OMPI_MCA_mpi_yield_when_idle='1')
TRIES = 6
SOURCE = (pathlib.Path(__file__).parent / 'stencil.c').read_text().splitlines()


def line_of(text):
    """Number of the only line of stencil.c that contains a text."""
    lines = [number for number, line in enumerate(SOURCE, 1) if text in line]
    assert len(lines) == 1, (text, lines)
    return lines[0]


def summarize(mpirun, stencil, transform, ranks, folder):
    subprocess.run([*shlex.split(mpirun), '-n', str(ranks), stencil], cwd=folder, env=ENVIRONMENT, check=True, timeout=100)
    text = subprocess.run([transform, folder], env=dict(ENVIRONMENT, COLUMNS='80'), check=True, capture_output=True, text=True).stdout
    answer = subprocess.run([transform, folder, '--format', 'json'], check=True, capture_output=True, text=True).stdout
    return text, [row['sentence'] for row in json.loads(answer)['summary'] if row['topic'] == 'Waits']


def find_fault(ranks, text, waits):
    """What is wrong with a summary; None if nothing is."""
    wanted = [rf'rank {ranks // 2} lets .*: its sweep \(stencil\.c:{line_of("SLOW_SWEEP_US : SWEEP_US") - 2}\) takes .* times',
              rf'rank 0 lets .* in broadcast stencil\.c:{line_of("MPI_Bcast(")} \(late broadcast\): its computation in control before broadcast']
    missing = [pattern for pattern in wanted if not any(re.search(pattern, sentence) for sentence in waits)]
    wide = [line for line in text.splitlines() if len(line) > 80]
    if missing or wide or len(text.splitlines()) > 30:
        return f'{ranks} ranks: no sentence is like {missing}; wider than 80 columns: {wide}; the summary:\n{text}'
    return None


def check(mpirun, stencil, transform, ranks):
    for _ in range(TRIES):
        with tempfile.TemporaryDirectory() as folder:
            fault = find_fault(ranks, *summarize(mpirun, stencil, transform, ranks, folder))
        if fault is None:
            return
    sys.exit(fault)


def main(mpirun, stencil, transform, *numbers):
    for ranks in numbers:
        check(mpirun, stencil, transform, int(ranks))


if __name__ == '__main__':
    main(sys.argv[1], os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3]), *sys.argv[4:])
