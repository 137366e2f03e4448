/* Compressed bytes → bytes: gzip and zstd, as streams of any length, of any number of members one behind the other (a
 * collector that flushes ends a member each time). Hides zlib and libzstd. */
#ifndef HIERA_DECODER_H
#define HIERA_DECODER_H

#include <glib.h>

typedef struct HieraDecoder HieraDecoder;

/* What decodes a file that begins with these bytes: NULL and no error if they are not compressed, NULL and an error
 * (what is wrong and what to do, without the path) if this build cannot decode them. */
HieraDecoder *hiera_decoder_new(const char *head, gsize n, GError **error);
/* Decode from *n_in bytes into up to `size` bytes; *n_in becomes the number of those that were used.
 * @return the number of bytes decoded, which may be 0 if all input was used; -1 if the input is damaged */
gssize hiera_decoder_run(HieraDecoder *decoder, const char *in, gsize *n_in, char *out, gsize size);
void hiera_decoder_free(HieraDecoder *decoder);

#endif
