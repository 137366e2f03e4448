"""What Hiera adds to the start and the end of a job, by its ranks: a job that does nothing, with and without Hiera, in turns."""
from measuring.numbers import spread
from measuring.processes import Folder, bytes_of, fail, say, under_mpi

RANKS = (1, 2, 4, 8, 16, 32, 64)
RANKS_QUICK = (1, 2, 4, 8)


def of_job(rows):
    """From the start of the first rank to the end of the last one; processor time of a rank; peak memory of the largest."""
    return {'ms': (max(r['end'] for r in rows) - min(r['begin'] for r in rows)) / 1e6,
            'cpu': sum(r['all_processor'] for r in rows) / len(rows) / 1e6,
            'mb': max(r['kb'] for r in rows) / 1024}


def bare(mpi, ranks):
    return of_job(under_mpi(mpi, ranks, [mpi['bare'], 'self', '1']))


def traced(mpi, ranks, parent):
    with Folder(parent) as folder:
        rows = under_mpi(mpi, ranks, [mpi['workload'], 'self', '1'], HIERA_DIR=folder)
        if not bytes_of(folder):
            fail('tracing', 'there is no trace')
        return of_job(rows)


def measure_start(mpi, options):
    """{ranks: {'bare_ms', and what is added: 'ms', 'cpu', 'mb'}}"""
    rows = {}
    for ranks in RANKS_QUICK if options.quick else RANKS:
        say(f'{mpi["name"]}: start and end, {ranks} ranks')
        pairs = [(bare(mpi, ranks), traced(mpi, ranks, options.folder)) for _ in range(options.pairs)]
        rows[ranks] = {'bare_ms': spread([b['ms'] for b, _ in pairs]),
                       **{key: spread([t[key] - b[key] for b, t in pairs]) for key in ('ms', 'cpu', 'mb')}}
    return rows
