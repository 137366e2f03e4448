/* Compressed traces (HIERA_COMPRESS): text becomes frames of zstd or members of gzip, each complete, so that what reads
 * one reads many as one text. What must be overwritten later is stored in one as it is: it never changes its length.
 *
 * zlib and libzstd are loaded when they are asked for. All memory is taken then: packing allocates nothing, and can be
 * done in a signal handler. With the session's lock held. */
#ifndef HIERA_COMPRESS_H
#define HIERA_COMPRESS_H

#include <stdbool.h>
#include <stddef.h>

enum {
    HIERA_PACK_MAX = 128 << 10,                  /* bytes of text at a time */
    HIERA_PACK_ROOM = HIERA_PACK_MAX + (1 << 10) /* bytes of the frame at most */
};

/* Get ready, if compression was asked for and is possible; says so if it is not. The first time counts. `careful`: in a
 * signal handler, where nothing can be loaded: then nothing is packed. */
void hiera_pack_load(bool careful);

/* Has that been done, or need it not be? */
bool hiera_pack_is_loaded(void);

/* What the names of files end with: ".zst", ".gz" or "". Empty: nothing is packed. */
const char *hiera_pack_suffix(void);

/* n bytes as a frame of their own, compressed or stored; returns how long it is. `to` has HIERA_PACK_ROOM. */
size_t hiera_pack(char *to, const char *text, size_t n);
size_t hiera_pack_stored(char *to, const char *text, size_t n);

#endif
