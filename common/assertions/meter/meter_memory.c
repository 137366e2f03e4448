/* Memory of a meter: creation, extension for added rules, and freeing. See meter.h. */
#include "meter_parts.h"
#include <stdlib.h>
#include <string.h>

static void *grow_malloced(void *memory, size_t old_bytes, size_t bytes)
{
    char *grown = realloc(memory, bytes);
    if (grown)
        memset(grown + old_bytes, 0, bytes - old_bytes);
    return grown;
}

static void release_malloced(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

const HieraMeterMemory hiera_meter_malloced = {grow_malloced, release_malloced};

bool hiera_meter_room(HieraMeter *meter, HieraMeterArray *array, size_t size, size_t more)
{
    size_t room = array->room;
    if (array->n + more <= room)
        return true;
    while (room < array->n + more)
        room = room ? 2 * room : 4;
    void *items = meter->memory.grow(array->items, array->room * size, room * size);
    if (!items) {
        meter->lost = true;
        return false;
    }
    array->items = items;
    array->room = room;
    return true;
}

bool hiera_meter_room_for_site(HieraMeter *meter)
{
    bool has_room = hiera_meter_room(meter, &meter->sites, sizeof(HieraMeterSite), 1) &&
                    hiera_meter_room(meter, &meter->sums, sizeof(HieraMeterSums), 1);
    meter->tally.sums = meter->sums.items;
    return has_room;
}

/* --- arrays of a meter with an item for each rule or each counter --- */

typedef struct Table {
    size_t place, size; /* place: offset of the array's pointer in HieraMeter; size: bytes of an item */
    bool by_counter;
} Table;

#define BY(field, by_counter)                                                                                          \
    {                                                                                                                  \
        offsetof(HieraMeter, field), sizeof *((HieraMeter *)0)->field, by_counter                                      \
    }
static const Table tables[] = {
    BY(inside, false),        BY(kept, false),
    BY(hidden, false),        BY(verdicts, false),
    BY(counters, true),       BY(vague, true),
    BY(vague_sum, true),      BY(totals, true),
    BY(outcome.kept, false),  BY(outcome.verdicts, false),
    BY(outcome.totals, true), BY(outcome.unknown, true),
    BY(values, true),         BY(unknown, true),
};
/* Arrays after the first N_EARLY of `tables` are made only for an outcome, because meters of threads have none. */
enum { N_TABLES = sizeof tables / sizeof *tables, N_EARLY = 8 };

static void *get_items(const HieraMeter *meter, const Table *table)
{
    void *items;
    memcpy(&items, (const char *)meter + table->place, sizeof items);
    return items;
}

static void set_items(HieraMeter *meter, const Table *table, void *items)
{
    memcpy((char *)meter + table->place, &items, sizeof items);
}

/* Size in bytes of an array with one item for each rule or each counter; never 0. */
static size_t bytes_for(const Table *table, size_t n_rules, size_t n_counters)
{
    size_t n = table->by_counter ? n_counters : n_rules;
    return (n > 0 ? n : 1) * table->size;
}

static size_t bytes_of(const HieraMeter *meter, const Table *table)
{
    return bytes_for(table, meter->n_rules, meter->n_counters);
}

static void release_table(HieraMeter *meter, const Table *table)
{
    meter->memory.release(get_items(meter, table), bytes_of(meter, table));
    set_items(meter, table, NULL);
}

/* Allocate an array of the meter, or enlarge it for added rules and counters. False: memory is short. */
static bool enlarge(HieraMeter *meter, const Table *table)
{
    void *items = get_items(meter, table);
    size_t old = bytes_of(meter, table), bytes = bytes_for(table, meter->rules->n_rules, meter->rules->n_counters);
    if (items && old == bytes)
        return true;
    items = meter->memory.grow(items, items ? old : 0, bytes);
    if (items)
        set_items(meter, table, items);
    return items != NULL;
}

bool hiera_meter_make_outcome(HieraMeter *meter)
{
    for (unsigned i = N_EARLY; i < N_TABLES; i++) {
        if (!enlarge(meter, &tables[i]))
            return false;
    }
    return true;
}

static void set_counters(HieraMeter *meter, size_t first)
{
    for (size_t i = first; i < meter->n_counters; i++) {
        const HieraCounter *counter = &meter->rules->counters[i];
        uint8_t amount = (uint8_t)hiera_metric_amount(counter->metric);
        meter->counters[i] =
            (HieraMeterCounter){amount, counter->has_peer, hiera_meter_comm(meter, counter->comm), counter->peer};
        meter->has_comms = meter->has_comms || counter->comm;
        meter->remembers = meter->remembers || (counter->comm && amount == HIERA_AMOUNT_RECEIVED);
        meter->wants_requests = meter->wants_requests || (amount != HIERA_AMOUNT_TIME && amount != HIERA_AMOUNT_CALLS);
    }
}

/* Enlarge the arrays for all rules. False: memory is short, and some arrays keep their old size. */
static bool make_tables(HieraMeter *meter)
{
    size_t first = meter->n_counters;
    for (unsigned i = 0; i < N_EARLY; i++) {
        if (!enlarge(meter, &tables[i]))
            return false;
    }
    for (unsigned i = N_EARLY; i < N_TABLES; i++)
        release_table(meter, &tables[i]);
    meter->n_rules = meter->rules->n_rules;
    meter->n_counters = meter->rules->n_counters;
    set_counters(meter, first);
    hiera_meter_list_peers(meter);
    return true;
}

/* --- creation, extension and freeing of meters --- */

HieraMeter *hiera_meter_new(const HieraRules *rules, const HieraMeterMemory *memory, HieraMeterRequests *requests)
{
    const HieraMeterMemory *of = memory ? memory : &hiera_meter_malloced;
    HieraMeter *meter = of->grow(NULL, 0, sizeof *meter);
    if (!meter)
        return NULL;
    meter->memory = *of;
    meter->has_own_requests = !requests;
    meter->requests = requests ? requests : hiera_meter_requests_new(memory);
    meter->rules = rules;
    meter->mpi_from_ns = INT64_MIN;
    meter->mpi_to_ns = INT64_MAX;
    if (!meter->requests || !make_tables(meter) || !hiera_meter_room_for_site(meter)) {
        hiera_meter_free(meter);
        return NULL;
    }
    meter->sites.n = meter->sums.n = 1; /* index 0 is the site of all operations that no rule concerns */
    meter->tally.sums[0].is_listed = true;
    return meter;
}

bool hiera_meter_fit(HieraMeter *meter)
{
    if (meter->n_rules == meter->rules->n_rules && meter->n_counters == meter->rules->n_counters)
        return false;
    hiera_meter_forget_sites(meter);
    if (!make_tables(meter))
        meter->lost = true;
    return true;
}

static void release(const HieraMeter *meter, HieraMeterArray *array, size_t size)
{
    meter->memory.release(array->items, array->room * size);
}

void hiera_meter_free(HieraMeter *meter)
{
    if (!meter)
        return;
    for (size_t i = 0; meter->kept && i < meter->n_rules; i++)
        release(meter, &meter->kept[i], sizeof(int64_t));
    for (unsigned i = 0; i < N_TABLES; i++)
        release_table(meter, &tables[i]);
    release(meter, &meter->sites, sizeof(HieraMeterSite));
    release(meter, &meter->sums, sizeof(HieraMeterSums));
    release(meter, &meter->lists, sizeof(uint32_t));
    release(meter, &meter->parts, sizeof(uint32_t));
    release(meter, &meter->peers, sizeof(int64_t));
    release(meter, &meter->open, sizeof(HieraMeterOpen));
    release(meter, &meter->frames, sizeof(HieraMeterFrame));
    release(meter, &meter->noted, sizeof(int64_t));
    if (meter->has_own_requests)
        hiera_meter_requests_free(meter->requests);
    meter->memory.release(meter, sizeof *meter);
}
