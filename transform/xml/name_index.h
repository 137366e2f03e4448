/* Names of elements and attributes → their numbers, by pointer: the parser gives equal names the same one, so that the
 * ten look-ups of an element cost no comparison of text. */
#ifndef HIERA_NAME_INDEX_H
#define HIERA_NAME_INDEX_H

#include "base/vocabulary.h"
#include "xml.h"

#define HIERA_NAME_INDEX_SLOTS 256 /* slots; a power of two, less than half of them full */

typedef struct {
    struct {
        const char *name;
        int number;
    } slots[HIERA_NAME_INDEX_SLOTS];
    HieraXml *xml;
} HieraNameIndex;

G_STATIC_ASSERT(HIERA_N_ELEMENTS + HIERA_N_ATTRIBUTES < HIERA_NAME_INDEX_SLOTS / 2);

/* Fill with all elements, or all attributes, as `xml` will name them. */
void hiera_name_index_add_elements(HieraNameIndex *index, HieraXml *xml);
void hiera_name_index_add_attributes(HieraNameIndex *index, HieraXml *xml);
/* The number of a name, -1 if it is not there. */
int hiera_name_index_find(const HieraNameIndex *index, const char *name);

#endif
