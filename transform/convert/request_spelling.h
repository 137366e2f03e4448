/* The attributes `request` and `requests` of calls that are spelled anew: by number, or by distance from the request
 * that was started last in the section. Hides where the words stand, and which was the last. */
#ifndef HIERA_REQUEST_WORDS_H
#define HIERA_REQUEST_WORDS_H

#include "xml/xml.h"

typedef struct HieraRequestWords HieraRequestWords;

HieraRequestWords *hiera_request_words_new(HieraXml *xml);
void hiera_request_words_free(HieraRequestWords *words);
/* The operations of another thread begin. */
void hiera_request_words_begin_section(HieraRequestWords *words);
/* Spell the requests among the attributes of the next call (HieraXmlAttribute) by number. Their text is valid until the
 * call behind it. */
void hiera_request_words_put_numbers(HieraRequestWords *words, GArray *attributes);
/* Spell an attribute of that call by distances, if it names requests. False, and it is as before, if one of them is too
 * far off. */
gboolean hiera_request_words_put_distances(HieraRequestWords *words, HieraXmlAttribute *attribute);

#endif
