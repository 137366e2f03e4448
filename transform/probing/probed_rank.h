/* Results of a probe script on one rank, as one process sends them to process 0. */
#pragma once

#include "hiera_pack.h"
#include "probes/probes.h"

typedef struct {
    GString *text;          /* text that the script has printed */
    GPtrArray *complaints;  /* char *: messages about clauses of the script that were stopped */
    GString *saved;         /* the script's aggregations, as hiera_probe_state_save() writes them */
    guint64 lost, stopped;  /* number of dropped keys and texts; number of stopped clauses */
    gboolean hidden, whole; /* hidden: some calls of the rank were not recorded; whole: memory was sufficient */
} HieraProbedRank;

HieraProbedRank *hiera_probed_rank_new(void);
void hiera_probed_rank_free(HieraProbedRank *rank);
/* Save the aggregations of a script's state in `rank`. */
void hiera_probed_rank_save(HieraProbedRank *rank, const HieraProbeState *state);
void hiera_probed_rank_pack(const HieraProbedRank *rank, HieraPacker *to);
HieraProbedRank *hiera_probed_rank_unpack(HieraUnpacker *from);
