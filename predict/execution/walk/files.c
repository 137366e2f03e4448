#include "files.h"
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Greatest size in bytes of a file that is read; longer ones are assumed not to affect decisions. */
enum { LONGEST = 16 << 20 };

static void free_file(gpointer freed)
{
    HieraFile *file = freed;
    g_free(file->text);
    g_free(file);
}

HieraFiles *hiera_files_new(void)
{
    HieraFiles *files = g_new(HieraFiles, 1);
    files->written = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    files->open = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_file);
    return files;
}

void hiera_files_free(HieraFiles *files)
{
    if (!files)
        return;
    g_hash_table_unref(files->written);
    g_hash_table_unref(files->open);
    g_free(files);
}

gboolean hiera_files_exist(const char *path)
{
    return g_access(path, R_OK) == 0;
}

HieraFile *hiera_files_open(HieraFiles *files, guint64 handle, const char *path)
{
    HieraFile *file = g_new0(HieraFile, 1);
    GStatBuf about;
    /* Read regular files only: reading a pipe might block. */
    if (path && g_stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= LONGEST &&
        !g_file_get_contents(path, &file->text, &file->n, NULL))
        file->text = NULL;
    g_hash_table_replace(files->open, g_memdup2(&handle, sizeof handle), file);
    return file;
}

HieraFile *hiera_files_find(const HieraFiles *files, guint64 handle)
{
    return g_hash_table_lookup(files->open, &handle);
}

void hiera_files_close(HieraFiles *files, guint64 handle)
{
    g_hash_table_remove(files->open, &handle);
}

gboolean hiera_file_at_end(const HieraFile *file)
{
    return file->at >= file->n;
}

void hiera_file_next_line(HieraFile *file)
{
    const char *end = memchr(file->text + file->at, '\n', file->n - file->at);
    file->at = end ? (gsize)(end - file->text) + 1 : file->n;
}
