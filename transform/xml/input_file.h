/* Where bytes come from: a regular file, read from front to back, unpacked if it is compressed (gzip, zstd). Anything
 * else (FIFO, device, folder) is refused, so that nothing can hang. */
#ifndef HIERA_SOURCE_H
#define HIERA_SOURCE_H

#include <glib.h>

typedef struct HieraSource HieraSource;

/* Open a file. `progress`, which may be NULL, grows by the bytes read (of a
 * compressed file those of the file). The error's message says what is wrong and what
 * to do, without the path. */
HieraSource *hiera_source_open(const char *path, gsize *progress, GError **error);
/* Up to `size` bytes, which should be many; 0 at the end, -1 if reading fails. */
int hiera_source_read(HieraSource *source, char *buffer, int size);
/* Why reading failed. */
const char *hiera_source_peek_problem(const HieraSource *source);
/* Whether zero bytes ended the reading, and others stand behind them. */
gboolean hiera_source_is_torn(const HieraSource *source);
const char *hiera_source_peek_path(const HieraSource *source);
void hiera_source_free(HieraSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraSource, hiera_source_free)

#endif
