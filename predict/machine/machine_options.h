/* The simulated machine, as given on the command line. */
#pragma once

#include "simulator/machine.h"

typedef struct {
    HieraNetwork between, inside;
    gboolean has_inside;  /* --network-inside was given */
    guint32 cores, links; /* numbers for each host; 0: not limited */
    char *mapping;        /* mapping of ranks to hosts; NULL: as recorded */
    gboolean one_step;    /* collectives take one step, by a formula */
    gboolean ideal;       /* messages and MPI's own work take no time; runs are simulated by their dependences only */
} MachineOptions;

/* Make a machine without hosts.
 * @param n_ranks  number of simulated ranks */
HieraMachine machine_options_make(const MachineOptions *options, guint32 n_ranks);
