/* The bytes of a source in one piece, as much as a tag may need: what looks for something in them meets no border, but
 * the end, behind which there are zeros. */
#ifndef HIERA_WINDOW_H
#define HIERA_WINDOW_H

#include "input_file.h"

#define HIERA_WINDOW_BYTES (256 * 1024)
#define HIERA_WINDOW_ZEROS 16 /* may be read behind the end */

typedef struct {
    HieraSource *source;
    char *bytes;
    const char *at, *end; /* what is not used yet */
    gboolean failed;
} HieraWindow;

void hiera_window_init(HieraWindow *window, HieraSource *source);
void hiera_window_clear(HieraWindow *window);
/* Move `at` and what follows to the front, and read as much as there is room for. False if there was nothing more to
 * read, or no room. */
gboolean hiera_window_fill(HieraWindow *window);
/* Use up bytes of the source; as hiera_source_read, but they may be few. */
int hiera_window_read(HieraWindow *window, char *buffer, int size);

#endif
