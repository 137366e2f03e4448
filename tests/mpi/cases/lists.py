"""Lists that are too long for the record buffer."""

from expect.case import core_case
from expect.judgement import expect, expect_true

CALLS = 4 * (4000 + 4000 + 1)


@core_case('long_lists')
def long_lists_survive_a_full_disk(job):
    """A failed write is repeated later, so the lists must be kept until then, and freed exactly once."""
    whole = job.run(direct=True).good()
    expect('output', whole.out, '0 wrong\n')
    for call in whole.valid(1)[0].all(operation='waitall'):
        expect('requests of a waitall', len(call.get('requests').split()), 8000)
    for limit in (300000, 1500000):
        result = job.run(limit, direct=True).good()
        expect(f'{limit} bytes: output', result.out, '0 wrong\n')
        trace = result.valid(1)[0]
        lost = sum(trace.lost().values())
        expect_true(lost > 0, f'{limit} bytes: something is lost')
        expect(f'{limit} bytes: recorded and lost', len(trace.all()) + lost, CALLS)
        for call in trace.all(operation='waitall'):
            expect(f'{limit} bytes: requests of a waitall', len(call.get('requests').split()), 8000)
    filtered = job.run(600000, direct=True, settings={'HIERA_FILTER': 'env,completion,isend'}).good()
    trace = filtered.valid(1)[0]
    sums = {e.get('operation'): int(e.get('count')) for e in trace.all('hieraFiltered')}
    expect('counted', sums, {'isend': 16000, 'waitall': 4})
    expect('recorded and lost', len(trace.all()) + sum(trace.lost().values()), 16000)
