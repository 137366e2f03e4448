#!/usr/bin/env python3
"""Run reports with one MPI, as a user would: run.py --mpi NAME --bin DIR… [-- NAME FILE]… reports them in TAP, run.py --mpi NAME --bin DIR… FILE
runs one. README.md has the words of a report.

run.py --list FOLDER prints the tests of its files for meson.build: MPI, name, file and group of each."""

import argparse
import csv
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'mpi'))
from expect import tap  # noqa: E402
from expect.job import AT_ONCE, OPEN_MPI, QUICK_START  # noqa: E402

MPIS = ('openmpi', 'mpich')
KEYS = ('ingredient', 'source', 'mpi', 'needs', 'build', 'run', 'expect', 'timeout')
COMPILERS = {'.c': 'mpicc', '.cc': 'mpicxx', '.f90': 'mpifort'}
HIERA_RUN = re.compile(r'\bhiera-run((?: --?[a-z][\w-]*(?:=\S+)?)*) (?!-)')


class Report:
    """The words in the first comment of a file."""

    def __init__(self, path):
        self.path, self.words = os.path.abspath(path), {key: [] for key in KEYS}
        with open(path, encoding='utf-8') as file:
            for number, line in enumerate(file, 1):
                text = line.strip().lstrip('/*!# ').removesuffix('*/').strip()
                key, _, value = text.partition(': ')
                if key in KEYS:
                    self.words[key].append(value.strip())
                elif any(self.words.values()) and text and not line.lstrip().startswith(('#include', '/*', '*', '!', '#')):
                    break
                elif re.match(r'[a-z]+: ', text) and not any(self.words.values()):
                    sys.exit(f'{path}:{number}: {key} is no word of a report; there are {", ".join(KEYS)}')
        for key in ('ingredient', 'source', 'expect'):
            if not self.words[key]:
                sys.exit(f'{path}: a report says its {key}')

    @property
    def name(self):
        return os.path.splitext(os.path.basename(self.path))[0].replace('-', ' ')

    @property
    def mpis(self):
        return self.words['mpi'][0].split() if self.words['mpi'] else MPIS

    def builds(self):
        suffix = os.path.splitext(self.path)[1]
        return self.words['build'] or ([f'{COMPILERS[suffix]} -g %f -o app'] if suffix in COMPILERS else [])

    def run(self):
        return (self.words['run'] or ['hiera-run mpirun -n 2 ./app'])[0]


class Place:
    """A folder in which the report runs, and the commands of one MPI."""

    def __init__(self, report, mpi, bins):
        self.report, self.folder = report, tempfile.mkdtemp(prefix='hiera-report-')
        self.limit = int((report.words['timeout'] or ['60'])[0])
        commands = os.path.join(self.folder, '.bin')
        os.mkdir(commands)
        for word in ('mpicc', 'mpicxx', 'mpifort', 'mpirun', 'mpiexec'):
            found = shutil.which(f'{word}.{mpi}')
            if found: # no link: Hydra looks for its helpers beside it
                with open(os.path.join(commands, word), 'w', encoding='utf-8') as script:
                    script.write(f'#!/bin/sh\nexec {found} "$@"\n')
                os.chmod(script.name, 0o755)
        env = {k: v for k, v in os.environ.items() if not k.startswith('HIERA_') and k != 'LD_PRELOAD'}
        env.update(OPEN_MPI, CASES=os.path.dirname(report.path), **QUICK_START, OMPI_MCA_pml='ob1', OMPI_MCA_orte_tmpdir_base=self.folder, MPI=mpi,
                   LIBHIERA=os.path.abspath(os.path.join(bins[0], f'libhiera-{mpi}.so')),
                   PATH=':'.join([commands, *map(os.path.abspath, bins), env['PATH']]))
        launched = set(re.findall(r'mpirun .*?-n (\d+)', ' '.join([report.run(), *report.words['expect']])))
        self.env = {**env, **(AT_ONCE if launched == {'1'} else {})}

    def shell(self, command, folder=None):
        """(exit status, standard output, standard error) of a command."""
        command = command.replace('%f', self.report.path)
        with subprocess.Popen(['sh', '-c', command], cwd=folder or self.folder, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors='replace', start_new_session=True) as process:
            try:
                out, err = process.communicate(timeout=self.limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGTERM)
                out, err = process.communicate()
                return 'not finished', out, err
            return process.returncode, out, err

    def clean(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Judge:
    """Compares what happened with what the report expects."""

    def __init__(self, place):
        self.place, self.faults, self.runs, self.counts = place, [], {}, None

    def wrong(self, what):
        self.faults.append(what)

    def run(self):
        for command in self.place.report.builds():
            code, out, err = self.place.shell(command)
            if code:
                return self.wrong(f'{command}: {code}\n{out}{err}')
        command = self.place.report.run()
        plain = HIERA_RUN.sub('', command)
        if plain == command:
            return self.wrong(f'{command}: runs no hiera-run')
        self.runs = {'without': self.place.shell(plain), 'with': self.place.shell(command)}
        self.expected = self.place.report.words['expect']
        if 'other output' not in self.expected:
            self.same()
        for line in self.expected:
            self.judge(line)
        if not {'no trace', 'findings'} & set(self.expected):
            self.valid()
        return None

    def same(self):
        (code, out, _), (code_with, out_with, err_with) = self.runs['without'], self.runs['with']
        if code_with != code:
            self.wrong(f'exit status: {code} without Hiera, {code_with} with it')
        if sorted(out.splitlines()) != sorted(out_with.splitlines()):
            self.wrong(f'output without Hiera:\n{out}with it:\n{out_with}')
        if self.faults:
            self.wrong(f'standard error with Hiera:\n{err_with[-2000:]}')

    def judge(self, line):
        word, _, rest = line.partition(' ')
        said = self.runs['with'][1] + self.runs['with'][2]
        if word == 'says':
            if not re.search(rest, said):
                self.wrong(f'nothing says {rest!r}:\n{said[-2000:]}')
        elif word == 'never':
            if re.search(rest, said):
                self.wrong(f'something says {rest!r}:\n{said[-2000:]}')
        elif word == 'calls':
            operation, number = rest.split()
            actual = self.calls().get(operation, 0)
            if actual != int(number):
                self.wrong(f'calls of {operation}: expected {number}, recorded {actual}')
        elif word == 'answer':
            command, _, pattern = rest.partition(' => ')
            code, out, err = self.place.shell(command)
            if not re.search(pattern, out + err):
                self.wrong(f'{command}: {code}, does not say {pattern!r}:\n{out}{err}')
        elif line == 'no trace':
            if self.traces():
                self.wrong(f'there are traces: {self.traces()}')
        elif line not in ('other output', 'findings'):
            self.wrong(f'expect: {line}: no such expectation (README.md)')

    def traces(self):
        return sorted(glob.glob(os.path.join(self.place.folder, '**', 'trace*.xml'), recursive=True))

    def calls(self):
        if self.counts is None:
            self.counts = self.count()
        return self.counts

    def count(self):
        code, out, err = self.place.shell('hiera-transform . --measure counts --format csv --quiet')
        if code:
            self.wrong(f'hiera-transform . --measure counts: {code}\n{err}')
        return {row['operation']: int(row['count']) for row in csv.DictReader(out.splitlines())}

    def valid(self):
        if not self.traces():
            return self.wrong(f'no trace\n{self.runs["with"][2]}')
        for command in ('xmllint --noout --valid ' + ' '.join(self.traces()), 'hiera-transform --validate .'):
            code, out, err = self.place.shell(command)
            if code:
                self.wrong(f'{command}: {code}\n{out}{err}')
        return None


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--mpi', choices=MPIS)
    parser.add_argument('--bin', action='append', default=[], help='folder of hiera-run and libhiera, then that of hiera-transform')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--keep', action='store_true', help='leave the folder of the run and name it')
    parser.add_argument('files', nargs='*')
    return parser.parse_args(words)


def run(path, options):
    """The exit status of one report."""
    report = Report(path)
    lacking = [word for word in ' '.join(report.words['needs']).split() if not shutil.which(word)]
    if lacking:
        print(f'skipped: {" ".join(lacking)} is not installed')
        return tap.SKIPPED
    place = Place(report, options.mpi, options.bin)
    judge = Judge(place)
    try:
        judge.run()
    finally:
        if options.keep:
            print(place.folder)
        else:
            place.clean()
    if judge.faults:
        print(f'{report.name}, {options.mpi}: {report.words["ingredient"][0]}', *judge.faults, sep='\n')
    return 1 if judge.faults else 0


def main():
    words, named, is_kept = tap.split(sys.argv[1:])
    options = parse(words + ['--keep'] * is_kept)
    if options.list:
        reports = [Report(path) for path in sorted(glob.glob(os.path.join(options.files[0], '*.*')))]
        groups = tap.in_groups({(mpi, report): f'reports, {mpi}' for report in reports for mpi in report.mpis}, lambda _: 12)
        print('\n'.join(f'{mpi}|{report.name}|{report.path}|{group}' for (mpi, report), group in groups.items()))
        return 0
    if options.files:
        return run(options.files[0], options)
    return tap.run([(name, 180, lambda path=path: run(path, options)) for name, path in named])


if __name__ == '__main__':
    sys.exit(main())
