"""Cost of the collector: added time, memory, page faults, system calls, and the size of traces."""
import os
import shutil

from measuring.floors import floors_now
from measuring.numbers import differences, spread
from measuring.peers import find_peers
from measuring.processes import Failed, Folder, bytes_of, fail, reason, say, under_mpi

# workload: (ranks, calls per iteration, iterations, iterations with --quick, what one call is)
WORKLOADS = {
    'self': (1, 4, 500000, 50000, 'call'),
    'changing': (1, 4, 250000, 25000, 'call'),
    'ping-pong': (2, 2, 500000, 30000, 'call'),
    'reduce': (2, 2, 250000, 20000, 'call'),
    'regions': (1, 1, 1000000, 100000, 'pair'),
    'functions': (1, 1, 1000000, 100000, 'pair'),
    'assertions': (1, 1, 1000000, 100000, 'pair'),
    'faults': (1, 1, 1000000, 100000, 'pair'),
    'events': (1, 1, 1000000, 100000, 'pair'),
    'compute': (1, 1, 50000, 5000, 'turn'),
    'threads': (1, 1, 50000, 5000, 'turn'),
}

# spelling of the trace, or rules in its place -> settings of the collector for it.
SPELLINGS = {
    'full': {'HIERA_FORMAT': 'full'},
    'compact': {'HIERA_FORMAT': 'compact'},
    'compact, zstd': {'HIERA_FORMAT': 'compact', 'HIERA_COMPRESS': 'zstd'},
    'folded': {'HIERA_FOLD': 'times'},
    'folded, sums': {'HIERA_FOLD': 'statistics'},
    'profile': {'HIERA_MODE': 'profile'},
    'rules, no trace': {'HIERA_ASSERT': os.path.join(os.path.dirname(os.path.dirname(__file__)), 'rules.txt'), 'HIERA_TRACE': '0'},
}
# spelling -> the workloads for which it is measured; absent: all
WORKLOADS_OF = {'compact': ('self', 'changing', 'ping-pong', 'regions'), 'compact, zstd': ('self',), 'folded': ('self', 'changing', 'regions'), 'folded, sums': ('self', 'regions'), 'profile': ('self', 'changing', 'regions'), 'rules, no trace': ('self', 'regions', 'assertions', 'faults', 'events')}

WITH_FLOORS = ('self', 'regions')  # floors are measured in the turns of these workloads
OTHER = ', other'  # suffix of the spelling: the build given with --against
BARE_SECONDS_MAX = 4


def spellings_known(mpi, notes=None):
    """Spellings that this build of the collector can write."""
    known = {name: settings for name, settings in SPELLINGS.items() if all(s in mpi['settings'] for s in settings)}
    missing = sorted({s for settings in SPELLINGS.values() for s in settings} - set(
        s for settings in known.values() for s in settings))
    if missing and notes is not None:
        notes.append(f'rows left out: this collector does not know {" and ".join(missing)}')
    return known


def of_run(rows, calls, trace_bytes=0):
    """Cost of one run of a workload, per call; the slowest rank counts."""
    return {
        'loop': max(r['done'] - r['loop'] for r in rows) / calls,
        'all': max(r['end'] - r['init'] for r in rows) / calls,
        'processor': max(r['all_processor'] for r in rows) / calls,
        'loop_processor': max(r['loop_processor'] for r in rows) / calls,
        'mb': max(r['kb'] for r in rows) / 1024,
        'faults': max(r['faults'] for r in rows),
        'bytes': trace_bytes / (len(rows) * calls),
    }


def bare_run(mpi, name, iterations):
    ranks, per_iteration = WORKLOADS[name][:2]
    return of_run(under_mpi(mpi, ranks, [mpi['bare'], name, str(iterations)]), per_iteration * iterations)


def traced_run(mpi, name, iterations, parent, settings):
    ranks, per_iteration = WORKLOADS[name][:2]
    with Folder(parent) as folder:
        rows = under_mpi(mpi, ranks, [mpi['workload'], name, str(iterations)], HIERA_DIR=folder, **settings)
        if not bytes_of(folder) and settings.get('HIERA_TRACE') != '0':
            fail(f'tracing {name}', 'there is no trace')
        return of_run(rows, per_iteration * iterations, bytes_of(folder))


def peer_run(peer, mpi, iterations, parent):
    calls = WORKLOADS['self'][1] * iterations
    rows, trace_bytes = peer(mpi, iterations, parent)
    return of_run(rows, calls, trace_bytes)


def spellings_of(mpi, name, iterations, options, suffix=''):
    """{spelling: function that makes one run} for the spellings measured with this workload."""
    return {spelling + suffix: lambda settings=settings: traced_run(mpi, name, iterations, options.folder, settings)
            for spelling, settings in spellings_known(mpi).items()
            if name in WORKLOADS_OF.get(spelling, WORKLOADS)}


def tools_for(mpi, name, iterations, options, notes):
    """{tool: function that makes one run}: this build, the build given with --against, the peers."""
    tools = spellings_of(mpi, name, iterations, options)
    if mpi['name'] in options.others:
        tools.update(spellings_of(options.others[mpi['name']], name, iterations, options, OTHER))
    if name == 'self':
        for peer, run in find_peers(mpi, options, notes).items():
            tools[peer] = lambda run=run: peer_run(run, mpi, iterations, options.folder)
    return tools


def in_turns(mpi, name, iterations, pairs, tools, notes, floors=None):
    """Run untraced and with each tool, in turns. A tool that fails is left out, with a note. `floors`: measures them, in each turn. Returns the
    untraced runs, {tool: its runs} and the floors."""
    bare, runs, of_turns = [], {}, []
    for _ in range(pairs):
        bare.append(bare_run(mpi, name, iterations))
        if floors:
            of_turns.append(floors())
        for tool in list(tools):
            try:
                runs.setdefault(tool, []).append(tools[tool]())
            except Failed as error:
                notes.append(f'{tool} left out of {name}: {reason(error)}')
                runs.pop(tool, None)
                del tools[tool]
    return bare, runs, of_turns


def iterations_for(mpi, name, options, notes):
    """Iterations of the table; a tenth of them if two ranks share a processor, where a run would take minutes."""
    _, per_iteration, whole, quick, _ = WORKLOADS[name]
    if options.quick:
        return quick
    tenth = whole // 10
    seconds = 10 * bare_run(mpi, name, tenth)['loop'] * per_iteration * tenth / 1e9
    if seconds < BARE_SECONDS_MAX:
        return whole
    notes.append(f'{name} ({mpi["name"]}): a tenth of the calls, since untraced ones take {seconds:.0f} s on this machine')
    return tenth


def measure_workload(mpi, name, options, notes):
    say(f'{mpi["name"]}: {name}')
    iterations = iterations_for(mpi, name, options, notes)
    floors = 'floors' in options.only and name in WITH_FLOORS
    bare, runs, of_turns = in_turns(mpi, name, iterations, options.pairs, tools_for(mpi, name, iterations, options, notes), notes,
                                    (lambda: floors_now(options)) if floors else None)
    return {'mpi': mpi['name'], 'workload': name, 'iterations': iterations, 'pairs': options.pairs,
            'bare_ns': spread([r['loop'] for r in bare]), 'floors': of_turns,
            'tools': {tool: dict({key: differences(bare, traced, key) for key in ('loop', 'all', 'mb', 'faults')},
                                 bytes=spread([r['bytes'] for r in traced]), loops=[t['loop'] - b['loop'] for b, t in zip(bare, traced)])
                      for tool, traced in runs.items()}}


def measure_memory(mpi, options, notes):
    """Added peak memory of `self` for three lengths of the run: it should not depend on the length."""
    longest = WORKLOADS['self'][3 if options.quick else 2]
    rows = {}
    for iterations in (longest // 100, longest // 10, longest):
        say(f'{mpi["name"]}: memory, {4 * iterations} calls')
        tools = {spelling: lambda settings=settings: traced_run(mpi, 'self', iterations, options.folder, settings)
                 for spelling, settings in spellings_known(mpi).items()}
        bare, runs, _ = in_turns(mpi, 'self', iterations, 3, tools, notes)
        for spelling, traced in runs.items():
            rows.setdefault(spelling, {})[4 * iterations] = differences(bare, traced, 'mb')
    return rows


def measure_system_calls(mpi, options):
    """System calls that the collector adds per 1000 calls: a long run minus a short one, under strace."""
    if not shutil.which('strace'):
        return None
    totals = []
    for iterations in (5000, 55000):
        with Folder(options.folder) as folder:
            summary = os.path.join(folder, 'strace')
            command = ['strace', '-f', '-c', '-o', summary, mpi['workload'], 'self', str(iterations)]
            try:
                under_mpi(mpi, 1, command, HIERA_DIR=folder)
            except Failed:
                return None
            with open(summary, encoding='utf-8') as file:
                counts = [line.split() for line in file]
            # Only calls for files and memory: those of MPI's progress threads grow with time, not with calls.
            ours = ('pwrite64', 'pread64', 'write', 'ftruncate', 'mmap', 'munmap')
            totals.append(sum(int(c[3]) for c in counts if c and c[-1] in ours))
    return (totals[1] - totals[0]) / (4 * 50)
