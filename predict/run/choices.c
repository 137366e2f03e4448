#include "choices.h"
#include "text/hash.h"
#include <stdlib.h>
#include <string.h>

/* A request that a call at this call site completed in the recorded run. */
typedef struct {
    guint32 start; /* row of the call that started the request */
    guint64 number;
} Candidate;

/* The calls of one rank at one call site, such as an MPI_Waitany in a loop. */
typedef struct {
    GArray *candidates; /* Candidate: requests that these calls completed, sorted by `start` */
    guint n_begun;      /* number of candidates that have been started in the simulation */
    GArray *open;       /* guint64: requests that have been started and are not complete */
    guint64 n_due; /* number of requests that these calls, up to the last one begun, completed in the recorded run */
    guint64 n_taken;
} ChoicePlace;

struct Choices {
    const Exchanges *exchanges;
    GHashTable *places; /* rank and call site → ChoicePlace */
};

static gboolean is_choice(const HieraTrace *trace, guint32 row, gboolean *some)
{
    const char *name = hiera_trace_peek_site(trace, row)->operation;
    *some = strcmp(name, "waitsome") == 0 || strcmp(name, "testsome") == 0;
    return *some || strcmp(name, "waitany") == 0 || strcmp(name, "testany") == 0;
}

static gint64 key_of(const HieraTrace *trace, guint32 row)
{
    return (gint64)((guint64)hiera_trace_find_processor(trace, row) << 32 | trace->site[row]);
}

static ChoicePlace *find_place(const Choices *choices, guint32 row)
{
    gint64 key = key_of(choices->exchanges->run->trace, row);
    return g_hash_table_lookup(choices->places, &key);
}

static void free_place(gpointer data)
{
    ChoicePlace *place = data;
    g_array_unref(place->candidates);
    g_array_unref(place->open);
    g_free(place);
}

static ChoicePlace *add_place(Choices *choices, guint32 row)
{
    ChoicePlace *place = find_place(choices, row);
    if (place)
        return place;
    gint64 *key = g_new(gint64, 1);
    *key = key_of(choices->exchanges->run->trace, row);
    place = g_new0(ChoicePlace, 1);
    place->candidates = g_array_new(FALSE, FALSE, sizeof(Candidate));
    place->open = g_array_new(FALSE, FALSE, sizeof(guint64));
    g_hash_table_insert(choices->places, key, place);
    return place;
}

static int compare_candidates(const void *a, const void *b)
{
    const Candidate *first = a, *second = b;
    if (first->start != second->start)
        return first->start < second->start ? -1 : 1;
    return (first->number > second->number) - (first->number < second->number);
}

Choices *choices_new(const Exchanges *exchanges)
{
    Choices *choices = g_new0(Choices, 1);
    GHashTableIter iterator;
    gpointer place;
    gboolean some;
    choices->exchanges = exchanges;
    choices->places = g_hash_table_new_full(hiera_hash_number_at, g_int64_equal, g_free, free_place);
    for (guint i = 0; i < exchanges->n; i++) {
        const Exchange *exchange = &exchanges->all[i];
        if (exchange->kind != EXCHANGE_COMPLETES || !is_choice(exchanges->run->trace, exchange->row, &some))
            continue;
        const Candidate candidate = {exchanges_start(exchanges, exchange->request), exchange->request};
        g_array_append_val(add_place(choices, exchange->row)->candidates, candidate);
    }
    g_hash_table_iter_init(&iterator, choices->places);
    while (g_hash_table_iter_next(&iterator, NULL, &place))
        g_array_sort(((ChoicePlace *)place)->candidates, compare_candidates);
    return choices;
}

void choices_free(Choices *choices)
{
    if (!choices)
        return;
    g_hash_table_unref(choices->places);
    g_free(choices);
}

gboolean choices_has(const Choices *choices, guint32 row)
{
    gboolean some;
    return is_choice(choices->exchanges->run->trace, row, &some) && exchanges_find(choices->exchanges, row);
}

static guint count_completed(const Exchanges *exchanges, guint32 row)
{
    guint n = 0;
    const Exchange *behind = exchanges->all + exchanges->n;
    for (const Exchange *at = exchanges_find(exchanges, row); at && at < behind && at->row == row; at++)
        n += at->kind == EXCHANGE_COMPLETES;
    return n;
}

HieraSimUntil choices_begin(Choices *choices, guint32 row, GArray *numbers)
{
    ChoicePlace *place = find_place(choices, row);
    gboolean some;
    is_choice(choices->exchanges->run->trace, row, &some);
    for (; place->n_begun < place->candidates->len; place->n_begun++) {
        const Candidate *candidate = &g_array_index(place->candidates, Candidate, place->n_begun);
        if (candidate->start >= row)
            break;
        g_array_append_val(place->open, candidate->number);
    }
    place->n_due += count_completed(choices->exchanges, row);
    if (place->n_taken >= place->n_due)
        return HIERA_SIM_ALL;
    g_array_append_vals(numbers, place->open->data, place->open->len);
    if (place->n_due - place->n_taken >= place->open->len)
        return HIERA_SIM_ALL;
    return some ? HIERA_SIM_SOME : HIERA_SIM_ONE;
}

void choices_end(Choices *choices, guint32 row, const guint64 *completed, guint n)
{
    ChoicePlace *place = find_place(choices, row);
    if (!completed) {
        place->n_taken += place->open->len;
        g_array_set_size(place->open, 0);
        return;
    }
    place->n_taken += n;
    for (guint i = 0; i < n; i++) {
        guint at = 0;
        while (at < place->open->len && g_array_index(place->open, guint64, at) != completed[i])
            at++;
        if (at < place->open->len)
            g_array_remove_index(place->open, at);
    }
}
