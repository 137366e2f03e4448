/* Divides recorded runs into parts: computation, messages, collectives and waiting of each call path. */
#pragma once

#include "scaling_reach.h"
#include "scaling_waiting.h"

/* Kinds of parts: X(identifier, name). */
#define PART_KINDS(X)                                                                                                  \
    X(COMPUTATION, "computation")                                                                                      \
    X(MESSAGES, "messages")                                                                                            \
    X(COLLECTIVES, "collectives")                                                                                      \
    X(WAITING, "waiting")                                                                                              \
    X(OTHERS, "other calls") /* calls on files, and calls without partners or with unknown ones */
typedef enum {
#define X(identifier, name) PART_##identifier,
    PART_KINDS(X)
#undef X
        PART_N_KINDS
} PartKind;

enum { PART_QUANTITIES = 4 };
/* Indices of quantities: of messages; of collectives; of all other kinds of parts. */
enum { MESSAGES_SENT, MESSAGES_RECEIVED, MESSAGES_SENT_BYTES, MESSAGES_RECEIVED_BYTES };
enum { COLLECTIVES_CALLS, COLLECTIVES_BYTES, COLLECTIVES_MEMBERS };
enum { PART_TIME };

typedef enum { UNIT_NUMBER, UNIT_BYTES, UNIT_NS } PartUnit;
typedef struct {
    const char *name;
    PartUnit unit;
    gint each_of; /* index of the quantity with the count by which this mean was divided; -1: this quantity is a sum */
} PartQuantity;

/* Value of the slowest rank (that with the longest computation in all), mean and maximum over ranks. */
typedef enum { OF_SLOWEST, OF_MEAN, OF_MOST, N_OF } PartOf;

typedef struct {
    gdouble value[PART_QUANTITIES][N_OF]; /* by quantity, then by PartOf: value; NaN: a mean of nothing */
    gdouble inside;                       /* share of the messages or collectives within a host; NaN: there are none */
    gdouble distance[REACH_QUANTILES]; /* of messages: quantiles of the distance, in ranks, from sender to receiver */
} PartValues;

typedef struct {
    PartKind kind;
    HieraSimCollective collective; /* of a part with the kind COLLECTIVES; otherwise 0 */
    char *path;                    /* call path, as a cell of a table shows it */
    GArray *runs;                  /* PartValues of this part, by run */
} Part;

typedef struct {
    char *name;
    guint32 ranks;
    gdouble shares;      /* into how many shares the largest problem would be divided if a rank's share took as long as
                            recorded here */
    gint64 time_ns;      /* time from when the first rank begins until the last one ends */
    gdouble computed_ns; /* computation of the slowest rank, in all */
    gdouble mpi_ns;      /* time of the slowest rank without its computation */
    GArray *stages; /* gdouble: division of computed_ns into stages before, between and after collectives in which every
                       rank waits for all */
} PartRun;

typedef struct {
    GArray *runs;      /* PartRun: what is known of each run as a whole */
    GPtrArray *parts;  /* Part: the parts that occur in any run, in order of first appearance */
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

/* Find or add the part with a kind and call path. @param collective  for kind COLLECTIVES, else 0 */
Part *scaling_parts_find(ScalingParts *parts, PartKind kind, HieraSimCollective collective, const char *path);
/* Return the values in a run in which a part of this kind does not occur. */
PartValues part_no_values(PartKind kind);
/* Add the values of a call path to those of another path that is shown with the same text. */
void part_add_values(PartValues *to, const PartValues *more, PartKind kind);

/* Remove a run, and its values of all parts. @param index  below the number of runs */
void scaling_parts_remove(ScalingParts *parts, guint index);

/* Add messages that were not recorded, for each rank that is not alone: `messages` sent and as many received, of
 * `bytes` bytes. To be called after all runs were added. @param path  their name. @param neighbours  number of ranks
 * they go to: the next ones on both sides */
void scaling_parts_add_messages(ScalingParts *parts, const char *path, gdouble neighbours, gdouble messages,
                                gdouble bytes);

/* Add waiting that was not recorded, as a part, to runs without values of it. @param ns  gdouble, by run, for all runs
 */
void scaling_parts_add_waiting(ScalingParts *parts, const char *path, const GArray *ns);

const char *part_kind_name(PartKind kind);
/* Return name and unit of a kind's quantity; NULL: the kind has no quantity with this index. */
const PartQuantity *part_peek_quantity(PartKind kind, guint quantity);
