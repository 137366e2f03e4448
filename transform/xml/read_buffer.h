/* A buffer for an input file, large enough for a complete tag, so that the scanner finds a tag in one piece. Zero
 * bytes follow the end of the data: a search stops there without a check of its own. */
#pragma once

#include "input_file.h"

#define HIERA_READ_BUFFER_BYTES (256 * 1024)
#define HIERA_READ_BUFFER_ZEROS 16 /* zero bytes after the end of the data */

typedef struct {
    HieraInputFile *source;
    char *bytes;
    const char *at, *end; /* range in `bytes` of the data that are not used yet */
    gboolean failed;      /* whether a read error occurred */
} HieraReadBuffer;

/* Make an empty buffer for a file; `source` must outlive it. */
void hiera_read_buffer_init(HieraReadBuffer *input, HieraInputFile *source);
void hiera_read_buffer_clear(HieraReadBuffer *input);
/* Move the unused bytes to the front of the buffer and fill the rest from the file. Return FALSE if nothing was
 * added: the file has ended, or the buffer was full. */
gboolean hiera_read_buffer_fill(HieraReadBuffer *input);
/* Copy up to `size` bytes and mark them as used, like hiera_input_file_read(); `size` may be small. */
int hiera_read_buffer_read(HieraReadBuffer *input, char *buffer, int size);
