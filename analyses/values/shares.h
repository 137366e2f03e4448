/** Times by rank, and their texts in tables. */
#pragma once

#include "hiera_measure.h"

/** A time of one rank, such as its time in a row of a table. */
typedef struct {
    guint32 processor; /* index of the processor in the trace */
    gint64 time_ns;
} HieraShare;

/** Add a time to that of a processor. Call it for processors in ascending order. @param shares  HieraShare */
void hiera_shares_add(GArray *shares, guint32 processor, gint64 time_ns);

/** Sort shares by processor, and add up those of the same processor. */
void hiera_shares_settle(GArray *shares);

/** Pack shares for another process; the next function unpacks them there, and appends them to an array. */
void hiera_shares_pack(const GArray *shares, HieraPacker *to);
void hiera_shares_unpack(HieraUnpacker *from, GArray *shares);

/** Return the least time that counts as nearly as long as most_ns: 90 % of it. */
gint64 hiera_shares_nearly(gint64 most_ns);

/** Return ranks as a text such as "0-3 7"; after a few ranges the text ends in "…".
 *
 * @param trace     NULL: the shares are those of threads, and have their numbers
 * @param least_ns  ranks with less time are left out
 * @param table     keeps the text */
const char *hiera_shares_name_ranks(const GArray *shares, const HieraTrace *trace, gint64 least_ns, HieraTable *table);

/** Return the sum of the run times of the ranks in a scope: init to finalize, clipped to the scope's times. */
gint64 hiera_run_sum(const HieraTrace *trace, const HieraScope *scope);

/** Return sum / n; 0 if n is 0; HIERA_TOO_LARGE if the sum is. */
gint64 hiera_mean(gint64 sum, gint64 n);

/** Return part / whole in 0.01 %, rounded; 0 if the whole is 0; HIERA_TOO_LARGE if part or whole is. */
gint64 hiera_percent(gint64 part, gint64 whole);

/** As hiera_percent(), but HIERA_UNKNOWN if the whole is 0, or part or whole is unknown. */
gint64 hiera_ratio(gint64 part, gint64 whole);

/** Return the median, by nearest rank, of n values: those in the array, and zeros for the rest.
 *
 * @param values  n_values of them, at most n; their order is changed */
gint64 hiera_median_with_zeros(gint64 *values, guint n_values, guint n);
