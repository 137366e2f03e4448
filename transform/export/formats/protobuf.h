/* Messages in the encoding of protocol buffers: a field is its number and wire type, then its value. An inner message
 * is made in a separate buffer first. */
#pragma once

#include <glib.h>

/* Append a field whose value is a whole number. */
void hiera_protobuf_number(GByteArray *message, guint field, guint64 number);
/* Append a field whose value has always 8 bytes. */
void hiera_protobuf_fixed(GByteArray *message, guint field, guint64 number);
/* Append a field whose value is a floating-point number. */
void hiera_protobuf_double(GByteArray *message, guint field, gdouble number);
/* Append a field whose value is a text. */
void hiera_protobuf_text(GByteArray *message, guint field, const char *text);
/* Append a field whose value is another message. */
void hiera_protobuf_message(GByteArray *message, guint field, const GByteArray *inner);
