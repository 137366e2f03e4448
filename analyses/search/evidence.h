/** Evidence for hypotheses: the intervals in which ranks lose time in one of these ways, and what the trace does not
 * show of it. */
#ifndef HIERA_EVIDENCE_H
#define HIERA_EVIDENCE_H

#include "calls/call_paths.h"
#include "hypotheses.h"

/** An interval of a rank. Of HIERA_HYPOTHESIS_IMBALANCE it is computation. */
typedef struct {
    guint32 processor; /* index in the trace */
    guint32 node;      /* of the call paths */
    guint32 comm;      /* first name of the communicator, window or file; HIERA_NONE: there is none */
    gint64 begin_ns, end_ns;
} HieraEvidence;

typedef struct {
    GArray *of[HIERA_N_HYPOTHESES]; /* HieraEvidence */
    /** What is not in the trace could make it so much more, or errors of clocks so much less. */
    gint64 unseen_ns[HIERA_N_HYPOTHESES], unsure_ns[HIERA_N_HYPOTHESES];
    const char *why; /* the reasons, "" if there are none */
} HieraEvidences;

/** Find the evidence in a scope.
 *
 * @param paths  of the scope
 * @param table  keeps the text */
void hiera_evidences_init(HieraEvidences *evidences, const HieraMatch *match, const HieraCallPaths *paths,
                          const HieraScope *scope, HieraTable *table);
void hiera_evidences_clear(HieraEvidences *evidences);

/** The parts of evidence_limits.c: set unseen_ns, unsure_ns and why. */
void hiera_evidences_limit(HieraEvidences *evidences, const HieraTrace *trace, HieraTable *table);

#endif
