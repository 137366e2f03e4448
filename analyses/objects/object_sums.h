/** Calls, bytes and time of operations on windows or files, with the imbalance between ranks. */
#pragma once

#include "hiera_measure.h"

/** What makes two operations belong to the same sum. */
typedef struct {
    gboolean by_object, by_rank;
    /** What the operations of a call site are called in a row; NULL: they are not asked about. It must be interned. */
    const char *(*word)(const HieraSite *site);
} HieraObjectGrouping;

typedef struct {
    const char *object; /* name of the window, path of the file; "" unless by_object */
    const char *word;
    const HieraSite *site; /* of the first operation */
    guint32 rank;          /* 0 unless by_rank */
    gint64 calls, bytes;
    gint64 sized;      /* calls that moved bytes */
    gint64 time_ns;    /* in the calls and in what completed them */
    gint64 waiting_ns; /* of it for other ranks */
    gint64 max_ns;     /* of the rank that spent most */
} HieraObjectSum;

/** Add up the operations in a scope. Bytes are those in both directions. Of several processes all call it; the one that
 * leads gets the sums.
 *
 * @return sums in no certain order, an array of HieraObjectSum to be freed with g_array_unref */
GArray *hiera_object_sums(const HieraMatch *match, const HieraScope *scope, const HieraObjectGrouping *grouping);

/** Return bytes per second, both directions together; 0 if no time passed. */
gint64 hiera_object_sum_rate(const HieraObjectSum *sum);

/** Imbalance of a sum over the ranks in the scope, in hundredths of a percent. */
gint64 hiera_object_sum_imbalance(const HieraObjectSum *sum, const HieraMatch *match, const HieraScope *scope);
