/* The attributes `request` and `requests` of calls that are spelled anew: by number, or by distance from the request
 * that was started last in the section. Hides where the words stand, and which was the last. */
#ifndef HIERA_REQUEST_SPELLING_H
#define HIERA_REQUEST_SPELLING_H

#include "xml/xml.h"

typedef struct HieraRequestSpelling HieraRequestSpelling;

HieraRequestSpelling *hiera_request_spelling_new(HieraXml *xml);
void hiera_request_spelling_free(HieraRequestSpelling *words);
/* The operations of another thread begin. */
void hiera_request_spelling_begin_section(HieraRequestSpelling *words);
/* Spell the requests among the attributes of the next call (HieraXmlAttribute) by number. Their text is valid until the
 * call behind it. */
void hiera_request_spelling_put_numbers(HieraRequestSpelling *words, GArray *attributes);
/* Spell an attribute of that call by distances, if it names requests. False, and it is as before, if one of them is too
 * far off. */
gboolean hiera_request_spelling_put_distances(HieraRequestSpelling *words, HieraXmlAttribute *attribute);

#endif
