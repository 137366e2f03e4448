#include "protobuf.h"
#include "text/leb128.h"
#include <string.h>

enum { WIRE_NUMBER = 0, WIRE_FIXED = 1, WIRE_BYTES = 2 };

static void append_varint(GByteArray *message, guint64 number)
{
    guint8 bytes[HIERA_LEB_BYTES];
    g_byte_array_append(message, bytes, (guint)hiera_leb_put(bytes, number));
}

static void append_key(GByteArray *message, guint field, guint wire)
{
    append_varint(message, (guint64)field << 3 | wire);
}

static void append_bytes(GByteArray *message, guint field, const guint8 *bytes, gsize n)
{
    append_key(message, field, WIRE_BYTES);
    append_varint(message, n);
    g_byte_array_append(message, bytes, (guint)n);
}

void hiera_protobuf_number(GByteArray *message, guint field, guint64 number)
{
    append_key(message, field, WIRE_NUMBER);
    append_varint(message, number);
}

void hiera_protobuf_fixed(GByteArray *message, guint field, guint64 number)
{
    append_key(message, field, WIRE_FIXED);
    guint64 bytes = GUINT64_TO_LE(number);
    g_byte_array_append(message, (const guint8 *)&bytes, sizeof bytes);
}

void hiera_protobuf_double(GByteArray *message, guint field, gdouble number)
{
    guint64 bits;
    memcpy(&bits, &number, sizeof bits);
    hiera_protobuf_fixed(message, field, bits);
}

void hiera_protobuf_text(GByteArray *message, guint field, const char *text)
{
    append_bytes(message, field, (const guint8 *)text, strlen(text));
}

void hiera_protobuf_message(GByteArray *message, guint field, const GByteArray *inner)
{
    append_bytes(message, field, inner->data, inner->len);
}
