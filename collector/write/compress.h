/* Compressed traces (HIERA_COMPRESS): the text becomes a sequence of complete zstd frames or gzip members ("frames").
 * A decompressor reads such a sequence as one text. Text that is overwritten later is stored in a frame of its own
 * without compression, so that its length does not change.
 *
 * zlib or libzstd is loaded only if the setting names it. All memory is allocated then: packing allocates nothing, and
 * may run in a signal handler. The functions need the session's lock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    HIERA_PACK_MAX = 128 << 10,                  /* maximum number of bytes of text in a frame */
    HIERA_PACK_ROOM = HIERA_PACK_MAX + (1 << 10) /* maximum number of bytes of a frame, compressed or not */
};

/* Load the library if the setting asks for compression; prints a message if that is not possible. Only the first call
 * has an effect. `careful`: in a signal handler, where no library can be loaded; then the trace is not compressed. */
void hiera_pack_load(bool careful);

/* Whether hiera_pack_load() has been called, or the settings do not ask for compression. */
bool hiera_pack_is_loaded(void);

/* Return the suffix that compression adds to the names of trace files: ".zst", ".gz", or "". */
const char *hiera_pack_suffix(void);

/* Put n bytes of text into a frame at `to`, compressed or as they are; returns its length (≤ HIERA_PACK_ROOM). */
size_t hiera_pack(char *to, const char *text, size_t n);
size_t hiera_pack_stored(char *to, const char *text, size_t n);
