/* The simulated machine, as the command line describes it. */
#ifndef HIERA_PREDICT_MACHINE_OPTIONS_H
#define HIERA_PREDICT_MACHINE_OPTIONS_H

#include "simulator/machine.h"

typedef struct {
    HieraNetwork between, inside;
    gboolean has_inside;  /* --network-inside was given */
    guint32 cores, links; /* of each host; 0: not counted */
    char *mapping;        /* of ranks to hosts; NULL: as recorded */
    gboolean one_step;    /* collectives are a formula */
    gboolean ideal;       /* messages and MPI's own work take no time; runs are simulated by their dependences */
} MachineOptions;

/* Make a machine without hosts.
 * @param n_ranks  how many simulated ranks there are */
HieraMachine machine_options_make(const MachineOptions *options, guint32 n_ranks);

#endif
