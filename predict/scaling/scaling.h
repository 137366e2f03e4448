/* Extrapolation to numbers of ranks that were not recorded, from runs on at least two different ones.
 *
 * Each quantity of each part is fitted as a function of the number of ranks (scaling_law.h). The time of a run is that
 * of its slowest rank, a sum: computation, waiting, and time in other calls, as fitted; and the cost of its messages
 * and collectives on the network, from their fitted numbers and sizes. */
#pragma once

#include "hiera_measure.h"
#include "scaling_assumed.h"

typedef struct {
    GArray *ranks;                /* guint32: numbers of ranks for which to predict */
    HieraNetwork network, inside; /* network between hosts, and inside a host */
    const char *mapping; /* --mapping: assigns the predicted ranks to hosts; NULL: `network` and `inside` are equal */
    gboolean all;        /* show also parts with a negligible share, and laws of mean and maximum over ranks */
    const ScalingAssumed *assumed; /* assumptions about scaling that scaling_assumed_apply() has applied to the parts */
} ScalingRequest;

/* Read the value of --ranks: `64` or `64,128`. @return FALSE if it is not a list of numbers >= 1 */
gboolean scaling_read_ranks(const char *text, GArray *ranks, GError **error);

/* Make the tables `time`, `check`, `parts` and `fits`; the last two are for the last number of ranks.
 *
 * @param parts    as recorded
 * @param changed  the same runs with changes, which are predicted; NULL: no changes
 * @param notes    receives assumptions, as owned strings
 * @param error    HIERA_GRAPH_ERROR_USE if there are no two different numbers of ranks, or several although an
 * assumption about scaling is made; or an error of hosts_map()
 * @return HieraTable, in an array that owns them; NULL on error */
GPtrArray *scaling_make_tables(const ScalingParts *parts, const ScalingParts *changed, const ScalingRequest *request,
                               GPtrArray *notes, GError **error);
