/* Blocks of the page: numbers in few bytes, or text; deflated, and as base64 in an element that no browser executes. */
#ifndef HIERA_BLOCK_H
#define HIERA_BLOCK_H

#include <glib.h>
#include <stdio.h>

/* Append a number, seven bits a byte, the lowest first. Negative ones become 0. */
void hiera_block_add(GByteArray *block, gint64 number);
/* Append a number that may be negative: 0, -1, 1, -2, … become 0, 1, 2, 3, … */
void hiera_block_add_signed(GByteArray *block, gint64 number);

/* Return the deflated bytes, to be freed with g_byte_array_unref. */
GByteArray *hiera_block_deflate(const guint8 *bytes, gsize n);

/* Write a block.
 * @param name  its name, a format of printf; its id is `block-` and the name
 * @return the bytes that it takes in the file */
gsize hiera_block_write(const guint8 *bytes, gsize n, FILE *stream, const char *name, ...) G_GNUC_PRINTF(4, 5);

#endif
