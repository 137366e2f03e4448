/* An output file that appears only when it is complete: it is written as a temporary file in the same folder, without a
 * name where the file system has that, then renamed. Pipes, devices, standard output and existing files in a folder
 * without write permission are written directly. */
#pragma once

#include <glib.h>
#include <stdio.h>

typedef struct {
    FILE *stream;        /* stream to write to; NULL: the file could not be opened */
    char *path, *beside; /* path of the file, and of its temporary file; NULL: the output needs none */
    gboolean nameless;   /* whether the temporary file has no name yet */
} HieraOutputFile;

/* Whether a path means standard output: "-", or NULL, as of an option that was not given. */
gboolean hiera_output_is_standard(const char *path);
/* Make a folder for output files, and its parents. A path that means standard output is an error. */
gboolean hiera_output_folder_make(const char *path, GError **error);
/* Open a file for writing.
 *
 * @param output  filled in; its stream is to be written to
 * @param path    may be standard output
 * @param error   its message begins with the path
 * @return  FALSE with an error if the file cannot be opened */
gboolean hiera_output_file_open(HieraOutputFile *output, const char *path, GError **error);
/* Close the file.
 *
 * @param good   TRUE: everything was written, put the file at its path; FALSE: remove the temporary file
 * @param error  set if `good` and the file could not be written
 * @return  TRUE if the complete file is at its path */
gboolean hiera_output_file_close(HieraOutputFile *output, gboolean good, GError **error);
