/* The attributes of a call, in either spelling → its operation. Hides that what calls have in common is read once. */
#ifndef HIERA_CALL_READER_H
#define HIERA_CALL_READER_H

#include "read_context.h"

typedef struct HieraCallReader HieraCallReader;

/* Both must outlive it. */
HieraCallReader *hiera_call_reader_new(HieraReadContext *context, HieraXml *xml);
void hiera_call_reader_free(HieraCallReader *reader);
/* A section of the trace begins: the operations of another thread. */
void hiera_call_reader_begin_section(HieraCallReader *reader);
/* Names of the attributes whose values differ from one call to the next like it: for HieraXmlEvents. */
#define HIERA_CALL_DIFFERING 6
void hiera_call_reader_name_differing(const char *names[HIERA_CALL_DIFFERING + 1]);
/* A call in the full spelling: all but its place in the trace. Its requests are valid until the next one. @param note
 * as in HieraXmlEvents */
void hiera_call_reader_read(HieraCallReader *reader, HieraElement element, const HieraXmlAttribute *attributes, guint n,
                            gpointer *note, HieraOperation *operation);
/* Likewise in the compact spelling (`c`). False, and a finding, if it refers to nothing. */
gboolean hiera_call_reader_read_use(HieraCallReader *reader, const HieraXmlAttribute *attributes, guint n,
                                    gpointer *note, HieraOperation *operation);
/* The attributes of a call in either spelling: of a `c`, with those of its `hieraCall`. Valid until the next call. */
const HieraXmlAttribute *hiera_call_reader_merge(HieraCallReader *reader, const HieraXmlAttribute *attributes, guint n,
                                                 guint *n_merged);
/* A `hieraCall`. */
void hiera_call_reader_declare(HieraCallReader *reader, const HieraXmlAttribute *attributes, guint n);

#endif
