"""Programs that are ended in a call that was given requests: this call has no end in the trace, but names the requests."""

from cases.guest import ended
from expect.case import BINDINGS, IN_FORTRAN, case
from expect.judgement import expect, expect_true

# Functions whose unfinished call names all requests that it was given.
WHOLE = ('Wait', 'Waitall', 'Start', 'Startall', 'Request_free', 'Cancel')


def numbers(element):
    return [int(word) for word in (element.get('requests') or '').split()]


def check_call(name, trace, whole):
    """Compare the unfinished call in the trace with the same call in the trace of a complete run."""
    calls = [e for _, e in trace.operations()]
    last, same = calls[-1], [e for _, e in whole.operations()][len(calls) - 1]
    expect(f'{name}: calls without an end', [e.get('operation') for e in calls if not e.get('finish_time')], [name.lower()])
    expect(f'{name}: the call', last.get('operation'), same.get('operation'))
    started = {int(e.get('request')) for e in calls if e.get('request')}
    given, done = numbers(last), numbers(same)
    expect_true(any(given), f'{name}: no requests in {last.attrib}')
    expect_true(set(given) - {0} <= started, f'{name}: requests {given} of {sorted(started)}')
    expect_true(set(done) <= set(given), f'{name}: requests {given}, completed {done}')
    if name in WHOLE:
        expect(f'{name}: requests', given, done)
    expect(f'{name}: attributes that are not known yet', [a for a in ('sources', 'tags', 'sizes', 'bytes', 'rbytes', 'error') if a in last.attrib], [])


def ended_in_calls(job, names, libraries):
    preload = ':'.join([job.beside(f'libtest-raiser-{job.mpi}.so'), *libraries])
    whole = job.run(preload=preload, settings={'HIERA_FILTER': ''}, direct=True).good().trace(0)
    for name in names:
        result = job.run(preload=preload, settings={'HIERA_FILTER': '', 'RAISE_IN': name}, direct=True)
        trace = result.valid(1)[0]
        expect(f'{name}: end', ended(trace), ('signal', '15', 'SIGTERM'))
        check_call(name, trace, whole)


@case('completion', ranks=[1], compact=[1], smoke=True)
def call_that_does_not_return_names_its_requests(job):
    ended_in_calls(job, ('Wait', 'Waitall', 'Waitany', 'Waitsome', 'Test', 'Testall', 'Testany', 'Testsome', 'Request_get_status', 'Start',
                         'Startall', 'Request_free', 'Cancel'), [])


@case('fortran_p2p', variants=BINDINGS, title=IN_FORTRAN)
def fortran_call_that_does_not_return_names_its_requests(job):
    ended_in_calls(job, ('Wait', 'Waitall', 'Waitany', 'Waitsome', 'Testany', 'Start', 'Startall'), [job.library])
