/* Reads a call in either encoding into a HieraOperation. Hides that attributes which calls share are read only once. */
#pragma once

#include "attribute_values.h"
#include "hiera_summed.h"
#include "reading/context/read_context.h"

typedef struct HieraCallReader HieraCallReader;

/* Make a reader of calls; `context` and `xml` must outlive it. */
HieraCallReader *hiera_call_reader_new(HieraReadContext *context, HieraXml *xml);
void hiera_call_reader_free(HieraCallReader *reader);
/* Begin a section of the trace with the operations of another thread. */
void hiera_call_reader_begin_section(HieraCallReader *reader);
/* Read a call in full encoding: everything except its place in the trace. Its requests are valid until the next call
 * is read. `note` is as in HieraXmlEvents. Return TRUE if it stands for several calls: `summed` is then read, too. */
gboolean hiera_call_reader_read(HieraCallReader *reader, HieraElement element, const HieraXmlAttribute *attributes,
                                guint n, gpointer *note, HieraOperation *operation, HieraSummed *summed);
/* Read a call in compact encoding (`c`). Return FALSE, with a finding, if `r` refers to no declaration. */
gboolean hiera_call_reader_read_use(HieraCallReader *reader, const HieraXmlAttribute *attributes, guint n,
                                    gpointer *note, HieraOperation *operation);
/* Return the values of requested attributes (base/attribute_columns.h) of the call that was read last. */
const HieraAttributeValues *hiera_call_reader_peek_values(const HieraCallReader *reader);
/* Return all attributes of a call in either encoding: those of a `c` with those of its declaration. The result is
 * valid until the next call is read. */
const HieraXmlAttribute *hiera_call_reader_merge(HieraCallReader *reader, const HieraXmlAttribute *attributes, guint n,
                                                 guint *n_merged);
/* Read a declaration (`hieraCall`) of attributes that calls share. */
void hiera_call_reader_declare(HieraCallReader *reader, const HieraXmlAttribute *attributes, guint n);
