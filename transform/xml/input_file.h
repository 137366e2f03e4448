/* A regular file, or a trace in a container or an archive, read from beginning to end, and decompressed if it is
 * compressed (gzip, zstd). Other files (FIFOs, devices, folders) are refused, because reading them could block. */
#pragma once

#include <glib.h>

typedef struct HieraInputFile HieraInputFile;

/* Open a file.
 *
 * @param progress  is increased atomically by the number of bytes read from the file, before decompression; may be
 * NULL
 * @param error     the message says what is wrong and what to do; it does not name the file
 * @return  NULL with an error if the file cannot be read; else free with hiera_input_file_free() */
HieraInputFile *hiera_input_file_open(const char *path, gsize *progress, GError **error);
/* Read up to `size` bytes, best many at once. Return the number of bytes, 0 at the end, -1 on a read error. */
int hiera_input_file_read(HieraInputFile *source, char *buffer, int size);
/* Return the reason why hiera_input_file_read() returned -1. */
const char *hiera_input_file_peek_problem(const HieraInputFile *source);
/* Whether reading ended at zero bytes that are followed by other bytes. */
gboolean hiera_input_file_is_torn(const HieraInputFile *source);
/* Return the path given to hiera_input_file_open; owned by the file. */
const char *hiera_input_file_peek_path(const HieraInputFile *source);
void hiera_input_file_free(HieraInputFile *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraInputFile, hiera_input_file_free)
