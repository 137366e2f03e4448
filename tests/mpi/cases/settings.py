"""Settings, and the ways to load the collector into a program."""

import os
import re
import shlex
import subprocess

from expect.case import core_case
from expect.judgement import expect, expect_true
from expect.trace import Trace


def operations(job, rank=0, **settings):
    result = job.run(settings=settings).good()
    trace = result.valid(job.ranks)[rank]
    return result, [e.get('operation') or e.get('method') for _, e in trace.operations()]


@core_case('settings', ranks=[2])
def filter_setting_selects_operations(job):
    everything = ['init', 'comm_rank', 'outer', 'method', 'broadcast', 'barrier', 'group_incl', 'inner', 'finalize']
    for value, missing in ((None, {'init', 'comm_rank', 'finalize'}), ('', set()), ('bcast', {'broadcast'}),
                           ('MPI_Bcast', {'broadcast'}), ('broadcast', {'broadcast'}), ('coll', {'broadcast', 'barrier'}),
                           ('coll,group', {'broadcast', 'barrier', 'group_incl'}), ('Barrier', {'barrier'})):
        result, found = operations(job, HIERA_FILTER=value)
        expect(f'HIERA_FILTER={value}', found, [o for o in everything if o not in missing])
        expect(f'HIERA_FILTER={value}: messages', result.messages(), [])


@core_case('settings', smoke=True)
def levels_setting_selects_levels(job):
    for value, wanted in (('', ['outer', 'method', 'broadcast', 'barrier', 'group_incl', 'inner']), ('app', ['outer', 'inner']),
                          ('oops', ['method']), ('mpi', ['broadcast', 'barrier', 'group_incl']),
                          ('app,mpi', ['outer', 'broadcast', 'barrier', 'group_incl', 'inner'])):
        _, found = operations(job, HIERA_LEVELS=value)
        expect(f'HIERA_LEVELS={value}', found, wanted)


@core_case('settings', ranks=[1, 2])
def unknown_levels_are_reported(job):
    for value, wrong in (('mpi,app,oops,function', []), ('mip,app', ['mip']), ('App,fftw', ['App', 'fftw'])):
        result = job.run(settings={'HIERA_LEVELS': value}).good()
        expect(f'HIERA_LEVELS={value}', sorted(result.messages()), [
            f"hiera: HIERA_LEVELS: rank 0 had nothing of the level '{word}'; levels are mpi, function, app, oops" for word in wrong])


@core_case('settings', ranks=[1], compact=[1])
def arrays_setting_limits_array_arguments(job):
    for value, ranks in ((None, '0'), ('256', '0'), ('0', ' ... (1)')):
        result = job.run(settings={'HIERA_MORE': value and f'arrays={value}'}).good()
        call = result.valid(job.ranks)[0].one(operation='group_incl')
        expect(f'arrays={value}', call.get('ranks').strip(), ranks.strip())


@core_case('settings', ranks=[1, 4])
def help_is_printed_once_per_job(job):
    result = job.run(settings={'HIERA_HELP': 1}).good()
    expect('tables of settings', result.err.count("Hiera's settings"), 1)
    for name in ('HIERA_DIR', 'HIERA_BUFFER', 'HIERA_FILTER', 'HIERA_LEVELS', 'HIERA_ENABLED', 'HIERA_MORE'):
        expect(f'lines of {name}', sum(line.startswith(name + ' ') for line in result.err.splitlines()), 1)
    result.valid(job.ranks)


@core_case('settings', ranks=[2])
def invalid_values_are_reported(job):
    for name, value in (('HIERA_BUFFER', '12q'), ('HIERA_MORE', 'arrays=-3'), ('HIERA_ENABLED', 'yes'), ('HIERA_FILTER', 'env,nosuch'),
                        ('HIERA_PROBE_OPTIONS', 'wait=1,timeout=soon'), ('HIERA_MORE', 'clock=counter,tempo=5')):
        result = job.run(settings={name: value}).good()
        expect(f'{name}={value}: messages', len(result.messages()), 1)
        wrong = value.split(',')[-1]
        expect_true(name in result.messages()[0] and wrong in result.messages()[0],
                    f'{name}={value}: the message names both: {result.messages()[0]}')
        expect('names are printed by', re.search(r'HIERA_HELP=(\w+)', result.messages()[0]).group(1), 'all' if '=' in value else '1')
        result = job.run(settings={name: value, 'HIERA_QUIET': 1}).good()
        expect(f'{name}={value}, quiet: messages', result.messages(), [])


@core_case('settings')
def messages_contain_no_control_characters(job):
    """Messages repeat values and names. Control characters and characters that hide or reorder text are replaced."""
    value = 'a\x1b[2J\x07b\x7f\n\u009bc\u202ed\u2028e\u200bf'
    result = job.run(settings={'HIERA_BUFFER': value, 'HIERA_FILTER': 'nosuch' + value, 'HIERA_F' + value: '1'}).good()
    lines = [line for line in result.err.splitlines() if 'HIERA_' in line]
    expect('messages', [(line.startswith('hiera: HIERA_'), bool(re.search(r'[^ -~\ufffd]', line))) for line in lines], 3 * [(True, False)])
    expect('words', [(line.count('a?[2J?b??'), line.count('??c\ufffdd\ufffde\ufffdf')) for line in lines], 3 * [(1, 1)])


@core_case('settings', ranks=[2])
def former_settings_are_taken_and_said_once(job):
    settings = {'HIERA_ARRAYS': '0', 'HIERA_CLOCK': 'kernel', 'HIERA_MORE': 'clock=counter'}
    result = job.run(settings=settings).good()
    expect('messages', result.messages(), ['hiera: HIERA_ARRAYS: write HIERA_MORE=arrays=… instead; this release still takes it',
                                           'hiera: HIERA_CLOCK: it has no effect beside clock=counter of HIERA_MORE'])
    expect('arrays', result.valid(job.ranks)[0].one(operation='group_incl').get('ranks').strip(), '... (1)')


@core_case('settings', ranks=[2])
def unknown_settings_are_reported(job):
    settings = {'HIERA_FITLER': 'env', 'HIERA_BUFER': '1M', 'HIERA_COLOUR': 'red', 'HIERA_ROOT': '/opt/hiera'}
    result = job.run(settings=settings).good()
    expect('messages', sorted(line.partition('; HIERA_HELP')[0] for line in result.messages()),
           ['hiera: HIERA_BUFER: no such setting; did you mean HIERA_BUFFER', 'hiera: HIERA_COLOUR: no such setting',
            'hiera: HIERA_FITLER: no such setting; did you mean HIERA_FILTER'])


@core_case('settings', ranks=[1])
def a_list_of_counters_ends_no_program(job):
    """Not even one that has no such counter: only hiera-run --counters ends with a status of its own."""
    result = job.run(settings={'HIERA_HELP': 'counters', 'HIERA_COUNTERS': 'nosuch'}, direct=True).good()
    expect_true("no counter is called 'nosuch'" in result.err, result.err)
    expect_true(len(result.valid(1)[0].operations()) > 0, 'the trace is empty')


@core_case('settings')
def invalid_words_are_answered_with_valid_ones(job):
    for name, words in (('HIERA_COMPRESS', 'none,zstd,gzip'), ('HIERA_FORMAT', 'auto,full,compact'), ('HIERA_HELP', '0,1,all,now'),
                        ('HIERA_SEARCH', '0, 1 or common'),
                        ('HIERA_SHORT', '0, 500ns, 1us, 2ms or 1s'), ('HIERA_FILTER', 'p2p')):
        messages = job.run(settings={name: 'lz4'}, direct=True).good().messages()
        expect_true(len(messages) == 1 and words in messages[0], f'{name}=lz4: the message names {words}: {messages}')


@core_case('bare', ranks=[2])
def summary_names_the_folder_of_the_traces(job):
    """Only if it is asked for, once per job, on standard error. The output of the program is the same."""
    plain = job.run().good()
    expect('without hiera-run', plain.messages(), [])
    run = os.path.join(os.path.dirname(job.library), 'hiera-run')
    command = job.command([job.program], job.ranks, {})
    result = job.run(*command, program=run, direct=True).good()
    calls = len(result.valid(job.ranks)[0].operations())
    size = os.path.getsize(result.path(0))
    expect('message', [line for line in result.err.splitlines() if line.startswith('hiera: ')],
           [f'hiera: {job.ranks} rank{"s" if job.ranks > 1 else ""} traced; rank 0: {calls} operations, '
            f'{size if size < 1000 else format(size / 1000, ".1f")} {"bytes" if size < 1000 else "kB"}; next: hiera-transform {result.traces} (for a browser: --html page.html)'])
    expect('output', result.out, plain.out)
    quoted = os.path.join(result.folder, "it's here")
    word = job.run(*command, program=run, direct=True, settings={'HIERA_DIR': quoted}).good().err.splitlines()[-1].partition('hiera-transform ')[2].partition(' (for a browser')[0]
    expect('the folder as a shell reads it', shlex.split(word), [quoted])
    for options, settings in ((['--quiet'], {}), ([], {'HIERA_SUMMARY': 0}), ([], {'HIERA_QUIET': 1}), ([], {'HIERA_ENABLED': 0})):
        silent = job.run(*options, *command, program=run, direct=True, settings=settings).good()
        expect(f'{options} {settings}', [line for line in silent.err.splitlines() if 'next' in line], [])


@core_case('bare', ranks=[2])
def each_program_of_a_job_is_recorded_under_hiera_run(job):
    """mpirun -n 1 ./a : -n 1 ./b. Open MPI's option for variables holds for one program only."""
    run = os.path.join(os.path.dirname(job.library), 'hiera-run')
    command = [*job.command([job.program], 1, {}), ':', '-n', '1', job.program]
    result = job.run(*command, program=run, direct=True).good()
    expect('sizes in the traces', [trace.root.get('size') for trace in result.valid(2)], ['2', '2'])


@core_case('settings', ranks=[2], smoke=True)
def application_name_and_files_are_as_documented(job):
    result = job.run(settings={'HIERA_MORE': 'application=a <b> & "c"'}).good()
    for rank, trace in enumerate(result.valid(job.ranks)):
        expect(f'rank {rank}: application', trace.root.get('application'), 'a <b> & "c"')
    expect('files', sorted(n for n in os.listdir(result.folder) if not n.startswith('trace') or n == 'trace.dtd'),
           ['hieraCollector.dtd', 'hieraCollector.xml', 'trace.dtd', 'visual.css', 'visual.xsl'])


@core_case('bare', ranks=[1, 2], smoke=True)
def preloaded_program_is_recorded(job):
    """The program is not linked with libhiera."""
    linked = subprocess.run(['ldd', job.program], capture_output=True, text=True, check=True).stdout
    expect_true('libhiera' not in linked, 'the program is linked with libhiera')
    off = job.run().good()
    expect('files without the library', os.listdir(off.folder), [])
    on = job.run(preload=job.library).good()
    expect('output', on.out, off.out)
    for trace in on.valid(job.ranks):
        expect('operations', [e.get('operation') for _, e in trace.operations()], ['barrier', 'allreduce'])
        expect('file', {e.get('file') for _, e in trace.operations()}, {'bare.c'})


@core_case('places')
def call_sites_keep_the_path_of_the_source(job):
    """Call sites name the source file as the compiler was given it. Tables show as much of it as tells files of the same name apart."""
    result = job.run().good()
    places = [(e.get('file'), e.get('line')) for _, e in Trace(result.path(0), keep_paths=True).operations()]
    expect('places', places, [('fluid/solver.c', '3'), ('solid/solver.c', '3'), ('/usr/src/installed.c', '3'), ('places.c', '7')])
    if job.transform:
        run = subprocess.run([os.path.abspath(job.transform), result.traces, '--measure', 'operations', '--format', 'csv'],
                             capture_output=True, text=True, check=True)
        expect('rows', [line.split(',')[3:] for line in run.stdout.splitlines()[1:]],
               [['fluid/solver.c', '3', '1'], ['installed.c', '3', '1'], ['places.c', '7', '1'], ['solid/solver.c', '3', '1']])


@core_case('bare', ranks=[1, 2], linked='static')
def program_with_static_libhiera_is_recorded(job):
    linked = subprocess.run(['ldd', job.program], capture_output=True, text=True, check=True).stdout
    expect_true('libhiera' not in linked, 'the program is linked with the shared libhiera')
    for trace in job.run().good().valid(job.ranks):
        expect('operations', [e.get('operation') for _, e in trace.operations()], ['barrier', 'allreduce'])
