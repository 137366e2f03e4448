/* Numbers for names of regions (level and name). Each name is copied once, since the names that records point to are
 * freed (record/region_names.h). With the lock held. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HieraLabel {
    char *level; /* level with its NUL; directly behind it the name with its NUL */
    uint32_t level_length, name_length;
} HieraLabel;

typedef struct HieraLabels {
    HieraLabel *labels; /* number k is labels[k - 1] */
    uint32_t *places;   /* hash table of numbers of labels; 0: the slot is empty */
    uint32_t n, room;   /* number of labels; capacity of `labels`, half that of `places` */
} HieraLabels;

static inline const HieraLabel *hiera_label(const HieraLabels *labels, uint32_t number)
{
    return &labels->labels[number - 1];
}

static inline const char *hiera_label_name(const HieraLabel *label)
{
    return label->level + label->level_length + 1;
}

/* Return the number of a region's name; 0: it has none, and `make` is false or there is no memory. */
uint32_t hiera_labels_find(HieraLabels *labels, const char *level, const char *name, bool make);

void hiera_labels_free(HieraLabels *labels);
