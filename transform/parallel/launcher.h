/* Finds out from environment variables whether a launcher started this process together with others; MPI reads the same
 * variables. */
#pragma once

#include <glib.h>

/* Environment variable that chooses the MPI: "auto", "no", the NAME of an MPI, or the path of a library. */
#define HIERA_PARALLEL_SETTING "HIERA_PARALLEL"

typedef struct {
    guint rank, size; /* rank and number of the processes; 0 and 1: this process is alone, or shall work alone */
    const char *mpi;  /* NAME of the MPI, or path of a libhiera-parallel library */
} HieraLauncher;

HieraLauncher hiera_launcher_find(void);
