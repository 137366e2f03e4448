/** Evidence for hypotheses: how long ranks lose time in one of these ways, and what the trace does not show of it. */
#pragma once

#include "calls/call_paths.h"
#include "time_parts.h"
#include "values/hypotheses.h"

/** The time that a rank loses in one place. Of HIERA_HYPOTHESIS_IMBALANCE it is computation. */
typedef struct {
    guint32 processor; /* index in the trace */
    guint32 node;      /* of the call paths */
    guint32 comm;      /* first name of the communicator, window or file; HIERA_NONE: there is none */
    guint32 times;     /* which times of HieraEvidenceSums are its own */
} HieraEvidence;

typedef struct {
    GArray *list;   /* HieraEvidence, one of each place; in no particular order but the same for the same trace */
    guint32 *slots; /* n_slots: hash of a place → index + 1, behind each other if taken */
    guint32 n_slots;
    GArray *times_ns; /* gint64: n_parts of each evidence */
    guint n_parts;
    gint64 n_intervals; /* of which the times are the sum */
} HieraEvidenceSums;

typedef struct {
    HieraTimeParts parts;
    HieraEvidenceSums of[HIERA_N_HYPOTHESES];
    /** What is not in the trace could make it so much more, or errors of clocks so much less. */
    gint64 unseen_ns[HIERA_N_HYPOTHESES], unsure_ns[HIERA_N_HYPOTHESES];
    const char *why; /* the reasons, "" if there are none */
} HieraEvidences;

/** Find the evidence in a scope; of several processes all call it, and the one that leads has that of all. Its size
 * does not grow with the operations, only with ranks and call paths.
 *
 * @param paths  of the scope
 * @param table  keeps the text */
void hiera_evidences_init(HieraEvidences *evidences, const HieraMatch *match, const HieraCallPaths *paths,
                          const HieraScope *scope, HieraTable *table);
void hiera_evidences_clear(HieraEvidences *evidences);

/** Return the times of evidence, by part of the run; valid until there is more evidence. */
const gint64 *hiera_evidence_peek_times(const HieraEvidenceSums *sums, const HieraEvidence *evidence);

/** The parts of evidence_sums.c: sums without evidence; one interval more. */
void hiera_evidence_sums_init(HieraEvidenceSums *sums, guint n_parts);
void hiera_evidence_sums_clear(HieraEvidenceSums *sums);
void hiera_evidence_sums_add(HieraEvidenceSums *sums, const HieraTimeParts *parts, const HieraEvidence *place,
                             gint64 begin_ns, gint64 end_ns);

/** Of several processes: evidence as bytes, and there, added. */
void hiera_evidence_sums_pack(const HieraEvidenceSums *sums, HieraPacker *to);
void hiera_evidence_sums_unpack(HieraEvidenceSums *sums, HieraUnpacker *from);

/** The parts of evidence_limits.c: set unseen_ns, unsure_ns and why. */
void hiera_evidences_limit(HieraEvidences *evidences, const HieraTrace *trace, HieraTable *table);
