/* Files that a program reads. Existing ones are really read, as if the program ran in the current folder. */
#pragma once

#include <glib.h>

typedef struct {
    char *text; /* contents; NULL: not known */
    gsize n, at;
} HieraFile;

typedef struct {
    GHashTable *open; /* handle or unit, as guint64 → HieraFile */
} HieraFiles;

HieraFiles *hiera_files_new(void);
void hiera_files_free(HieraFiles *files);

/* Whether a file exists and can be read. */
gboolean hiera_files_exist(const char *path);
/* Open a file. @param path  NULL, or no such file: its contents are not known */
HieraFile *hiera_files_open(HieraFiles *files, guint64 handle, const char *path);
/* Return an open file. NULL: it is not open. */
HieraFile *hiera_files_find(const HieraFiles *files, guint64 handle);
void hiera_files_close(HieraFiles *files, guint64 handle);

gboolean hiera_file_at_end(const HieraFile *file);
/* Go to the next line. */
void hiera_file_next_line(HieraFile *file);
