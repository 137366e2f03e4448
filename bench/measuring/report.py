"""All numbers as text."""
from measuring.collector import WORKLOADS
from measuring.numbers import range_of, with_range
from measuring.together import MEASURES, PROCESSOR, SECONDS


def print_workload(w):
    ranks, _, _, _, unit = WORKLOADS[w['workload']]
    plural = 's' if ranks > 1 else ''
    untraced = w['bare_ns']['median']
    print(f'\n{w["workload"]} ({w["mpi"]}, {ranks} rank{plural}, {w["pairs"]} pairs; '
          f'untraced {untraced:.0f} ns per {unit})')
    print(f'  {"added ns per " + unit:20}{"in the loop":>20}{"ratio":>7} {"all in":>24}{"bytes":>8}{"MB":>8}{"faults":>9}')
    for tool, numbers in w['tools'].items():
        times = [with_range(numbers[key], '{:.0f}') for key in ('loop', 'all')]
        ratio = f'{1 + numbers["loop"]["median"] / untraced:.1f}' if untraced > 1 else ''
        print(f'  {tool:20}{times[0]:>20}{ratio:>7} {times[1]:>24}{numbers["bytes"]["median"]:>8.1f}'
              f'{numbers["mb"]["median"]:>8.1f}{numbers["faults"]["median"]:>9.0f}')


def print_memory(memory):
    print('\nadded peak memory in MB, by calls of a run (self)')
    for spelling, lengths in memory.items():
        print(f'  {spelling:16}' + '   '.join(f'{calls:,}: {s["median"]:.1f}' for calls, s in lengths.items()))


def print_start(rows):
    print(f'\nstart and end of a job that does nothing, added{"":5}{"ms":>24}{"CPU ms per rank":>24}{"MB":>7}')
    for ranks, r in rows.items():
        untraced = f'{ranks} ranks (untraced {r["bare_ms"]["median"]:.0f} ms)'
        print(f'  {untraced:50}{with_range(r["ms"], "{:.0f}"):>24}{with_range(r["cpu"], "{:.1f}"):>24}{r["mb"]["median"]:>7.1f}')


def print_floors(floors):
    print(f'\nfloors, ns per call{"":11}{"median":>9}  {"min … max":>19}')
    for name, s in floors.items():
        print(f'  {name:28}{s["median"]:>9.1f}  {range_of(s, "{:.1f}"):>19}')


def print_analyser(a):
    sizes = ', '.join(f'{spelling} {size / 1e6:.0f} MB' for spelling, size in a['bytes'].items())
    print(f'\nanalyser, {a["calls"] / 1e6:g} M calls, {sizes}'
          f'\n  {"":26}{"seconds":>8} {"min … max":>15} {"M calls/s":>10} {"peak MB":>8}')
    for name, r in a['rows'].items():
        print(f'  {name:26}{r["seconds"]["median"]:>8.2f} {range_of(r["seconds"], "{:.2f}"):>15} '
              f'{r["M calls/s"]:>10.2f} {r["mb"]["median"]:>8.0f}')


def print_graph(g):
    print(f'\ngraph of {g["operations"] / 1e6:g} M operations{"":4}{"seconds":>8} {"min … max":>15} {"peak MB":>8}')
    for name, r in g['rows'].items():
        print(f'  {name:30}{r["seconds"]["median"]:>8.2f} {range_of(r["seconds"], "{:.2f}"):>15} {r["mb"]["median"]:>8.0f}')
    print(f'  times igraph alone: {with_range(g["times"], "{:.2f}")}; memory {with_range(g["memory"], "{:.2f}")}')


def print_measures(m):
    for shape, rows in m['shapes'].items():
        print(f'\nmeasures, {m["operations"] / 1e6:g} M operations, {shape:12}{"CPU s":>8} {"min … max":>15} '
              f'{"× igraph":>9} {"peak MB":>8}')
        for name, r in rows.items():
            print(f'  {name:40}{r["seconds"]["median"]:>8.2f} {range_of(r["seconds"], "{:.2f}"):>15} '
                  f'{r["times"]["median"]:>9.2f} {r["mb"]["median"]:>8.0f}')


def print_together(t):
    print(f'\ntogether; load {t["load"][0]:.1f} before, {t["load"][1]:.1f} after')
    print(f'  {"measure, operations, processes":32}{"seconds":>20}{"times":>20}{"CPU s of the most":>22}{"times":>20}')
    for measure, sizes in t['measures'].items():
        operations = MEASURES[measure] * t['operations'] / 1e6
        for size, row in sizes.items():
            cells = ''.join(f'{with_range(row[what][number], "{:.2f}"):>{width}}'
                            for what in (SECONDS, PROCESSOR) for number, width in (('of', 20 if what == SECONDS else 22), ('gain', 20)))
            print(f'  {f"{measure}, {operations:g} M, {size}":32}{cells}')


def print_validate(v):
    print(f'\nvalidate, {v["operations"] / 1e6:g} M calls; load {v["load"][0]:.1f} before, {v["load"][1]:.1f} after')
    for spelling, measured in v['spellings'].items():
        print(f'  {spelling + ", " + format(measured["bytes"] / 1e6, ".0f") + " MB":30}{"seconds":>8} {"min … max":>15} {"peak MB":>8}')
        for name, r in measured['rows'].items():
            print(f'  {name:30}{r["seconds"]["median"]:>8.2f} {range_of(r["seconds"], "{:.2f}"):>15} {r["mb"]["median"]:>8.0f}')
        for name, times in measured['ratios'].items():
            print(f'  {name}: {with_range(times, "{:.3f}")} times')


def print_lammps(rows):
    print('\nLAMMPS melt, 256 atoms, 2 ranks: loop time')
    for spelling, r in rows.items():
        print(f'  {spelling}: untraced {with_range(r["bare_s"], "{:.2f}")} s, traced {with_range(r["traced_s"], "{:.2f}")} s; '
              f'{r["pairs"]} pairs')
        print(f'    added {with_range(r["added_percent"], "{:+.1f}")} %; one untraced run to the next '
              f'{range_of(r["untraced_percent"], "{:+.1f}")} %, in the median {r["noise_percent"]:.1f} %')
        if 'bytes' in r:
            print(f'    {r["bytes"]["median"]:.1f} bytes per call')


def print_probes(p):
    own = p['self']
    print(f'\nprobe scripts, no trace; self: added ns per call in the loop ({own["pairs"]} pairs; untraced {own["bare_ns"]["median"]:.0f} ns)')
    for row, numbers in own['rows'].items():
        print(f'  {row:32}{with_range(numbers, "{:.0f}"):>24}')
    for row, r in p['lammps'].items():
        print(f'  LAMMPS, {row:24}{with_range(r["added_percent"], "{:+.1f}"):>24} %; untraced ones differ by {r["noise_percent"]:.1f} %')


def print_sampling(s):
    print(f'\nsamples: processor time added to a loop that computes, % ({s["pairs"]} turns)')
    for workload, numbers in s['workloads'].items():
        print(f'  {workload}: without samples {with_range(numbers["seconds"], "{:.3f}")} s')
        for rate, row in numbers['rows'].items():
            print(f'  {workload}, {rate:20}{with_range(row, "{:+.2f}"):>28}')


def print_openmp(o):
    print(f'\nopenmp: processor ns of the main thread for a construct, and what is added to it ({o["pairs"]} turns); least: by the least runs alone')
    for program, constructs in o['programs'].items():
        for construct, c in constructs.items():
            print(f'  {f"{program}: {construct}":22}{c["bare"]:>8.0f}  ' + '  '.join(
                f'{row} {with_range(s, "{:+.0f}")} least {s["least"]:+.0f} {1 + s["median"] / c["bare"]:.1f}x' for row, s in c['rows'].items() if c['bare'] > 0))


def print_rules(r):
    print(f'\nrules, no trace: added processor ns ({r["pairs"]} turns)')
    for row, numbers in r['calls'].items():
        print(f'  self, a call, {row:32}{with_range(numbers, "{:.1f}"):>24}')
    for row, numbers in r['regions'].items():
        print(f'  an execution, {row:32}{with_range(numbers, "{:.0f}"):>24}')


def print_targets(rows, quick):
    print(f'\n{"targets":50}{"target":>8}  {"measured":>20}{"× peer":>9}')
    for row in rows:
        form, s = row['form'], row['measured']
        target = '–' if row['target'] is None else '≤ ' + form.format(row['target'])
        measured = 'not measured' if s is None else with_range(s, form) if 'min' in s else form.format(s['median'])
        ratio = '' if row['ratio'] is None else f'{row["ratio"]:.2f}'
        verdict = {None: '', True: 'met', False: 'missed'}[row['met']]
        print(f'{row["what"]:50}{target:>8}  {measured:>20}{ratio:>9}  {verdict}')
    if quick:
        print('(a tenth of the calls: numbers per call are rough, times of a given number of calls are not there)')


def print_report(report):
    print(f'Hiera benchmark, {report["date"]}\n{report["machine"]}')
    print(f'traces in {report["folder"]}; load before the start {report["load"]:.1f}')
    for w in report['workloads']:
        print_workload(w)
    if report['start']:
        print_start(report['start'])
    if report['rules']:
        print_rules(report['rules'])
    if report['probes']:
        print_probes(report['probes'])
    if report['openmp']:
        print_openmp(report['openmp'])
    if report['sampling']:
        print_sampling(report['sampling'])
    if report['memory']:
        print_memory(report['memory'])
    if report['system_calls'] is not None:
        print(f'\nfile and memory system calls per 1000 calls (self): {report["system_calls"]:.1f}')
    if report['floors']:
        print_floors(report['floors'])
    if report['analyser']:
        print_analyser(report['analyser'])
    if report['graph']:
        print_graph(report['graph'])
    if report['measures']:
        print_measures(report['measures'])
    if report['together']:
        print_together(report['together'])
    if report['validate']:
        print_validate(report['validate'])
    if report['lammps']:
        print_lammps(report['lammps'])
    print_targets(report['targets'], report['quick'])
    for note in report['notes']:
        print(f'\nnote: {note}')
