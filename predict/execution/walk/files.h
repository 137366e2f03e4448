/* Files that a simulated program reads: files that exist are really read, relative to the current folder. */
#pragma once

#include <glib.h>

typedef struct {
    char *text; /* contents of the file; NULL: not known */
    gsize n, at;
} HieraFile;

typedef struct {
    GHashTable *open;    /* FILE * of C, or unit of Fortran, as guint64 → HieraFile */
    GHashTable *written; /* set of char *: files that the program has opened to write; what is in them is not known */
} HieraFiles;

HieraFiles *hiera_files_new(void);
void hiera_files_free(HieraFiles *files);

/* Whether a file exists and can be read. */
gboolean hiera_files_exist(const char *path);
/* Open a file for a handle. @param path  NULL, or the file does not exist: contents are not known */
HieraFile *hiera_files_open(HieraFiles *files, guint64 handle, const char *path);
/* Return the open file of a handle; NULL: it is not open. */
HieraFile *hiera_files_find(const HieraFiles *files, guint64 handle);
void hiera_files_close(HieraFiles *files, guint64 handle);

gboolean hiera_file_at_end(const HieraFile *file);
/* Set the file's position to the begin of the next line. */
void hiera_file_next_line(HieraFile *file);
