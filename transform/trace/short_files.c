#include "short_files.h"
#include <string.h>

/* A source file, while its short path is searched. */
typedef struct {
    const char *path;
    gsize length;
    gsize shared; /* number of bytes at the end of `path` that another path has at its end, too */
} File;

/* Compare two paths from the end to the beginning. A slash comes before all other characters, so that of all paths
 * the neighbours in this order share the most folders. */
static int compare_ends(gconstpointer left, gconstpointer right)
{
    const File *a = left, *b = right;
    gsize common = MIN(a->length, b->length);
    for (gsize i = 1; i <= common; i++) {
        guchar x = (guchar)a->path[a->length - i], y = (guchar)b->path[b->length - i];
        if (x != y && (x == '/' || y == '/'))
            return x == '/' ? -1 : 1;
        if (x != y)
            return x < y ? -1 : 1;
    }
    return (a->length > b->length) - (a->length < b->length);
}

/* Return the number of bytes that two paths share at their ends. Only complete names of files and folders count,
 * without the slash before them. */
static gsize count_shared(const File *a, const File *b)
{
    gsize common = MIN(a->length, b->length), shared = 0, i = 0;
    while (i < common && a->path[a->length - i - 1] == b->path[b->length - i - 1]) {
        if (a->path[a->length - i - 1] == '/')
            shared = i;
        i++;
    }
    gboolean ends_a = i == a->length || a->path[a->length - i - 1] == '/';
    gboolean ends_b = i == b->length || b->path[b->length - i - 1] == '/';
    return ends_a && ends_b ? i : shared;
}

/* Return the end of a file's path: the part that other paths share, and one name before it. */
static const char *shorten(const File *file)
{
    const char *at = file->path + file->length - file->shared;
    if (file->shared > 0 && at > file->path)
        at--; /* the slash before the shared part */
    while (at > file->path && at[-1] != '/')
        at--;
    return *at ? at : file->path;
}

const char *hiera_file_alone(const char *path)
{
    const File file = {path, strlen(path), 0};
    return shorten(&file);
}

static GArray *collect_files(const GPtrArray *sites)
{
    g_autoptr(GHashTable) known = g_hash_table_new(g_direct_hash, g_direct_equal);
    GArray *files = g_array_new(FALSE, FALSE, sizeof(File));
    for (guint i = 0; i < sites->len; i++) {
        const HieraSite *site = g_ptr_array_index(sites, i);
        File file = {site->file, strlen(site->file), 0};
        if (g_hash_table_add(known, (gpointer)site->file))
            g_array_append_val(files, file);
    }
    return files;
}

void hiera_short_files_set(const GPtrArray *sites)
{
    g_autoptr(GArray) files = collect_files(sites);
    g_autoptr(GHashTable) short_of = g_hash_table_new(g_direct_hash, g_direct_equal);
    g_array_sort(files, compare_ends);
    for (guint i = 0; i + 1 < files->len; i++) {
        File *file = &g_array_index(files, File, i), *next = &g_array_index(files, File, i + 1);
        gsize shared = count_shared(file, next);
        file->shared = MAX(file->shared, shared);
        next->shared = shared;
    }
    for (guint i = 0; i < files->len; i++) {
        const File *file = &g_array_index(files, File, i);
        g_hash_table_insert(short_of, (gpointer)file->path, (gpointer)shorten(file));
    }
    for (guint i = 0; i < sites->len; i++) {
        HieraSite *site = g_ptr_array_index(sites, i);
        site->short_file = g_hash_table_lookup(short_of, site->file);
    }
}
