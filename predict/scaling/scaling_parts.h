/* Recorded runs in parts, by call path: what is computed, sent and received, done together, and waited for. */
#ifndef HIERA_PREDICT_SCALING_PARTS_H
#define HIERA_PREDICT_SCALING_PARTS_H

#include "scaling_reach.h"
#include "scaling_waiting.h"

/* X(identifier, name). */
#define PART_KINDS(X)                                                                                                  \
    X(COMPUTATION, "computation")                                                                                      \
    X(MESSAGES, "messages")                                                                                            \
    X(COLLECTIVES, "collectives")                                                                                      \
    X(WAITING, "waiting")                                                                                              \
    X(OTHERS, "other calls") /* those whose partners are not known, that have none, or on files */
typedef enum {
#define X(identifier, name) PART_##identifier,
    PART_KINDS(X)
#undef X
        PART_N_KINDS
} PartKind;

enum { PART_QUANTITIES = 4 };
/* Quantities of messages, of collectives, and of all else. */
enum { MESSAGES_SENT, MESSAGES_RECEIVED, MESSAGES_SENT_BYTES, MESSAGES_RECEIVED_BYTES };
enum { COLLECTIVES_CALLS, COLLECTIVES_BYTES, COLLECTIVES_MEMBERS };
enum { PART_TIME };

typedef enum { UNIT_NUMBER, UNIT_BYTES, UNIT_NS } PartUnit;
typedef struct {
    const char *name;
    PartUnit unit;
    gint each_of; /* the quantity of which it is a mean; -1: it is a sum */
} PartQuantity;

/* Of whom a value is. The slowest rank is the one that computes longest in all. */
typedef enum { OF_SLOWEST, OF_MEAN, OF_MOST, N_OF } PartOf;

typedef struct {
    gdouble value[PART_QUANTITIES][N_OF]; /* NaN: a mean of nothing */
    gdouble
        inside; /* of messages and collectives: the share of those that stay inside of a host; NaN: there are none */
    gdouble distance[REACH_QUANTILES]; /* of messages */
} PartValues;

typedef struct {
    PartKind kind;
    HieraSimCollective collective; /* of COLLECTIVES */
    char *path;                    /* as the text of a cell */
    GArray *runs;                  /* PartValues, by run */
} Part;

typedef struct {
    char *name;
    guint32 ranks;
    gdouble shares;      /* into how many the work of the largest problem is divided, so that a rank has what it had */
    gint64 time_ns;      /* from the first begin to the last end */
    gdouble computed_ns; /* by the slowest rank */
    gdouble mpi_ns;      /* of the slowest rank: all else */
    GArray *stages;      /* gdouble: of computed_ns, what is before, between and after collectives in which every rank
                            waits for all */
} PartRun;

typedef struct {
    GArray *runs;      /* PartRun */
    GPtrArray *parts;  /* Part, in order of first appearance */
    GHashTable *names; /* kind, collective and path → Part */
} ScalingParts;

ScalingParts *scaling_parts_new(void);
void scaling_parts_free(ScalingParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ScalingParts, scaling_parts_free)

/* Add a run; it is not needed any more afterwards.
 *
 * @param changes  of what it computed and sent; its waiting is changed likewise. NULL: none
 * @param notes    takes strings, if something is left out
 * @param error    HIERA_GRAPH_ERROR_USE if ranks are missing */
gboolean scaling_parts_add(ScalingParts *parts, RecordedRun *run, const ScalingChanges *changes, const char *name,
                           GPtrArray *notes, GError **error);

/* Return the part of that kind and path; it is added if it is new. @param collective  of COLLECTIVES, else 0 */
Part *scaling_parts_find(ScalingParts *parts, PartKind kind, HieraSimCollective collective, const char *path);
/* The values of a part that a run does not have. */
PartValues part_no_values(PartKind kind);
/* Add the values of another call path whose text is the same. */
void part_add_values(PartValues *to, const PartValues *more, PartKind kind);

/* Forget a run. @param index  below the number of runs */
void scaling_parts_remove(ScalingParts *parts, guint index);

/* Add messages that nobody recorded, of each rank that is not alone: so many, sent and received, of so many bytes. All
 * runs were added. @param path  what they are called. @param neighbours  to how many ranks they go: the next ones on
 * both sides */
void scaling_parts_add_messages(ScalingParts *parts, const char *path, gdouble neighbours, gdouble messages,
                                gdouble bytes);

/* Add waiting that nobody recorded to runs that have none of this path yet. @param ns  by run; its length is the number
 * of runs */
void scaling_parts_add_waiting(ScalingParts *parts, const char *path, const GArray *ns);

const char *part_kind_name(PartKind kind);
/* @return NULL: the kind has no such quantity */
const PartQuantity *part_peek_quantity(PartKind kind, guint quantity);

#endif
