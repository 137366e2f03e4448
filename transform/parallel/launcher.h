/* The launcher that started this process beside others, as its environment tells; MPI reads the same variables. */
#ifndef HIERA_PARALLEL_LAUNCHER_H
#define HIERA_PARALLEL_LAUNCHER_H

#include <glib.h>

/* The setting: "auto", "no", NAME of an MPI, or the path of a library. */
#define HIERA_PARALLEL_SETTING "HIERA_PARALLEL"

typedef struct {
    guint rank, size; /* 0 of 1: it is alone, or shall work alone */
    const char *mpi;  /* NAME or path of its library */
} HieraLauncher;

HieraLauncher hiera_launcher_find(void);

#endif
