/* Finds the number of an element's or attribute's name by the pointer of the name. The parser gives equal names equal
 * pointers, so a look-up compares no text. An element needs about ten look-ups. */
#pragma once

#include "base/vocabulary.h"
#include "xml.h"

#define HIERA_NAME_INDEX_SLOTS 512 /* a power of two; at most half of the slots are used */

typedef struct {
    struct {
        const char *name;
        int number;
    } slots[HIERA_NAME_INDEX_SLOTS];
    HieraXml *xml;
} HieraNameIndex;

G_STATIC_ASSERT(HIERA_N_ELEMENTS + HIERA_N_ATTRIBUTES < HIERA_NAME_INDEX_SLOTS / 2);

/* Add the names of all elements, or of all attributes, with the pointers that `xml` uses. */
void hiera_name_index_add_elements(HieraNameIndex *index, HieraXml *xml);
void hiera_name_index_add_attributes(HieraNameIndex *index, HieraXml *xml);
/* Add one more name, to those of all elements or attributes. */
void hiera_name_index_add(HieraNameIndex *index, const char *name, int number);
/* Return the number of a name; -1 if it is unknown. `name` must be a pointer of the same `xml`. */
int hiera_name_index_find(const HieraNameIndex *index, const char *name);
