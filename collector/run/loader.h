/* What a program is linked with, directly or through other libraries: the dynamic loader knows, and is asked. */
#ifndef HIERA_RUN_LOADER_H
#define HIERA_RUN_LOADER_H

#include "words.h"

typedef struct HieraLinked {
    HieraWords sonames;
    HieraWords paths; /* one for each soname; "" where the library was not found */
} HieraLinked;

/* Nothing if it is no dynamically linked program of this machine. */
HieraLinked hiera_loader_ask(const char *program);

/* The soname of an MPI library among them (libmpi.so.40, libmpich.so.12), or NULL. */
const char *hiera_loader_mpi(const HieraLinked *linked);

/* Is this the soname of an MPI library? */
bool hiera_loader_is_mpi(const char *soname);

/* What a command writes to standard output, its first 256 kB. `path` is not looked for in PATH. Empty if it cannot be
 * run. */
char *hiera_loader_output(const char *path, char *const *arguments, bool without_preload);

#endif
