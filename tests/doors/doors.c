/* Programs, libraries and tools whose calls come to MPI by different doors (doors.py). Each door makes ten barriers and
 * counts them itself: a program prints how many it made. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 10 };

#if defined(TOOL)
#include <mpi.h>

/* A PMPI tool. It says how many calls it got. */
static int barriers;

int MPI_Barrier(MPI_Comm comm)
{
    barriers++;
    return PMPI_Barrier(comm);
}

int MPI_Finalize(void)
{
    fprintf(stderr, "tool: %d\n", barriers);
    return PMPI_Finalize();
}

#elif defined(LOCK)
#include <errno.h>
#include <sys/mman.h>

/* As where a system allows no code to be changed. */
int mprotect(void *address, size_t bytes, int protection)
{
    (void)address;
    (void)bytes;
    (void)protection;
    errno = EACCES;
    return -1;
}

#elif defined(PLUG)
#include <mpi.h>

void mpi_barrier_(MPI_Fint *comm, MPI_Fint *error);
void pmpi_barrier_(MPI_Fint *comm, MPI_Fint *error);

#ifdef IFUNC
static int (*choose(void))(void);
int work(void) __attribute__((ifunc("choose")));
#define work chosen
#endif
int work(void)
{
    int n = 0;
    for (; n < CALLS; n++)
#if defined(DIRECT)
        PMPI_Barrier(MPI_COMM_WORLD);
#elif defined(FORTRAN)
        FORTRAN(&(MPI_Fint){MPI_Comm_c2f(MPI_COMM_WORLD)}, &(MPI_Fint){0});
#else
        MPI_Barrier(MPI_COMM_WORLD);
#endif
    return n;
}
#ifdef IFUNC
static int (*choose(void))(void)
{
    return chosen;
}
#endif

#elif defined(ALONE)
/* As Julia's ccall does it: the world is a number in MPICH, an address in Open MPI. */
int main(int argc, char **argv)
{
    int is_mpich = strcmp(getenv("MPI"), "mpich") == 0, n = 0;
    const char *name = is_mpich ? "libmpich.so.12" : "libmpi.so.40";
    void *mpi = argc > 1 ? dlmopen(LM_ID_NEWLM, name, RTLD_NOW) : dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!mpi)
        return puts(dlerror()) < 0 || 1;
    void *world = is_mpich ? (void *)0x44000000L : dlsym(mpi, "ompi_mpi_comm_world");
    ((int (*)(int *, char ***))dlsym(mpi, "MPI_Init"))(&argc, &argv);
    for (; n < CALLS; n++)
        ((int (*)(void *))dlsym(mpi, "MPI_Barrier"))(world);
    printf("calls: %d\n", n);
    return ((int (*)(void))dlsym(mpi, "MPI_Finalize"))();
}

#else
#include <mpi.h>

#ifdef LINKED
int work(void);
#else
static int work(void)
{
    return 0;
}
#endif

#ifdef STATIC
/* A library below MPI refers to it, which Debian has no archive of. */
void *udev_new(void);
void *udev_new(void)
{
    return NULL;
}
#endif

#if defined(FORTRAN)
void FORTRAN(MPI_Fint *comm, MPI_Fint *error);
static void (*volatile in_fortran)(MPI_Fint *comm, MPI_Fint *error) = FORTRAN;
static int by_name(MPI_Comm comm)
{
    FORTRAN(&(MPI_Fint){MPI_Comm_c2f(comm)}, &(MPI_Fint){0});
    return 0;
}
static int by_pointer(MPI_Comm comm)
{
    in_fortran(&(MPI_Fint){MPI_Comm_c2f(comm)}, &(MPI_Fint){0});
    return 0;
}
#define DIRECTLY by_name
#define POINTER  by_pointer
#elif defined(DIRECT)
#define DIRECTLY PMPI_Barrier
#else
#define DIRECTLY MPI_Barrier
#endif
#ifndef POINTER
#define POINTER DIRECTLY
#endif
static int (*const pointer)(MPI_Comm) = POINTER;

static int work_in(const char *plug_in, int flags)
{
    void *library = dlopen(plug_in, RTLD_LAZY | RTLD_LOCAL | flags);
    return library ? ((int (*)(void))dlsym(library, "work"))() : (puts(dlerror()), 0);
}

/* A component of MPI is loaded for files, and asks MPI by PMPI names until MPI has ended. */
static int open_file(void)
{
    MPI_File file;
    return MPI_File_open(MPI_COMM_SELF, "data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) == 0 &&
           MPI_File_close(&file) == 0;
}

static int work_by(const char *way)
{
    const char *mpi = strcmp(getenv("MPI"), "mpich") ? "libmpi.so.40" : "libmpich.so.12";
    int (*found)(MPI_Comm) = strstr(way, "MPI_") ? (int (*)(MPI_Comm))dlsym(dlopen(mpi, RTLD_LAZY), way) : NULL;
    int n = 0;
    for (; n < CALLS; n++)
        if (found)
            found(MPI_COMM_WORLD);
        else if (strcmp(way, "direct") == 0)
            DIRECTLY(MPI_COMM_WORLD);
        else if (strcmp(way, "pointer") == 0)
            pointer(MPI_COMM_WORLD);
        else
            MPI_Barrier(MPI_COMM_WORLD);
    return n;
}

int main(int argc, char **argv)
{
    int n = 0;
    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "deep:", 5) == 0)
            n += work_in(argv[i] + 5, RTLD_DEEPBIND);
        else if (argv[i][0] == '.')
            n += work_in(argv[i], 0);
        else if (strcmp(argv[i], "linked") == 0)
            n += work();
        else if (strcmp(argv[i], "file") == 0)
            n += open_file();
        else if (strcmp(argv[i], "killed") == 0)
            raise(printf("calls: %d\n", n) && fflush(stdout) == 0 ? SIGTERM : SIGABRT);
        else
            n += work_by(argv[i]);
    printf("calls: %d\n", n);
    return MPI_Finalize();
}
#endif
