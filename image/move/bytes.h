/* Bytes of tables that are made for copies of functions. Numbers are little-endian. */
#pragma once

#include "text/leb128.h"
#include <glib.h>

static inline void hiera_bytes_number(GByteArray *bytes, guint64 value, guint size)
{
    guint64 little = GUINT64_TO_LE(value);
    g_byte_array_append(bytes, (const guint8 *)&little, size);
}

static inline void hiera_bytes_leb(GByteArray *bytes, guint64 value)
{
    guint8 leb[HIERA_LEB_BYTES];
    g_byte_array_append(bytes, leb, (guint)hiera_leb_put(leb, value));
}
