#include "live_copies.h"
#include "container.h"
#include <stdlib.h>
#include <string.h>

static char *folder_of_originals, *folder_of_copies; /* without symbolic links; NULL: no trace has a copy */
static gint64 last_ns = G_MAXINT64;

static char *resolve(const char *path)
{
    char *real = realpath(path, NULL), *copy = g_strdup(real);
    free(real);
    return copy;
}

void hiera_live_copies_set(const char *folder, const char *copies, gint64 until_ns)
{
    g_free(folder_of_originals);
    g_free(folder_of_copies);
    folder_of_originals = resolve(folder);
    folder_of_copies = resolve(copies);
    last_ns = until_ns;
}

/* Return the name of a copy without its folder; NULL: the path is in another folder. To be freed. */
static char *find_name(const char *path)
{
    guint32 rank;
    g_autofree char *container = hiera_container_find(path, &rank);
    g_autofree char *given = g_path_get_dirname(container ? container : path), *folder = resolve(given);
    if (g_strcmp0(folder, folder_of_originals) != 0)
        return NULL;
    return container ? g_strdup_printf("trace%u.xml", rank) : g_path_get_basename(path);
}

char *hiera_live_copies_find(const char *path)
{
    static const char *const suffixes[] = {"", ".zst", ".gz"};
    g_autofree char *name = folder_of_copies ? find_name(path) : NULL;
    for (guint i = 0; name && i < G_N_ELEMENTS(suffixes); i++) {
        g_autofree char *file = g_strconcat(name, suffixes[i], NULL);
        g_autofree char *copy = g_build_filename(folder_of_copies, file, NULL);
        if (g_str_has_prefix(name, "trace") && g_file_test(copy, G_FILE_TEST_IS_REGULAR))
            return g_steal_pointer(&copy);
    }
    return NULL;
}

gboolean hiera_live_copies_are_read(void)
{
    return folder_of_copies != NULL;
}

gint64 hiera_live_copies_until(void)
{
    return last_ns;
}
