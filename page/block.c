/* The compressor is GIO's, in the raw format that DecompressionStream("deflate-raw") reads. */
#include "block.h"
#include <gio/gio.h>

#define LEVEL 6

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
    g_autoptr(GZlibCompressor) compressor = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_RAW, LEVEL);
    GByteArray *packed = g_byte_array_new();
    GConverterResult result = G_CONVERTER_CONVERTED;
    while (result != G_CONVERTER_FINISHED && result != G_CONVERTER_ERROR) {
        guint8 part[65536];
        gsize taken = 0, made = 0;
        result = g_converter_convert(G_CONVERTER(compressor), bytes, n, part, sizeof part, G_CONVERTER_INPUT_AT_END,
                                     &taken, &made, NULL);
        g_byte_array_append(packed, part, (guint)made);
        bytes += taken;
        n -= taken;
    }
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
