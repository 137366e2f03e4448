"""Levels of libraries: wrappers made from tables, preloaded or linked."""

import os

from expect.case import case, core_case
from expect.judgement import expect, expect_true
from expect.trace import TIMED


def run_under_hiera_run(job, *options, program=None, arguments=(), settings=None):
    """Run the program with hiera-run, as users do."""
    run = os.path.join(os.path.dirname(job.library), 'hiera-run')
    command = job.command([program or job.program, *arguments], job.ranks, {})
    return job.run(*options, *command, program=run, direct=True, settings=settings)


def regions(trace, level):
    return [e for _, e in trace.operations() if e.tag == 'hieraRegion' and e.get('level') == level]


def parents(trace):
    return {child: parent for parent in trace.root.iter() for child in parent}


def above(trace, element):
    """The operations around an element, innermost first."""
    parent = parents(trace)
    found = []
    while element in parent:
        element = parent[element]
        if element.tag in TIMED:
            found.append(element)
    return found


def preload(job, *names):
    return ':'.join([job.library, *(job.beside(name) for name in names)])


# --- wrappers made by hiera-wrap ---

LIBRARY = [
    ('lib_complex', 'real=1.5 factor=2+3i'), ('lib_long', 'value=1e+300 half=0.5'), ('lib_swap', None), ('lib_many', 'scale=3'),
    ('lib_sum', f'a=-5 b=65535 c=-100000 d=4000000000 e=-6000000000 f={1 << 40} g=1 h=7 i=97 j=-1'),
    ('lib_mixed', 'a=1 b=0.5 c=2 d=1.5 e=3 f=2.5 g=4 h=3.5 i=5 j=4.5 k=6 l=5.5 m=7 n=6.5 o=8 p=7.5 q=9 r=8.5 s=10 t=9.5'),
    ('lib_fails', 'path=/a path depth=4'), ('lib_fails', 'path='),
    ('lib_outer', 'n=3'), ('lib_inner', 'n=3'), ('lib_inner', 'n=6'), ('lib_last', 'n=7'), ('lib_inner', 'n=8'),
    ('apply', 'n=5'), ('lib_name', None), ('lib_solve', 'side=L trans=T n=6'), ('lib_solve', 'side=L trans=T n=6'), ('lib_trace', 'n=6 job=V'),
    ('lib_trace', 'n=6 job=W'), ('lib_trace', 'n=6 job=W')]  # by its Fortran name LIB_TRACE, which calls the other one


def check_library(job, plain, wrapped):
    expect('exit code', wrapped.code, plain.code)
    expect('output', wrapped.out, plain.out)
    for trace in wrapped.valid(job.ranks):
        found = regions(trace, 'demo')
        expect('operations', [(e.get('operation'), e.get('args')) for e in found], LIBRARY)
        expect('files', {e.get('file') for e in found if not above(trace, e)}, {'uses_library.c'})
        expect('depths of inner calls', [len(above(trace, e)) for e in found if e.get('operation') == 'lib_inner'], [1, 1, 1])
        # Calls inside the library have the library's lines, not those of the wrappers, even calls in tail position.
        expect('files of inner calls', {e.get('file') for e in found if e.get('operation') == 'lib_inner'}, {'library.c'})
        expect('above the barrier', [e.get('operation') for e in above(trace, trace.one(operation='barrier'))], ['apply'])
        # The function calls pthread_exit(), which leaves the wrapper. Its region must have an end.
        thread = trace.one('hieraThread')
        expect('in the thread', [(e.get('operation'), bool(e.get('finish_time'))) for e in thread], [('apply', True)])
        expect('lost', trace.lost(), {})


@case('uses_library', smoke=True)
def wrappers_change_no_result(job):
    plain = job.run(preload=None)
    expect('exit code', plain.code, 5)
    check_library(job, plain, job.run(preload=preload(job, 'libtest-level-library.so')))


@case('loader')
def library_of_a_loaded_module_is_wrapped(job):
    """Only the module itself can see this library (RTLD_LOCAL), as is usual for modules of interpreters."""
    module = job.beside(f'libtest-module-library-{job.mpi}.so')
    check_library(job, job.run(module), job.run(module, preload=preload(job, 'libtest-level-library.so')))


@case('links_library')
def wrappers_can_be_linked(job):
    plain = job.run(program=job.beside('test-uses_library-' + job.mpi))
    check_library(job, plain, job.run())


@case('uses_library')
def wrappers_without_hiera_change_nothing(job):
    plain = job.run(direct=True)
    alone = job.run(preload=job.beside('libtest-level-library.so'), direct=True)
    expect('exit code and output', (alone.code, alone.out, alone.err), (plain.code, plain.out, plain.err))
    expect('traces', [n for n in os.listdir(alone.folder) if n.startswith('trace')], [])


@core_case('uses_library')
def missing_library_function_is_reported(job):
    result = job.run('absent', preload=preload(job, 'libtest-level-library.so'), direct=True)
    expect('exit code', result.code, 127)
    expect_true('hiera: lib_absent: wrapped, but in no library of this program' in result.err, f'no message: {result.err}')
    expect('regions of the level', len(regions(result.trace(0), 'demo')), len(LIBRARY))


@core_case('uses_library')
def levels_can_be_switched_off(job):
    for levels, expected in (('mpi', 0), ('demo', len(LIBRARY)), ('mpi,demo', len(LIBRARY))):
        result = job.run(preload=preload(job, 'libtest-level-library.so'), settings={'HIERA_LEVELS': levels})
        for trace in result.valid(job.ranks):
            expect(f'HIERA_LEVELS={levels}', len(regions(trace, 'demo')), expected)


@case('uses_library', smoke=True)
def hiera_run_finds_wrappers(job):
    wrapper = job.beside('libtest-level-library.so')
    result = run_under_hiera_run(job, '--level=' + wrapper)
    for trace in result.valid(job.ranks):
        expect('regions of the level', len(regions(trace, 'demo')), len(LIBRARY))
    # Wrappers are not loaded if they were not asked for and the program is not linked with their library.
    result = run_under_hiera_run(job)
    for trace in result.valid(job.ranks):
        expect('levels', {e.get('level') for e in trace.all('hieraRegion')}, set())
    result = run_under_hiera_run(job, '--level=no-such')
    expect('exit code', result.code, 2)
    expect_true('--level=no-such: neither a file nor a level' in result.err, result.err)


# --- ScaLAPACK ---

SOLVE = 'n=24 nrhs=1 ia=1 ja=1 desca=24x24/4x4/{0} ib=1 jb=1 descb=24x1/4x4/{0}'
FACTOR = 'm=24 n=24 ia=1 ja=1 desca=24x24/4x4/{0}'


def line_of(source, text):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'libraries', source)
    with open(path, encoding='utf-8') as file:
        return next(str(n) for n, line in enumerate(file, 1) if text in line)


def named(elements, operation):
    return [e for e in elements if e.get('operation') == operation]


def check_solve(trace, shape):
    solve = trace.one('hieraRegion', operation='pdgesv')
    expect('place', (solve.get('file'), solve.get('line')), ('solve.c', line_of('solve.c', ' pdgesv_(&n')))
    expect('arguments', (solve.get('level'), solve.get('args')), ('scalapack', SOLVE.format(shape)))
    expect('above the solve', above(trace, solve), [])
    expect('steps of the solve', [(e.get('level'), e.get('operation')) for e in solve],
           [('scalapack', 'pchk2mat'), ('scalapack', 'pdgetrf'), ('scalapack', 'pdgetrs')])
    factor, back = solve[1], solve[2]
    expect('arguments of the factorisation', factor.get('args'), FACTOR.format(shape))
    # 24 columns in blocks of 4 are six panels. After each but the last, there is one triangular solve and one product.
    count = {name: len(named(factor, name)) for name in ('pdgetf2', 'pdtrsm', 'pdgemm')}
    expect('steps of the factorisation', count, {'pdgetf2': 6, 'pdtrsm': 5, 'pdgemm': 5})
    for i, product in enumerate(named(factor, 'pdgemm')):
        rest = 24 - 4 * (i + 1)
        expect('product', product.get('args').split()[:5], ['transa=N', 'transb=N', f'm={rest}', f'n={rest}', 'k=4'])
    expect('triangles', [e.get('args').split()[:6] for e in named(back, 'pdtrsm')],
           [['side=L', f'uplo={uplo}', 'trans=N', f'diag={diag}', 'm=24', 'n=1'] for uplo, diag in ('LU', 'UN')])
    return solve


def check_levels(solve):
    """ScaLAPACK calls the PBLAS and the BLACS, the PBLAS call the BLACS, and only the BLACS call MPI."""
    below = {'scalapack': {'scalapack', 'pblas', 'blacs'}, 'pblas': {'blacs'}, 'blacs': {'mpi', 'blacs'}}
    seen, chains = 0, set()
    stack = [(solve, ('scalapack',))]
    while stack:
        element, chain = stack.pop()
        for child in element:
            if child.tag not in TIMED:
                continue
            level = child.get('level', 'mpi')
            expect_true(level in below[chain[-1]], f'{level} {child.get("operation")} below {" ".join(chain)}')
            longer = chain if chain[-1] == level else chain + (level,)
            chains.add(longer)
            seen += level == 'mpi'
            stack += [(child, longer)] if level != 'mpi' else []
    return seen, chains


@case('solve', ranks=[1, 4])
def scalapack_solve_has_four_levels(job):
    plain = job.run().good()
    result = run_under_hiera_run(job).good()
    expect('output', result.out, plain.out)
    rows = 2 if job.ranks % 2 == 0 else 1
    shape = f'{rows}x{job.ranks // rows}'
    chains = set()
    for trace in result.valid(job.ranks):
        expect('grid', [e.get('args') for e in trace.all('hieraRegion', operation='blacs_gridinit')],
               [f'order=R nprow={rows} npcol={job.ranks // rows}'])
        seen, found = check_levels(check_solve(trace, shape))
        chains |= found
        expect('places in wrappers', [e.get('file') for e in trace.root.iter() if 'level-' in (e.get('file') or '')], [])
        objects = [(e.get('name'), os.path.basename(e.get('path'))) for e in trace.all('hieraObject') if 'scalapack' in e.get('name')]
        expect('objects', [(name, file) for name, file in objects if not file.startswith(name)], [])
        contexts = {e.get('args').split()[0] for e in regions(trace, 'blacs') if 'contxt=' in (e.get('args') or '')}
        expect('contexts', contexts, {'contxt=' + shape})
        expect_true(job.ranks == 1 or seen > 50, f'MPI calls below pdgesv: expected more than 50, actual {seen}')
        expect('lost', trace.lost(), {})
    if job.ranks > 1:
        expect_true(('scalapack', 'pblas', 'blacs', 'mpi') in chains, f'chains of levels: {sorted(chains)}')
        expect('errors and warnings', [line for line in job.findings(result) if 'note: ' not in line], [])
    print_mpi_time([result.trace(r) for r in range(job.ranks)])


def print_mpi_time(traces):
    """Print the MPI time inside pdgesv by routine of the PBLAS, summed over all ranks."""
    calls, seconds = {}, {}
    for trace in traces:
        for e in trace.one('hieraRegion', operation='pdgesv').iter('hieraRegion'):
            if e.get('level') == 'pblas':
                name = e.get('operation')
                calls[name] = calls.get(name, 0) + 1
                seconds[name] = seconds.get(name, 0) + sum(float(m.get('finish_time')) - float(m.get('start_time')) for m in e.iter('hieraMPI'))
    for name in sorted(calls, key=seconds.get, reverse=True):
        print(f'{name}: {calls[name]} calls, {1e6 * seconds[name]:.0f} us in MPI')


# --- FFTW and PETSc ---

def check_transparent(job):
    """Yield the traces of the program under hiera-run. Output and exit code must be the same as without it."""
    plain = job.run().good()
    result = run_under_hiera_run(job).good()
    expect('output', result.out, plain.out)
    expect_true('right to' in plain.out and 'right to 0' not in plain.out, plain.out)
    for trace in result.valid(job.ranks):
        expect('lost', trace.lost(), {})
        yield trace


def outermost(trace, level):
    return [e for e in trace.root if e.tag == 'hieraRegion' and e.get('level') == level]


@case('fft', ranks=[1, 4], mpi=['openmpi'])
def fftw_transform_has_two_levels(job):
    for trace in check_transparent(job):
        calls = [(e.get('operation'), e.get('args')) for e in outermost(trace, 'fftw')]
        plan = 'n0=32 n1=16 sign={} flags=64'
        expect('calls', calls, [('fftw_mpi_init', None), ('fftw_mpi_local_size_2d', 'n0=32 n1=16'), ('fftw_mpi_plan_dft_2d', plan.format(-1)),
                                ('fftw_mpi_plan_dft_2d', plan.format(1)), ('fftw_execute', None), ('fftw_mpi_execute_dft', None),
                                ('fftw_mpi_cleanup', None)])
        execute = outermost(trace, 'fftw')[4]
        expect('place', (execute.get('file'), execute.get('line')), ('fft.c', line_of('fft.c', 'fftw_execute(forward)')))
        expect_true(job.ranks == 1 or execute.find('.//hieraMPI') is not None, 'a transform over processes without MPI')


@case('ksp', ranks=[1, 4], mpi=['openmpi'])
def petsc_solver_is_a_level(job):
    for trace in check_transparent(job):
        solve = trace.one('hieraRegion', operation='KSPSolve')
        expect('place', (solve.get('level'), solve.get('file'), solve.get('line')), ('petsc', 'ksp.c', line_of('ksp.c', 'KSPSolve(ksp')))
        expect('above the solve', above(trace, solve), [])
        direct = [e.get('operation') for e in solve if e.tag == 'hieraRegion' and e.get('operation') != 'VecDestroy']
        expect('first steps', direct[:2], ['KSPSetUp', 'KSPSetUpOnBlocks'])
        # Each of the 50 iterations has one matrix product. Each dot product and each norm has one reduction.
        expect('products', direct.count('MatMult'), 50)
        products = [e for e in solve if e.get('operation') == 'MatMult']
        if job.ranks > 1:
            expect('in a product', {e.get('operation') for p in products for e in p if e.tag == 'hieraRegion'}, {'VecScatterBegin', 'VecScatterEnd'})
            expect('products that send', len([p for p in products if any(m.get('operation') in ('start', 'startall', 'isend') for m in p.iter('hieraMPI'))]), 50)
        vectors = [e for e in solve.iter('hieraRegion') if e.get('operation') in ('VecTDot', 'VecDot', 'VecNorm')]
        expect_true(len(vectors) >= 100, f'dot products and norms: expected 100 or more, actual {len(vectors)}')
        expect('reductions of each', {sum(m.get('operation') == 'allreduce' for m in e.iter('hieraMPI')) for e in vectors}, {int(job.ranks > 1)})
        expect('vectors', [e.get('args') for e in trace.root if e.get('operation') == 'VecAXPY'], ['alpha=-1'])
        expect('made', [e.get('args') for e in trace.root if e.get('operation') == 'MatCreateAIJ'], ['m=-1 n=-1 M=100 N=100 d_nz=3 o_nz=2'])


# --- HDF5 and NetCDF ---

def calls_of(trace, level):
    return [(e.get('operation'), e.get('args')) for e in outermost(trace, level)]


def inside(element):
    """Names of all MPI operations inside an element."""
    return {m.get('operation') for m in element.iter('hieraMPI')}


def check_same_output(job, expected):
    plain = job.run().good()
    result = run_under_hiera_run(job).good()
    expect('output', (plain.out, result.out), (expected, expected))
    return result.valid(job.ranks)


@core_case('h5', ranks=[1, 4])
def hdf5_calls_are_a_level(job):
    for trace in check_same_output(job, f'sum {sum(64 * r + 20.16 for r in range(job.ranks)):.2f}\n'):
        expect('calls', calls_of(trace, 'hdf5'),
               [('H5Pset_fapl_mpio', None), ('H5Pset_dxpl_mpio', 'xfer_mode=1'), ('H5Fcreate', 'filename=rows.h5 flags=2'), ('H5Gcreate2', 'name=results'),
                ('H5Dcreate2', 'name=rows'), ('H5Dwrite', None), ('H5Fflush', 'scope=1'), ('H5Dread', None), ('H5Dclose', None), ('H5Gclose', None),
                ('H5Fclose', None)])
        write, read, create = (trace.one('hieraRegion', operation=name, file='h5.c') for name in ('H5Dwrite', 'H5Dread', 'H5Fcreate'))
        expect('place', (write.get('file'), write.get('line')), ('h5.c', line_of('h5.c', 'H5Dwrite(')))
        expect_true('file_open' in inside(create), f'below H5Fcreate: {inside(create)}')
        expect_true(any(name.startswith('file_write_at') for name in inside(write)), f'below H5Dwrite: {inside(write)}')
        expect_true(any(name.startswith('file_read_at') for name in inside(read)), f'below H5Dread: {inside(read)}')
        expect('lost', trace.lost(), {})


@case('nc', ranks=[1, 4], mpi=['openmpi'])
def netcdf_calls_contain_hdf5_calls(job):
    numbers = job.ranks * 16
    for trace in check_same_output(job, f'sum {numbers * (numbers - 1) // 2}\n'):
        names = [name for name, _ in calls_of(trace, 'netcdf')]
        expect('calls', names, ['nc_create_par', 'nc_def_dim', 'nc_def_dim', 'nc_def_var', 'nc_put_att_text', 'nc_enddef', 'nc_var_par_access',
                                'nc_put_vara_int', 'nc_sync', 'nc_get_vara_int', 'nc_close'])
        expect('dimensions', [e.get('args') for e in trace.all('hieraRegion', operation='nc_def_dim')],
               [f'ncid={e.get("args").split("=")[1].split()[0]} name={name} len={n}' for e, name, n in
                zip(trace.all('hieraRegion', operation='nc_def_dim'), ('rank', 'place'), (job.ranks, 16))])
        put = trace.one('hieraRegion', operation='nc_put_vara_int')
        expect('place', (put.get('file'), put.get('line')), ('nc.c', line_of('nc.c', 'nc_put_vara_int(')))
        writes = [e for e in put.iter('hieraRegion') if e.get('level') == 'hdf5' and e.get('operation') == 'H5Dwrite']
        expect('writes of HDF5', len(writes), 1)
        expect_true(any(name.startswith('file_write_at') for name in inside(writes[0])), f'below H5Dwrite: {inside(writes[0])}')
        expect('lost', trace.lost(), {})
