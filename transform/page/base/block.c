/* Compresses blocks of the page with zlib, in the raw format that DecompressionStream("deflate-raw") reads. */
#include "block.h"
#include <zlib.h>

#define LEVEL  6
#define WINDOW -15 /* zlib's windowBits: 32 kB; negative: without header and checksum */
#define MEMORY 8   /* zlib's default memory level */

void hiera_block_append(GByteArray *block, const HieraNumbers *numbers)
{
    g_byte_array_append(block, numbers->bytes, numbers->n);
}

void hiera_block_add(GByteArray *block, gint64 number)
{
    HieraNumbers one;
    one.n = 0;
    hiera_numbers_add(&one, number);
    hiera_block_append(block, &one);
}

void hiera_block_add_signed(GByteArray *block, gint64 number)
{
    HieraNumbers one;
    one.n = 0;
    hiera_numbers_add_signed(&one, number);
    hiera_block_append(block, &one);
}

GByteArray *hiera_block_deflate(const guint8 *bytes, gsize n)
{
    z_stream stream = {.next_in = (Bytef *)bytes};
    GByteArray *packed = g_byte_array_new();
    int result = deflateInit2(&stream, LEVEL, Z_DEFLATED, WINDOW, MEMORY, Z_DEFAULT_STRATEGY);
    while (result == Z_OK) {
        guint8 part[65536];
        stream.avail_in = (uInt)MIN(n, G_MAXUINT);
        stream.next_out = part;
        stream.avail_out = sizeof part;
        n -= stream.avail_in;
        result = deflate(&stream, n == 0 ? Z_FINISH : Z_NO_FLUSH);
        n += stream.avail_in;
        g_byte_array_append(packed, part, (guint)(sizeof part - stream.avail_out));
    }
    deflateEnd(&stream);
    return packed;
}

gsize hiera_block_write(const guint8 *bytes, gsize n, FILE *stream, const char *name, ...)
{
    va_list arguments;
    if (!stream)
        return 0;
    va_start(arguments, name);
    g_autofree char *id = g_strdup_vprintf(name, arguments);
    va_end(arguments);
    g_autoptr(GByteArray) packed = hiera_block_deflate(bytes, n);
    g_autofree char *text = g_base64_encode(packed->data, packed->len);
    int written = fprintf(stream, "<script type=\"text/hiera\" id=\"block-%s\">%s</script>\n", id, text);
    return written > 0 ? (gsize)written : 0;
}
