/* Scaling of runs on one number of ranks, as assumed by the user: such runs do not show it. */
#pragma once

#include "scaling_law.h"
#include "scaling_parts.h"

typedef enum {
    SCALING_FITTED, /* no assumption: there are runs on several numbers of ranks */
    SCALING_STRONG, /* strong scaling: the ranks share the same problem */
    SCALING_WEAK    /* weak scaling: each rank has as much of the problem as before */
} ScalingKind;

/* Messages that were not recorded because a rank was alone: each rank exchanges some with each of its neighbours. */
typedef struct {
    guint64 neighbours, times;
    gdouble bytes;
} ScalingExchange;

/* Assumptions of the user about the runs. */
typedef struct {
    ScalingKind kind;
    GArray *works;    /* gdouble: problem size of each run; NULL: all are equal */
    guint64 together; /* number of consecutive runs that ran at the same time, like the ranks of one run; 1: each ran
                         alone */
    gboolean has_exchange;
    ScalingExchange exchange;
} ScalingAssumed;

/* Values of --scaling, --work, --together and --exchange; NULL if an option is not given. */
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
/* Set the law of a quantity of a part by the assumptions. All runs are on one number of ranks. */
void scaling_assumed_fit(const ScalingAssumed *assumed, const ScalingParts *parts, const Part *part, guint quantity,
                         PartOf whose, LawFit *fit);
/* Add notes about the assumptions. @param runs  PartRun. @param notes  receives strings */
void scaling_assumed_note(const ScalingAssumed *assumed, const GArray *runs, GPtrArray *notes);
