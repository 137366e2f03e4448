/* Hashes. Those of bytes are similar to FNV-1a but eight bytes at a time. The value depends on the byte order of the
 * machine: use it in memory only. */
#pragma once

#include <glib.h>
#include <string.h>

static inline guint32 hiera_hash(const char *bytes, gsize n)
{
    guint64 hash = G_GUINT64_CONSTANT(14695981039346656037) ^ n, word;
    for (; n > 0; bytes += sizeof word, n -= MIN(n, sizeof word)) {
        word = 0;
        memcpy(&word, bytes, MIN(n, sizeof word));
        hash = (hash ^ word) * G_GUINT64_CONSTANT(1099511628211);
        hash ^= hash >> 32;
    }
    return (guint32)hash;
}
