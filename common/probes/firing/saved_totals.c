/* Saved aggregations without their script, as traces contain them: see HieraProbeSaved in probes.h. */
#include "firing.h"
#include "saved.h"
#include <string.h>

/* An aggregation, merged over all ranks. */
typedef struct Aggregation {
    HieraScriptName name;
    HieraKeyed keyed;
    struct Aggregation *next;
} Aggregation;

struct HieraProbeSaved {
    HieraProbeHost host;
    HieraProbeStore store;
    Aggregation *first, *current; /* list in order of arrival; the aggregation whose rows are being read */
};

HieraProbeSaved *hiera_probe_saved_new(const HieraProbeHost *host)
{
    HieraProbeSaved *saved = hiera_host_take(host, sizeof *saved);
    if (!saved)
        return NULL;
    saved->host = *host;
    hiera_probe_store_init(&saved->store, &saved->host, NULL);
    return saved;
}

void hiera_probe_saved_free(HieraProbeSaved *saved)
{
    if (!saved)
        return;
    const HieraProbeHost host = saved->host;
    hiera_probe_store_clear(&saved->store);
    hiera_host_release(&host, saved, sizeof *saved);
}

/* --- reading saved aggregations --- */

static bool take_global(void *user, unsigned number, const char *name, bool adds)
{
    (void)user, (void)number, (void)name, (void)adds;
    return true;
}

static bool is_same(const HieraScriptName *a, const HieraScriptName *b)
{
    bool types = a->type == b->type || a->type == HIERA_VALUE_MISSING || b->type == HIERA_VALUE_MISSING;
    return types && a->function == b->function && a->n_keys == b->n_keys && a->lower == b->lower &&
           a->upper == b->upper && a->step == b->step;
}

static Aggregation *add_name(HieraProbeSaved *saved, Aggregation **end, const HieraScriptName *head)
{
    size_t length = strlen(head->name) + 1;
    Aggregation *added = hiera_probe_store_take(&saved->store, sizeof *added);
    char *name = hiera_probe_store_take(&saved->store, length);
    if (!added || !name)
        return NULL;
    added->name = *head;
    added->name.name = memcpy(name, head->name, length);
    hiera_keyed_init(&added->keyed, hiera_aggregate_size(head), &saved->store);
    return *end = added;
}

static bool take_head(void *user, int64_t rank, const HieraScriptName *head, bool adds)
{
    HieraProbeSaved *saved = user;
    Aggregation **at = &saved->first;
    (void)rank;
    while (*at && strcmp((*at)->name.name, head->name) != 0)
        at = &(*at)->next;
    saved->current = *at ? *at : adds ? add_name(saved, at, head) : NULL;
    if (!saved->current)
        return !adds;
    if (adds && saved->current->name.type == HIERA_VALUE_MISSING)
        saved->current->name.type = head->type;
    return is_same(&saved->current->name, head);
}

static bool take_row(void *user, const HieraValue *keys, const void *cell)
{
    Aggregation *current = ((HieraProbeSaved *)user)->current;
    void *sum = hiera_keyed_find(&current->keyed, keys, current->name.n_keys, true);
    if (sum)
        hiera_aggregate_merge(&current->name, sum, cell);
    return sum != NULL;
}

bool hiera_probe_saved_load(HieraProbeSaved *saved, const char *bytes, size_t length)
{
    const HieraSavedSink sink = {&saved->store, saved, take_global, take_head, take_row};
    return hiera_saved_read(&sink, bytes, length);
}

/* --- visiting saved aggregations --- */

static void visit_bins(const Aggregation *of, const void *cell, HieraProbeSavedRow *row,
                       void (*visit)(void *user, const HieraProbeSavedRow *row), void *user)
{
    for (unsigned i = 0; i < hiera_aggregate_count_bins(&of->name); i++) {
        HieraAggregateBin bin = hiera_aggregate_bin(&of->name, cell, i);
        row->is_bin = true;
        row->from = bin.from;
        row->value = hiera_value_integer((int64_t)bin.count);
        if (bin.count > 0)
            visit(user, row);
    }
}

static void visit_row(const Aggregation *of, uint32_t number, void (*visit)(void *user, const HieraProbeSavedRow *row),
                      void *user)
{
    HieraValue keys[HIERA_EXPRESSION_KEYS];
    const void *cell = hiera_keyed_cell(&of->keyed, number);
    HieraProbeSavedRow row = {.name = of->name.name,
                              .function = hiera_aggregators[of->name.function],
                              .keys = keys,
                              .n_keys = of->name.n_keys};
    hiera_keyed_read(&of->keyed, number, keys, of->name.n_keys);
    if (hiera_aggregate_is_distribution(&of->name)) {
        visit_bins(of, cell, &row, visit, user);
        return;
    }
    row.value = hiera_aggregate_result(&of->name, cell);
    visit(user, &row);
}

bool hiera_probe_saved_visit(const HieraProbeSaved *saved, void (*visit)(void *user, const HieraProbeSavedRow *row),
                             void *user)
{
    bool good = true;
    for (const Aggregation *at = saved->first; at; at = at->next) {
        HieraProbeStore store;
        hiera_probe_store_init(&store, &saved->host, NULL);
        const uint32_t *order = hiera_keyed_sort(&at->keyed, at->name.n_keys, &store);
        for (uint32_t i = 0; order && i < hiera_keyed_count(&at->keyed); i++)
            visit_row(at, order[i], visit, user);
        good = good && order;
        hiera_probe_store_clear(&store);
    }
    return good;
}
