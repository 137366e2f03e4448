/* Finds the number of an element's or attribute's name by the pointer of the name. The parser gives equal names equal
 * pointers, so a look-up compares no text. An element needs about ten look-ups. */
#pragma once

#include "base/vocabulary.h"
#include "xml.h"

#define HIERA_NAME_INDEX_SLOTS 512 /* size of the hash table: a power of two, at least twice the number of names */

typedef struct {
    struct {
        const char *name;
        int number;
    } slots[HIERA_NAME_INDEX_SLOTS];
    HieraXml *xml;
} HieraNameIndex;

G_STATIC_ASSERT(HIERA_N_ELEMENTS + HIERA_N_ATTRIBUTES < HIERA_NAME_INDEX_SLOTS / 2);

/* Add the names of all known elements, or of all known attributes, as the pointers that `xml` uses for them. */
void hiera_name_index_add_elements(HieraNameIndex *index, HieraXml *xml);
void hiera_name_index_add_attributes(HieraNameIndex *index, HieraXml *xml);
/* Add a further name with its number, to the elements or attributes that were added before. */
void hiera_name_index_add(HieraNameIndex *index, const char *name, int number);
/* Return the number of a name; -1: unknown. `name` must be a pointer that the same `xml` uses. */
int hiera_name_index_find(const HieraNameIndex *index, const char *name);
