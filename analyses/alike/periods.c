/* Repeats; see periods.h. For each period and element, the number of elements that are equal to those one period later
 * is counted from the right; from the left, the repeats follow from these numbers. */
#include "periods.h"

enum { PERIODS_MAX = 8 }; /* periods that are tried */

typedef struct {
    guint length;
    gint64 weight;
    guint32 *equal; /* by element: how many from there on are equal to those one period later */
} Period;

typedef struct {
    const HieraSequence *sequence;
    Period periods[PERIODS_MAX + 1];
    guint n;
} Search;

/* --- which periods are tried --- */

static void add_weight(GHashTable *weights, guint distance, gint64 weight)
{
    gpointer key = GUINT_TO_POINTER(distance);
    gsize sum = GPOINTER_TO_SIZE(g_hash_table_lookup(weights, key));
    g_hash_table_insert(weights, key, GSIZE_TO_POINTER(MIN(sum + (gsize)weight, (gsize)G_MAXINT64)));
}

/* Return the distances of equal elements with the time of the elements; each element is compared to the last two that
 * are equal to it. */
static GHashTable *weigh_distances(const HieraSequence *sequence)
{
    GHashTable *weights = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL); /* symbol → last place + 1, and the one before << 32 */
    for (guint i = 0; i < sequence->n; i++) {
        gpointer key = GSIZE_TO_POINTER(sequence->symbols[i]);
        gsize seen = GPOINTER_TO_SIZE(g_hash_table_lookup(places, key));
        guint last = (guint32)seen, before = (guint32)(seen >> 32);
        gint64 weight = CLAMP(sequence->edges_ns[i + 1] - sequence->edges_ns[i], 0, G_MAXINT32) + 1;
        if (last != 0)
            add_weight(weights, i + 1 - last, weight);
        if (before != 0)
            add_weight(weights, i + 1 - before, weight);
        g_hash_table_insert(places, key, GSIZE_TO_POINTER((gsize)last << 32 | (i + 1)));
    }
    return weights;
}

/* Keep a period if it is among the heaviest, of equally heavy ones the shortest. */
static void offer(Search *search, Period period)
{
    guint place = search->n;
    for (; place > 0; place--) {
        const Period *before = &search->periods[place - 1];
        if (before->weight > period.weight || (before->weight == period.weight && before->length < period.length))
            break;
        search->periods[place] = *before;
    }
    search->periods[place] = period;
    search->n = MIN(search->n + 1, PERIODS_MAX);
}

static void choose_periods(Search *search)
{
    GHashTableIter iterator;
    gpointer distance, weight;
    g_autoptr(GHashTable) weights = weigh_distances(search->sequence);
    g_hash_table_iter_init(&iterator, weights);
    while (g_hash_table_iter_next(&iterator, &distance, &weight)) {
        if (GPOINTER_TO_UINT(distance) <= search->sequence->n / HIERA_REPEATS_LEAST)
            offer(search, (Period){GPOINTER_TO_UINT(distance), (gint64)GPOINTER_TO_SIZE(weight), NULL});
    }
}

static void count_equal(const HieraSequence *sequence, Period *period)
{
    period->equal = g_new0(guint32, (gsize)sequence->n + 1);
    for (guint i = sequence->n - period->length; i-- > 0;) {
        if (sequence->symbols[i] == sequence->symbols[i + period->length])
            period->equal[i] = period->equal[i + 1] + 1;
    }
}

/* --- repeats --- */

static HieraRepeats repeats_of(const Period *period, guint first)
{
    guint equal = period->equal[first];
    return (HieraRepeats){first, period->length, equal / period->length + 1, first + equal + period->length};
}

static gint64 time_of(const HieraSequence *sequence, const HieraRepeats *repeats)
{
    return MAX(sequence->edges_ns[repeats->first + repeats->length * repeats->repeats] -
                   sequence->edges_ns[repeats->first],
               0);
}

/* Find the repeats that begin with an element. @return false if there are none */
static gboolean find_at(const Search *search, guint first, HieraRepeats *found)
{
    gint64 longest_ns = -1;
    for (guint i = 0; i < search->n; i++) {
        HieraRepeats repeats = repeats_of(&search->periods[i], first);
        if (repeats.repeats >= HIERA_REPEATS_LEAST)
            longest_ns = MAX(longest_ns, time_of(search->sequence, &repeats));
    }
    found->length = G_MAXUINT;
    for (guint i = 0; i < search->n && longest_ns >= 0; i++) {
        HieraRepeats repeats = repeats_of(&search->periods[i], first);
        if (repeats.repeats >= HIERA_REPEATS_LEAST && repeats.length < found->length &&
            time_of(search->sequence, &repeats) >= longest_ns - longest_ns / 10)
            *found = repeats;
    }
    return longest_ns >= 0;
}

GArray *hiera_repeats_find(const HieraSequence *sequence)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(HieraRepeats));
    Search search = {.sequence = sequence};
    HieraRepeats found;
    if (sequence->n < HIERA_REPEATS_LEAST)
        return all;
    choose_periods(&search);
    for (guint i = 0; i < search.n; i++)
        count_equal(sequence, &search.periods[i]);
    for (guint i = 0; i < sequence->n;) {
        if (find_at(&search, i, &found)) {
            g_array_append_val(all, found);
            i += found.length * found.repeats;
        } else
            i++;
    }
    for (guint i = 0; i < search.n; i++)
        g_free(search.periods[i].equal);
    return all;
}
