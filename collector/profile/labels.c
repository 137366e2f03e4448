#include "labels.h"

#include "memory/signal_safe_memory.h"
#include "text/hash.h"

#include <string.h>

enum { FIRST_ROOM = 16 };

static uint32_t hash_of(const char *level, const char *name)
{
    uint64_t hash = hiera_hash_text(hiera_hash_bytes(HIERA_HASH_BEGIN, level, strlen(level) + 1), name);
    return (uint32_t)(hash ^ hash >> 32);
}

/* Return the slot with the number of a name, or the empty slot that the name would take. */
static uint32_t *place_of(const HieraLabels *labels, const char *level, const char *name)
{
    uint32_t mask = 2 * labels->room - 1, at = hash_of(level, name) & mask;
    for (; labels->places[at] != 0; at = (at + 1) & mask) {
        const HieraLabel *label = hiera_label(labels, labels->places[at]);
        if (strcmp(label->level, level) == 0 && strcmp(hiera_label_name(label), name) == 0)
            break;
    }
    return &labels->places[at];
}

static bool make_room(HieraLabels *labels)
{
    uint32_t room = labels->room ? 2 * labels->room : FIRST_ROOM;
    uint32_t *places = hiera_memory_new(2 * room * sizeof *places);
    HieraLabel *copy =
        places ? hiera_memory_grow(labels->labels, labels->room * sizeof *copy, room * sizeof *copy) : NULL;
    if (!copy) {
        hiera_memory_free(places, 2 * room * sizeof *places);
        return false;
    }
    hiera_memory_free(labels->places, 2 * labels->room * sizeof *places);
    *labels = (HieraLabels){copy, places, labels->n, room};
    for (uint32_t i = 1; i <= labels->n; i++)
        *place_of(labels, copy[i - 1].level, hiera_label_name(&copy[i - 1])) = i;
    return true;
}

static uint32_t add(HieraLabels *labels, const char *level, const char *name)
{
    size_t n = strlen(level), m = strlen(name);
    if (labels->n == labels->room && !make_room(labels))
        return 0;
    char *copy = hiera_memory_new(n + m + 2);
    if (!copy)
        return 0;
    memcpy(copy, level, n);
    memcpy(copy + n + 1, name, m);
    labels->labels[labels->n] = (HieraLabel){copy, (uint32_t)n, (uint32_t)m};
    *place_of(labels, level, name) = labels->n + 1;
    return ++labels->n;
}

uint32_t hiera_labels_find(HieraLabels *labels, const char *level, const char *name, bool make)
{
    uint32_t number = labels->room > 0 ? *place_of(labels, level, name) : 0;
    return number == 0 && make ? add(labels, level, name) : number;
}

void hiera_labels_free(HieraLabels *labels)
{
    for (uint32_t i = 0; i < labels->n; i++)
        hiera_memory_free(labels->labels[i].level, labels->labels[i].level_length + labels->labels[i].name_length + 2);
    hiera_memory_free(labels->labels, labels->room * sizeof *labels->labels);
    hiera_memory_free(labels->places, 2 * labels->room * sizeof *labels->places);
    *labels = (HieraLabels){0};
}
