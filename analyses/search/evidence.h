/** Evidence for hypotheses: how long ranks lose time in one of these ways, and the limits of what the trace shows. */
#pragma once

#include "calls/call_paths.h"
#include "time_parts.h"
#include "values/hypotheses.h"

/** The time that a rank loses in one place. For HIERA_HYPOTHESIS_IMBALANCE it is the time of computation. */
typedef struct {
    guint32 processor; /* index in the trace */
    guint32 node;      /* node of the call paths */
    guint32 comm;      /* first name of the communicator, window or file; HIERA_NONE if there is none */
    guint32 times;     /* index of its times in HieraEvidenceSums */
} HieraEvidence;

typedef struct {
    GArray *list;   /* HieraEvidence, one for each place; in no particular order but the same for the same trace */
    guint32 *slots; /* hash table of n_slots: place → index + 1 in `list`; linear probing */
    guint32 n_slots;
    GArray *times_ns; /* gint64: n_parts for each evidence */
    guint n_parts;
    gint64 n_intervals; /* number of intervals in the times */
} HieraEvidenceSums;

typedef struct {
    HieraTimeParts parts;
    HieraEvidenceSums of[HIERA_N_HYPOTHESES];
    /** Time missing in the trace could raise the loss by unseen_ns; errors of clocks could lower it by unsure_ns. */
    gint64 unseen_ns[HIERA_N_HYPOTHESES], unsure_ns[HIERA_N_HYPOTHESES];
    const char *why; /* reasons of these limits, "" if there are none */
} HieraEvidences;

/** Find the evidence in a scope. With several processes all must call it, and process 0 gets the evidence of all. Its
 * size does not grow with the operations, only with ranks and call paths.
 *
 * @param paths  of the scope
 * @param table  owns the text */
void hiera_evidences_init(HieraEvidences *evidences, const HieraMatch *match, const HieraCallPaths *paths,
                          const HieraScope *scope, HieraTable *table);
void hiera_evidences_clear(HieraEvidences *evidences);

/** Return the times of evidence, by part of the run; valid until evidence is added. */
const gint64 *hiera_evidence_peek_times(const HieraEvidenceSums *sums, const HieraEvidence *evidence);

/** Defined in evidence_sums.c: begin with no evidence; free; add one interval. */
void hiera_evidence_sums_init(HieraEvidenceSums *sums, guint n_parts);
void hiera_evidence_sums_clear(HieraEvidenceSums *sums);
void hiera_evidence_sums_add(HieraEvidenceSums *sums, const HieraTimeParts *parts, const HieraEvidence *place,
                             gint64 begin_ns, gint64 end_ns);

/** For several processes: write the evidence to a message; read it and add it to the sums. */
void hiera_evidence_sums_pack(const HieraEvidenceSums *sums, HieraPacker *to);
void hiera_evidence_sums_unpack(HieraEvidenceSums *sums, HieraUnpacker *from);

/** Defined in evidence_limits.c: set unseen_ns, unsure_ns and why. */
void hiera_evidences_limit(HieraEvidences *evidences, const HieraTrace *trace, HieraTable *table);
