/* Libraries that a program is linked with, directly or through other libraries, as the dynamic loader finds them. */
#pragma once

#include "words.h"

typedef struct HieraLinked {
    HieraWords sonames;
    HieraWords paths; /* one path per soname; "" if the library was not found */
} HieraLinked;

/* Return the libraries of a program; none if it is not a dynamically linked program of this machine. */
HieraLinked hiera_loader_ask(const char *program);

/* Return the soname of the MPI library among them (libmpi.so.40, libmpich.so.12), or NULL. */
const char *hiera_loader_mpi(const HieraLinked *linked);

/* Return the output of a command, up to 256 kB; empty if the command cannot be run. `path` is not searched in PATH. */
char *hiera_loader_output(const char *path, char *const *arguments, bool without_preload);
