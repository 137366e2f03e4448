"""The table of targets, each with the place of its measured number in the report."""

from measuring.analyser import OTF2
from measuring.measures import ALONE, FEW, MANY, MATCHING, SUMMARY, needs_igraph
from measuring.numbers import spread
from measuring.rules import IN_SOURCE, NOTHING, RULES, WITH_RULE
from measuring.together import SECONDS, TARGET

ALL_IN = 'added ns per MPI call, all in'
ANALYSER_CALLS = 2000000
GRAPH_OPERATIONS = 10000000


def tool_of(report, workload, tool):
    for w in report['workloads']:
        if w['workload'] == workload and w['mpi'] == report['mpi'] and tool in w['tools']:
            return w['tools'][tool]
    return None


def of_tool(workload, tool, key):
    def find(report):
        numbers = tool_of(report, workload, tool)
        return numbers and numbers[key]
    return find


def to_peer(tool, peer='EZTrace', key='all'):
    """Ratio to the cost of the peer in the same turns: of the medians, since single pairs are noise."""
    def find(report):
        own, other = tool_of(report, 'self', tool), tool_of(report, 'self', peer)
        if not own or not other or other[key]['median'] <= 0:
            return None
        return {'median': own[key]['median'] / other[key]['median']}
    return find


def sum_of_floors(floors, bytes_of_call):
    """What a call in full spelling costs in the best case: two readings of the counter, a record in fresh pages, its text and the writing of it."""
    of_text = floors['format 170 B by hand'] + floors['write 170 B in blocks']
    return floors['two counter reads'] + floors['store 64 B, fresh pages'] + of_text * bytes_of_call / 170


def to_floor(workload, tool):
    """Ratio of what is added in the loop to the sum of floors, of each turn: the host's speed changes between turns."""
    def find(report):
        own, full = tool_of(report, workload, tool), of_tool('self', 'full', 'bytes')(report)
        floors = [w['floors'] for w in report['workloads'] if w['workload'] == workload and w['mpi'] == report['mpi']]
        if not own or not full or not floors[0]:
            return None
        return spread([added / sum_of_floors(turn, full['median']) for added, turn in zip(own['loops'], floors[0])])
    return find


def most_memory(report):
    """Of all spellings and lengths."""
    numbers = [s for lengths in (report['memory'] or {}).values() for s in lengths.values()]
    return max(numbers, key=lambda s: s['median']) if numbers else None


def analyser_of(report):
    """None with --quick: the targets are times for a given number of calls."""
    analyser = report['analyser']
    return analyser if analyser and analyser['calls'] == ANALYSER_CALLS else {'rows': {}, 'graph': {}}


def of_analyser(row):
    return lambda report: analyser_of(report)['rows'].get(row, {}).get('seconds')


def to_otf2(row):
    """Ratio to OTF2's C reader for as many calls, in the same turns."""
    def find(report):
        own, other = of_analyser(row)(report), of_analyser(OTF2)(report)
        return {'median': own['median'] / other['median']} if own and other else None
    return find


def of_graph(spelling):
    return lambda report: analyser_of(report)['graph'].get(spelling)


def to_igraph(number):
    """Ratio to igraph alone; None with --quick."""
    def find(report):
        graph = report['graph']
        return graph[number] if graph and graph['operations'] == GRAPH_OPERATIONS else None
    return find


def measures_of(report):
    """Rows by shape; none with --quick."""
    measures = report['measures']
    return measures['shapes'] if measures and measures['operations'] == GRAPH_OPERATIONS else {}


def of_measure(name):
    """Ratio to igraph alone; of both shapes the larger one."""
    def find(report):
        rows = [shape[name]['times'] for shape in measures_of(report).values() if name in shape]
        return max(rows, key=lambda s: s['median'], default=None)
    return find


def most_of_measures(number, igraph=None):
    """The largest number of all measures but summary, of those that need igraph, or of those that do not."""
    def find(report):
        rows = [row[number] for shape in measures_of(report).values() for name, row in shape.items()
                if name not in (ALONE, MATCHING) and (igraph is None and name != SUMMARY or needs_igraph(name) == igraph)]
        return max(rows, key=lambda s: s['median'], default=None)
    return find


def most_by_ranks(report):
    """Of all measures the largest ratio of the time with many ranks to that with few."""
    shapes = measures_of(report)
    rows = [shapes[MANY][name]['seconds']['median'] / row['seconds']['median']
            for name, row in shapes.get(FEW, {}).items() if name != ALONE and name in shapes.get(MANY, {})]
    return {'median': max(rows)} if rows else None


def together(report):
    """Of one process to two, turn by turn; None with --quick."""
    t = report.get('together')
    gain = t['measures'][TARGET][2][SECONDS]['gain'] if t and t['operations'] == GRAPH_OPERATIONS else None
    return gain and {'median': 1 / gain['median'], 'min': 1 / gain['max'], 'max': 1 / gain['min']}


def of_rules(part, row):
    return lambda report: (report['rules'] or {}).get(part, {}).get(row)


def of_samples(rate):
    """Of both workloads the larger one."""
    def find(report):
        rows = [workload['rows'][rate] for workload in (report.get('sampling') or {'workloads': {}})['workloads'].values()]
        return max(rows, key=lambda s: s['median'], default=None)
    return find


def lammps_added(spelling):
    return lambda report: (report['lammps'] or {}).get(spelling, {}).get('added_percent')


def lammps_bytes(spelling):
    return lambda report: (report['lammps'] or {}).get(spelling, {}).get('bytes')


def lammps_noise(spelling):
    """None on a busy machine: the noise would hide any cost."""
    def find(report):
        row = (report['lammps'] or {}).get(spelling)
        return row['noise_percent'] if row and row['quiet'] else None
    return find


# (name, limit: a number or a function that finds it, format of both, function that finds the number, ratio to the peer)
TARGETS = [
    (f'{ALL_IN}, full', 150, '{:.0f}', of_tool('self', 'full', 'all'), to_peer('full')),
    (f'{ALL_IN}, compact', 100, '{:.0f}', of_tool('self', 'compact', 'all'), to_peer('compact')),
    ('… times that of EZTrace, full', 0.7, '{:.2f}', to_peer('full'), None),
    ('… times that of EZTrace, compact', 0.7, '{:.2f}', to_peer('compact'), None),
    ('user region, begin + end, ns, full', 80, '{:.0f}', of_tool('regions', 'full', 'loop'), None),
    ('user region, begin + end, ns, compact', 80, '{:.0f}', of_tool('regions', 'compact', 'loop'), None),
    ('MPI call in the loop, times the sum of floors, full', 1.1, '{:.2f}', to_floor('self', 'full'), None),
    ('… compact', 0.6, '{:.2f}', to_floor('self', 'compact'), None),
    ('user region, times the same, full', 0.6, '{:.2f}', to_floor('regions', 'full'), None),
    ('… compact', 0.45, '{:.2f}', to_floor('regions', 'compact'), None),
    *((f'rules, added ns per MPI call, {row}', 8, '{:.1f}', of_rules('calls', row), None) for row in RULES if row != NOTHING),
    ('… per region with a rule', 150, '{:.0f}', of_rules('regions', WITH_RULE), None),
    ('assertion in the source, ns, with its region', 150, '{:.0f}', of_rules('regions', IN_SOURCE), None),
    ('samples, 100/s, processor time added, %', 1, '{:.2f}', of_samples('100/s'), None),
    ('samples, 1000/s, processor time added, %', 3, '{:.2f}', of_samples('1000/s'), None),
    ('memory of the collector, MB, most of all lengths', 12, '{:.1f}', most_memory, to_peer('full', key='mb')),
    ('bytes per call of self, full', 180, '{:.0f}', of_tool('self', 'full', 'bytes'), to_peer('full', key='bytes')),
    ('bytes per call of ping-pong, full', 180, '{:.0f}', of_tool('ping-pong', 'full', 'bytes'), None),
    ('bytes per call of self, compact', 40, '{:.0f}', of_tool('self', 'compact', 'bytes'), to_peer('compact', key='bytes')),
    ('bytes per call of ping-pong, compact', 40, '{:.0f}', of_tool('ping-pong', 'compact', 'bytes'), None),
    ('bytes per call of self, compact, zstd', 12, '{:.1f}', of_tool('self', 'compact, zstd', 'bytes'),
     to_peer('compact, zstd', key='bytes')),
    ('bytes per call of LAMMPS, full', 180, '{:.0f}', lammps_bytes('full'), None),
    ('bytes per call of LAMMPS, compact', 40, '{:.0f}', lammps_bytes('compact'), None),
    ('LAMMPS, loop time added, %, full (target: noise)', lammps_noise('full'), '{:.1f}', lammps_added('full'), None),
    ('LAMMPS, loop time added, %, compact (noise)', lammps_noise('compact'), '{:.1f}', lammps_added('compact'), None),
    ('counts, 2 ranks × 1 M calls, s, full', 0.5, '{:.2f}', of_analyser('counts, full'), to_otf2('counts, full')),
    ('counts, 2 ranks × 1 M calls, s, compact', 0.35, '{:.2f}', of_analyser('counts, compact'), to_otf2('counts, compact')),
    ('graph + matching (walk-partners less counts), s', 1.5, '{:.2f}', of_graph('full'), None),
    ('graph of 10 M operations, times igraph alone', 1.5, '{:.2f}', to_igraph('times'), None),
    ('… memory of the whole process, times igraph alone', 1.5, '{:.2f}', to_igraph('memory'), None),
    ('matching of 10 M operations, times igraph alone', 0.6, '{:.2f}', of_measure(MATCHING), None),
    ('summary of 10 M operations, times igraph alone', 3, '{:.2f}', of_measure(SUMMARY), None),
    ('every other measure, times igraph alone', 5, '{:.2f}', most_of_measures('times'), None),
    ('… memory without igraph, MB', 2000, '{:.0f}', most_of_measures('mb', igraph=False), None),
    ('… memory with igraph, MB', 3000, '{:.0f}', most_of_measures('mb', igraph=True), None),
    ('measures, 1024 ranks, times 4 ranks', 2, '{:.2f}', most_by_ranks, None),
    ('counts with 2 processes, times one', 0.625, '{:.3f}', together, None),
    ('walk-partners, whole, s, full', 1.5, '{:.2f}', of_analyser('walk-partners, full'), None),
    ('walk-partners, whole, s, compact', 1.5, '{:.2f}', of_analyser('walk-partners, compact'), None),
]


def judge(report):
    """Rows of the table; a number that was not measured is None there."""
    rows = []
    for what, most, form, find, ratio in TARGETS:
        measured, most = find(report), most(report) if callable(most) else most
        judged = measured is not None and most is not None
        rows.append({'what': what, 'target': most, 'form': form, 'measured': measured,
                     'ratio': ratio(report)['median'] if ratio and ratio(report) else None,
                     'met': measured['median'] <= most if judged else None})
    return rows
