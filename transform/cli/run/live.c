/* See live.h. The copies are in a folder for temporary files; nothing is written into the folder of the traces. */
#include "live.h"
#include "base/parse_numbers.h"
#include "hiera_trace.h"
#include "parallel/parallel.h"
#include "recover.h"
#include "xml/live_copies.h"
#include <glib/gstdio.h>
#include <string.h>

static char *copies; /* folder of the copies; NULL: there is none */

static gboolean refuse(GError **error, const char *format, const char *what)
{
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, format, what);
    return FALSE;
}

/* Return the folder of the job: the only argument, a folder or the configuration file in one; NULL: it is neither. */
static char *find_folder(const Options *options)
{
    const char *path = options->arguments[0];
    if (options->arguments[1])
        return NULL;
    if (g_file_test(path, G_FILE_TEST_IS_DIR))
        return g_strdup(path);
    return g_str_has_suffix(path, "hieraCollector.xml") ? g_path_get_dirname(path) : NULL;
}

/* Return the time up to which all ranks are known, from the lines of hiera-recover (HIERA_LIVE_LINE); G_MAXINT64: no
 * rank runs here. */
static gint64 find_until(const char *lines)
{
    gint64 until_ns = G_MAXINT64, ns;
    g_auto(GStrv) rows = g_strsplit(lines, "\n", -1);
    for (char **row = rows; *row; row++) {
        const char *number = strchr(*row, ' ');
        if (number && hiera_number_parse(number + 1, strlen(number + 1), &ns) && ns > 0)
            until_ns = MIN(until_ns, ns);
    }
    return until_ns;
}

gboolean live_begin(const Options *options, GError **error)
{
    g_autofree char *folder = find_folder(options), *lines = NULL;
    if (!folder)
        return refuse(error, "--live: '%s' is not the folder of one job; name the folder in which it writes its traces",
                      options->arguments[0]);
    if (hiera_parallel_size() > 1)
        return refuse(error, "--live %s: several processes would see the job at different times; start one", folder);
    if (!(copies = g_dir_make_tmp("hiera-live-XXXXXX", error)) || !recover_copies(copies, folder, &lines, error))
        return FALSE;
    hiera_live_copies_set(folder, copies, find_until(lines));
    return TRUE;
}

void live_end(void)
{
    g_autoptr(GDir) list = copies ? g_dir_open(copies, 0, NULL) : NULL;
    for (const char *name; list && (name = g_dir_read_name(list));) {
        g_autofree char *path = g_build_filename(copies, name, NULL);
        g_unlink(path);
    }
    if (copies)
        g_rmdir(copies);
    g_clear_pointer(&copies, g_free);
}
