/* Rewrites the attributes `request`, `requests` and `pending` of calls: as numbers (full encoding), or as distances
 * from the request started last in the section (compact encoding). Hides the format of the lists. */
#pragma once

#include "xml/xml.h"

typedef struct HieraRequestEncoding HieraRequestEncoding;

HieraRequestEncoding *hiera_request_encoding_new(HieraXml *xml);
void hiera_request_encoding_free(HieraRequestEncoding *words);
/* Begin the operations of another thread: distances count from 0 again. */
void hiera_request_encoding_begin_section(HieraRequestEncoding *words);
/* Rewrite the requests of the next call as numbers.
 *
 * @param attributes  GArray of HieraXmlAttribute: all attributes of the call. The new values are valid until the next
 *                    call of this function. */
void hiera_request_encoding_put_numbers(HieraRequestEncoding *words, GArray *attributes);
/* Count the request of a call that is skipped, because distances of later calls start from it. */
void hiera_request_encoding_skip(HieraRequestEncoding *words, const HieraXmlAttribute *request);
/* Rewrite an attribute of the same call as distances, if it is a list of requests. Return FALSE, and leave it
 * unchanged, if the distance of a request is larger than HIERA_REQUEST_FARTHEST. */
gboolean hiera_request_encoding_put_distances(HieraRequestEncoding *words, HieraXmlAttribute *attribute);
