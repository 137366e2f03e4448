/* Names of elements and attributes → their numbers, by pointer: the parser gives equal names the same one, so that the
 * ten look-ups of an element cost no comparison of text. */
#ifndef HIERA_WORDS_H
#define HIERA_WORDS_H

#include "base/vocabulary.h"
#include "xml.h"

#define HIERA_WORDS 256 /* slots; a power of two, less than half of them full */

typedef struct {
    struct {
        const char *name;
        int number;
    } slots[HIERA_WORDS];
    HieraXml *xml;
} HieraWords;

G_STATIC_ASSERT(HIERA_N_ELEMENTS + HIERA_N_ATTRIBUTES < HIERA_WORDS / 2);

/* Fill with all elements, or all attributes, as `xml` will name them. */
void hiera_words_add_elements(HieraWords *words, HieraXml *xml);
void hiera_words_add_attributes(HieraWords *words, HieraXml *xml);
/* The number of a name, -1 if it is not there. */
int hiera_words_find(const HieraWords *words, const char *name);

#endif
