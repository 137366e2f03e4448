/* See live.h. The copies are in a folder for temporary files; nothing is written into the folder of the traces. */
#include "live.h"
#include "base/parse_numbers.h"
#include "hiera_trace.h"
#include "parallel/parallel.h"
#include "recover.h"
#include "serve.h"
#include "xml/live_copies.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "hiera-live-"

enum { YOUNG_S = 60, RENEW_S = 5, RENEW_PARTS = 10 };

static char *copies;    /* folder of the copies; NULL: there is none */
static int lock = -1;   /* open as long as the copies are in use */
static gint64 begin_us; /* when the copies were made */

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

static void remove_folder(const char *path)
{
    g_autoptr(GDir) list = g_dir_open(path, 0, NULL);
    for (const char *name; list && (name = g_dir_read_name(list));) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        g_unlink(file);
    }
    g_rmdir(path);
}

/* Return a descriptor that locks a folder of copies as long as it is open; -1: another process has it. */
static int lock_folder(const char *path)
{
    int file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

/* Remove a folder whose process was killed. A young one may be that of a process that has yet to lock it. */
static void remove_if_left(const char *path)
{
    GStatBuf status;
    int file = g_lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == getuid() &&
                       g_get_real_time() / G_USEC_PER_SEC - status.st_mtime > YOUNG_S
                   ? lock_folder(path)
                   : -1;
    if (file < 0)
        return;
    remove_folder(path);
    close(file);
}

static void remove_left(void)
{
    g_autoptr(GDir) list = g_dir_open(g_get_tmp_dir(), 0, NULL);
    for (const char *name; list && (name = g_dir_read_name(list));) {
        g_autofree char *path = g_build_filename(g_get_tmp_dir(), name, NULL);
        if (g_str_has_prefix(name, PREFIX))
            remove_if_left(path);
    }
}

gboolean live_begin(const Options *options, GError **error)
{
    begin_us = g_get_monotonic_time();
    g_autofree char *folder = find_folder(options), *lines = NULL;
    if (!folder)
        return refuse(error, "--live: '%s' is not the folder of one job; name the folder in which it writes its traces",
                      options->arguments[0]);
    if (hiera_parallel_size() > 1)
        return refuse(error, "--live %s: several processes would see the job at different times; start one", folder);
    remove_left();
    if (!(copies = g_dir_make_tmp(PREFIX "XXXXXX", error)))
        return FALSE;
    lock = lock_folder(copies);
    if (!recover_copies(copies, folder, &lines, error))
        return FALSE;
    hiera_live_copies_set(folder, copies, find_until(lines));
    return TRUE;
}

void live_end(void)
{
    if (copies)
        remove_folder(copies);
    g_clear_pointer(&copies, g_free);
    if (lock >= 0)
        close(lock);
    lock = -1;
}

guint live_renew_s(const HieraTrace *trace)
{
    gint64 spent_s = (g_get_monotonic_time() - begin_us) / G_USEC_PER_SEC;
    gboolean runs = FALSE;
    for (guint32 i = 0; copies && i < trace->n_processors; i++)
        runs = runs || trace->processors[i].alive;
    return runs ? (guint)MAX(RENEW_S, RENEW_PARTS * spent_s) : 0;
}

typedef struct {
    const Options *options;
    int (*work)(const Options *options);
} Work;

static int work_once(gconstpointer user)
{
    const Work *of = user;
    int status = of->work(of->options);
    live_end();
    return status;
}

int live_serve(const Options *options, int (*work)(const Options *options), GError **error)
{
    return hiera_serve_again(options->serve, work_once, &(Work){options, work}, error);
}
