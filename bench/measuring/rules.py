"""Assertions in the running program, without a trace: processor time that rules add for an MPI call, and for a region that they are about."""
import os

from measuring.collector import OTHER, WORKLOADS, bare_run, iterations_for, traced_run
from measuring.numbers import differences
from measuring.processes import Failed, Folder, fail, reason, say

ON_WORLD = '"", "MPI_COMM_WORLD"'
NOTHING = 'about nothing'
IN_SOURCE = 'assertion in the source'
WITH_RULE = 'region with a rule'
# row -> rules. Those about nothing that the program does are the base of the others.
RULES = {
    NOTHING: 'operation bcast: calls >= 0',
    'times and calls': 'job: MPITime < 1000s & MPIWaitTime < 1000s\noperation isend: calls > 0',
    'all metrics': 'job: MPITime < 1000s & MPIWaitTime < 1000s & MPITransferTime < 1000s & messages > 0 & bytesSent > 0 & bytesReceived > 0 & '
                   'MPIPointToPointTime < 1000s & MPICollectiveTime < 1000s & calls > 0',
    'on a communicator': f'job: calls({ON_WORLD}) > 0 & bytesSent({ON_WORLD}) > 0 & MPITime({ON_WORLD}) < 1000s & messages({ON_WORLD}) > 0',
    'bytes received on one': f'job: bytesReceived({ON_WORLD}) > 0 & messages({ON_WORLD}) > 0',
    'with a peer': 'job: messages("", "", 0) > 0 & bytesReceived("", "", 0) > 0 & calls("", "", 0) > 0',
}
OF_REGIONS = {NOTHING: RULES[NOTHING], WITH_RULE: 'region "empty": MPITime < 0.2 * WallTime'}


def run_with(mpi, workload, iterations, parent, rules):
    """One run with rules and without a trace."""
    with Folder(parent) as folder:
        path = os.path.join(folder, 'rules.txt')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(rules + '\n')
        return traced_run(mpi, workload, iterations, folder, {'HIERA_TRACE': '0', 'HIERA_QUIET': '1', 'HIERA_ASSERT': path})


def in_turns(runs, pairs, notes):
    """{row: what each turn gave}. A row that fails is left out, with a note; without the base there are none."""
    done = {row: [] for row in runs}
    for _ in range(pairs):
        for row in list(done):
            try:
                done[row].append(runs[row]())
            except Failed as error:
                notes.append(f'rules, {row} left out: {reason(error)}')
                del done[row]
    return done


def added(mpis, workload, rules, iterations, options, notes):
    """{row: processor ns that the rules of the row add to those about nothing, for each call}, by build in the same turns."""
    runs = {row + suffix: lambda mpi=mpi, text=text: run_with(mpi, workload, iterations, options.folder, text)
            for row, text in rules.items() for suffix, mpi in mpis.items()}
    done, rows = in_turns(runs, options.pairs, notes), {}
    for suffix in mpis:
        base = done.pop(NOTHING + suffix, None) or fail('the rules', 'those about nothing failed')
        rows.update({row: differences(base, turns, 'processor') for row, turns in done.items() if row in {name + suffix for name in rules}})
    return rows


def measure_assertions(mpis, iterations, options, notes):
    """An assertion in the source, its region and its two readings of the clock included: more than the same program without Hiera."""
    runs = {'bare': lambda: bare_run(mpis[''], 'assertions', iterations)}
    runs.update({IN_SOURCE + suffix: lambda mpi=mpi: traced_run(mpi, 'assertions', iterations, options.folder, {'HIERA_TRACE': '0', 'HIERA_QUIET': '1'})
                 for suffix, mpi in mpis.items()})
    done = in_turns(runs, options.pairs, notes)
    return {row: differences(done['bare'], turns, 'processor') for row, turns in done.items() if row != 'bare'}


def measure_rules(mpi, options, notes):
    mpis = {'': mpi, **({OTHER: options.others[mpi['name']]} if mpi['name'] in options.others else {})}
    say(f'{mpi["name"]}: rules')
    calls = added(mpis, 'self', RULES, iterations_for(mpi, 'self', options, notes), options, notes)
    regions = added(mpis, 'regions', OF_REGIONS, WORKLOADS['regions'][3 if options.quick else 2], options, notes)
    regions.update(measure_assertions(mpis, WORKLOADS['assertions'][3 if options.quick else 2], options, notes))
    return {'pairs': options.pairs, 'calls': calls, 'regions': regions}
