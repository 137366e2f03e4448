/** Times by rank, and their texts in tables. */
#pragma once

#include "hiera_measure.h"

/** The time of one rank. */
typedef struct {
    guint32 processor; /* index in the trace */
    gint64 time_ns;
} HieraShare;

/** Add to the time of a processor in an array of HieraShare. Call it for processors in ascending order. */
void hiera_shares_add(GArray *shares, guint32 processor, gint64 time_ns);

/** Sort shares by processor, and merge those of the same processor. */
void hiera_shares_settle(GArray *shares);

/** Pack the shares for another process, and there append them to an array. */
void hiera_shares_pack(const GArray *shares, HieraPacker *to);
void hiera_shares_unpack(HieraUnpacker *from, GArray *shares);

/** Return the smallest time that counts as nearly as much as `most_ns`: at least 90 % of it. */
gint64 hiera_shares_nearly(gint64 most_ns);

/** Return ranks as a text such as "0-3 7"; after a few ranges the text ends in "…".
 *
 * @param least_ns  ranks with less time are left out
 * @param table     keeps the text */
const char *hiera_shares_name_ranks(const GArray *shares, const HieraTrace *trace, gint64 least_ns, HieraTable *table);

/** Return the sum of the run times of the ranks in a scope, each from init to finalize, cut to the scope's times. */
gint64 hiera_run_sum(const HieraTrace *trace, const HieraScope *scope);

/** Return sum / n, 0 if n is 0; HIERA_TOO_LARGE if the sum is. */
gint64 hiera_mean(gint64 sum, gint64 n);

/** Return part / whole in hundredths of a percent, rounded; 0 if the whole is 0, HIERA_TOO_LARGE if one of them is. */
gint64 hiera_percent(gint64 part, gint64 whole);

/** Return the same as hiera_percent(), but HIERA_UNKNOWN if the whole is 0, or one of them is unknown. */
gint64 hiera_ratio(gint64 part, gint64 whole);
