"""Rules of HIERA_ASSERT, and what hiera-transform says that became of them."""

import json
import os
import subprocess

from expect.judgement import expect_true


def write_rules(result_folder, rules):
    path = os.path.join(result_folder, 'rules.txt')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n'.join(rules) + '\n')
    return path


def judge(job, *arguments):
    """The rows that hiera-transform has of the rules, and its exit status."""
    run = subprocess.run([os.path.abspath(job.transform), *arguments, '--format', 'json'], capture_output=True, text=True, check=False)
    expect_true(run.returncode in (0, 1), run.stderr)
    return json.loads(run.stdout)['assertions'], run.returncode


def short(row):
    """What a row says; when a process ends early depends on who looks at the clock."""
    return {name: value for name, value in row.items() if value not in ('', 0) and name not in ('rule', 'time')}
