#!/usr/bin/env python3
"""sweep.py HIERA-TRANSFORM LIBRARY traces|narrowed: several processes, through sockets, answer as one does, byte by byte: status, output, messages, files.

They are asked what the golden tests ask, and for all measures, the checks, the page and the exports on golden traces, each trace with a third of the exports; `narrowed`: for parts of traces, and
with rules. A part of that, with 2, 3, 4 and 8 processes by turns, or with two of these; with HIERA_TEST_ALL=1, all of it with each number."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path += [str(pathlib.Path(__file__).resolve().parent.parent / folder) for folder in ('.', 'golden')]

import case as golden  # noqa: E402
import made  # noqa: E402
import together  # noqa: E402
from part import IS_ALL, part_of  # noqa: E402

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / 'golden'
SIZES = [2, 3, 4, 8]
TURNS = [2, 3, 2, 4, 2, 3, 2, 3, 8]  # the more processes, the longer it takes
CASES, TRACES = 32, 16  # every so many-th is in the part
APART = 'bottlenecks,imbalance,io,phases,matrix,waits,causes,critical-path,slack,efficiency,hotspots,overlap,walk-partners'  # operations stay where they have been read
FORMS_APART = ['bottlenecks', 'bottlenecks --thresholds imbalance=1,serial=1,transfer=1', 'hang', 'imbalance', 'imbalance --by rank', 'imbalance --by group', 'imbalance --by plane', 'imbalance --by coordinates', 'imbalance --by region', 'io', 'io --by rank', 'phases', 'phases --by iteration', 'summary', 'summary --level app', 'causes', 'histogram --by peer', 'histogram --by communicator', 'histogram --by thread', 'critical-path --by level', 'matrix --by path', 'matrix --by collective',
               'over-time --by waiting', 'over-time --by waiting-rank --bins 5', 'over-time --by idle', 'over-time --by thread --bins 3', 'over-time --by efficiency --bins 7', 'slack', 'slack --by rank', 'slack --by level', 'efficiency', 'efficiency --by region', 'efficiency --by iteration', 'walk-partners', 'walk-partners --level mpi']
TELLING = {'phases': 'rotated-iterations', 'io': 'storage', 'bottlenecks': 'timed', 'imbalance': 'unlike'}  # measure -> a trace that has rows for it
EXPORTS = ['chrome', 'compact', 'csv', 'dot', 'extrap', 'folded', 'full', 'graphml', 'otf2', 'paje', 'perfetto', 'prv', 'speedscope']
EXPORTS_TOGETHER = ['chrome', 'csv', 'dot', 'extrap', 'folded', 'graphml', 'otf2', 'paje', 'perfetto', 'prv', 'speedscope']  # each process makes the part of its ranks


def first_difference(expected, actual):
    at = next((i for i, (a, b) in enumerate(zip(expected, actual)) if a != b), min(len(expected), len(actual)))
    return f'\n  expected {expected[max(at - 80, 0):at + 80]}\n  actual   {actual[max(at - 80, 0):at + 80]}'


def content_of(path):
    """Without the number that libotf2 gives each archive: 8 of the last 19 bytes of its anchor file."""
    content = path.read_bytes()
    return content if path.suffix != '.otf2' else content[:-19] + content[-11:]


def files_of(folder):
    return {path.relative_to(folder): content_of(path) for path in sorted(folder.rglob('*')) if path.is_file()}


class Sweep:
    def __init__(self, transform, library):
        self.transform, self.library = os.path.abspath(transform), os.path.abspath(library)
        self.different, self.asked = 0, 0

    def answer(self, arguments, size, **options):
        """What a command says, and the files that it writes to the folder @."""
        with tempfile.TemporaryDirectory() as folder:
            command = [self.transform, *(word.replace('@', folder) for word in arguments)]
            said = together.alone(command, **options) if size == 1 else together.through_sockets(command, self.library, size, **options)
            return [part.replace(folder.encode(), b'@') if isinstance(part, bytes) else part for part in said], files_of(pathlib.Path(folder))

    def half(self):
        """Two of the numbers of processes, by turns these and the other two."""
        return SIZES if IS_ALL else SIZES[self.asked % 2::2]

    def compare(self, *arguments, sizes=None, **options):
        """@param sizes  with each of these numbers of processes; None: by turns"""
        arguments = [str(a) for a in arguments]
        expected = self.answer(arguments, 1, **options)
        for size in sizes or (SIZES if IS_ALL else [TURNS[self.asked % len(TURNS)]]):
            actual = self.answer(arguments, size, **options)
            if actual != expected:
                self.different += 1
                print(f'{size} processes differ: {" ".join(arguments)}{first_difference(str(expected), str(actual))}')
        self.asked += 1


def sweep_traces(sweep):
    listed = subprocess.run([sweep.transform, '--measure', 'list'], capture_output=True, text=True, timeout=60, check=True)
    measures = ','.join(name for name in re.findall(r'^([a-z-]+)  ', listed.stdout, re.M) if name != 'diff')
    for trace in part_of([GOLDEN / 'paper', GOLDEN / 'figure4', *sorted((GOLDEN / 'traces').iterdir())], TRACES):
        sweep.compare(trace, '--measure', measures, '--validate', '--format', 'json', '--html', '@/page.html')
        sweep.compare(trace, '--measure', APART)
    for trace in part_of(sorted((GOLDEN / 'traces').iterdir()), TRACES // 2, 1):
        sweep.compare(trace, '--measure', 'summary')
    for trace in part_of(sorted((GOLDEN / 'traces').iterdir()), TRACES):
        sweep.compare(trace, '--html', '@/page.html')
    sweep.compare(GOLDEN / 'paper', '--html', '@/page.html', '--measure', 'waits,counts', sizes=sweep.half())
    sweep.compare(GOLDEN / 'paper', '--html', '@/page.html', '--measure', 'walk-partners', sizes=[2, 3])
    sweep.compare(GOLDEN / 'paper', '--measure', 'walk-partners,walk-operations,waits', sizes=[2, 3])
    sweep.compare(GOLDEN / 'figure4', '--html', '@/page.html', '--ranks', '1-2', '--from', '0.001', sizes=sweep.half())
    for name in 'filtered', 'counters':  # nodes of the call tree that no operation has; counters by node
        sweep.compare(GOLDEN / 'traces' / name, '--html', '@/page.html', sizes=[2, 3])
    for trace in part_of(sorted((GOLDEN / 'traces').glob('hang-*')), 2):
        sweep.compare(trace, '--measure', 'hang', *['--where', 'rank > 0'] * (sweep.asked % 2))
    for trace in part_of(sorted((GOLDEN / 'traces').iterdir()), TRACES):  # with and without findings: each process looks at its own ranks first
        sweep.compare(trace, '--validate')
    sweep.compare(GOLDEN / 'paper', '--validate', '--measure', 'waits,counts', sizes=sweep.half())
    sweep.compare(GOLDEN / 'traces' / 'uneven', GOLDEN / 'figure4', '--export', 'full:@/twice')
    sweep.compare(GOLDEN / 'figure4', '--export', 'compact:/dev/null/no-folder')
    for export in EXPORTS:
        sweep.compare(GOLDEN / 'figure4', '--export', f'{export}:@/{export}')


def sweep_exports(sweep):
    """Files that processes make together: messages have the same numbers; files that cannot be written, and what is asked besides, which no process waits for."""
    for number, trace in enumerate(part_of([GOLDEN / 'paper', *sorted((GOLDEN / 'traces').iterdir())], TRACES)):
        for export in part_of(EXPORTS_TOGETHER, 3, number % 3):
            sweep.compare(trace, '--export', f'{export}:@/{export}')
    for name in 'one-sided', 'counters', 'waits':  # windows that no process knows of all, metrics, threads
        sweep.compare(GOLDEN / 'traces' / name, '--export', 'otf2:@/otf2', sizes=sweep.half())
    for profile in part_of(sorted((GOLDEN / 'profiles').iterdir()), TRACES):
        for export in 'extrap', 'folded':
            sweep.compare(profile, '--export', f'{export}:@/{export}')
    with tempfile.TemporaryDirectory() as name:  # names of files in another order than ranks, sums beside single operations
        for number, trace in enumerate(['traces/uneven/trace1.xml', 'profiles/ring/trace0.xml']):
            shutil.copy(GOLDEN / trace, pathlib.Path(name) / f'trace{number}.xml')
        for export in EXPORTS_TOGETHER:
            sweep.compare(name, '--export', f'{export}:@/{export}')
    for number, write in enumerate(made.WRITERS + [made.write_long]):
        with tempfile.TemporaryDirectory() as name:
            write(pathlib.Path(name))
            for export in part_of(EXPORTS_TOGETHER, 3, number % 3):
                sweep.compare(name, '--export', f'{export}:@/{export}')
    for number, beside in enumerate((['--measure', 'waits,counts', '--where', 'waiting > 0s'], ['--validate'], ['--measure', 'hang,summary'], ['--html', '@/page.html'], ['--measure', 'waits', '--output', '/no/where'], ['--where', 'operation == "no such"'])):
        for export in part_of(['chrome:@/chrome', 'perfetto:/dev/full', 'paje:/dev/full', 'speedscope:/dev/null/no-folder', 'csv:/dev/null/no-folder', 'csv:@/csv', 'chrome:-', 'prv:-', 'prv:/dev/null/no-folder', 'otf2:@/otf2', 'otf2:/dev/null/no-folder', 'full:@/full'], 2, number % 2):
            sweep.compare(GOLDEN / ['traces/uneven', 'traces/hang-cycle', 'paper'][sweep.asked % 3], '--export', export, *beside)
    sweep.compare(GOLDEN / 'bad_input', '--export', 'chrome:@/chrome')
    for number, export in enumerate(['chrome:/dev/full', 'csv:@/csv', 'csv:/dev/null/no-folder', 'full:@/full', 'full:/dev/null/no-folder', 'folded:-', 'dot:/dev/full', 'graphml:@/graphml', 'otf2:@/otf2']):
        for page in '@/page.html', '/no/where':
            sweep.compare(GOLDEN / 'traces' / 'uneven', '--export', export, '--html', page, *([], ['--measure', 'waits', '--output', '/no/where'], ['--where', 'rank > 0'])[number % 3])


def sweep_forms(sweep):
    """Measures whose operations stay apart, each alone; some of them narrowed, too."""
    traces = [GOLDEN / 'paper', *part_of(sorted((GOLDEN / 'traces').iterdir()), 4 * TRACES)]
    asked = [(trace, words) for number, trace in enumerate(traces) for words in part_of(FORMS_APART, 3, number % 3)]
    asked += [(GOLDEN / 'traces' / name, words) for measure, name in TELLING.items() for words in FORMS_APART if words.split()[0] == measure]
    for trace, words in asked:
        sweep.compare(trace, '--measure', *words.split())
        if IS_ALL or sweep.asked % 7 == 0:
            sweep.compare(trace, '--measure', *words.split(), '--ranks', '1-2', '--from', '0.001')


def write_circles(folder, steps=20):
    """Traces whose calls depend on each other in circles, which only calls at one instant can do: of ranks 1 and 2 and of 3 and 4, of which rank 0 knows the
    latter ones first; then through barriers of all."""
    def call(time, words):
        return (f'<hieraMPI operation={words} comm="MPI_COMM_WORLD" count="1" type="MPI_BYTE" bytes="1" file="c.c" line="{len(words)}" '
                f'start_time="{time}" finish_time="{time}"/>')

    for rank in range(5):
        other = 0 if rank == 0 else rank + 1 if rank % 2 else rank - 1
        texts = []
        for step in range(1, steps + 1 if rank > 0 else 0):
            texts += [f'<hieraRegion level="app" operation="pair {rank}" file="c.c" line="1" start_time="{step}" finish_time="{step}.5">',
                      call(step, f'"receive" rem="{other}" tag="{step}"'), call(step, f'"send" dest="{other}" tag="{step}"'), '</hieraRegion>']
        if rank in (2, 4):
            texts += [call(f'{steps}.6', '"send" dest="0" tag="0"')]
        if rank == 0:
            texts += [call(f'{steps}.7', f'"receive" rem="{of}" tag="0"') for of in (4, 2)]
        for step in range(steps + 1, 2 * steps + 1):
            receive, barrier, send = f'"receive" rem="{other}" tag="{step}"', '"barrier"', f'"send" dest="{other}" tag="{step}"'
            order = [barrier] if rank == 0 else [receive, barrier, send] if rank % 2 else [barrier, send, receive]
            texts += [call(step, words) for words in order]
        (folder / f'trace{rank}.xml').write_text(
            f'<processor rank="P{rank}" init="0" finalize="{2 * steps + 1}" size="5"><hieraComm id="MPI_COMM_WORLD" ranks="0-4"/>{"".join(texts)}</processor>',
            encoding='utf-8')


def sweep_circles(sweep):
    """Which edge of a circle is left out does not depend on the number of processes."""
    with tempfile.TemporaryDirectory() as name:
        write_circles(pathlib.Path(name))
        for words in 'slack', 'slack --by rank', 'efficiency', 'efficiency --by region', 'over-time --by efficiency':
            sweep.compare(name, '--measure', *words.split(), sizes=sweep.half())
        remark = sweep.answer([name, '--measure', 'efficiency', '--columns', 'remark', '--format', 'csv'], 1)[0][1]
        if b'clocks contradict calls: 60,' not in remark:
            sweep.different += 1
            print(f'of these traces 60 edges are left out, not: {remark}')


def sweep_made(sweep):
    """Calls whose partners are found by more than source, destination and tag."""
    for write in made.WRITERS:
        with tempfile.TemporaryDirectory() as name:
            write(pathlib.Path(name))
            sweep.compare(name, '--measure', f'{APART},rma,summary,hang', sizes=sweep.half())
            sweep.compare(name, '--measure', 'matrix', '--by', 'collective', '--html', '@/page.html', sizes=[2, 3])
            sweep.compare(name, '--measure', 'hang', '--where', 'rank > 0')
            sweep.compare(name, '--validate')


def sweep_long(sweep):
    with tempfile.TemporaryDirectory() as name:
        made.write_long(pathlib.Path(name))
        sweep.compare(name, '--measure', 'summary,slack,waits,causes,critical-path', sizes=sweep.half())
        for words in ['--measure', 'efficiency', '--by', 'region'], ['--validate'], ['--html', '@/page.html']:
            sweep.compare(name, *words, sizes=sweep.half())


def sweep_broken(sweep):
    """More findings than have a text of their own, which many processes find."""
    with tempfile.TemporaryDirectory() as name:
        made.write_broken(pathlib.Path(name))
        sweep.compare(name, '--validate', sizes=sweep.half())
        sweep.compare(name, '--validate', '--measure', 'summary,waits,counts', '--format', 'json')
        sweep.compare(name, '--validate', '--html', '@/page.html')


def sweep_sums(sweep):
    """Profiles, and traces that have sums beside single operations; also what is refused of them, which no process waits for."""
    for name in 'ring', 'measured', 'limit', 'turns':
        for words in ('summary,hotspots,matrix,imbalance,efficiency',), ('matrix,imbalance', '--by', 'rank'), ('matrix', '--by', 'collective'), ('io', '--by', 'rank'):
            sweep.compare(GOLDEN / 'profiles' / name, '--measure', *words, sizes=[2, 3])
    for name in sorted((GOLDEN / 'profiles').iterdir()):
        sweep.compare(name, '--html', '@/page.html', sizes=sweep.half())
    sweep.compare(GOLDEN / 'profiles' / 'ring', '--html', '@/page.html', '--ranks', '1', '--level', 'mpi', sizes=[2, 3])
    sweep.compare(GOLDEN / 'profiles' / 'measured', '--measure', 'waits,hotspots', sizes=sweep.half())
    sweep.compare(GOLDEN / 'profiles' / 'limit', '--measure', 'waits,slack,critical-path,hang', '--validate', sizes=sweep.half())
    sweep.compare(GOLDEN / 'profiles' / 'measured', '--measure', 'efficiency,summary', '--level', 'app')


def sweep_where(sweep):
    """--where decides in each process: also where it holds for operations of one process alone, or for none, and beside measures that go through the operations once."""
    for trace in [GOLDEN / 'paper', GOLDEN / 'figure4', GOLDEN / 'traces' / 'overlap', *part_of(sorted((GOLDEN / 'traces').iterdir()), 4 * TRACES)]:
        for where in 'bytes > 4', 'rank == 1', 'inside("app", "*")', 'operation == "no such"', 'partner.rank == 0', 'waiting > 1ms':
            sweep.compare(trace, '--measure', APART, '--where', where)
        sweep.compare(trace, '--measure', 'waits,counts', '--where', 'rank > 0', sizes=sweep.half())
        sweep.compare(trace, '--measure', 'summary', '--where', 'rank > 0', sizes=sweep.half())
        for where in 'partner.waiting > 0s or waiting > 1ms', 'parent.waiting > 0s and partner.operation != "send"', 'counter("user:steps") > 0':
            sweep.compare(trace, '--measure', 'counts,profile,statistics,times,over-time,waits,matrix,walk-operations', '--where', where)
        sweep.compare(trace, '--validate', '--measure', 'hang,operations', '--where', 'waiting > 0s')
        sweep.compare(trace, '--html', '@/page.html', '--validate', '--where', 'waiting > 0s')
    sweep.compare(GOLDEN / 'figure4', '--html', '@/page.html', '--measure', 'waits,counts', '--where', 'partner.rank == 0', sizes=sweep.half())
    sweep.compare(GOLDEN / 'figure4', '--html', '@/page.html', '--where', 'operation == "no such"', sizes=[3])
    sweep.compare(GOLDEN / 'traces' / 'counters', '--measure', 'waits,counts', '--where', 'counter("proc:rss") > 0', sizes=sweep.half())


def sweep_rules(sweep):
    """Rules, of which each process judges what its ranks did; also over ranks, of values of measures, beside other questions."""
    rules = GOLDEN / 'traces' / 'asserted'
    for trace in part_of(sorted((GOLDEN / 'traces').iterdir()), 2 * TRACES):
        sweep.compare(trace, '--assert', rules / 'over-ranks.txt')
        sweep.compare(trace, '--assert', rules / 'measures.txt', '--measure', 'assertions', '--by', 'rank', '--validate')
        sweep.compare(trace, '--assert', rules / 'rules.txt', '--where', 'waiting > 0s', '--measure', 'waits', '--format', 'json')
    for name in 'rules', 'over-ranks', 'measures':
        sweep.compare(rules, '--assert', rules / f'{name}.txt', sizes=[2, 3])
    sweep.compare(GOLDEN / 'traces' / 'source-assertions', '--measure', 'assertions', sizes=[2, 3])
    for name in 'asserted', 'source-assertions', 'overlap':  # pages lead from a verdict to its operation
        sweep.compare(GOLDEN / 'traces' / name, '--html', '@/page.html', sizes=[2, 3])
        for of in 'rules', 'over-ranks', 'measures':
            sweep.compare(GOLDEN / 'traces' / name, '--html', '@/page.html', '--assert', rules / f'{of}.txt', sizes=sweep.half())
    sweep.compare(rules, '--html', '@/page.html', '--assert', rules / 'rules.txt', '--where', 'rank > 0', '--measure', 'waits,assertions', '--validate', sizes=[2, 3])


def sweep_runs_of_rules(sweep):
    """Rules that compare with a kept run, and limits from several runs: each process evaluates them on its ranks, also if a run has fewer ranks than there are
    processes, or cannot be read."""
    runs = GOLDEN / 'traces' / 'asserted-runs'
    for where in [], ['--ranks', '1-2'], ['--where', 'duration > 3us and rank != 2'], ['--where', 'waiting > 1us']:
        with tempfile.TemporaryDirectory() as name:
            kept, limits = pathlib.Path(name) / 'kept.txt', pathlib.Path(name) / 'limits.txt'
            made.write_long(pathlib.Path(name), steps=40)
            kept.write_text('region step: WallTime < baseline(WallTime)\njob: MPITime <= baseline(MPITime)\n'
                            'region step: WallTime < baseline(max(WallTime)) on each execution\njob: bytesSent <= baseline(bytesSent)\n', encoding='utf-8')
            limits.write_text('region step: WallTime < ${most}\nregion step: WallTime >= ${least}\nregion step: max(WallTime) < ${far} * mean(WallTime)\n'
                              'region step: MPITime < ${both}\nregion step: MPITime > ${both}\njob: bytesSent == ${bytes}\nregion none: WallTime < ${none}\n',
                              encoding='utf-8')
            sweep.compare('--assert', kept, '--baseline', name, name, *where, sizes=sweep.half())
            sweep.compare('--assert', limits, '--estimate', name, runs / 'one', name, *where, sizes=sweep.half())
    sweep.compare('--assert', runs / 'kept.txt', '--baseline', runs / 'one', runs / 'two', '--html', '@/page.html', '--measure', 'waits,assertions', sizes=[3])
    sweep.compare('--assert', runs / 'limit-of-time.txt', '--estimate', '--where', 'file != "solid/g.c"', runs / 'namesakes', sizes=[2, 3])
    sweep.compare('--assert', runs / 'kept.txt', '--baseline', GOLDEN / 'bad_input', runs / 'two')
    sweep.compare('--assert', runs / 'kept.txt', '--baseline', runs / 'one', '/no/where')
    sweep.compare('--assert', runs / 'limits.txt', '--estimate', runs / 'one', '/no/where', runs / 'three')
    sweep.compare('--assert', runs / 'limits.txt', '--estimate', GOLDEN / 'bad_input', runs / 'two', '--output', '/no/where')
    sweep.compare('--assert', runs / 'limits.txt', '--estimate', runs / 'one', runs / 'two', '--from', '99')


PROBE = """BEGIN { :n = 0; }
BEGIN[0] { :later = 1; }
message { @sizes[&event, &source, &target] = sum(&bytes); @ids[&id] = count(); print(&rank, &id, &sent, &stack); }
call::[end] { :n++; @mean[&name] = avg(&duration); @most[&path] = max(&duration); @d = quantize(&duration); }
region { print(&event, &id, &parent, &call); }
call[0-1]::[end] /:n > 1/ { print(:later); }
counter-list { @counters[&counter_name] = count(); }
END { print(:n); print(@mean); global_print(@sizes); global_print(@ids); global_print(@mean, 0-1); global_print(@most); global_print(@d); global_print(@counters); }"""


def sweep_probes(sweep):
    """A script sees what happens on each rank, in the process that has it: what it prints and complains of comes rank after rank, and what it gathers is that of all."""
    with tempfile.TemporaryDirectory() as name:
        script = pathlib.Path(name) / 'script.probe'
        script.write_text(PROBE, encoding='utf-8')
        status, printed, complaint = sweep.answer([str(GOLDEN / 'figure4'), '--probe', str(script)], 1)[0]
        if status != 1 or b'@most: max' not in printed or b"on rank 1 ':later' has no value" not in complaint:
            sweep.different += 1
            print(f'the script is another one: {status} {printed} {complaint}')
        sweep_script(sweep, script)


def sweep_script(sweep, script):
    for trace in [GOLDEN / 'paper', *part_of(sorted((GOLDEN / 'traces').iterdir()), TRACES)]:
        sweep.compare(trace, '--probe', script, sizes=sweep.half())
        sweep.compare(trace, '--probe', script, '--measure', 'waits,counts', '--where', 'waiting > 0s or rank > 0')
        sweep.compare(trace, '--probe', 'discover', '--ranks', '1-2', '--validate')
    for trace in [GOLDEN / 'traces' / 'counters', GOLDEN / 'profiles' / 'limit']:
        sweep.compare(trace, '--probe', script, sizes=[2, 3])
    for write in made.WRITERS + [made.write_long]:
        with tempfile.TemporaryDirectory() as name:
            write(pathlib.Path(name))
            sweep.compare(name, '--probe', script, sizes=sweep.half())
    for beside in ['--html', '@/page.html'], ['--export', 'prv:@/prv'], ['--export', 'full:@/full', '--html', '@/page.html'], ['--measure', 'walk-operations']:
        for output in '@/out', '/no/where', '/dev/full':
            sweep.compare(GOLDEN / 'traces' / 'uneven', '--probe', script, *beside, '--output', output)


def sweep_cases(sweep):
    for case in part_of(list(golden.read(GOLDEN / 'cases').values()), CASES):
        sweep.compare(*case.arguments, cwd=GOLDEN, env={**os.environ, **case.settings})


PARTS = {'traces': [sweep_traces, sweep_exports, sweep_forms, sweep_circles, sweep_made, sweep_long, sweep_broken, sweep_sums],
         'narrowed': [sweep_where, sweep_rules, sweep_runs_of_rules, sweep_probes, sweep_cases]}


def main():
    transform, library, part = sys.argv[1:]
    sweep = Sweep(transform, library)
    for ask in PARTS[part]:
        ask(sweep)
    print(f'{sweep.asked} commands; {sweep.different} times several processes differed')
    sys.exit(1 if sweep.different > 0 or sweep.asked < 80 else 0)


if __name__ == '__main__':
    main()
