/* A file that is written whole or not at all: beside the place where it is to stand, then renamed. Written to as it is:
 * what is no regular file (a pipe, a device, standard output), and a file in a folder where nothing can be made. */
#ifndef HIERA_OUTPUT_FILE_H
#define HIERA_OUTPUT_FILE_H

#include <glib.h>
#include <stdio.h>

typedef struct {
    FILE *stream; /* NULL: it could not be opened */
    char *path, *beside;
} HieraOutputFile;

/* @param path  NULL or "-": standard output. The error's message begins with the path. */
gboolean hiera_output_file_open(HieraOutputFile *output, const char *path, GError **error);
/* Put the file in its place if all was `good`, else remove what was written. False with an error if that fails (none is
 * set if it was not good). */
gboolean hiera_output_file_close(HieraOutputFile *output, gboolean good, GError **error);

#endif
