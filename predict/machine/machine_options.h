/* The simulated machine, as given on the command line. */
#pragma once

#include "simulator/machine.h"

typedef struct {
    HieraNetwork between, inside;
    gboolean has_inside;  /* --network-inside was given */
    guint32 cores, links; /* cores and network links of each host; 0: not limited */
    guint32 rank_cores;   /* cores that the threads of a rank share; 0: not limited. Not with `cores` */
    guint32 threads;      /* how many threads regions of OpenMP get; 0: as recorded */
    guint args;           /* column of the attribute `args` (transform/base/attribute_columns.h); HIERA_NONE: none */
    char *mapping;        /* value of --mapping, which assigns ranks to hosts; NULL: as recorded */
    gboolean one_step;    /* collectives take a time by a formula, instead of the messages of an algorithm */
    gboolean ideal;       /* messages and MPI itself take no time: only dependences between calls are simulated */
} MachineOptions;

/* Make a machine without hosts.
 * @param n_ranks  number of simulated ranks */
HieraMachine machine_options_make(const MachineOptions *options, guint32 n_ranks);
