#!/usr/bin/env python3
"""wildcards.py HIERA_PREDICT PROGRAM LIBRARY MPIEXEC…: the traces of this MPI tell which receives asked for any rank, in both encodings."""
import os
import pathlib
import subprocess
import sys
import tempfile

predict, program, library, *launch = sys.argv[1:]
preloaded = [path for path in [os.environ.get('LD_PRELOAD')] if path]  # what makes waiting ranks leave the processor
failures = []
for encoding in ('full', 'compact'):
    with tempfile.TemporaryDirectory() as folder:
        traces = pathlib.Path(folder, 'traces')
        run = subprocess.run([*launch, '-n', '3', program], capture_output=True, text=True, check=False, timeout=100,
                             env={**os.environ, 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'LD_PRELOAD': ':'.join([library, *preloaded]), 'HIERA_DIR': str(traces), 'HIERA_FORMAT': encoding})
        done = subprocess.run([predict, str(traces), '--rematch'], capture_output=True, text=True, check=False, timeout=100)
        if run.returncode != 0 or done.returncode != 0 or ' of 13 receives from any rank, or with any tag, take other messages' not in done.stderr:
            failures.append(f'{encoding}: {run.returncode} {run.stderr}{done.returncode} {done.stderr}')
for failure in failures:
    print(failure)
sys.exit(bool(failures))
