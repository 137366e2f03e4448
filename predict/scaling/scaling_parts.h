/* Divides recorded runs into parts, by call path: computation, messages, collectives, and waiting. */
#pragma once

#include "scaling_reach.h"
#include "scaling_waiting.h"

/* X(identifier, name). */
#define PART_KINDS(X)                                                                                                  \
    X(COMPUTATION, "computation")                                                                                      \
    X(MESSAGES, "messages")                                                                                            \
    X(COLLECTIVES, "collectives")                                                                                      \
    X(WAITING, "waiting")                                                                                              \
    X(OTHERS, "other calls") /* calls with unknown partners or without partners, and calls on files */
typedef enum {
#define X(identifier, name) PART_##identifier,
    PART_KINDS(X)
#undef X
        PART_N_KINDS
} PartKind;

enum { PART_QUANTITIES = 4 };
/* Quantities of messages, of collectives, and of all other parts. */
enum { MESSAGES_SENT, MESSAGES_RECEIVED, MESSAGES_SENT_BYTES, MESSAGES_RECEIVED_BYTES };
enum { COLLECTIVES_CALLS, COLLECTIVES_BYTES, COLLECTIVES_MEMBERS };
enum { PART_TIME };

typedef enum { UNIT_NUMBER, UNIT_BYTES, UNIT_NS } PartUnit;
typedef struct {
    const char *name;
    PartUnit unit;
    gint each_of; /* index of the quantity of which this is a mean; -1: a sum */
} PartQuantity;

/* Kinds of values over ranks. The slowest rank is the one with the longest total computation. */
typedef enum { OF_SLOWEST, OF_MEAN, OF_MOST, N_OF } PartOf;

typedef struct {
    gdouble value[PART_QUANTITIES][N_OF]; /* NaN: a mean without elements */
    gdouble inside;                       /* messages and collectives: share within a host; NaN: there are none */
    gdouble distance[REACH_QUANTILES];    /* for messages */
} PartValues;

typedef struct {
    PartKind kind;
    HieraSimCollective collective; /* for COLLECTIVES */
    char *path;                    /* path as the text of a cell */
    GArray *runs;                  /* PartValues, by run */
} Part;

typedef struct {
    char *name;
    guint32 ranks;
    gdouble shares;      /* divisor of the largest problem that gives a rank its recorded work */
    gint64 time_ns;      /* from the first begin to the last end */
    gdouble computed_ns; /* computation of the slowest rank */
    gdouble mpi_ns;      /* all other time of the slowest rank */
    GArray *stages; /* gdouble: division of computed_ns into stages before, between and after collectives in which every
                       rank waits for all */
} PartRun;

typedef struct {
    GArray *runs;      /* PartRun: the runs */
    GPtrArray *parts;  /* Part, in order of first appearance */
    GHashTable *names; /* kind, collective and path → Part */
} ScalingParts;

ScalingParts *scaling_parts_new(void);
void scaling_parts_free(ScalingParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ScalingParts, scaling_parts_free)

/* Add a run, which can be freed afterwards.
 *
 * @param changes  changes of its computation and messages; its waiting changes accordingly. NULL: none
 * @param notes    receives strings, if something is left out
 * @param error    HIERA_GRAPH_ERROR_USE if ranks are missing */
gboolean scaling_parts_add(ScalingParts *parts, RecordedRun *run, const ScalingChanges *changes, const char *name,
                           GPtrArray *notes, GError **error);

/* Return the part of a kind and path; it is added if it is new. @param collective  for COLLECTIVES, else 0 */
Part *scaling_parts_find(ScalingParts *parts, PartKind kind, HieraSimCollective collective, const char *path);
/* Return the values of a part that does not occur in a run. */
PartValues part_no_values(PartKind kind);
/* Add the values of another call path with the same text. */
void part_add_values(PartValues *to, const PartValues *more, PartKind kind);

/* Remove a run. @param index  below the number of runs */
void scaling_parts_remove(ScalingParts *parts, guint index);

/* Add messages that were not recorded, for each rank that is not alone: `messages` sent and as many received, of
 * `bytes` bytes. To be called after all runs were added. @param path  their name. @param neighbours  number of ranks
 * they go to: the next ones on both sides */
void scaling_parts_add_messages(ScalingParts *parts, const char *path, gdouble neighbours, gdouble messages,
                                gdouble bytes);

/* Add waiting that was not recorded to runs that have none of this path yet. @param ns  by run, for all runs */
void scaling_parts_add_waiting(ScalingParts *parts, const char *path, const GArray *ns);

const char *part_kind_name(PartKind kind);
/* @return NULL: the kind has no such quantity */
const PartQuantity *part_peek_quantity(PartKind kind, guint quantity);
