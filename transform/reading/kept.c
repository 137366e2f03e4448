/* See kept.h. Buffers are found by their file names, which contain the process id; their content is not examined. */
#include "kept.h"
#include "alive.h"
#include "dtd/kept.h"
#include <unistd.h>

static gboolean has_name(const char *folder, const char *beginning)
{
    g_autoptr(GDir) list = g_dir_open(folder, 0, NULL);
    const char *name;
    while (list && (name = g_dir_read_name(list)))
        if (g_str_has_prefix(name, beginning))
            return TRUE;
    return FALSE;
}

gboolean hiera_kept_find(const char *host, gint64 pid, const char *path)
{
    g_autofree char *hidden = g_strdup_printf("." HIERA_KEPT_NAME, (unsigned)geteuid(), (int)pid);
    g_autofree char *folder = g_path_get_dirname(path);
    return pid > 0 && ((hiera_alive_is_here(host) && has_name(HIERA_KEPT_SHM, hidden + 1)) || has_name(folder, hidden));
}
