"""Folders of traces that are no easy ones, and limits on files: the program is not harmed, nor are files of others."""

import os
import shutil

from cases_guest import BUFFER, in_good_company
from hiera_job import Skip, expect, expect_true, validate


def same_as_without(job, *arguments, settings=None, **more):
    """The program without recording and with it: exit code and output are the same. Returns the run that was recorded."""
    off = job.run(*arguments, settings={'HIERA_ENABLED': 0}, **more)
    on = job.run(*arguments, settings=dict(BUFFER, **(settings or {})), **more)
    expect(f'{arguments}: exit code', on.code, off.code)
    expect(f'{arguments}: output', sorted(on.out.splitlines()), sorted(off.out.splitlines()))
    return on


def kept_and_lost(job, result, rank):
    validate([in_good_company(job, result.path(rank))])
    trace = result.trace(rank)
    trace.check_sound()
    return len(trace.all('hieraRegion')) + len(trace.all(operation='barrier')), sum(trace.lost().values())


def file_size_limit_does_not_end_the_program(job):
    """Whatever stands in the file, and where the limit is zero: SIGXFSZ is not raised by what we write."""
    for compress, limit in (('none', 60000), ('zstd', 20000), ('gzip', 20000)):
        result = same_as_without(job, 'limited', limit, 5000, settings={'HIERA_COMPRESS': compress})
        expect(f'{compress}: exit code', result.code, 3)
        expect(f'{compress}: output', result.out, 'done 5000, signals 0, own write -1, signals 1\n' * job.ranks)
        said = result.messages()
        expect_true(len(said) == 1 and 'File too large' in said[0], f'{compress}: one message: {said}')
        for rank in range(job.ranks):
            kept, lost = kept_and_lost(job, result, rank)
            expect_true(kept > 0 and lost > 0, f'{compress}: {kept} kept, {lost} lost')
            expect(f'{compress}: kept and lost', kept + lost, 10000)
    result = same_as_without(job, 'limited', 0, 5000)
    expect('limit 0: exit code, messages', (result.code, len(result.messages())), (3, 1))


def write_errors_do_not_end_the_program(job):
    """A quota that is used up, a broken disk, one that has become read-only: as a full one."""
    strace = shutil.which('strace')
    if not strace or job.run('-o', '/dev/null', 'true', program=strace, direct=True).code != 0:
        raise Skip('strace cannot be used here')
    for error, text in (('EDQUOT', 'quota'), ('EIO', 'Input/output'), ('EROFS', 'Read-only')):
        result = job.run('-f', '-o', '/dev/null', '-e', 'trace=pwrite64', '-e', f'inject=pwrite64:error={error}:when=6..12', job.program, 'lots', 5000,
                         program=strace, settings=BUFFER, direct=True).good()
        expect(f'{error}: output', result.out, 'done 5000\n')
        said = result.messages()
        expect_true(len(said) == 1 and text in said[0], f'{error}: one message: {said}')
        kept, lost = kept_and_lost(job, result, 0)
        expect_true(kept > 0 and lost > 0, f'{error}: {kept} kept, {lost} lost')
        expect(f'{error}: kept and lost', kept + lost, 10000)


def message_that_nobody_reads_does_not_end_the_program(job):
    def close_reader():
        reader, writer = os.pipe()
        os.close(reader)
        os.dup2(writer, 2)
    result = job.run('lots', 10, settings={'HIERA_DIR': '/proc/x'}, direct=True, before=close_reader).good()
    expect('output', result.out, 'done 10\n')


CASES = {f.__name__: f for f in (
    file_size_limit_does_not_end_the_program, write_errors_do_not_end_the_program, message_that_nobody_reads_does_not_end_the_program)}
