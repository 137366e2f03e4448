/* Eight bytes in one word, looked at together. */
#ifndef HIERA_BYTES_H
#define HIERA_BYTES_H

#include <glib.h>
#include <string.h>

/* A word of eight times this byte. */
#define HIERA_EACH_BYTE(byte) (G_GUINT64_CONSTANT(0x0101010101010101) * (byte))

/* The eight bytes at an address, the first one lowest. */
static inline guint64 hiera_bytes_load(const char *at)
{
    guint64 eight;
    memcpy(&eight, at, sizeof eight);
    return GUINT64_FROM_LE(eight);
}

#endif
