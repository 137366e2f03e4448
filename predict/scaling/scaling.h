/* Extrapolation to numbers of ranks that were not recorded, from runs with at least two different ones.
 *
 * Each quantity of each part is fitted over the number of ranks (scaling_law.h). The time of a run is that of its
 * slowest rank, a sum: what it computes, waits, and does in other calls, as fitted; and what its messages and
 * collectives cost on the network, by their fitted numbers and sizes. */
#ifndef HIERA_PREDICT_SCALING_H
#define HIERA_PREDICT_SCALING_H

#include "hiera_measure.h"
#include "scaling_assumed.h"

typedef struct {
    GArray *ranks;                 /* guint32: those asked for */
    HieraNetwork network, inside;  /* between ranks of different hosts, and of one */
    const char *mapping;           /* of those ranks to hosts; NULL: both networks are the same */
    gboolean all;                  /* rows of parts without any share, and of mean and maximum, too */
    const ScalingAssumed *assumed; /* was applied to the parts */
} ScalingRequest;

/* Read --ranks: `64` or `64,128`. @return FALSE if it is no list of numbers from 1 on */
gboolean scaling_read_ranks(const char *text, GArray *ranks, GError **error);

/* Make the tables `time`, `check`, `parts` and `fits`; the last two are about the last number of ranks.
 *
 * @param parts    as recorded
 * @param changed  the same runs with changes; they are predicted. NULL: nothing is changed
 * @param notes    takes what is assumed, as strings that it owns
 * @param error    HIERA_GRAPH_ERROR_USE if there are no two different numbers of ranks, or several of which is assumed
 * how they scale; or that of hosts_map()
 * @return HieraTable, in an array that owns them; NULL on error */
GPtrArray *scaling_make_tables(const ScalingParts *parts, const ScalingParts *changed, const ScalingRequest *request,
                               GPtrArray *notes, GError **error);

#endif
