/* Compressed bytes → bytes: gzip and zstd, as streams of any length, of any number of members one behind the other (a
 * collector that flushes ends a member each time). Hides zlib and libzstd. */
#ifndef HIERA_DECOMPRESS_H
#define HIERA_DECOMPRESS_H

#include <glib.h>

typedef struct HieraDecompressor HieraDecompressor;

/* What decodes a file that begins with these bytes: NULL and no error if they are not compressed, NULL and an error
 * (what is wrong and what to do, without the path) if this build cannot decode them. */
HieraDecompressor *hiera_decompressor_new(const char *head, gsize n, GError **error);
/* Decode from *n_in bytes into up to `size` bytes; *n_in becomes the number of those that were used.
 * @return the number of bytes decoded, which may be 0 if all input was used; -1 if the input is damaged */
gssize hiera_decompressor_run(HieraDecompressor *decompressor, const char *in, gsize *n_in, char *out, gsize size);
void hiera_decompressor_free(HieraDecompressor *decompressor);

#endif
