/* The bytes of a source in one piece, as much as a tag may need: what looks for something in them meets no border, but
 * the end, behind which there are zeros. */
#ifndef HIERA_READ_BUFFER_H
#define HIERA_READ_BUFFER_H

#include "input_file.h"

#define HIERA_READ_BUFFER_BYTES (256 * 1024)
#define HIERA_READ_BUFFER_ZEROS 16 /* may be read behind the end */

typedef struct {
    HieraInputFile *source;
    char *bytes;
    const char *at, *end; /* what is not used yet */
    gboolean failed;
} HieraReadBuffer;

void hiera_read_buffer_init(HieraReadBuffer *input, HieraInputFile *source);
void hiera_read_buffer_clear(HieraReadBuffer *input);
/* Move `at` and what follows to the front, and read as much as there is room for. False if there was nothing more to
 * read, or no room. */
gboolean hiera_read_buffer_fill(HieraReadBuffer *input);
/* Use up bytes of the source; as hiera_input_file_read, but they may be few. */
int hiera_read_buffer_read(HieraReadBuffer *input, char *buffer, int size);

#endif
