/* Files that a program reads: those that are there are read really, as the program would from this folder. */
#ifndef HIERA_EXECUTION_FILES_H
#define HIERA_EXECUTION_FILES_H

#include <glib.h>

typedef struct {
    char *text; /* NULL: it is not known what is in it */
    gsize n, at;
} HieraFile;

typedef struct {
    GHashTable *open; /* handle or unit, as guint64 → HieraFile */
} HieraFiles;

HieraFiles *hiera_files_new(void);
void hiera_files_free(HieraFiles *files);

/* Whether a file can be read. */
gboolean hiera_files_exist(const char *path);
/* Open a file. @param path  NULL, or no such file: it is not known what is in it */
HieraFile *hiera_files_open(HieraFiles *files, guint64 handle, const char *path);
/* NULL: no such file is open. */
HieraFile *hiera_files_find(const HieraFiles *files, guint64 handle);
void hiera_files_close(HieraFiles *files, guint64 handle);

gboolean hiera_file_at_end(const HieraFile *file);
/* Go behind the end of this line. */
void hiera_file_next_line(HieraFile *file);

#endif
