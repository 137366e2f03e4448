/* How runs on one number of ranks scale, as the user says: such runs cannot tell. */
#ifndef HIERA_PREDICT_SCALING_ASSUMED_H
#define HIERA_PREDICT_SCALING_ASSUMED_H

#include "scaling_law.h"
#include "scaling_parts.h"

typedef enum {
    SCALING_FITTED, /* nothing is assumed: there are runs on several numbers of ranks */
    SCALING_STRONG, /* the ranks share the same problem */
    SCALING_WEAK    /* each rank has as much of it as before */
} ScalingKind;

/* Messages that nobody recorded, because a rank was alone: each rank exchanges some with each of its neighbours. */
typedef struct {
    guint64 neighbours, times;
    gdouble bytes;
} ScalingExchange;

/* What the user says of the runs. */
typedef struct {
    ScalingKind kind;
    GArray *works;    /* gdouble: of each run, how large its problem is; NULL: all are alike */
    guint64 together; /* so many runs after another ran at once, like the ranks of one; 1: each ran alone */
    gboolean has_exchange;
    ScalingExchange exchange;
} ScalingAssumed;

/* The words of --scaling, --work, --together and --exchange; NULL where an option is not given. */
typedef struct {
    char *scaling, *work, *together, *exchange;
} ScalingWords;

gboolean scaling_assumed_parse(ScalingAssumed *assumed, const ScalingWords *words, GError **error);
void scaling_assumed_clear(ScalingAssumed *assumed);

/* Make the runs what is said of them: shares, the slowest of those that ran at once and its waiting for the others, and
 * a part for the exchange.
 * @param notes  takes strings, if something is left out. @param error  HIERA_GRAPH_ERROR_USE if it does not fit the
 * runs */
gboolean scaling_assumed_apply(const ScalingAssumed *assumed, ScalingParts *parts, GPtrArray *notes, GError **error);
/* The law of a quantity of a part. All runs are on one number of ranks. */
void scaling_assumed_fit(const ScalingAssumed *assumed, const ScalingParts *parts, const Part *part, guint quantity,
                         PartOf whose, LawFit *fit);
/* Say what is assumed. @param runs  PartRun. @param notes  takes strings */
void scaling_assumed_note(const ScalingAssumed *assumed, const GArray *runs, GPtrArray *notes);

#endif
