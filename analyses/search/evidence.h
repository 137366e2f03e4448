/** Evidence for hypotheses: time that ranks lose, by hypothesis and place, and limits of what the trace shows. */
#pragma once

#include "calls/call_paths.h"
#include "time_parts.h"
#include "values/hypotheses.h"

/** Time that a rank loses in one call path and communicator. For HIERA_HYPOTHESIS_IMBALANCE: all its computation. */
typedef struct {
    guint32 processor; /* index of the processor in the trace */
    guint32 node;      /* node of the call paths */
    guint32 comm;  /* index of the communicator, window or file, as of hiera_object_names_find(); HIERA_NONE: none */
    guint32 times; /* index, counted in n_parts elements, of its times in times_ns */
} HieraEvidence;

typedef struct {
    GArray *list;   /* HieraEvidence, one for each rank, node and communicator; in the same order for the same trace */
    guint32 *slots; /* hash table with n_slots slots and linear probing: index in `list` + 1; 0: free */
    guint32 n_slots;
    GArray *times_ns; /* gint64: n_parts elements for each evidence, its time in each part of time */
    guint n_parts;
    gint64 n_intervals; /* number of intervals that were added to the times */
} HieraEvidenceSums;

typedef struct {
    HieraTimeParts parts;
    HieraEvidenceSums of[HIERA_N_HYPOTHESES];
    /** Time not in the trace may raise a loss by unseen_ns; errors of clocks may lower it by unsure_ns. */
    gint64 unseen_ns[HIERA_N_HYPOTHESES], unsure_ns[HIERA_N_HYPOTHESES];
    const char *why; /* why the loss may be different, as text: "filter, cut"; "": it is not */
} HieraEvidences;

/** Find the evidence in a scope. With several processes all must call it, and process 0 gets the evidence of all. Its
 * size does not grow with the operations, only with ranks and call paths.
 *
 * @param paths  of the scope
 * @param table  owns the text */
void hiera_evidences_init(HieraEvidences *evidences, const HieraMatch *match, const HieraCallPaths *paths,
                          const HieraScope *scope, HieraTable *table);
void hiera_evidences_clear(HieraEvidences *evidences);

/** Return the times of evidence, by part of time (n_parts elements); valid until evidence is added. */
const gint64 *hiera_evidence_peek_times(const HieraEvidenceSums *sums, const HieraEvidence *evidence);

/** Functions of evidence_sums.c: make an empty set; free it; add an interval to the evidence of a place. */
void hiera_evidence_sums_init(HieraEvidenceSums *sums, guint n_parts);
void hiera_evidence_sums_clear(HieraEvidenceSums *sums);
void hiera_evidence_sums_add(HieraEvidenceSums *sums, const HieraTimeParts *parts, const HieraEvidence *place,
                             gint64 begin_ns, gint64 end_ns, HieraPortion portion);

/** Pack evidence for another process; unpack it there, and add it to that of this process. */
void hiera_evidence_sums_pack(const HieraEvidenceSums *sums, HieraPacker *to);
void hiera_evidence_sums_unpack(HieraEvidenceSums *sums, HieraUnpacker *from);

/** Function of evidence_limits.c: set unseen_ns, unsure_ns and why. The table owns the text. */
void hiera_evidences_limit(HieraEvidences *evidences, const HieraTrace *trace, HieraTable *table);
