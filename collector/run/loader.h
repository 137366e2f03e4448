/* Finds the libraries that a program is linked with, directly or through other libraries, by the dynamic loader. */
#pragma once

#include "words.h"

typedef struct HieraLinked {
    HieraWords sonames;
    HieraWords paths; /* by index in `sonames`: path of the library; "" if the loader did not find it */
} HieraLinked;

/* Return the libraries of a program; none if it is not a dynamically linked program for this machine. */
HieraLinked hiera_loader_ask(const char *program);

/* Return the soname of the MPI among the libraries: libmpi.so.40, libmpich.so.12, libmpi_abi.so.1, or another one that
 * has MPI_Init. NULL: none is an MPI. */
const char *hiera_loader_mpi(const HieraLinked *linked);

/* Return up to 256 kB of a command's output; empty if the command cannot be run. `path` is not searched in PATH. */
char *hiera_loader_output(const char *path, char *const *arguments, bool without_preload);
