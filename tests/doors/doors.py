#!/usr/bin/env python3
"""The doors by which a call can come to MPI: doors.py --mpi NAME --bin DIR... -- CASE... reports them in TAP, doors.py --list MPI prints their names.

A row of the table is a door: a program whose calls come to MPI by it, and which counts them itself. Hiera has recorded as many, or it is said, in
each answer, that there were more."""

import argparse
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'mpi'))
from expect import tap  # noqa: E402
from expect.job import OPEN_MPI, QUICK_OPEN_MPI, QUICK_START  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
MPIS = ('openmpi', 'mpich')
ONE = ('openmpi',)  # for doors that are the same way in Hiera as others, whose program or loader is another one: one MPI is enough

# Files, and the commands that make them. {mpi}: openmpi or mpich; {c}: doors.c; {static}: the collector's archive; {name}: the file's name
SHARED = 'mpicc.{mpi} -g -DPLUG -shared -fPIC {c} -o {name}'
STATIC = (' -DSTATIC -fPIE {c} -o {name} -Wl,--unresolved-symbols=ignore-all,--no-warnings,-z,muldefs -lmpich '
          '-Wl,--whole-archive -lucp -luct -lucs -lucm -Wl,--no-whole-archive -lhwloc -lm')
FILES = {
    'app': 'mpicc.{mpi} -g -fPIC {c} -o {name} -ldl',
    'pmpi': 'mpicc.{mpi} -g -DDIRECT {c} -o {name} -ldl',
    'alone': 'cc -g -DALONE {c} -o {name} -ldl',
    'lto': 'mpicc.{mpi} -g -O2 -flto {c} -o {name} -ldl',
    'no-plt': 'mpicc.{mpi} -g -O2 -fno-plt -Wl,-z,now {c} -o {name} -ldl',
    'linked': 'mpicc.{mpi} -g -fPIC -DLINKED {c} -o {name} -Wl,--no-as-needed ./linked.so -Wl,-rpath,$PWD -ldl',
    'linked.so': 'mpicc.{mpi} -g -DPLUG -DDIRECT -shared -fPIC -Wl,-z,now -Wl,-soname,linked.so {c} -o {name}',
    'archive': 'mpicc.{mpi} -g {c} -o {name} -Wl,--whole-archive {static} -Wl,--no-whole-archive -lm -ldl',
    'pmpi-archive': 'mpicc.{mpi} -g -DDIRECT {c} -o {name} -Wl,--whole-archive {static} -Wl,--no-whole-archive -lm -ldl',
    'pmpi-archive-fixed': 'mpicc.{mpi} -g -no-pie -fno-pie -DDIRECT {c} -o {name} {static} -Wl,-z,now -lm -ldl',
    'fortran-archive': 'mpifort.{mpi} -g -DFORTRAN=pmpi_barrier_ {c} -o {name} {static} -lm -ldl',
    'fortran-archive-fixed': 'mpifort.{mpi} -g -no-pie -fno-pie -DFORTRAN=pmpi_barrier_ {c} -o {name} -Wl,--whole-archive {static} -Wl,--no-whole-archive,-z,now -lm -ldl',
    'plug.so': SHARED,
    'no-plt.so': SHARED + ' -fno-plt -Wl,-z,now',
    'symbolic.so': SHARED + ' -Wl,-Bsymbolic',
    'lto.so': SHARED + ' -O2 -flto',
    'ifunc.so': SHARED + ' -DIFUNC',
    'direct.so': SHARED + ' -DDIRECT',
    'odd.so': SHARED + ' -O2 -flto -DDIRECT -DIFUNC -fno-plt -Wl,-Bsymbolic',
    'fortran.so': 'mpifort.{mpi} -DPLUG -DFORTRAN=mpi_barrier_ -shared -fPIC {c} -o {name} 2>&-',
    'pmpi-fortran.so': 'mpifort.{mpi} -DPLUG -DFORTRAN=pmpi_barrier_ -shared -fPIC {c} -o {name} 2>&-',
    'tool.so': 'mpicc.{mpi} -g -DTOOL -shared -fPIC {c} -o {name}',
    'lock.so': 'cc -g -DLOCK -shared -fPIC {c} -o {name}',
    'old-linker': 'python3 old-linker.py app {name}',
    'static-pie': 'mpicc.{mpi} -static-pie' + STATIC,
    'recorded-static-pie': 'mpicc.{mpi} -static-pie -Wl,--whole-archive {static} -Wl,--no-whole-archive' + STATIC,
    'pmpi-static-pie': 'mpicc.{mpi} -static-pie -DDIRECT -Wl,--whole-archive {static} -Wl,--no-whole-archive' + STATIC,
    'pmpi-static-stripped': 'objcopy --strip-all pmpi-static-pie {name}',
    'musl': 'musl-gcc {source} -o {name}',
    'cc': 'mpicxx.{mpi} -x c++ -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX {source} -o {name}',
    'f08': 'mpifort.{mpi} -x f95 {source} -o {name}',
    'pmpi-f08': 'mpifort.{mpi} -x f95 {source} -o {name}',
    'pmpi-f08-archive': 'mpifort.{mpi} -x f95 pmpi-f08.source.c -x none {static} -o {name} -lm -ldl && : pmpi-f08',
    'rust': 'rustc --edition=2021 --crate-name door -Awarnings -Clink-arg=-l:$LIB {source} -o {name}',
}

F08 = '''program door
  use mpi_f08
  integer :: n
  call MPI_Init()
  do n = 1, 10
    call {call}(MPI_COMM_WORLD)
  end do
  print '(a, i0)', 'calls: ', n - 1
  call MPI_Finalize()
end program
'''

SOURCES = {
    'musl': 'int main(void) { return 0; }',
    'cc': '''#include <mpi.h>
#include <cstdio>
int main(int argc, char **argv)
{
    int n = 0;
    MPI_Init(&argc, &argv);
    for (auto call = [&] { return MPI_Barrier(MPI_COMM_WORLD); }; n < 10; n++) call();
    std::printf("calls: %d\\n", n);
    return MPI_Finalize();
}
''',
    'f08': F08.format(call='MPI_Barrier'),
    'pmpi-f08': F08.format(call='PMPI_Barrier'),
    'rust': '''extern "C" {
    fn MPI_Init(argc: *mut i32, argv: *mut u8) -> i32;
    fn MPI_Barrier(comm: *const u8) -> i32;
    fn MPI_Finalize() -> i32;
    fn dlsym(library: *const u8, name: *const i8) -> *const u8;
}
fn main() { unsafe {
    let found = dlsym(std::ptr::null(), c"ompi_mpi_comm_world".as_ptr());
    let world = if found.is_null() { 0x44000000 as *const u8 } else { found };
    let mut n = 0;
    MPI_Init(std::ptr::null_mut(), std::ptr::null_mut());
    while n < 10 { MPI_Barrier(world); n += 1; }
    println!("calls: {n}");
    MPI_Finalize();
} }
''',
}

PYTHON = '''import {module}, os
lib = os.environ['LIB']
{bind}
init(None, None)
n = 0
{loop}
print('calls:', n)
finalize()
'''
LOOP = 'while n < 10:\n    barrier(world); n += 1'
CTYPES = '''mpi = ctypes.CDLL(lib)
world = 0x44000000 if os.environ['MPI'] == 'mpich' else ctypes.byref(ctypes.c_char.in_dll(mpi, 'ompi_mpi_comm_world'))
init, barrier, finalize = mpi.MPI_Init, mpi.MPI_Barrier, mpi.MPI_Finalize'''
CFFI = '''ffi = cffi.FFI()
ffi.cdef('int MPI_Init(void *, void *); int MPI_Barrier(void *); int MPI_Finalize(void); extern char ompi_mpi_comm_world[];')
mpi = ffi.dlopen(lib)
world = ffi.cast('void *', 0x44000000) if os.environ['MPI'] == 'mpich' else ffi.addressof(mpi, 'ompi_mpi_comm_world')
init, barrier, finalize = lambda *_: mpi.MPI_Init(ffi.NULL, ffi.NULL), mpi.MPI_Barrier, mpi.MPI_Finalize'''
NUMBA = '''import ctypes
mpi = ctypes.CDLL(lib)
world = 0x44000000 if os.environ['MPI'] == 'mpich' else ctypes.addressof(ctypes.c_char.in_dll(mpi, 'ompi_mpi_comm_world'))
init, barrier, finalize = mpi.MPI_Init, mpi.MPI_Barrier, mpi.MPI_Finalize
barrier.argtypes = [ctypes.c_size_t]
@numba.njit
def work():
    n = 0
    while n < 10:
        barrier(world); n += 1
    return n'''
MPI4PY = '''from mpi4py import MPI
init, barrier, world, finalize = lambda *_: 0, MPI.Comm.Barrier, MPI.COMM_WORLD, lambda: 0'''
SCRIPTS = {
    'door-ctypes.py': PYTHON.format(module='ctypes', bind=CTYPES, loop=LOOP),
    'door-cffi.py': PYTHON.format(module='cffi', bind=CFFI, loop=LOOP),
    'door-numba.py': PYTHON.format(module='numba', bind=NUMBA, loop='n = work()'),
    'door-mpi4py.py': PYTHON.format(module='mpi4py', bind=MPI4PY, loop=LOOP),
    # A copy of MPI's library with the symbol table in a part that has the permission of code
    'old-linker.py': '''import os, re, struct, subprocess, sys
path = re.search('=> ([^ ]+/(libmpi(ch)?.so.[0-9]+)) ', subprocess.run(['ldd', sys.argv[1]], stdout=subprocess.PIPE, text=True).stdout)
elf = bytearray(open(path[1], 'rb').read())
for at in range(64, 64 + 56 * elf[56], 56):
    if struct.unpack_from('<II', elf, at) == (1, 4): elf[at + 4] = 5
os.mkdir(sys.argv[2])
open(sys.argv[2] + '/' + path[2], 'wb').write(elf)
''',
    'door.lua': '''local ffi = require 'ffi'
ffi.cdef 'int MPI_Init(void *, void *); int MPI_Barrier(void *); int MPI_Finalize(void); extern char ompi_mpi_comm_world[];'
local mpi = ffi.load(os.getenv 'LIB')
local world = os.getenv 'MPI' == 'mpich' and ffi.cast('void *', 0x44000000) or mpi.ompi_mpi_comm_world
mpi.MPI_Init(nil, nil)
local n = 0
while n < 10 do mpi.MPI_Barrier(world); n = n + 1 end
print('calls: ' .. n)
mpi.MPI_Finalize()
''',
}

# Stops of no command, at the first instruction of MPI's function: gdb knows where it is from the file.
GDB = ('LD_PRELOAD= gdb -nx -batch -iex "set debuginfod enabled off" -ex "set environment LD_PRELOAD $LIBHIERA" -ex "set startup-with-shell off" '
       '-ex "break main" -ex run -ex "break *(long)PMPI_Barrier" -ex "ignore 2 1000" -ex continue -ex "info breakpoints" '
       '--args ./linked usual linked MPI_Barrier PMPI_Barrier ./direct.so deep:./plug.so')

PAST = 'calls of {} (may )?go past Hiera to MPI'


class Door:
    """A row: the command, and if not as many calls are recorded as made, what each answer says (`said`), or the run, which leaves no trace (`refused`);
    `limit`: what each answer says where nobody knows whether as many are, and the efficiency is that of the calls which are."""

    def __init__(self, name, command, said='', refused='', limit='', mpis=MPIS, needs='', counted=r'calls: (\d+)', operations='barrier'):
        self.name, self.command, self.said, self.refused, self.limit = name, command, said, refused, limit
        self.mpis, self.needs, self.counted, self.operations = mpis, needs, counted, operations


DOORS = [
    Door('C', 'hiera-run ./app usual'),
    Door('C++', 'hiera-run ./cc'),
    Door('Fortran', 'hiera-run ./f08', needs='mpifort.{mpi}'),
    Door('PMPI names of mpi_f08', 'hiera-run ./pmpi-f08', needs='mpifort.{mpi}'),
    Door('PMPI names of mpi_f08 beside a tool below Hiera', 'LD_PRELOAD=$PWD/tool.so hiera-run ./pmpi-f08', said=PAST.format(r'\S+'), needs='mpifort.{mpi}'),
    Door('PMPI names of mpi_f08 in a program with libhiera.a', './pmpi-f08-archive', needs='mpifort.{mpi}'),
    Door('Fortran in a library that is loaded late', 'hiera-run ./app ./fortran.so', needs='mpifort.{mpi}'),
    Door('PMPI names of Fortran in a library that is loaded late', 'hiera-run ./app ./pmpi-fortran.so', needs='mpifort.{mpi}'),
    Door('ctypes of Python', 'hiera-run mpirun.{mpi} -n 1 /usr/bin/python3 door-ctypes.py'),
    Door('cffi of Python', 'hiera-run --library=$LIBHIERA /usr/bin/python3 door-cffi.py', needs='python:cffi', mpis=ONE),
    Door('numba', 'hiera-run --library=$LIBHIERA /usr/bin/python3 door-numba.py', needs='python:numba', mpis=ONE),
    Door('mpi4py', 'hiera-run --library=$LIBHIERA /usr/bin/python3 door-mpi4py.py', needs='python:mpi4py.MPI', mpis=('openmpi',)),
    Door('dlsym, as ccall of Julia', 'hiera-run --library=$LIBHIERA ./alone'),
    Door('Rust', 'hiera-run ./rust', needs='rustc', mpis=ONE),
    Door('FFI of Lua', 'hiera-run --library=$LIBHIERA luajit door.lua', needs='luajit', mpis=ONE),
    Door('-Bsymbolic', 'hiera-run ./app ./symbolic.so'),
    Door('-fno-plt', 'hiera-run ./no-plt usual'),
    Door('-fno-plt in a library', 'hiera-run ./app ./no-plt.so'),
    Door('LTO', 'hiera-run ./lto usual'),
    Door('LTO in a library', 'hiera-run ./app ./lto.so', mpis=ONE),
    Door('IFUNC', 'hiera-run ./app ./ifunc.so', mpis=ONE),
    Door('RTLD_LOCAL', 'hiera-run ./app ./plug.so'),
    Door('RTLD_DEEPBIND', 'hiera-run ./app deep:./plug.so deep:./direct.so deep:./odd.so'),
    Door('PMPI', 'hiera-run ./pmpi direct pointer'),
    Door('PMPI by dlsym', 'hiera-run ./app PMPI_Barrier MPI_Barrier'),
    Door('PMPI in a library', 'hiera-run ./linked linked'),
    Door('PMPI in a library that is loaded late', 'hiera-run ./app ./direct.so'),
    Door('PMPI names by which a component of MPI asks', 'OMPI_MCA_io=^ompio hiera-run ./app file', operations='file_close|op_free|.*keyval.*'),
    Door('a tool above Hiera', 'LD_PRELOAD=$PWD/tool.so:$LIBHIERA ./app usual', counted=r'tool: (\d+)'),
    Door('a tool below Hiera', 'LD_PRELOAD=$PWD/tool.so hiera-run ./app usual', counted=r'tool: (\d+)'),
    Door('PMPI beside a tool below Hiera', 'LD_PRELOAD=$PWD/tool.so hiera-run ./pmpi direct', said=PAST.format('pmpi')),
    Door('PMPI in a library beside a tool below Hiera', 'LD_PRELOAD=$PWD/tool.so hiera-run ./linked linked', said=PAST.format('linked.so')),
    Door('PMPI in a late library beside a tool below Hiera', 'LD_PRELOAD=$PWD/tool.so hiera-run ./app ./direct.so', said=PAST.format('direct.so')),
    Door('PMPI by dlsym beside a tool below Hiera', 'LD_PRELOAD=$PWD/tool.so hiera-run ./app PMPI_Barrier', said=PAST.format('app')),
    Door('RTLD_DEEPBIND beside a tool below Hiera', 'LD_PRELOAD=$PWD/tool.so hiera-run ./app deep:./plug.so', said=PAST.format('plug.so')),
    Door('PMPI names of Fortran beside a tool below Hiera', 'LD_PRELOAD=$PWD/tool.so hiera-run ./app ./pmpi-fortran.so', said=PAST.format(r'libmpi_mpifh.so\S*'),
         needs='mpifort.{mpi}', mpis=('openmpi',)), # in MPICH they call MPI_Barrier, which is recorded
    Door('jemalloc', 'LD_PRELOAD=libjemalloc.so.2 hiera-run ./app usual ./direct.so', needs='library:libjemalloc.so.2', mpis=ONE),
    Door('tcmalloc', 'LD_PRELOAD=libtcmalloc_minimal.so.4 hiera-run ./app usual ./direct.so', needs='library:libtcmalloc_minimal.so.4', mpis=ONE),
    Door('ASan', 'ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD=$(gcc -print-file-name=libasan.so) hiera-run ./app usual ./direct.so', mpis=ONE),
    Door('libhiera.a in the program', './archive usual'),
    Door('PMPI in a program with libhiera.a', './pmpi-archive direct pointer usual ./direct.so'),
    Door('PMPI in a program with libhiera.a, bound at its start, at fixed addresses', './pmpi-archive-fixed direct pointer usual'),
    Door('PMPI names of Fortran in a program with libhiera.a', './fortran-archive direct pointer ./fortran.so', needs='mpifort.{mpi}'),
    Door('PMPI names of Fortran in a program with libhiera.a at fixed addresses', './fortran-archive-fixed direct pointer', needs='mpifort.{mpi}'),
    Door('PMPI in a program with libhiera.a beside a tool', 'LD_PRELOAD=$PWD/tool.so ./pmpi-archive direct', said=PAST.format('pmpi-archive')),
    Door('PMPI names of Fortran in a program with libhiera.a beside a tool', 'LD_PRELOAD=$PWD/tool.so ./fortran-archive direct', needs='mpifort.{mpi}',
         said=PAST.format('fortran-archive'), mpis=('openmpi',)), # as above
    Door('static PIE', 'hiera-run ./static-pie usual', refused='static-pie: wholly static, nothing can be preloaded', mpis=('mpich',)),
    Door('static PIE with libhiera.a', 'hiera-run ./recorded-static-pie usual', mpis=('mpich',)),
    Door('PMPI in a static PIE with libhiera.a', './pmpi-static-pie direct', said=PAST.format('pmpi-static-pie'), mpis=('mpich',)),
    Door('PMPI in a static PIE without symbols', './pmpi-static-stripped direct', said='calls of the program by PMPI names may go past Hiera', mpis=('mpich',)),
    Door('PMPI in a static PIE without symbols, beside others', './pmpi-static-stripped direct usual', limit='calls of the program by PMPI names would not be seen', mpis=('mpich',)),
    Door('dlmopen', 'hiera-run --library=$LIBHIERA ./alone elsewhere', said='calls go past Hiera to a second libmpich.so.12', mpis=('mpich',)),
    Door('musl', 'hiera-run ./musl', refused='musl: of another C library than libhiera', needs='musl-gcc'),
    Door('a symbol table beside code', 'LD_LIBRARY_PATH=old-linker hiera-run ./app MPI_Barrier PMPI_Barrier deep:./plug.so'),
    Door('a symbol table that cannot be changed', 'LD_PRELOAD=$PWD/lock.so hiera-run ./app MPI_Barrier', said=PAST.format(r'functions that dlsym\(\) finds')),
    Door('names alone', 'HIERA_MORE=bind=names hiera-run ./pmpi direct', said=PAST.format('pmpi')),
    Door('a killed rank, with names alone', 'HIERA_MORE=bind=names hiera-run ./pmpi direct killed', said=PAST.format('pmpi')),
    Door('dlsym with names alone', 'HIERA_MORE=bind=names hiera-run ./app MPI_Barrier', said=PAST.format(r'functions that dlsym\(\) finds')),
    Door('many libraries with names alone', 'for i in 1 2 3 4 5; do cp direct.so $i.so; done; HIERA_MORE=bind=names hiera-run ./app ./direct.so ./1.so ./2.so ./3.so ./4.so ./5.so',
         said='calls of [2-4] more programs or libraries (may )?go past Hiera to MPI', mpis=ONE),
    Door('counted by gdb where MPI is entered', GDB, counted=r'<PMPI_Barrier>\s+breakpoint already hit (\d+) times', needs='gdb', mpis=ONE),
]


class Place:
    """A folder for all doors of one MPI, in which what they need is made when it is first asked for."""

    def __init__(self, options):
        self.mpi, self.folder = options.mpi, tempfile.mkdtemp(prefix='hiera-doors-')
        bins = [os.path.abspath(each) for each in options.bin]
        self.archive = os.path.join(bins[0], f'libhiera-{self.mpi}.a')
        env = {k: v for k, v in os.environ.items() if not k.startswith('HIERA_') and k != 'LD_PRELOAD'}
        self.env = {**env, **OPEN_MPI, **QUICK_START, **QUICK_OPEN_MPI, 'OMPI_MCA_orte_tmpdir_base': self.folder, 'MPI': self.mpi,
                    'LIB': 'libmpi.so.40' if self.mpi == 'openmpi' else 'libmpich.so.12', 'HIERA_DIR': 'd',
                    'LIBHIERA': os.path.join(bins[0], f'libhiera-{self.mpi}.so'), 'PATH': ':'.join([*bins, env['PATH']])}

    def shell(self, command):
        done = subprocess.run(['sh', '-c', command], cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors='replace', check=False)
        return done.returncode, done.stdout + done.stderr

    def make(self, command, but=None):
        for name in set(re.findall(r'[\w.-]*[\w-]', command)) - {but}:
            path = os.path.join(self.folder, name)
            text = SCRIPTS.get(name) or SOURCES.get(name)
            source = path if name in SCRIPTS else f'{path}.source.c'
            if os.path.exists(path) or not (text or name in FILES):
                continue
            if text:
                with open(source, 'w', encoding='utf-8') as file:
                    file.write(text)
            if name in FILES:
                build = FILES[name].format(mpi=self.mpi, c=os.path.join(HERE, 'doors.c'), static=self.archive, name=name, source=source)
                self.make(build, name)
                code, said = self.shell(build)
                if code:
                    sys.exit(f'{build}: {code}\n{said}')


def lacks(need, mpi):
    kind, _, name = need.format(mpi=mpi).rpartition(':')
    if kind == 'python':
        return subprocess.run(['/usr/bin/python3', '-c', f'import {name}'], capture_output=True, check=False).returncode != 0
    if kind == 'library':
        return name not in subprocess.run(['/sbin/ldconfig', '-p'], capture_output=True, text=True, check=False).stdout
    return not shutil.which(name)


def answers(place):
    """What each of the answers says that a user looks at."""
    for words in ('', '--measure efficiency', '--measure hang', '--validate', '--html page.html'):
        yield words or 'summary', place.shell(f'hiera-transform d {words}')[1]


def judge(door, place):
    """What is wrong with a door."""
    command = door.command.format(mpi=place.mpi)
    place.make(command)
    code, run = place.shell(command)
    if door.refused:
        return [] if re.search(door.refused, run) and not os.path.exists(f'{place.folder}/d') else [f'{command}: {code}, does not say {door.refused!r}:\n{run}']
    made = re.search(door.counted, run)
    if not made:
        return [f'{command}: {code}, does not say how many calls it made:\n{run}']
    counts = place.shell('hiera-transform d --measure counts --format csv')[1]
    recorded = sum(int(row['count']) for row in csv.DictReader(counts.splitlines()) if re.fullmatch(door.operations, row['operation'] or ''))
    if not door.said and not door.limit:
        return [] if int(made[1]) == recorded and 'past Hiera' not in counts else [f'{command}: {made[1]} calls made, {recorded} recorded\n{run}{counts}']
    faults = [] if recorded < int(made[1]) else [f'{command}: all {recorded} calls are recorded']
    for name, text in answers(place):
        if not re.search(door.said or door.limit, text) or re.search('unknown' if door.limit else 'no MPI calls|no wait is seen', text):
            faults.append(f'{command}: {name} does not say {door.said or door.limit!r}, or what is not known:\n{text}')
    return faults


def check(name, place):
    door = next(door for door in DOORS if f'door: {door.name}, {place.mpi}' == name)
    lacking = [need for need in door.needs.split() if lacks(need, place.mpi)]
    if lacking:
        print(f'skipped: {lacking[0]} is not installed')
        return tap.SKIPPED
    shutil.rmtree(f'{place.folder}/d', ignore_errors=True)
    faults = judge(door, place)
    print(*faults, sep='\n', end='')
    return 1 if faults else 0


def main():
    words, named, is_kept = tap.split(sys.argv[1:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--mpi', choices=MPIS)
    parser.add_argument('--bin', action='append', default=[], help='folder of hiera-run and libhiera, then that of hiera-transform')
    parser.add_argument('--list', choices=MPIS)
    options = parser.parse_args(words)
    if options.list:
        print('\n'.join(door.name for door in DOORS if options.list in door.mpis))
        return 0
    place = Place(options)
    status = tap.run([(name, 60, lambda name=name: check(name, place)) for (name,) in named])
    if is_kept:
        print('#', place.folder)
    else:
        shutil.rmtree(place.folder)
    return status


if __name__ == '__main__':
    sys.exit(main())
