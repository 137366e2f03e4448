/** Calls, bytes and time of operations on windows or files, with the imbalance between ranks. */
#pragma once

#include "hiera_measure.h"

/** Which operations are added up in the same HieraObjectSum. */
typedef struct {
    gboolean by_object, by_rank;
    /** Return the word for the operations of a call site in a row; NULL: leave these operations out. The word must be
     * interned. */
    const char *(*word)(const HieraSite *site);
} HieraObjectGrouping;

typedef struct {
    const char *object; /* name of the window, or path of the file; "" unless by_object */
    const char *word;
    const HieraSite *site; /* call site of the first operation */
    guint32 rank;          /* rank whose operations are added up; 0 unless by_rank */
    gint64 calls, bytes;
    gint64 sized;      /* number of calls that moved bytes */
    gint64 time_ns;    /* time of the calls, and of the calls that complete their requests */
    gint64 waiting_ns; /* part of time_ns that was spent waiting for other ranks */
    gint64 max_ns;     /* time of the rank that spent most */
} HieraObjectSum;

/** Add up the operations in a scope. Bytes are those in both directions. If there are several processes, all call this,
 * and process 0 gets the sums.
 *
 * @return sums in undefined order, an array of HieraObjectSum to be freed with g_array_unref */
GArray *hiera_object_sums(const HieraMatch *match, const HieraScope *scope, const HieraObjectGrouping *grouping);

/** Return the bytes per second of a sum, both directions together; HIERA_UNKNOWN if no time passed. */
gint64 hiera_object_sum_rate(const HieraObjectSum *sum);

/** Return the imbalance of a sum over the ranks in the scope, in hundredths of a percent. */
gint64 hiera_object_sum_imbalance(const HieraObjectSum *sum, const HieraMatch *match, const HieraScope *scope);
