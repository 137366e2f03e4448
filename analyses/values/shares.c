/* Arrays of HieraShare, and percentages; see shares.h. */
#include "shares.h"
#include <stdlib.h>

enum { RANGES_MAX = 6 }; /* greatest number of ranges of ranks in a text */

void hiera_shares_add(GArray *shares, guint32 processor, gint64 time_ns)
{
    if (shares->len == 0 || g_array_index(shares, HieraShare, shares->len - 1).processor != processor) {
        HieraShare none = {processor, 0};
        g_array_append_val(shares, none);
    }
    HieraShare *last = &g_array_index(shares, HieraShare, shares->len - 1);
    last->time_ns = hiera_plus(last->time_ns, time_ns);
}

static gint compare_shares(gconstpointer left, gconstpointer right)
{
    const HieraShare *a = left, *b = right;
    return (a->processor > b->processor) - (a->processor < b->processor);
}

void hiera_shares_settle(GArray *shares)
{
    guint n = 0;
    g_array_sort(shares, compare_shares);
    for (guint i = 0; i < shares->len; i++) {
        HieraShare *from = &g_array_index(shares, HieraShare, i), *to = &g_array_index(shares, HieraShare, n);
        if (n > 0 && to[-1].processor == from->processor)
            to[-1].time_ns = hiera_plus(to[-1].time_ns, from->time_ns);
        else
            *to = *from, n++;
    }
    g_array_set_size(shares, n);
}

/* Members are packed one by one, because the padding between them is uninitialised. */
void hiera_shares_pack(const GArray *shares, HieraPacker *to)
{
    hiera_pack_number(to, shares->len);
    for (guint i = 0; i < shares->len; i++) {
        hiera_pack_number(to, g_array_index(shares, HieraShare, i).processor);
        hiera_pack_number(to, g_array_index(shares, HieraShare, i).time_ns);
    }
}

void hiera_shares_unpack(HieraUnpacker *from, GArray *shares)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        HieraShare share = {.processor = (guint32)hiera_unpack_number(from)};
        share.time_ns = hiera_unpack_number(from);
        g_array_append_val(shares, share);
    }
}

gint64 hiera_shares_nearly(gint64 most_ns)
{
    return most_ns - most_ns / 10;
}

static guint32 number_of(const HieraShare *share, const HieraTrace *trace)
{
    return trace ? trace->processors[share->processor].rank : share->processor;
}

const char *hiera_shares_name_ranks(const GArray *shares, const HieraTrace *trace, gint64 least_ns, HieraTable *table)
{
    g_autoptr(GString) text = g_string_new(NULL);
    guint ranges = 0;
    for (guint i = 0, j; i < shares->len; i = j + 1) {
        const HieraShare *share = &g_array_index(shares, HieraShare, j = i);
        if (share->time_ns < least_ns)
            continue;
        guint32 first = number_of(share, trace), last = first;
        for (; j + 1 < shares->len; j++, last++) {
            const HieraShare *next = &g_array_index(shares, HieraShare, j + 1);
            if (next->time_ns < least_ns || number_of(next, trace) != last + 1)
                break;
        }
        if (ranges++ == RANGES_MAX) {
            g_string_append(text, " …");
            break;
        }
        hiera_ranks_append_range(text, first, last);
    }
    return hiera_table_keep(table, text->str);
}

gint64 hiera_run_sum(const HieraTrace *trace, const HieraScope *scope)
{
    gint64 sum = 0;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        if (hiera_scope_accepts_rank(scope, processor->rank))
            sum = hiera_plus(sum, hiera_scope_clip(scope, processor->init_ns, processor->finalize_ns));
    }
    return sum;
}

gint64 hiera_mean(gint64 sum, gint64 n)
{
    if (sum == HIERA_TOO_LARGE)
        return sum;
    return n > 0 ? sum / n : 0;
}

gint64 hiera_percent(gint64 part, gint64 whole)
{
    if (part == HIERA_TOO_LARGE || whole == HIERA_TOO_LARGE)
        return HIERA_TOO_LARGE;
    return whole > 0 ? (gint64)(((__int128)part * 20000 + whole) / (2 * (__int128)whole)) : 0;
}

gint64 hiera_ratio(gint64 part, gint64 whole)
{
    return part == HIERA_UNKNOWN || whole == HIERA_UNKNOWN || whole <= 0 ? HIERA_UNKNOWN : hiera_percent(part, whole);
}

static int compare_times(const void *left, const void *right)
{
    gint64 a = *(const gint64 *)left, b = *(const gint64 *)right;
    return (a > b) - (a < b);
}

gint64 hiera_median_with_zeros(gint64 *values, guint n_values, guint n)
{
    guint zeros = n - n_values, place = n > 0 ? (n - 1) / 2 : 0;
    if (place < zeros || n_values == 0)
        return 0;
    qsort(values, n_values, sizeof *values, compare_times);
    return values[place - zeros];
}
