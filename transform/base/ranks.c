/* See ranks.h. A list is an array of ranges; each range stores the index in the list of its first rank. */
#include "ranks.h"
#include "parse_numbers.h"
#include <string.h>

typedef struct {
    gint64 first, last, stride;
    gint64 place; /* index of the rank `first` in the list */
} Range;

struct HieraRanks {
    GArray *ranges;
    gint64 n;
    gboolean has_strangers;
};

#define STRANGER '?'

static gint64 range_count(const Range *range)
{
    return (range->last - range->first) / range->stride + 1;
}

/* Parse `?`, `5`, `0-6` or `0-6:2`. */
static gboolean parse_range(const char *text, gsize length, Range *range)
{
    if (length == 1 && text[0] == STRANGER) {
        *range = (Range){HIERA_STRANGER, HIERA_STRANGER, 1, 0};
        return TRUE;
    }
    const char *colon = memchr(text, ':', length);
    gsize bounds = colon ? (gsize)(colon - text) : length;
    const char *dash = memchr(text, '-', bounds);
    gsize first = dash ? (gsize)(dash - text) : bounds;
    range->stride = 1;
    if (colon && (!dash || !hiera_number_parse_between(colon + 1, length - bounds - 1, 1, G_MAXINT32, &range->stride)))
        return FALSE;
    if (!hiera_number_parse_between(text, first, 0, G_MAXINT32 - 1, &range->first))
        return FALSE;
    range->last = range->first;
    return !dash ||
           hiera_number_parse_between(dash + 1, bounds - first - 1, range->first, G_MAXINT32 - 1, &range->last);
}

static gboolean is_separator(char c)
{
    return c == ' ' || c == ',' || c == '\t' || c == '\n' || c == '\r';
}

HieraRanks *hiera_ranks_new(const char *text, gsize length)
{
    g_autoptr(HieraRanks) ranks = g_new0(HieraRanks, 1);
    ranks->ranges = g_array_new(FALSE, FALSE, sizeof(Range));
    for (const char *at = text, *end = text + length; at < end;) {
        if (is_separator(*at)) {
            at++;
            continue;
        }
        const char *word = at;
        while (at < end && !is_separator(*at))
            at++;
        Range range;
        if (!parse_range(word, (gsize)(at - word), &range))
            return NULL;
        range.place = ranks->n;
        ranks->has_strangers = ranks->has_strangers || range.first == HIERA_STRANGER;
        ranks->n += range_count(&range);
        g_array_append_val(ranks->ranges, range);
    }
    return g_steal_pointer(&ranks);
}

HieraRanks *hiera_ranks_parse(const char *text, GError **error)
{
    HieraRanks *ranks = hiera_ranks_new(text, strlen(text));
    if (!ranks || ranks->n == 0) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                    "'%s' is not a list of ranks; write for example 0-3,8 or 0-14:2", text);
        g_clear_pointer(&ranks, hiera_ranks_free);
    }
    return ranks;
}

void hiera_ranks_free(HieraRanks *ranks)
{
    if (!ranks)
        return;
    g_array_unref(ranks->ranges);
    g_free(ranks);
}

gint32 hiera_ranks_find(const HieraRanks *ranks, gint64 rank)
{
    for (guint i = 0; i < ranks->ranges->len; i++) {
        const Range *range = &g_array_index(ranks->ranges, Range, i);
        gint64 offset = rank - range->first;
        if (offset >= 0 && rank <= range->last && offset % range->stride == 0)
            return (gint32)(range->place + offset / range->stride);
    }
    return HIERA_ABSENT;
}

gboolean hiera_ranks_contain(const HieraRanks *ranks, gint64 rank)
{
    return hiera_ranks_find(ranks, rank) != HIERA_ABSENT;
}

gboolean hiera_ranks_has_strangers(const HieraRanks *ranks)
{
    return ranks->has_strangers;
}

gint64 hiera_ranks_count(const HieraRanks *ranks)
{
    return ranks->n;
}

gint32 hiera_ranks_at(const HieraRanks *ranks, gint64 index)
{
    if (index < 0 || index >= ranks->n)
        return HIERA_ABSENT;
    guint low = 0, high = ranks->ranges->len;
    while (high - low > 1) {
        guint middle = (low + high) / 2;
        if (g_array_index(ranks->ranges, Range, middle).place <= index)
            low = middle;
        else
            high = middle;
    }
    const Range *range = &g_array_index(ranks->ranges, Range, low);
    return (gint32)(range->first + (index - range->place) * range->stride);
}

void hiera_ranks_append_range(GString *text, gint64 first, gint64 last)
{
    g_string_append_printf(text, "%s%" G_GINT64_FORMAT, text->len ? " " : "", first);
    if (last > first)
        g_string_append_printf(text, "-%" G_GINT64_FORMAT, last);
}

char *hiera_ranks_format(const HieraRanks *ranks)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < ranks->ranges->len; i++) {
        const Range *range = &g_array_index(ranks->ranges, Range, i);
        if (range->first == HIERA_STRANGER)
            g_string_append_printf(text, "%s%c", text->len ? " " : "", STRANGER);
        else
            hiera_ranks_append_range(text, range->first, range->last);
        if (range->stride > 1)
            g_string_append_printf(text, ":%" G_GINT64_FORMAT, range->stride);
    }
    return g_string_free(text, FALSE);
}

char *hiera_ranks_format_gaps(const gint64 *present, guint n, gint64 size)
{
    GString *text = g_string_new(NULL);
    gint64 next = 0;
    for (guint i = 0; i < n && next < size; i++) {
        if (present[i] > next)
            hiera_ranks_append_range(text, next, MIN(present[i], size) - 1);
        next = present[i] + 1;
    }
    if (next < size)
        hiera_ranks_append_range(text, next, size - 1);
    return g_string_free(text, FALSE);
}
