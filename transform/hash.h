/* A hash of bytes: FNV-1a. */
#ifndef HIERA_HASH_H
#define HIERA_HASH_H

#include <glib.h>

#define HIERA_HASH_NOTHING 2166136261u

/* The hash of what `hash` is of, and these bytes behind it. */
static inline guint32 hiera_hash(guint32 hash, const char *bytes, gsize n)
{
    for (gsize i = 0; i < n; i++)
        hash = (hash ^ (guchar)bytes[i]) * 16777619u;
    return hash;
}

#endif
