"""A probe script (HIERA_PROBE) has the same answers in the running program as on its traces."""

import json
import os
import re
import subprocess

from expect.case import IN_FORTRAN, core_case
from expect.judgement import Failure, Skip, expect, expect_true

# MPI_Finalize ends the script, so its end is no event of the run.
NAMES = ('bytes', 'received', 'peer', 'source', 'tag', 'comm')
SCRIPT = ('call::[begin] /&call != "finalize"/ { @begins[&call, &depth, &path] = count(); }\n'
          'call::[end] /&call != "finalize"/ { @ends[&call, &file, &line] = count(); @failed[&call, &line, &failed] = count(); '
          + ' '.join(f'@has_{name}[&call, &line, has(&{name})] = count();' for name in NAMES)
          + ' @bytes[&call, &line] = sum(&bytes); @received[&call, &line] = sum(&received); @peers[&call, &line, &peer] = count(); '
          '@sources[&call, &line, &source] = count(); @tags[&call, &line, &tag] = count(); @comms[&call, &line, &comm] = count(); '
          '@means[&call] = avg(&bytes); @fewest[&call, &line] = min(&bytes); @most[&call, &line] = max(&bytes); @sizes[&call] = quantize(&bytes); '
          '@ranges[&call, &line] = lquantize(&bytes, 0, 1024, 64); @mean_tags[&comm] = avg(&tag / 2.0); '
          '@times_in_all[&call, &line] = sum(&duration); @times_mean[&call] = avg(&duration); @times_shortest[&call] = min(&duration); @times_longest[&call] = max(&duration); '
          '@threads[&thread] = count(); @stacks[&call, stack()] = count(); }\n'
          'region::[start] { @starts[&name, &level, &depth, &path] = count(); }\n'
          'region::[stop] { @stops[&name, &level, &file, &line] = count(); @region_threads[&thread] = count(); '
          '@ids[&name] = max(&id); @id_sums[&name] = sum(&id); @parents[&name] = max(&parent); @parent_sums[&name] = sum(&parent); }\n'
          'region::[suspend, resume] /&call != "finalize"/ { @waits[&event, &call, &name, &level, &depth, &path] = count(); @wait_lines[&event, &file, &line] = count(); '
          '@wait_parts[&event, has(&start), has(&finish), has(&duration), &thread] = count(); @wait_ids[&event, &name] = sum(&id); @wait_parents[&event, &name] = sum(&parent); }\n'
          'message { @message_sizes[&event, &call] = quantize(&bytes); @messages[&event, &source, &target, &tag, &comm] = count(); @volume[&event, &source, &target, &tag, &comm] = sum(&bytes); '
          '@message_calls[&event, &call, &path] = count(); @message_lines[&event, &file, &line] = count(); print("id", &event, &id); }\n')
NAMES_OF_AGGREGATIONS = re.findall(r'@(\w+)\[', SCRIPT)
SCRIPT += 'END { ' + ' '.join(f'print(@{name});' for name in NAMES_OF_AGGREGATIONS) + ' }\n'


def run(job, script, *arguments, settings=None, **how):
    """Run the program with a script. What it prints is in files `answers.RANK` in the folder of the run."""
    folder = job.folder()
    settings = {'HIERA_DIR': folder, 'HIERA_FILTER': '', 'HIERA_SHORT': '0', 'HIERA_PROBE': script, **(settings or {})}
    options = [settings.get('HIERA_PROBE_OPTIONS'), 'output=' + os.path.join(folder, 'answers')]  # the first one of a name counts
    settings['HIERA_PROBE_OPTIONS'] = ','.join(filter(None, options))
    return job.run(*arguments, settings=settings, folder=folder, **how)


def answers(result, rank=0):
    with open(os.path.join(result.folder, f'answers.{rank}'), encoding='utf-8') as file:
        return file.read().splitlines()


def answers_of_trace(job, result, script, *options):
    done = subprocess.run([os.path.abspath(job.transform), result.traces, '--probe', script, *options], capture_output=True, text=True, check=False)
    expect_true(done.returncode in (0, 1), done.stderr)
    return done.stdout.splitlines()


def split(lines):
    """What is printed of aggregations, {name: lines}; and the lines that begin with `id`."""
    tables, table = {}, []
    for line in lines:
        head = re.match(r'@(\w+): ', line)
        if head:
            table = tables.setdefault(head[1], [])
        elif not line.startswith('id '):
            table.append(re.sub('  +', '  ', line))
    return tables, [line for line in lines if line.startswith('id ')]


UNITS = {'ns': 1, 'us': 1e3, 'ms': 1e6, 's': 1e9}


def same_time(run_has, trace_has):
    """Times of a trace are rounded to nanoseconds at their begin and end, and six digits are printed."""
    (*keys, number, unit), (*keys_of_trace, of_trace, unit_of_trace) = run_has.split(), trace_has.split()
    times = [float(number) * UNITS[unit], float(of_trace) * UNITS[unit_of_trace]]
    return keys == keys_of_trace and abs(times[0] - times[1]) <= 500 + 2e-5 * times[0]


# What may differ, with each MPI: (program, what). MPI_Finalize ends a script; some calls are made with PMPI, without Hiera, so that a trace
# knows more of them, or less; names are no UTF-8; MPICH does not say what MPI_Isendrecv has received; a send to a wrong rank is an event.
KNOWN = {
    'completion': r'receive|id send',
    'fortran_objects': r'@message_sizes: the run:   (send  send|4  1 )',
    'functions': r'main|MAIN__|Basket|vector|@region_threads',
    'nbcoll': r'receive .*(  9  |startall|nbcoll.c  201)',
    'pauses': r'win|put|id ',
    'regions': r'after MPI|never ended|x[?\ufffd]|@region_threads',
    'threads': r'receive|id send',
    'unbalanced': r'send ',
}


def compare(job, result, ranks=None):
    """Compare the answers of each rank with those of its trace."""
    known = re.compile(KNOWN.get(os.path.basename(job.program).split('-')[1], '$^'))
    different, n = [], 0
    for rank in range(job.ranks) if ranks is None else ranks:
        here, ids = split(answers(result, rank))
        there, ids_of_trace = split(answers_of_trace(job, result, SCRIPT, '--ranks', str(rank)))
        rows = [(f'@{name}', here.get(name, []), there.get(name, [])) for name in NAMES_OF_AGGREGATIONS]
        # A run does not know the number of each message; then it is missing.
        rows.append(('ids', [line for line in ids if not line.endswith('missing')], None))
        for name, run_has, trace_has in rows:
            if name.startswith('@times_') and len(run_has) == len(trace_has):
                run_has, trace_has = zip(*((line, line if same_time(line, other) else other) for line, other in zip(run_has, trace_has))) if run_has else ((), ())
            there_is = set(ids_of_trace) if trace_has is None else set(trace_has)
            n += len(run_has)
            different += [f'rank {rank}, {name}: the run: {line}' for line in run_has if line not in there_is]
            different += [f'rank {rank}, {name}: its trace: {line}' for line in trace_has or [] if line not in set(run_has)]
    different = [line for line in different if not known.search(line)]
    if different:
        raise Failure(f'{len(different)} lines differ\n' + '\n'.join(different[:60]))
    expect_true(n > 10, f'only {n} lines were compared')
    print(f'{n} lines are the same')


SAME = '{program} answers a script as its trace does'


@core_case('p2p', ranks=[2, 4], needs=['transform'], smoke=True, title=SAME)
@core_case('alike', 'collectives', 'comms', 'completion', 'functions', 'io', 'large', 'nbcoll', 'pauses', 'regions', 'rma', 'tool', 'types', 'wrong', ranks=[2],
      needs=['transform'], title=SAME)
@core_case('roles', ranks=[3], needs=['transform'], title=SAME)
@core_case('threads', 'variants', needs=['transform'], title=SAME)
@core_case('forms', ranks=[2], mpi=('mpich',), needs=['transform'], title=SAME)
def scripts_have_the_answers_of_traces(job):
    compare(job, run(job, SCRIPT).good())


@core_case('counters', ranks=[2], needs=['transform'])
def a_script_finds_the_counters_of_a_trace_in_the_run_too(job):
    script = 'counter-list { @counters[&counter_name, &counter_type, &counter_parameters] = count(); print(&counter_name); } END { global_print(@counters); }'
    names = ['proc:rss', 'sum(proc:rss,user:steps)', 'user:level', 'user:steps']
    result = run(job, script, 'regions', settings={'HIERA_COUNTERS': ','.join(names + ['user:never'])}).good()
    lines = answers_of_trace(job, result, script)
    expect('of the trace', {tuple(line.split()) for line in split(lines)[0]['counters']}, {('sum(proc:rss,user:steps)', 'sum', 'proc:rss,user:steps', '2')})
    expect('printed', sorted(set(lines) & set(names)), sorted(names))
    for rank in range(job.ranks):  # whose program has removed user:steps
        expect(f'in the run, rank {rank}', {'proc:rss', 'user:level', 'user:steps'} - set(answers(result, rank)), {'user:steps'})


@core_case('oops', needs=['transform'], title=SAME)
@core_case('fortran_p2p', 'fortran_objects', 'fortran_collectives', ranks=[2], variants=('mpifh', 'mpi_f08'), needs=['transform'], title=IN_FORTRAN)
def preloaded_scripts_have_the_answers_of_traces(job):
    compare(job, run(job, SCRIPT, preload=job.library).good())


@core_case('unbalanced', needs=['transform'])
@core_case('unbalanced', variants=('C++',), needs=['transform'])
def regions_without_an_end_are_events_as_in_traces(job):
    modes = ('ends', 'crossed', 'jumps', 'exit', 'threads') if 'cc' not in job.program else ('leave', 'throw')
    for mode in modes:
        compare(job, run(job, SCRIPT, mode).good())


@core_case('markers', needs=['transform'])
def markers_are_events_as_in_traces(job):
    markers = os.path.join(os.path.dirname(job.library), 'libhiera-markers.so')
    for mode in ('nvtx', 'caliper'):
        compare(job, run(job, SCRIPT, mode, preload=f'{job.library}:{markers}', settings={'NVTX_INJECTION64_PATH': markers}).good())


@core_case('polls', ranks=[2], needs=['transform'])
def polls_are_events_as_in_traces(job):
    """How often it polls is another number each time, so this is one run."""
    compare(job, run(job, SCRIPT).good())


@core_case('p2p', ranks=[2], needs=['transform'])
def a_filter_and_no_trace_leave_the_answers_as_they_are(job):
    """Calls that are hidden from the trace, or not recorded at all, are events."""

    def steady(result):
        answered = [split(answers(result, rank)) for rank in range(2)]
        return [({name: table for name, table in tables.items() if not name.startswith('times_')}, ids) for tables, ids in answered]

    whole = steady(run(job, SCRIPT).good())
    for settings in ({'HIERA_FILTER': 'barrier'}, {'HIERA_TRACE': '0'}, {'HIERA_LEVELS': 'app'}, {'HIERA_BUFFER': '64k'}):
        result = run(job, SCRIPT, settings=settings).good()
        expect(f'{settings}: answers', steady(result), whole)
        expect(f'{settings}: is there a trace', os.path.exists(result.path(0)), 'HIERA_TRACE' not in settings)


@core_case('probed', ranks=[2])
def each_rank_has_its_file_before_mpi_begins(job):
    """The launcher has told the rank, which events before MPI_Init have, too."""
    result = run(job, 'call::[begin]::"init*" { print("begin", &rank, rank()); } END { print("end", &rank); }', 'probes').good()
    for rank in range(job.ranks):
        expect(f'rank {rank}', answers(result, rank), [f'begin {rank} {rank}', f'end {rank}'])


# --- threads ---

COUNTS = ('call::[end]::type_size { @calls[&thread] = count(); @all = count(); } region::[stop]::early { @early[&thread] = count(); @all_early = count(); } '
          'END { global_print(@all); global_print(@all_early); global_print(@calls); global_print(@early); }')


def table(lines, name):
    """{keys: value} of an aggregation."""
    rows = split(lines)[0][name]
    return {tuple(row.split()[:-1]): int(row.split()[-1]) for row in rows}


@core_case('stress', timeout=300)
def sixteen_threads_are_counted_exactly(job):
    """They end before the program does. In `early` half of them do so before MPI_Init."""
    threads, calls = 16, 100000
    for mode, name, each in (('pthreads', 'calls', calls - calls // 250), ('early', 'early', calls)):
        result = run(job, COUNTS, mode, threads, calls, settings={'HIERA_TRACE': '0'})
        if result.code == 77:
            raise Skip('this MPI has no MPI_THREAD_MULTIPLE')
        lines = answers(result.good())
        expect(f'{mode}: all', table(lines, 'all' if mode == 'pthreads' else 'all_early'), {(): threads * each})
        expect(f'{mode}: of each thread', table(lines, name), {(str(number),): each for number in range(1, threads + 1)})
        expect(f'{mode}: messages', result.messages(), [])


@core_case('stress', ranks=[2])
def many_short_threads_leave_their_counts(job):
    threads, calls = 600, 20
    result = run(job, 'call::[end]::type_size { @n[&rank] = count(); } END { global_print(@n); }', 'come-and-go', threads, calls)
    if result.code == 77:
        raise Skip('this MPI has no MPI_THREAD_MULTIPLE')
    expect('calls', table(answers(result.good()), 'n'), {('0',): threads * (calls - 1), ('1',): threads * (calls - 1)})
    for grown in re.findall(r'grown by (-?\d+) kB', result.out):
        expect_true(int(grown) < 150, f'memory for the second {threads // 2} threads: expected none, actual {grown} kB')


# --- the source of the program ---


@core_case('probed', ranks=[1, 2])
def probes_of_the_program_tell_their_values(job):
    """Identifiers keep their names, others are numbered; what nobody asks about is not evaluated."""
    script = ('heat /&n >= 3/ { print(&n, &arg2, &arg3, &who, &arg5, &arg6, &rank, &line > 0, &file); @sum[&n] = sum(&arg2); } bare { @bare = count(); } '
              'END { global_print(@sum); global_print(@bare); }')
    result = run(job, script, 'probes').good()
    expect('output', result.out.splitlines(), ['evaluated 0'] * job.ranks)
    for rank in range(job.ranks):
        lines = [f'{n} 1 a, (text me 1 {n} {rank} true probed.c' for n in range(3, 6)]
        expect(f'rank {rank}', answers(result, rank)[:3], lines)
    expect('sums', table(answers(result), 'bare'), {(): 6 * job.ranks})
    expect('messages', result.messages(), [])


@core_case('probed')
@core_case('probed', variants=('C++',))
@core_case('probed', variants=('Fortran',), needs=['fortran'])
def a_name_with_wildcards_takes_probes_with_their_own_variables(job):
    script = '\'?ea*\' { print(&name, &n, &arg2); } "*" { @all[&name] = count(); } bar? { print(&line > 0); } h* { @none = sum(&nosuch); } END { print(@all); }'
    result = run(job, script, 'probes').good()
    lines = answers(result)
    expect('lines', [line for line in lines[:12]], [line for n in range(6) for line in ('true', f'heat {n} 1')])
    expect('each name', table(lines, 'all'), {(name,): 6 for name in ('bare', 'heat', 'unasked') + (('large',) if 'f90' not in job.program else ())})
    expect_true(any("for the probe 'heat': the probe 'heat' of the program has no '&nosuch'" in line for line in result.messages()), result.messages())


@core_case('probed')
@core_case('probed', variants=('C++',))
def an_integer_without_a_sign_that_does_not_fit_is_missing(job):
    result = run(job, 'large { print(&large, &longer, &most); @large[&longer] = max(&large); @has[has(&large)] = count(); } END { print(@large); print(@has); }', 'probes').good()
    first = [f'{2**63 - n} {2**63 - n} 4294967295' for n in (3, 2, 1)]
    lines = answers(result)
    expect('lines', lines[:6], first + ['missing missing 4294967295'] * 3)
    expect('known and missing', table(lines, 'has'), {('false',): 3, ('true',): 3})
    expect('keys', [len(split(lines)[0]['large']), result.messages()], [3, []])


@core_case('probed', ranks=[2])
def discovery_lists_probes_of_the_program_and_counters(job):
    with open(os.path.join(os.path.dirname(__file__), '../../../common/probes/ready/discover.probe'), encoding='utf-8') as file:
        script = file.read()
    tables = split(answers(run(job, script, 'probes').good()))[0]
    expect('probes', [' '.join(line.split()) for line in tables['probes']],
           ['bare 12', 'heat n integer, arg2 number, arg3 text, who text, arg5 integer, arg6 integer, rank integer 12',
            'large large integer, longer integer, most integer 12', 'unasked arg1 integer 12'])
    counters = [line.split() for line in tables['counters']]
    listed = subprocess.run([os.path.join(os.path.dirname(job.library), 'hiera-run'), '--counters'], capture_output=True, text=True, check=True).stdout
    named = set(re.findall(r'^  ((?:proc|perf):\S+)', listed, re.M))
    expect('counters', {name for name, _ in counters if name.startswith(('proc:', 'perf:'))} - {name for name in named if 'net/' in name or '%' in name},
           named - {name for name in named if 'net/' in name or '%' in name})
    expect('on how many ranks', {n for _, n in counters}, {'2'})
    tables = split(answers(run(job, 'counter-list { @n[&counter_name] = count(); } counter-list::"proc:r?s" { @rss[&counter_name, has(&time)] = count(); } '
                               'END { print(@n); print(@rss); }', 'samples').good()))[0]
    expect_true(any('user:grid' in line for line in tables['n']), 'no user:grid')
    expect('by name', [' '.join(line.split()) for line in tables['rss']], ['proc:rss true 1'])


@core_case('probed')
def probes_that_a_script_takes_wrongly_are_said(job):
    result = run(job, 'heat /&nn > 3/ { @a = count(); } bare { @b = count(); } END { print(@b); }', 'probes').good()
    expect_true(any("'&nn'" in line for line in result.messages()), result.messages())
    expect('the other clause', answers(result), ['@b: count on rank 0', '  6'])


@core_case('probed')
@core_case('probed', variants=('Fortran',), needs=['fortran'])
def scripts_run_in_parts_of_a_program(job):
    result = job.run('sections', settings={'HIERA_PROBE_OPTIONS': 'wait=1',
                                           'HIERA_PROBE': 'call::[end]::barrier { @mine = count(); } END { print(@mine); }'}).good()
    lines = [re.sub('  +', '', line) for line in result.out.splitlines()]
    expect('sections', sorted(line for line in lines if line.startswith('started')), ['started 0'] * 3 + ['started 1'] * 4)
    for name, n in (('barriers', 6), ('values', 15)) + ((('steps', 6),) if 'f90' not in job.program else ()):
        places = [i for i, line in enumerate(lines) if line.startswith(f'@{name}:')]
        expect(f'{name} of three sections', [lines[i + 1] for i in places], [str(n)] * 3)
    expect('the script of HIERA_PROBE', sum(line.startswith('@mine') for line in lines), 1)
    expect_true(any('hiera_probes_start(): column 14' in line and 'did you mean' in line for line in result.messages()), result.messages())


@core_case('probed', timeout=30)
def scripts_come_and_go_while_a_thread_finds_new_probes(job):
    result = job.run('beside', settings={'HIERA_TRACE': '0', 'HIERA_PROBE': 'call::[end]::barrier { @n = count(); }', 'HIERA_PROBE_OPTIONS': 'wait=1'}).good()
    expect('the end', result.out.splitlines()[-1:], ['some started: 1'])


@core_case('probed')
def what_comes_by_itself_is_told(job):
    script = ('timer::50ms { @ticks = count(); } memory::20ms { @resident = max(&resident); } proc::threads::20ms { @threads = max(&proc_value); } '
              'counter::"user:grid" { print(&counter_name, &counter_value); } counter-type::user { @type[&counter_type] = sum(&counter_value); } '
              'counter-create::"proc:rss"::20ms { @created[&counter_name] = max(&counter_value); } '
              'END { print(@ticks); print(@resident); print(@type); print(@created); }').replace('proc::threads::20ms', 'proc::threads')
    result = run(job, script, 'samples', settings={'HIERA_TRACE': '0'}).good()
    lines = answers(result)
    expect('samples', lines[:6], [f'user:grid {2.5 * i:g}' for i in range(6)])
    expect('by type', table([re.sub(r'\.\d+$', '', line) for line in lines], 'type'), {('user:grid',): 37})
    tables = split(lines)[0]
    expect_true(1 <= int(tables['ticks'][0]) <= 60, f'ticks: {tables["ticks"]}')
    for name in ('resident', 'created'):
        number = float(tables[name][0].split()[-1])
        expect_true(64 << 20 < number < 4 << 30, f'{name}: {number}')


# --- functions ---


@core_case('probed')
def functions_are_called_at_events(job):
    result = job.run('listen').good()
    expect('output', result.out, 'wrong 0, numbers 1, heard 6 and 0, sum 12\n')
    expect_true(any("'broadcat'" in line and 'broadcast' in line for line in result.messages()), result.messages())
    trace = result.valid(1)[0]
    expect('barriers of functions are not recorded', len(trace.all(operation='barrier')), 6)


@core_case('probed')
def a_plug_in_is_called_at_events(job):
    plugin = os.path.join(os.path.dirname(os.path.abspath(job.program)), 'libtest-plugin.so')
    result = job.run('sections', settings={'HIERA_PLUGIN': plugin, 'SLOW_MS': '-1'}).good()
    lines = [line for line in result.err.splitlines() if line.startswith('slow: ')]
    expect('barriers', sum('barrier took' in line for line in lines), 42)
    expect('the last line', lines[-1], f'slow: {len(lines) - 1} calls')
    for name, said in (('/no/such.so', 'no/such.so'), (job.library, 'it has no function hiera_plugin()')):
        result = job.run('probes', settings={'HIERA_PLUGIN': name}).good()
        expect_true(any('HIERA_PLUGIN' in line and said in line for line in result.messages()), result.messages())


@core_case('probed', ranks=[1, 2], needs=['transform'])
def the_trace_keeps_what_a_script_has_aggregated(job):
    """The measure `aggregations` has the numbers of global_print(), and they are in the traces of both encodings."""
    script = 'call::[begin] { @calls[&call, &rank] = count(); @all = count(); } heat { @sums[&n] = sum(&arg6 + &rank); @mean = avg(&n); @least = min(&n); @most = max(&n); } END { '
    names = ('calls', 'all', 'sums', 'mean', 'least', 'most')
    script += ' '.join(f'global_print(@{name});' for name in names) + ' }'
    for encoding in ('full', 'compact'):
        result = run(job, script, 'probes', settings={'HIERA_FORMAT': encoding}).good()
        printed = {('@' + name, *row.split()[:-1]): float(row.split()[-1]) for name in names for row in split(answers(result))[0][name]}
        done = subprocess.run([os.path.abspath(job.transform), result.traces, '--measure', 'aggregations', '--format', 'json'],
                              capture_output=True, text=True, check=False)
        expect('messages', done.stderr, '')
        rows = json.loads(done.stdout)['aggregations']
        measured = {(row['aggregation'], *(key for key in row['keys'].split(', ') if key)): float(row['value']) for row in rows}
        expect_true(len(measured) > 2, f'{encoding}: only {measured}')
        expect(encoding, measured, printed)
