/* Blocks of the page: numbers in few bytes, or text; deflated, and as base64 in an element that browsers do not
 * execute. */
#pragma once

#include "text/leb128.h"
#include <glib.h>
#include <stdio.h>

/* A buffer for a few numbers that are appended to a block at once, which is faster than singly. Set `n` to 0 first. */
enum { HIERA_NUMBERS_MAX = 9 };
typedef struct {
    guint n; /* number of bytes that are used */
    guint8 bytes[HIERA_NUMBERS_MAX * HIERA_LEB_BYTES];
} HieraNumbers;

static inline void hiera_numbers_put(HieraNumbers *numbers, guint64 rest)
{
    numbers->n += (guint)hiera_leb_put(numbers->bytes + numbers->n, rest);
}

/* Add a number to the buffer, encoded like that of hiera_block_add(). */
static inline void hiera_numbers_add(HieraNumbers *numbers, gint64 number)
{
    hiera_numbers_put(numbers, number > 0 ? (guint64)number : 0);
}

static inline void hiera_numbers_add_signed(HieraNumbers *numbers, gint64 number)
{
    hiera_numbers_put(numbers, (guint64)number << 1 ^ (number < 0 ? G_MAXUINT64 : 0));
}

void hiera_block_append(GByteArray *block, const HieraNumbers *numbers);

/* Append a number in LEB128: seven bits per byte, the lowest first. Negative numbers become 0. */
void hiera_block_add(GByteArray *block, gint64 number);
/* Append a number that may be negative in LEB128, mapped so that 0, -1, 1, -2, … become 0, 1, 2, 3, … */
void hiera_block_add_signed(GByteArray *block, gint64 number);

/* Return the bytes of a block compressed (deflated), to be freed with g_byte_array_unref. */
GByteArray *hiera_block_deflate(const guint8 *bytes, gsize n);

/* Write a block. @param stream  NULL: another process writes it
 * @param name  its name, a printf format; its id is `block-` and the name
 * @return its size in bytes in the file */
gsize hiera_block_write(const guint8 *bytes, gsize n, FILE *stream, const char *name, ...) G_GNUC_PRINTF(4, 5);
