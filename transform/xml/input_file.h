/* Where bytes come from: a regular file, read from front to back, unpacked if it is compressed (gzip, zstd). Anything
 * else (FIFO, device, folder) is refused, so that nothing can hang. */
#ifndef HIERA_INPUT_FILE_H
#define HIERA_INPUT_FILE_H

#include <glib.h>

typedef struct HieraInputFile HieraInputFile;

/* Open a file. `progress`, which may be NULL, grows by the bytes read (of a
 * compressed file those of the file). The error's message says what is wrong and what
 * to do, without the path. */
HieraInputFile *hiera_input_file_open(const char *path, gsize *progress, GError **error);
/* Up to `size` bytes, which should be many; 0 at the end, -1 if reading fails. */
int hiera_input_file_read(HieraInputFile *source, char *buffer, int size);
/* Why reading failed. */
const char *hiera_input_file_peek_problem(const HieraInputFile *source);
/* Whether zero bytes ended the reading, and others stand behind them. */
gboolean hiera_input_file_is_torn(const HieraInputFile *source);
const char *hiera_input_file_peek_path(const HieraInputFile *source);
void hiera_input_file_free(HieraInputFile *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraInputFile, hiera_input_file_free)

#endif
