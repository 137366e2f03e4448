/* Results of a script on a rank of another process. */
#pragma once

#include "hiera_pack.h"
#include "probes/probes.h"

typedef struct {
    GString *text;          /* text that it has printed */
    GPtrArray *complaints;  /* char *: messages about clauses that were stopped */
    GString *saved;         /* saved aggregations: see hiera_probe_state_save() */
    guint64 lost, stopped;  /* as in HieraProbingOutcome */
    gboolean hidden, whole; /* hidden: as in HieraProbingOutcome; whole: memory was sufficient */
} HieraProbedRank;

HieraProbedRank *hiera_probed_rank_new(void);
void hiera_probed_rank_free(HieraProbedRank *rank);
/* Save the aggregations of a state. */
void hiera_probed_rank_save(HieraProbedRank *rank, const HieraProbeState *state);
void hiera_probed_rank_pack(const HieraProbedRank *rank, HieraPacker *to);
HieraProbedRank *hiera_probed_rank_unpack(HieraUnpacker *from);
