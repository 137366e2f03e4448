/* Repeats; see periods.h. For each period, find the runs of elements that are equal to those one period later. The
 * repeats from an element on follow from the run that contains it. */
#include "periods.h"

enum {
    PERIODS_MAX = 8, /* greatest number of different periods that are tried */
    CACHE_SIZE = 256
};

/* A run: each element from `first` to end − 1 is equal to the element one period later. */
typedef struct {
    guint first, end;
} Run;

typedef struct {
    guint length;
    gint64 weight;
    GArray *runs; /* Run, only those long enough for HIERA_REPEATS_LEAST repeats */
    guint at;     /* index in `runs` of the first run that ends after the element that is looked at */
} Period;

typedef struct {
    const HieraSequence *sequence;
    Period periods[PERIODS_MAX + 1];
    guint n;
} Search;

/* --- which lengths of periods are tried --- */

/* --- numbers of symbols --- */

/* Gives each different symbol of the sequence a number, from 0. The hash table is used only for symbols that are not in
 * the cache. */
typedef struct {
    GHashTable *numbers; /* symbol → its number + 1 */
    guint64 cached[CACHE_SIZE];
    guint32 cached_number[CACHE_SIZE]; /* number of the symbol in `cached` + 1; 0: no symbol */
} Numbering;

static guint32 number_of(Numbering *numbering, guint64 symbol)
{
    guint place = (guint)(symbol ^ symbol >> 32) % CACHE_SIZE;
    if (numbering->cached_number[place] != 0 && numbering->cached[place] == symbol)
        return numbering->cached_number[place] - 1;
    gpointer key = GSIZE_TO_POINTER(symbol);
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(numbering->numbers, key));
    if (number == 0) {
        number = g_hash_table_size(numbering->numbers) + 1;
        g_hash_table_insert(numbering->numbers, key, GUINT_TO_POINTER(number));
    }
    numbering->cached[place] = symbol;
    numbering->cached_number[place] = number;
    return number - 1;
}

/* --- distances between equal elements --- */

/* Indices of the last two elements with a symbol, each + 1; 0: none. */
typedef struct {
    guint last, before;
} Seen;

static void add_weight(guint64 *weights, guint longest, guint distance, guint64 weight)
{
    if (distance <= longest)
        weights[distance] = MIN(weights[distance] + weight, (guint64)G_MAXINT64);
}

/* Return by distance the time of the elements that have an equal element at that distance; each element is compared to
 * the last two that are equal to it. To be freed with g_free. @param longest  greatest distance */
static guint64 *weigh_distances(const HieraSequence *sequence, guint longest)
{
    guint64 *weights = g_new0(guint64, (gsize)longest + 1);
    g_autoptr(GArray) places = g_array_new(FALSE, TRUE, sizeof(Seen));
    g_autofree Numbering *numbering = g_new0(Numbering, 1);
    numbering->numbers = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < sequence->n; i++) {
        guint32 number = number_of(numbering, sequence->symbols[i]);
        if (number == places->len)
            g_array_set_size(places, number + 1);
        Seen *seen = &g_array_index(places, Seen, number);
        gint64 weight = CLAMP(sequence->edges_ns[i + 1] - sequence->edges_ns[i], 0, G_MAXINT32) + 1;
        if (seen->last != 0)
            add_weight(weights, longest, i + 1 - seen->last, (guint64)weight);
        if (seen->before != 0)
            add_weight(weights, longest, i + 1 - seen->before, (guint64)weight);
        *seen = (Seen){i + 1, seen->last};
    }
    g_hash_table_unref(numbering->numbers);
    return weights;
}

/* Insert a period into Search.periods, sorted by weight, greatest first; of equal weights the shortest first. */
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
    guint longest = search->sequence->n / HIERA_REPEATS_LEAST;
    g_autofree guint64 *weights = weigh_distances(search->sequence, longest);
    for (guint distance = 1; distance <= longest; distance++) {
        if (weights[distance] > 0)
            offer(search, (Period){distance, (gint64)weights[distance], NULL, 0});
    }
}

/* Find the runs of a period: elements that equal the element one period later, long enough for repeats. */
static void find_runs(const HieraSequence *sequence, Period *period)
{
    period->runs = g_array_new(FALSE, FALSE, sizeof(Run));
    for (guint i = 0, end = sequence->n - period->length; i < end; i++) {
        Run run = {i, i};
        while (run.end < end && sequence->symbols[run.end] == sequence->symbols[run.end + period->length])
            run.end++;
        if ((run.end - run.first) / period->length + 1 >= HIERA_REPEATS_LEAST)
            g_array_append_val(period->runs, run);
        i = run.end;
    }
}

/* --- repeats within runs --- */

/* Return the repeats that begin with an element; `repeats` is 1 if there are none. Must be called for elements in
 * rising order. */
static HieraRepeats repeats_of(Period *period, guint first)
{
    const Run *run = NULL;
    while (period->at < period->runs->len && (run = &g_array_index(period->runs, Run, period->at))->end <= first)
        period->at++;
    guint equal = period->at < period->runs->len && run->first <= first ? run->end - first : 0;
    return (HieraRepeats){first, period->length, equal / period->length + 1, first + equal + period->length};
}

static gint64 time_of(const HieraSequence *sequence, const HieraRepeats *repeats)
{
    return MAX(sequence->edges_ns[repeats->first + repeats->length * repeats->repeats] -
                   sequence->edges_ns[repeats->first],
               0);
}

/* Find the repeats that begin with the element `first`. @return false if there are none */
static gboolean find_at(Search *search, guint first, HieraRepeats *found)
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
        find_runs(sequence, &search.periods[i]);
    for (guint i = 0; i < sequence->n;) {
        if (find_at(&search, i, &found)) {
            g_array_append_val(all, found);
            i += found.length * found.repeats;
        } else
            i++;
    }
    for (guint i = 0; i < search.n; i++)
        g_array_unref(search.periods[i].runs);
    return all;
}
