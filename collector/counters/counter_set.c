/* Turns lists of names and patterns, as users write them, into sets of counters. */
#include "counter_names.h"
#include "counters.h"

#include <string.h>

typedef struct Adding {
    HieraCounterSet *set;
    const char *pattern;
    size_t length;
    unsigned n_matched, n_left_out;
    HieraCounterBlame *blame;
    void *data;
} Adding;

static bool comes_before(const HieraNamedCounter *a, const HieraNamedCounter *b)
{
    return a->family != b->family ? a->family < b->family : a->source < b->source;
}

static void sort(HieraCounterSet *set)
{
    for (unsigned i = 0; i < set->n; i++) {
        unsigned k = i;
        for (; k > 0 && comes_before(set->counters[i], set->counters[set->order[k - 1]]); k--)
            set->order[k] = set->order[k - 1];
        set->order[k] = (uint8_t)i;
    }
}

static void blame(const Adding *adding, const char *name, size_t length, const char *reason)
{
    if (adding->blame)
        adding->blame(adding->data, name, length, reason);
}

static bool has(const HieraCounterSet *set, const HieraNamedCounter *counter)
{
    for (unsigned i = 0; i < set->n; i++)
        if (set->counters[i] == counter)
            return true;
    return false;
}

static void add_name(Adding *adding, const char *name, size_t length)
{
    const char *reason = NULL;
    HieraNamedCounter *counter = hiera_counters_find(name, length, &reason);
    if (counter && counter->reason && !counter->is_pending)
        reason = counter->reason;
    else if (counter && adding->set->n >= HIERA_COUNTER_SET)
        reason = "there are too many counters";
    else if (counter && !has(adding->set, counter))
        adding->set->counters[adding->set->n++] = counter;
    if (counter && counter->is_pending)
        counter->is_awaited = true;
    if (reason)
        blame(adding, name, length, reason);
}

static void add_if_matches(void *data, const HieraNamedCounter *found)
{
    Adding *adding = data;
    if (!found->reason && hiera_names_match(adding->pattern, adding->length, found->name)) {
        adding->n_matched++;
        if (adding->set->n < HIERA_COUNTER_SET)
            add_name(adding, found->name, strlen(found->name));
        else
            adding->n_left_out++;
    }
}

static void add_pattern(Adding *adding, const char *pattern, size_t length)
{
    const char *reason = NULL, *colon = memchr(pattern, ':', length);
    size_t head = colon ? (size_t)(colon - pattern) : length;
    adding->pattern = pattern;
    adding->length = length;
    adding->n_matched = adding->n_left_out = 0;
    for (size_t i = 0; hiera_counter_families[i]; i++) {
        const HieraCounterFamily *family = hiera_counter_families[i];
        if (!hiera_names_match(pattern, head, family->name))
            continue;
        const char *missing = family->missing();
        reason = missing ? missing : reason;
        if (!missing)
            family->each(add_if_matches, adding);
    }
    if (adding->n_matched == 0)
        blame(adding, pattern, length, reason ? reason : "no counter here has such a name");
    if (adding->n_left_out > 0)
        blame(adding, pattern, length, "it stands for too many counters: the first ones are read");
}

void hiera_counters_add(HieraCounterSet *set, const char *list, HieraCounterBlame *blamed, void *data)
{
    Adding adding = {.set = set, .blame = blamed, .data = data};
    size_t length, inner_length;
    for (const char *one, *inner; (one = hiera_names_next(&list, &length));) {
        bool is_aggregate = hiera_names_aggregate(one, length, &inner, &inner_length) != HIERA_COUNTER_NONE;
        if (!is_aggregate && hiera_names_is_pattern(one, length))
            add_pattern(&adding, one, length);
        else if (length > 0)
            add_name(&adding, one, length);
    }
    sort(set);
}
