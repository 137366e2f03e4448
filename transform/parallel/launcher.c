#include "launcher.h"
#include "base/parse_numbers.h"
#include <string.h>

static const struct {
    const char *rank, *size, *mpi;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "openmpi"},
    {"PMI_RANK", "PMI_SIZE", "mpich"},
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", "openmpi"}, /* set by srun --mpi=pmix */
};

static gint64 number_of(const char *variable)
{
    gint64 number;
    const char *text = g_getenv(variable);
    return text && hiera_number_parse_between(text, strlen(text), 0, G_MAXINT32, &number) ? number : -1;
}

HieraLauncher hiera_launcher_find(void)
{
    const HieraLauncher alone = {0, 1, NULL};
    const char *wanted = g_getenv(HIERA_PARALLEL_SETTING);
    if (g_strcmp0(wanted, "no") == 0)
        return alone;
    gboolean named = wanted && *wanted && strcmp(wanted, "auto") != 0;
    for (guint i = 0; i < G_N_ELEMENTS(launchers); i++) {
        gint64 rank = number_of(launchers[i].rank), size = number_of(launchers[i].size);
        if (rank >= 0 && rank < size && size > 1)
            return (HieraLauncher){(guint)rank, (guint)size, named ? wanted : launchers[i].mpi};
    }
    return alone;
}
