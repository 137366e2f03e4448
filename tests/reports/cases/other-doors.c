/* ingredient: MPI calls that do not come by the usual binding of symbols: each way makes ten barriers
 * source: found from outside, N; Julia's MPI.jl, Python's ctypes, plug-ins
 * build: mpicc -g -DPLUG -shared -fPIC %f -o plug.so
 * build: mpicc -g -DPLUG -shared -fPIC -fno-plt -Wl,-Bsymbolic,-z,now %f -o now.so
 * build: mpicc -g -DPLUG -DDIRECT -shared -fPIC %f -o direct.so
 * build: mpicc -g -DPLUG -DDIRECT -shared -fPIC -Wl,-z,now -Wl,-soname,linked.so %f -o linked.so
 * build: mpicc -g -O2 -flto -DPLUG -DDIRECT -DIFUNC -shared -fPIC -fno-plt -Wl,-Bsymbolic %f -o odd.so
 * build: mpifort -g -DPLUG -DFORTRAN -shared -fPIC %f -o fortran.so
 * build: mpicc -g -fPIC %f -o app -Wl,--no-as-needed ./linked.so -Wl,-rpath,'$ORIGIN' -ldl
 * build: cc -g -DALONE %f -o alone -ldl
 * build: printf 'import ctypes, os, sys\nopenmpi = os.environ["MPI"] == "openmpi"\nmpi = ctypes.CDLL("libmpi.so.40" if openmpi else "libmpich.so.12")\nworld = ctypes.byref(ctypes.c_char.in_dll(mpi, "ompi_mpi_comm_world")) if openmpi else 0x44000000\nmpi.MPI_Init(None, None)\nfor _ in range(10): mpi.MPI_Barrier(world)\nmpi.MPI_Finalize()\n' > door.py
 * build: printf 'import os, re, struct, subprocess\npath = re.search("=> ([^ ]+/(libmpi(ch)?.so.[0-9]+)) ", subprocess.run(["ldd", "app"], stdout=subprocess.PIPE, text=True).stdout)\nelf = bytearray(open(path[1], "rb").read())\nfor at in range(64, 64 + 56 * elf[56], 56):\n  if struct.unpack_from("<II", elf, at) == (1, 4): elf[at + 4] = 5\nos.makedirs("locked", exist_ok=True)\nopen("locked/" + path[2], "wb").write(elf)\n' > lock.py
 * build: printf 'rm -rf d; HIERA_DIR=d hiera-run --quiet mpirun -n 1 "$@" 2>&1; hiera-transform d --measure counts --format csv; hiera-transform d --validate; true' > try
 * run: hiera-run mpirun -n 2 ./app MPI_Barrier PMPI_Barrier direct pointer linked ./plug.so deep:./plug.so deep:./now.so ./direct.so deep:./direct.so deep:./fortran.so ./odd.so
 * expect: calls barrier 240
 * expect: answer sh try ./alone => mpi,barrier,10
 * expect: answer sh try /usr/bin/python3 door.py => mpi,barrier,10
 * expect: answer sh try ./alone elsewhere => MPI calls have not come to Hiera, so the traces lack them: calls go past Hiera to a second libmpi|Segmentation fault
 * expect: answer for i in 1 2 3; do cp direct.so $i.so; done; HIERA_MORE=bind=names sh try ./app direct ./direct.so ./1.so ./2.so ./3.so; hiera-transform d => calls of app may go past Hiera to MPI(?s:.*)linked.so may go past(?s:.*)direct.so go past(?s:.*)2 more(?s:.*)MPI calls not recorded(?s:.*)Efficiency +unknown: calls of app may go past Hiera(?s:.*)Limits +calls of app may go past Hiera
 * expect: answer HIERA_MORE=bind=names sh try ./app direct killed; hiera-transform d --measure hang => incomplete(?s:.*)calls of app may go past Hiera to MPI: ranks may wait(?s:.*)not known
 * expect: answer python3 lock.py && LD_LIBRARY_PATH=$PWD/locked:$LD_LIBRARY_PATH sh try ./app direct => the symbol table of MPI's library cannot be changed in memory(?s:.*)mpi,barrier,10
 * expect: answer OMPI_MCA_io=^ompio sh try ./app file > file; grep -c file_close file; grep -c 'op_free\|keyval\|may go' file => ^1\n0\n
 * Open MPI does not run in a namespace of its own, without Hiera either.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(PLUG)
#include <mpi.h>

void mpi_barrier_(MPI_Fint *comm, MPI_Fint *error);

#ifdef IFUNC
static void (*choose(void))(void);
void work(void) __attribute__((ifunc("choose")));
#define work chosen
#endif
void work(void)
{
    for (int i = 0; i < 10; i++)
#if defined(DIRECT)
        PMPI_Barrier(MPI_COMM_WORLD);
#elif defined(FORTRAN)
        mpi_barrier_(&(MPI_Fint){MPI_Comm_c2f(MPI_COMM_WORLD)}, &(MPI_Fint){0});
#else
        MPI_Barrier(MPI_COMM_WORLD);
#endif
}
#ifdef IFUNC
static void (*choose(void))(void)
{
    return chosen;
}
#endif

#elif defined(ALONE)
/* As a language without a compiler of MPI does it: the world is a number in MPICH, an address in Open MPI. */
int main(int argc, char **argv)
{
    int is_mpich = strcmp(getenv("MPI"), "mpich") == 0;
    const char *name = is_mpich ? "libmpich.so.12" : "libmpi.so.40";
    void *mpi = argc > 1 ? dlmopen(LM_ID_NEWLM, name, RTLD_NOW) : dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!mpi)
        return puts(dlerror()) < 0 || 1;
    void *world = is_mpich ? (void *)0x44000000L : dlsym(mpi, "ompi_mpi_comm_world");
    ((int (*)(int *, char ***))dlsym(mpi, "MPI_Init"))(&argc, &argv);
    for (int i = 0; i < 10; i++)
        ((int (*)(void *))dlsym(mpi, "MPI_Barrier"))(world);
    return ((int (*)(void))dlsym(mpi, "MPI_Finalize"))();
}

#else
#include <mpi.h>

void work(void);

static int (*const pointer)(MPI_Comm) = PMPI_Barrier;

static void work_in(const char *plug_in, int flags)
{
    ((void (*)(void))dlsym(dlopen(plug_in, RTLD_LAZY | RTLD_LOCAL | flags), "work"))();
}

/* A component of MPI is loaded for files, and asks MPI by PMPI names until MPI has ended. */
static void open_file(int i)
{
    MPI_File file;
    if (i == 0 && MPI_File_open(MPI_COMM_SELF, "data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) == 0)
        MPI_File_close(&file);
}

static void work_by(const char *way)
{
    const char *mpi = strcmp(getenv("MPI"), "mpich") ? "libmpi.so.40" : "libmpich.so.12";
    int (*found)(MPI_Comm) = (int (*)(MPI_Comm))dlsym(dlopen(mpi, RTLD_LAZY), way);
    for (int i = 0; i < 10; i++)
        if (found)
            found(MPI_COMM_WORLD);
        else if (strcmp(way, "direct") == 0)
            PMPI_Barrier(MPI_COMM_WORLD);
        else if (strcmp(way, "killed") == 0)
            raise(SIGTERM);
        else if (strcmp(way, "file") == 0)
            open_file(i);
        else
            pointer(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "deep:", 5) == 0)
            work_in(argv[i] + 5, RTLD_DEEPBIND);
        else if (argv[i][0] == '.')
            work_in(argv[i], 0);
        else if (strcmp(argv[i], "linked") == 0)
            work();
        else
            work_by(argv[i]);
    return MPI_Finalize();
}
#endif
