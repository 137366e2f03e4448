/* Decompression of gzip and zstd. Hides zlib and libzstd. A file may consist of several compressed members, one after
 * the other: the collector ends a member each time it flushes. */
#pragma once

#include <glib.h>

typedef struct HieraDecompressor HieraDecompressor;

/* Make a decompressor for a file that begins with these bytes.
 *
 * @param head   the first n bytes of the file; four are enough
 * @param error  set if this build cannot decompress the file; the message does not name the file
 * @return  NULL without an error if the file is not compressed */
HieraDecompressor *hiera_decompressor_new(const char *head, gsize n, GError **error);
/* Decompress some bytes.
 *
 * @param n_in  in: number of bytes at `in`; out: number of bytes that were read
 * @param size  room at `out`, in bytes
 * @return  the number of bytes written to `out`, which can be 0 if all input was read; -1 if the input is damaged */
gssize hiera_decompressor_run(HieraDecompressor *decompressor, const char *in, gsize *n_in, char *out, gsize size);
void hiera_decompressor_free(HieraDecompressor *decompressor);
