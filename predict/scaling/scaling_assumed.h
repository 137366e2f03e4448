/* Assumptions of the user about scaling, for runs on one number of ranks, which do not show how they scale. */
#pragma once

#include "scaling_law.h"
#include "scaling_parts.h"

typedef enum {
    SCALING_FITTED, /* no assumption: scaling is found from runs on several numbers of ranks */
    SCALING_STRONG, /* strong scaling: the problem stays the same and is shared by the ranks */
    SCALING_WEAK    /* weak scaling: the problem of each rank stays the same */
} ScalingKind;

/* --exchange: messages that a run on one rank lacks; each rank exchanges `times` messages with each of its neighbours.
 */
typedef struct {
    guint64 neighbours, times;
    gdouble bytes;
} ScalingExchange;

/* All assumptions of the user about the runs. */
typedef struct {
    ScalingKind kind;
    GArray *works;    /* gdouble: problem size of each run; NULL: all are equal */
    guint64 together; /* number of consecutive runs that ran at the same time, like the ranks of one run; 1: each ran
                         alone */
    gboolean has_exchange;
    ScalingExchange exchange;
} ScalingAssumed;

/* Values of --scaling, --work, --together and --exchange; NULL: the option is not given. */
typedef struct {
    char *scaling, *work, *together, *exchange;
} ScalingWords;

gboolean scaling_assumed_parse(ScalingAssumed *assumed, const ScalingWords *words, GError **error);
void scaling_assumed_clear(ScalingAssumed *assumed);

/* Apply the assumptions to the runs: shares, the slowest of runs at the same time and its waiting for the others, and a
 * part for the exchange.
 * @param notes  receives strings, if something is left out. @param error  HIERA_GRAPH_ERROR_USE if the assumptions do
 * not fit the runs */
gboolean scaling_assumed_apply(const ScalingAssumed *assumed, ScalingParts *parts, GPtrArray *notes, GError **error);
/* Set the law of a part's quantity by the assumptions, not by a fit. All runs are on one number of ranks. */
void scaling_assumed_fit(const ScalingAssumed *assumed, const ScalingParts *parts, const Part *part, guint quantity,
                         PartOf whose, LawFit *fit);
/* Add notes that say what is assumed. @param runs  PartRun. @param notes  receives strings */
void scaling_assumed_note(const ScalingAssumed *assumed, const GArray *runs, GPtrArray *notes);
