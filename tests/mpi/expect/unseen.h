/* Calls that Hiera does not see: UNSEEN(Barrier)(comm) is MPI_Barrier, found by dlsym() and its PMPI name. */
#ifndef UNSEEN_H
#define UNSEEN_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

#define UNSEEN(function) (*(__typeof__(PMPI_##function) *)unseen_find("PMPI_" #function))

__attribute__((unused)) static void (*unseen_find(const char *name))(void)
{
    void *address = dlsym(RTLD_DEFAULT, name);
    void (*function)(void);
    memcpy(&function, &address, sizeof function);
    return function;
}

#endif
