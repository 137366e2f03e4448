/* Finds out from environment variables whether a launcher started this process together with others; MPI reads the same
 * variables. */
#pragma once

#include <glib.h>

/* Setting (environment variable): "auto", "no", NAME of an MPI, or the path of a library. */
#define HIERA_PARALLEL_SETTING "HIERA_PARALLEL"

typedef struct {
    guint rank, size; /* rank 0 of size 1: the process is alone, or shall work alone */
    const char *mpi;  /* NAME or path of its library */
} HieraLauncher;

HieraLauncher hiera_launcher_find(void);
