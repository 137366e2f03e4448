#include "machine_options.h"

HieraMachine machine_options_make(const MachineOptions *options, guint32 n_ranks)
{
    HieraMachine machine = {.n_ranks = n_ranks,
                            .between = options->between,
                            .inside = options->inside,
                            .links = options->links,
                            .cores = options->rank_cores > 0 ? options->rank_cores : options->cores};
    for (guint i = 0; options->one_step && i < HIERA_SIM_N_COLLECTIVES; i++)
        machine.algorithm[i] = HIERA_SIM_ONE_STEP;
    return machine;
}
