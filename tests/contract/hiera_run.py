#!/usr/bin/env python3
"""How hiera-run reads command lines: hiera_run.py HIERA_RUN PROGRAM STATIC. PROGRAM is linked with Open MPI, STATIC is wholly static. The launcher is a
script that replaces mpirun; commands before it are the real ones."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

MPIRUN = '#!/bin/sh\n[ "$1" = --version ] && echo "mpirun (Open MPI) 4.1.4" && exit\necho "pid $$ $HIERA_SUMMARY"\nexit 7\n'
RUNNERS = ['nice -n 5', 'env A=1 B=/tmp', 'taskset -c 0', 'stdbuf -o L', 'timeout 60', 'nohup', 'setsid -w', 'chrt -b 0', 'ionice -c 3',
           'strace -f -o out', 'time', 'nice env A=1 timeout -k 1 60', 'numactl -N 0', 'perf stat -e cycles', 'gdb --args', 'xvfb-run -a',
           'sudo -E']
failures = []


def expect(what, actual, expected):
    if actual != expected:
        failures.append(f'{what}: expected {expected!r}, actual {actual!r}')


def heed_all():
    """The tests may run under nohup, which has SIGHUP ignored, or in the background of a shell, which has SIGINT and SIGQUIT ignored."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


class Place:
    """A folder with the launcher, a program without MPI, and replacements for commands that are not installed."""

    def __init__(self, folder, run, program, static):
        self.run, self.program, self.static, self.folder = run, program, static, pathlib.Path(folder)
        for name in ['mpirun', *{runner.split()[0] for runner in RUNNERS}]:
            if name == 'mpirun' or not shutil.which(name):
                (self.folder / name).write_text(MPIRUN if name == 'mpirun' else '#!/bin/sh\n')
                (self.folder / name).chmod(0o755)
        (self.folder / 'no-mpi.c').write_text('int main(void) { return 0; }\n')
        subprocess.run(['cc', 'no-mpi.c', '-o', 'no-mpi'], cwd=folder, check=True)

    def __call__(self, *words, **settings):
        env = {k: v for k, v in os.environ.items() if not k.startswith(('HIERA_', 'LD_PRELOAD', 'NVTX_'))}
        env.update(settings, PATH=f'{self.folder}:{env["PATH"]}')
        done = subprocess.run([self.run, *words], cwd=self.folder, env=env, capture_output=True, text=True, check=False)
        # What killed jobs of others have left on this machine is no matter of the test.
        said = [line for line in done.stderr.splitlines(keepends=True) if 'ranks of an earlier job' not in line]
        return done.returncode, done.stdout, ''.join(said)

    def signalled(self, name, script, send=os.kill):
        """hiera-run gets a signal when the launcher, this script, is ready: what that says then, and the exit status."""
        launcher = self.folder / 'mpirun'
        launcher.write_text(MPIRUN[:MPIRUN.index('echo "pid')] + script + '\n')
        env = dict(os.environ, PATH=f'{self.folder}:{os.environ["PATH"]}')
        command = [self.run, 'mpirun', '-n', '2', self.program]
        with subprocess.Popen(command, cwd=self.folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              start_new_session=True, preexec_fn=heed_all) as process:
            process.stdout.readline()
            send(process.pid, getattr(signal, f'SIG{name}'))
            return process.communicate()[0], process.returncode


def counters_are_listed(place):
    code, out, err = place('--counters', 'proc:r?s', 'perf:page*', 'perf:instr*', 'user:*')
    lines = out.splitlines()
    expect('--counters', (code, err, lines[0]), (0, '', 'proc: what the kernel tells of the process and of the machine'))
    expect('proc:rss', [line.split()[:2] for line in lines if 'rss' in line], [['proc:rss', 'B']])
    expect('perf:page-faults', sum('perf:page-faults' in line for line in lines), 1)
    expect('too long', [line for line in lines if len(line) > 80], [])
    for words, wrong in ((['none:*'], "'none:*'"), (['proc:rss', 'nosuch'], "'nosuch'"), (['proc:rsss'], "'proc:rsss'; did you mean 'proc:rss'?"), (['mpi:no*'], "'mpi:no*'"),
                         (['sum(nosuch)'], "'sum(nosuch)'")):
        code, out, err = place('--counters', *words)
        expect(f'--counters {words}', (code, 'proc:rss' in out, err), (2, 'proc:rss' in words, f'hiera-run: --counters: no counter is called {wrong}\n'))
    code, out, err = place('--counters', 'user:mine', 'sum(proc:rss)')
    expect('--counters that may come', (code, err), (0, ''))
    code, out, err = place('--counters')
    expect('all', (code, err, [line for line in out.splitlines() if len(line) > 80]), (0, '', []))
    expect('families', [line.split(':')[0] for line in out.splitlines() if not line.startswith(' ')], ['proc', 'perf', 'papi', 'malloc', 'mpi', 'user'])


def the_doctor_names_what_is_wrong(place):
    """Each fault is a row: the command, settings and limits; the row that must be there. The last line and the exit status are those of the worst row."""
    mine, allowed = place.folder / 'mine', {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}
    (place.folder / 'teams.c').write_text('#include <omp.h>\nint MPI_Init(void *, void *);\nint main(void) { MPI_Init(0, 0); return omp_get_max_threads(); }\n')
    linked = [line.split('=>')[1].split()[0] for line in subprocess.run(['ldd', place.program], capture_output=True, text=True, check=True).stdout.splitlines() if 'libmpi.so' in line]
    subprocess.run(['cc', '-fopenmp', '-s', 'teams.c', '-o', 'teams', *linked], cwd=place.folder, check=True)
    shutil.copy(place.program, mine)
    mine.chmod(0o4755)
    (place.folder / 'script').write_text('#!/bin/sh\nunset LD_PRELOAD\n')
    (place.folder / 'script').chmod(0o755)
    (place.folder / 'plain').write_bytes(mine.read_bytes())
    launched = ['mpirun', '-n', '2', place.program]
    is_root = os.geteuid() == 0
    root = 'launcher BAD that of Open MPI does not run programs of root' if is_root else 'program ok '
    for words, settings, row, worst in (
            (launched, {}, rf'program ok {place.program} is linked with libmpi\.so\.40', ''), (launched, {}, r'library ok /\S*libhiera-openmpi\.so', ''),
            (launched, {}, r'loading ok ', ''), (launched, {}, rf'lines ok {place.program} has debug', ''), (launched, {}, 'folder ok ', ''), (launched, {}, r'clock \w+ ', ''),
            ([], {}, r'library ok /\S*libhiera-openmpi\.so', ''), ([place.static], {}, rf'job BAD {place.static}: wholly static', 'job'),
            (['mpirun', './nosuch'], {}, 'program maybe no word of the command is a program here', 'program'), (['mpirun', './script', 'out/new'], {}, 'program maybe no word', 'program'),
            (['mpirun', './script'], {}, r'preloading maybe \S*script sets LD_PRELOAD', 'program'), (['mpirun', './plain'], {}, 'program maybe no word', 'program'),
            (['mpirun', './mine'], {}, r'program ok \./mine is linked', ''), (['mpirun', 'env', '-i', place.program], {}, "preloading maybe '-i' may take away", 'preloading'),
            (['--assert=nosuch', *launched], {}, r'job BAD (\S* )?nosuch: No such file', 'job'), (['--baseline=x', *launched], {}, 'job BAD --baseline is for the rules', 'job'),
            (['mpirun', './teams'], {}, r'lines note \./teams has no debug .* -> compile .* -g', ''),
            (['mpirun', './teams'], {}, r'levels note libgomp\.so\.1: .* -> hiera-run --level=openmp', ''), (['--level=openmp', 'mpirun', './teams'], {}, 'levels ok of libraries: openmp$', ''),
            (['mpirun', '-n', '9000', place.program], {}, 'processors maybe .*; 9000 ranks -> ', 'processors'), (['mpirun', '--oversubscribe', '-n', '9000', place.program], {}, 'processors note .*; 9000 ranks -> ', ''),
            ([*launched, '-n', '9000'], {}, 'processors .*; 2 ranks', ''), (launched, {'HIERA_DIR': '/proc/there'}, 'folder BAD /proc cannot be written: .* -> ', 'folder'),
            (['mpirun', './no-mpi'], {}, r'preloading maybe \./no-mpi is not linked with an MPI', 'preloading'), (launched, {'LD_PRELOAD': '/nosuch.so'}, 'loading note .*/nosuch.so', ''),
            (launched, {'HIERA_FITLER': ''}, 'settings note HIERA_FITLER: no such setting; did you mean HIERA_FILTER', ''),
            (launched, {'HIERA_BUFFER': 'much'}, 'settings note HIERA_BUFFER: much: it must be a number of bytes', ''), (launched, {'HIERA_ENABLED': '0'}, 'job BAD HIERA_ENABLED=0: nothing', 'job'),
            (launched, {}, 'matching ok', ''), (launched, {'HIERA_FILTER': 'all'}, 'matching note HIERA_FILTER=all: calls', ''), (launched, {'HIERA_LEVELS': 'app'}, 'matching note HIERA_LEVELS=app', ''),
            (launched, {'HIERA_MODE': 'window,last=10s'}, 'matching note HIERA_MODE=window,last=10s: calls', ''), ([*launched, ':', '-n', '1', place.static], {}, rf'matching note {place.static} is not', 'preloading'),
            (launched, {'HIERA_SURVIVE': 'off'}, 'memory note HIERA_SURVIVE=off', ''), (launched, {'HIERA_SURVIVE': 'folder'}, 'memory ok HIERA_SURVIVE=folder', ''),
            (launched, {'HIERA_MORE': 'clock=kernel'}, 'clock ok that of the kernel, as', ''), ([*launched], {'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': None}, root, 'launcher' if is_root else ''),
            (['mpirun', '--allow-run-as-root', *launched[1:]], {'OMPI_ALLOW_RUN_AS_ROOT': None}, 'program ok ', '')):
        status, out, err = place('--doctor', *words, **{name: value for name, value in {**allowed, **settings}.items() if value is not None})
        rows = [re.sub(r'\s+', ' ', found) for found in re.split(r'\n(?=\S)', out)]
        is_bad = any(re.match(rf'{worst} +BAD ', found) for found in rows)
        expect(f'--doctor {words} {settings}: {row} in {rows}', (status, any(re.match(row, found) for found in rows), 'LD_PRELOAD' not in settings and err), (int(is_bad), True, 'LD_PRELOAD' not in settings and ''))
        expect(f'--doctor {words} {settings}: its last line', out.splitlines()[-1],
               f'A recording {"would" if is_bad else "may"} not work: see {worst}.' if worst else f'A recording would work{"" if words else ", as far as is seen without a command"}.')
        expect('--doctor: lines of texts longer than 80 columns', [line for line in out.splitlines() if len(line) > 80 and '/' not in line], [])
    (place.folder / 'mpirun').write_text(MPIRUN.replace('Open MPI', 'HYDRA'))
    expect('--doctor, another MPI', re.search(r'job        BAD   .*is\s+linked\s+with\s+libmpi\.so\.40,\s+but\s+mpirun\s+belongs', place('--doctor', *launched)[1]) is not None, True)
    (place.folder / 'mpirun').write_text(MPIRUN)
    script = f'ulimit -f 1024; exec {place.run} --doctor'
    expect('--doctor, limits', 'a file may have 1 MB' in subprocess.run(['bash', '-c', script], cwd=place.folder, capture_output=True, text=True, check=False).stdout, True)
    if is_root:
        os.chown(mine, 65534, 65534)
        mine.chmod(0o4755)
        expect('--doctor, the rights of another user', re.search(r'preloading maybe  ?\./mine\s+has\s+rights', place('--doctor', 'mpirun', './mine', **allowed)[1]) is not None, True)
    alone = shutil.copy(place.run, place.folder)
    done = subprocess.run([alone, '--doctor'], capture_output=True, text=True, check=False)
    if not re.match(r'library +ok', done.stdout):  # Hiera is not installed on this machine
        expect('--doctor, without libhiera', (done.returncode, done.stdout[:24], done.stdout.splitlines()[-1]), (1, 'library    BAD   no libh', 'A recording would not work: see library.'))
    pathlib.Path(alone).unlink()
    expect('--doctor leaves nothing', [path.name for path in place.folder.iterdir() if 'doctor' in path.name], [])


def what_the_doctor_says_is_so(place):
    """The launcher runs the program, alone. Where nobody can know before, the doctor says so, whatever comes of it."""
    (place.folder / 'mpirun').write_text(MPIRUN[:MPIRUN.index('echo "pid')] + 'while [ "$1" = -x ]; do case $2 in *=*) export "$2";; esac; shift 2; done\nexec "$@"\n')
    (place.folder / 'starts').write_text(f'#!/bin/sh\nexec {place.program}\n')
    (place.folder / 'starts').chmod(0o755)
    library = pathlib.Path(place.run).parent / 'libhiera-openmpi.so'
    allowed = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}
    for i, (words, may, traces) in enumerate(((['mpirun', place.program], 'would', 1), (['mpirun', './starts', 'out/new'], 'may not', 1), (['mpirun', 'env', '-i', place.program], 'may not', 0),
                                              ([f'--library={library}', 'mpirun', 'sh', '-c', f'cd . && {place.program}'], 'may not', 1))):
        said = place('--doctor', *words, **allowed)[1].splitlines()[-1]
        out = place(f'--dir=run{i}', *words, **allowed)
        expect(f'{words}: {said} {out}', (said.startswith(f'A recording {may} work'), len(list(place.folder.glob(f'run{i}/trace*.xml')))), (True, traces))
        shutil.rmtree(place.folder / f'run{i}', ignore_errors=True)
    (place.folder / 'mpirun').write_text(MPIRUN)


def launchers_are_found_after_other_commands(place):
    code, out, err = place('--print', 'mpirun', '-n', '4', place.program)
    added = re.fullmatch(r'mpirun (-x HIERA_SUMMARY -x LD_PRELOAD=(\S*libhiera-openmpi\.so\S*)) -n 4 ' + re.escape(place.program) + '\n', out)
    if code or not added:
        failures.append(f'mpirun alone: exit {code}\n{out}{err}')
        return
    shutil.copy(place.program, place.folder / 'fast=3')
    expect('a program that env takes for a variable', place('--print', './fast=3', 'a b')[1].split(maxsplit=2)[2], 'sh -c \'exec "$@"\' sh ./fast=3 \'a b\'\n')
    for runner in RUNNERS:
        code, out, err = place('--print', *runner.split(), 'mpirun', '-n', '4', place.program)
        expect(f'{runner} mpirun', (code, out), (0, f'{runner} mpirun {added[1]} -n 4 {place.program}\n'))
        code, out, err = place('--print', *runner.split(), place.program, 'mpirun')
        expect(f'{runner} PROGRAM: libraries', (code, out.count(f'env LD_PRELOAD={added[2]}'), '-x' in out), (0, 1, False))
        before = out.index('gdb') if 'gdb' in runner else out.index(place.program)
        expect(f'{runner} PROGRAM: where', out[:before].endswith(f'{added[2]} '), True)


def each_program_of_a_job_is_traced(place):
    """mpirun -n 2 ./a : -n 2 ./b. Open MPI's -x holds only for the program before which it stands, Hydra's -genv for all."""
    preload = r'-x LD_PRELOAD=\S*libhiera-openmpi\.so\S*'
    some = rf'-x HIERA_SUMMARY {preload} -n 1 {re.escape(place.program)}'
    for given, wanted in (([':'], rf'mpirun {some} : {some}'), ([':', ':'], rf'mpirun {some} : : {some}')):
        words = ['mpirun', '-n', '1', place.program, *given, '-n', '1', place.program]
        code, out, _ = place('--print', *words)
        expect(f'{given}: {out}', (code, bool(re.fullmatch(wanted + '\n', out))), (0, True))
    expect('a colon at the end', place('--print', 'mpirun', place.program, ':')[1].count('-x LD_PRELOAD'), 1)
    expect('a colon of the program', place('--print', place.program, ':', 'x')[1].count('LD_PRELOAD'), 1)
    (place.folder / 'programs').write_text(f'-n 2 {place.program}\n')
    expect('programs in a file', re.search(r'with --app mpirun ignores .* write -x LD_PRELOAD=/\S+ into each line', place('mpirun', '--app', 'programs')[2]) is not None, True)
    (place.folder / 'mpirun').write_text(MPIRUN.replace('Open MPI', 'HYDRA'))
    expect('Hydra', place('--print', 'mpirun', '-n', '1', place.program, ':', '-n', '1', place.program)[1].count('LD_PRELOAD'), 1)
    (place.folder / 'mpirun').write_text(MPIRUN)


def what_srun_hands_on_is_kept(place):
    """srun takes the last --export, or SLURM_EXPORT_ENV: what is preloaded is added to it, and settings to a list without ALL."""
    ours, others = r'LD_PRELOAD=\S*libhiera-openmpi\.so\S*', {'HIERA_DIR': '/there', 'HIERA_SUMMARY': '1'}
    (place.folder / 'srun').write_text('#!/bin/sh\n')
    (place.folder / 'srun').chmod(0o755)
    for given, slurm, wanted in (([], {}, rf'--export=ALL,{ours}'), (['--export=ALL,A=1'], {}, rf'--export=ALL,A=1,{ours}'),
                                 (['--export=NONE'], {}, rf'--export={ours},HIERA_DIR,HIERA_SUMMARY'), (['--export', 'NIL'], {}, rf'--export {ours},HIERA_DIR,HIERA_SUMMARY'),
                                 (['--export=A,HIERA_DIR=/x'], {}, rf'--export=A,HIERA_DIR=/x,{ours},HIERA_SUMMARY'),
                                 (['--export=LD_PRELOAD=/lib/x.so,ALL'], {}, rf'--export={ours}:/lib/x\.so,ALL'), (['--export', 'LD_PRELOAD,ALL'], {}, rf'--export {ours},ALL'),
                                 ([], {'SLURM_EXPORT_ENV': 'NONE'}, rf'--export={ours},HIERA_DIR,HIERA_SUMMARY'), ([], {'SLURM_EXPORT_ENV': 'ALL'}, rf'--export=ALL,{ours}'),
                                 (['--export=ALL', '--export=NONE'], {}, rf'--export=ALL,{ours} --export={ours},HIERA_DIR,HIERA_SUMMARY')):
        code, out, _ = place('--print', 'srun', '-n', '2', *given, place.program, '--export=NONE', **others, **slurm)
        out = ' '.join(sorted_settings(word) for word in out.split())
        pattern = rf'srun -n 2 {wanted} {re.escape(place.program)} --export=NONE' if given else rf'srun {wanted} -n 2 {re.escape(place.program)} --export=NONE'
        expect(f'{given} {slurm}: {out}', (code, bool(re.fullmatch(pattern, out))), (0, True))
    out = place('--print', 'srun', '--export=NONE', 'env', 'LD_PRELOAD=/lib/x.so', place.program)[1]
    expect(f'env behind srun: {out}', bool(re.fullmatch(rf'srun --export={ours}\S* env {ours}:/lib/x\.so {re.escape(place.program)}\n', out)), True)


def sorted_settings(word):
    """Names of settings at the end of a list come in the order of the environment."""
    parts = word.split(',')
    names = [part for part in parts if part.startswith('HIERA_') and '=' not in part and part not in ('HIERA_RUN', 'HIERA_RUN_DIR')]
    return ','.join([part for part in parts if not part.startswith('HIERA_') or '=' in part] + sorted(names))


def standard_streams_may_be_closed(place):
    """Then the pipe from the dynamic loader gets their numbers."""
    done = subprocess.run(['sh', '-c', '"$0" --print "$1" <&- >&-', place.run, place.program], cwd=place.folder, stderr=subprocess.PIPE, text=True, check=False)
    expect('standard input and output closed', (done.returncode, done.stderr), (0, ''))


def messages_contain_no_control_characters(place):
    code, out, err = place('no-\x1b[2J\u202ech')
    expect('message', (code, out, '\x1b' in err or '\u202e' in err, 'no-?[2J\ufffdch' in err), (2, '', False, True))


def mistakes_in_scripts_are_shown_with_their_line(place):
    code, _, err = place('--probe', 'call::sendd { print(1); }', place.program)
    expect('script', (code, [line.partition(': ')[2] for line in err.splitlines()]),
           (2, ["--probe: column 7: there is no MPI function 'sendd'; did you mean 'send'?", 'call::sendd { print(1); }', '      ^~~~~']))


def errors_name_the_word_that_is_wrong(place):
    for words, word in ((['nice', '-n', '5', './no-mpi'], './no-mpi'), (['./no-mpi', 'mpirun'], './no-mpi'), (['env', 'A=1', 'no-such'], 'no-such'),
                        (['nice', place.static], place.static), (['mpirun', '-n', '2', place.static], place.static)):
        code, _, err = place(*words)
        expect(' '.join(words), (code, err.startswith(f'hiera-run: {word}: ')), (2, True))
    for words in (['--dir=a', '--dir', 'b'], ['--probe=counts', '--probe', 'bytes']):
        expect(f'{words}', place(*words, '--print', place.program)[0::2], (2, f'hiera-run: {words[1]} is given twice; give it once\n'))
    expect('--dir -', place('--dir', '-', place.program)[0::2], (2, 'hiera-run: --dir -: several files cannot go to standard output; name a folder for them\n'))
    expect('HIERA_DIR=-', place(place.program, HIERA_DIR='-')[0::2], (2, 'hiera-run: HIERA_DIR=-: several files cannot go to standard output; name a folder for them\n'))
    expect('no command', place('no-such')[0::2], (2, 'hiera-run: no-such: no such command\n'))


def programs_with_the_handles_of_another_mpi_are_refused(place):
    """Handles of a layer such as Mukautuva may be longer than those of the MPI that the launcher has; a draft of the ABI has other constants."""
    (place.folder / 'other.c').write_text('int MPI_Init(int *argc, char ***argv);\n#ifdef OTHER\nint MPI_Init(int *argc, char ***argv) { return !argc + !argv; }\n'
                                          '#else\nint main(int argc, char **argv) { return MPI_Init(&argc, &argv); }\n#endif\n')
    for soname, said in (('libmuk.so', 'libmuk.so'), ('libmpi_abi.so.0', 'libmpi_abi.so.0, a draft')):
        for words in (['-DOTHER', '-shared', '-fPIC', '-o', soname, f'-Wl,-soname,{soname}'], ['-o', 'other', f'./{soname}']):
            subprocess.run(['cc', 'other.c', *words], cwd=place.folder, check=True)
        for words in (['mpirun', '-n', '2', './other'], ['./other']):
            code, _, err = place(*words, LD_LIBRARY_PATH=str(place.folder))
            expect(' '.join([soname, *words]), (code, err.startswith(f"hiera-run: no libhiera for the program's MPI ({said}); looked at: ")), (2, True))


def a_job_without_traces_is_reported(place):
    note = 'hiera-run: ./no-mpi is not linked with an MPI library'
    for words, settings, expected in (([], {}, note), (['--quiet'], {}, ''), ([], {'HIERA_QUIET': '1'}, '')):
        code, _, err = place(*words, 'mpirun', '-n', '2', './no-mpi', **settings)
        expect(f'{words} {settings} no-mpi', (code, err[:len(expected or err)]), (7, expected))
    bash = os.path.realpath('/bin/bash')
    note = f'hiera-run: this run left no trace in {os.path.realpath(place.folder)}: none of its processes on this host has called MPI through libhiera\n'
    hint = 'hiera-run: if it did call MPI: does a script or program before it set LD_PRELOAD or clear the environment? Keep there LD_PRELOAD='
    expect('an interpreter that fails', place('mpirun', '-n', '2', bash, '-c', 'true')[2], note)
    (place.folder / 'mpirun').write_text(MPIRUN.replace('exit 7', 'exit 0'))
    for words, expected in ((['mpirun', '-n', '2', bash, '-c', 'true'], note), (['--quiet', 'mpirun', '-n', '2', bash, '-c', 'true'], ''),
                            (['mpirun', '-n', '2', place.program], note), (['mpirun', '-n', '2', '-x', 'HIERA_DIR=elsewhere', place.program], '')):
        lines = place(*words)[2].splitlines(True)
        expect(f'{words}', (''.join(lines[:1]), ''.join(lines[1:])[:len(hint)]), (expected, hint if expected else ''))
    expect('without a trace by intention', place('mpirun', '-n', '2', bash, '-c', 'true', HIERA_TRACE='0', HIERA_PROBE='end { }')[2], '')
    (place.folder / 'hieraCollector.xml').write_text('old')
    expect('an old trace', place('mpirun', '-n', '2', bash, '-c', 'true')[2].splitlines(True)[:2],
           [note, 'hiera-run: the traces in this folder are those of an earlier run\n'])
    (place.folder / 'mpirun').write_text(MPIRUN.replace('exit 7', 'echo new > new; mv new hieraCollector.xml; exit 0'))
    expect('an interpreter with a trace', place('mpirun', '-n', '2', bash, '-c', 'true')[2], '')
    (place.folder / 'hieraCollector.xml').unlink()
    (place.folder / 'mpirun').write_text(MPIRUN)
    expect('switched off', place('mpirun', '-n', '2', place.program, HIERA_ENABLED='0')[2], 'hiera-run: HIERA_ENABLED=0: nothing is recorded\n')
    (place.folder / 'mpirun').write_text(MPIRUN.replace('Open MPI', 'HYDRA'))
    expect('the other mpirun', 'but mpirun belongs to another MPI' in place('mpirun', '-n', '2', place.program)[2], True)
    (place.folder / 'mpirun').write_text(MPIRUN)


def hiera_run_is_replaced_by_the_command(place):
    """Where nothing is left to be done in the end, and beside other ranks; else it waits."""
    for settings, is_same in (({}, False), ({'HIERA_SURVIVE': 'off'}, True), ({'PMI_RANK': '0', 'PMI_SIZE': '2'}, True)):
        env = dict(os.environ, PATH=f'{place.folder}:{os.environ["PATH"]}', **settings)
        with subprocess.Popen([place.run, 'mpirun', '-n', '2', place.program], env=env, stdout=subprocess.PIPE, text=True) as process:
            out = process.communicate()[0]
        expect(f'{settings}: process, exit status', (out == f'pid {process.pid} 1\n', process.returncode), (is_same, 7))
    expect('quiet', place('--quiet', 'mpirun', place.program)[1].split()[2:], [])


def the_command_gets_the_signals(place):
    """hiera-run waits for the command. It hands on the signals that it gets, and ends as the command ends."""
    for name in ('TERM', 'INT', 'HUP', 'QUIT', 'USR1', 'USR2'):
        caught = f'trap "echo caught; exit 7" {name}; echo ready; while :; do sleep 0.05; done'
        expect(f'SIG{name}, which the command catches', place.signalled(name, caught), ('caught\n', 7))
        expect(f'SIG{name}', place.signalled(name, 'echo ready; exec sleep 60'), ('', -getattr(signal, f'SIG{name}')))
        expect(f'SIG{name}, which is ignored', place.signalled(name, f'trap "" {name}; echo ready; sleep 0.3; echo lived'), ('lived\n', 0))
    (place.folder / 'mpirun').write_text(MPIRUN)


def the_command_stops_and_dies_with_hiera_run(place):
    """A terminal stops both, and a shell that waits for hiera-run sees it. SIGKILL cannot be handed on."""
    (place.folder / 'mpirun').write_text(MPIRUN[:MPIRUN.index('echo "pid')] + 'echo $$; exec sleep 60\n')
    env = dict(os.environ, PATH=f'{place.folder}:{os.environ["PATH"]}')
    with subprocess.Popen([place.run, 'mpirun', '-n', '2', place.program], env=env, stdout=subprocess.PIPE, text=True, preexec_fn=lambda: os.setpgid(0, 0)) as process:
        command = int(process.stdout.readline())
        for send in (os.killpg, os.kill):
            wait_for(lambda: state_of(process.pid) == 'S', 'it waits for signals')
            send(process.pid, signal.SIGTSTP)
            expect('it stops', os.waitpid(process.pid, os.WUNTRACED)[1], signal.SIGTSTP << 8 | 0x7f)
            expect('the command stops', state_of(command), 'T')
            send(process.pid, signal.SIGCONT)
            expect('it goes on', os.WIFCONTINUED(os.waitpid(process.pid, os.WCONTINUED)[1]), True)
            wait_for(lambda: state_of(command) == 'S', 'the command goes on')
        process.kill()
        wait_for(lambda: not pathlib.Path(f'/proc/{command}').exists(), 'the command dies')
    (place.folder / 'mpirun').write_text(MPIRUN)


def state_of(pid):
    return pathlib.Path(f'/proc/{pid}/stat').read_text().split()[2]


def wait_for(condition, what):
    end = time.monotonic() + 20
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    expect(what, condition(), True)


def processes_of(pid):
    """A process and its children."""
    return [pid] + [int(child) for child in pathlib.Path(f'/proc/{pid}/task/{pid}/children').read_text().split()]


def send_to_each(pid, number):
    """As a batch system does that signals all processes of a job, the children first."""
    for process in reversed(processes_of(pid)):
        os.kill(process, number)


def the_command_gets_a_signal_once(place):
    """mpirun takes a second signal as an order to kill its ranks at once, so one that was sent to all processes is not handed on."""
    count = 'n=0; trap "n=\\$((n + 1))" TERM; echo ready; for i in 1 2 3 4 5 6 7 8; do sleep 0.05; done; echo $n'
    for what, send in (('to hiera-run', os.kill), ('to the process group', os.killpg), ('to each process', send_to_each)):
        expect(f'SIGTERMs that the command gets, sent {what}', place.signalled('TERM', count, send)[0], '1\n')
    (place.folder / 'mpirun').write_text(MPIRUN)


def files_that_are_no_programs_are_not_run(place):
    """A file that is not a program must not be executed, even if it names a dynamic loader."""
    program = (place.folder / 'no-mpi').read_bytes()
    start = program.index(b'/lib64/ld-linux-x86-64.so.2')
    (place.folder / 'data').write_bytes(program[:start] + b'/tmp/hiera-run-test-loader\0' + program[start + 27:])
    loader = pathlib.Path('/tmp/hiera-run-test-loader')
    loader.write_text(f'#!/bin/sh\ntouch {place.folder}/was-run\n')
    loader.chmod(0o755)
    place('--print', 'mpirun', '-n', '2', place.program, './data')
    loader.unlink()
    expect('the loader that data names was run', (place.folder / 'was-run').exists(), False)


def few_processes_are_started(place):
    """It starts the dynamic loader once for the program, and the launcher once for its version; no shell, no ldd, no nm."""
    if not shutil.which('strace'):
        return
    log = place.folder / 'started'
    env = dict(os.environ, PATH=f'{place.folder}:{os.environ["PATH"]}')
    subprocess.run(['strace', '-f', '-qq', '-e', 'trace=execve', '-o', log, place.run, '--print', 'mpirun', '-n', '4', place.program], env=env,
                   check=True, stdout=subprocess.DEVNULL)
    expect('programs started', len([line for line in log.read_text().splitlines() if ' = 0' in line]), 3)


def main():
    for name in ('OMPI_ALLOW_RUN_AS_ROOT', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM'): # what a case says holds, wherever the tests run
        os.environ.pop(name, None)
    run, program, static = (os.path.abspath(path) for path in sys.argv[1:4])
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder, run, program, static)
        for case in (counters_are_listed, the_doctor_names_what_is_wrong, what_the_doctor_says_is_so, programs_with_the_handles_of_another_mpi_are_refused, launchers_are_found_after_other_commands,
                     each_program_of_a_job_is_traced, what_srun_hands_on_is_kept, errors_name_the_word_that_is_wrong, standard_streams_may_be_closed, messages_contain_no_control_characters,
                     mistakes_in_scripts_are_shown_with_their_line, a_job_without_traces_is_reported,
                     hiera_run_is_replaced_by_the_command, the_command_gets_the_signals,
                     the_command_gets_a_signal_once, the_command_stops_and_dies_with_hiera_run, files_that_are_no_programs_are_not_run, few_processes_are_started):
            case(place)
    sys.exit('\n'.join(failures) or 0)


if __name__ == '__main__':
    main()
