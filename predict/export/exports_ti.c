/* Writes time-independent traces of SimGrid (Desprez, Markomanolis, Suter, 2011): a file of actions for each rank, and
 * a list of these files. A request is identified by both ranks and the tag. */
#include "base/output_file.h"
#include "exports.h"

typedef struct {
    const char *folder;
    char *path; /* path of the current rank's file of actions */
    FILE *file, *list;
    guint32 rank, n_ranks;
    GHashTable *requests; /* guint64 → char *: number of an open request → sender, receiver and tag, as a "wait" line
                             names them */
} Actions;

static void compute(gpointer user, gint64 ns)
{
    const Actions *actions = user;
    fprintf(actions->file, "%u compute %" G_GINT64_FORMAT "\n", actions->rank, ns);
}

static void message(gpointer user, const ScriptMessage *message)
{
    const Actions *actions = user;
    guint32 from = message->sends ? actions->rank : message->peer, to = message->sends ? message->peer : actions->rank;
    fprintf(actions->file, "%u %s%s %u %u %" G_GINT64_FORMAT "\n", actions->rank, message->request > 0 ? "i" : "",
            message->sends ? "send" : "recv", message->peer, message->tag, MAX(message->bytes, 1));
    if (message->request == 0)
        return;
    guint64 *number = g_new(guint64, 1);
    *number = message->request;
    g_hash_table_replace(actions->requests, number, g_strdup_printf("%u %u %u", from, to, message->tag));
}

static void wait(gpointer user, const guint64 *requests, guint n)
{
    const Actions *actions = user;
    for (guint i = 0; i < n; i++) {
        const char *words = g_hash_table_lookup(actions->requests, &requests[i]);
        if (words)
            fprintf(actions->file, "%u wait %s\n", actions->rank, words);
        g_hash_table_remove(actions->requests, &requests[i]);
    }
}

static gboolean collective(gpointer user, const HieraSimOperation *operation)
{
    const Actions *actions = user;
    gint64 bytes = operation->bytes;
    guint32 me = actions->rank;
    switch (operation->collective) {
    case HIERA_SIM_BARRIER:
        fprintf(actions->file, "%u barrier\n", me);
        return TRUE;
    case HIERA_SIM_BROADCAST:
        fprintf(actions->file, "%u bcast %" G_GINT64_FORMAT " %d\n", me, bytes, operation->peer);
        return TRUE;
    case HIERA_SIM_REDUCE:
        fprintf(actions->file, "%u reduce %" G_GINT64_FORMAT " 0 %d\n", me, bytes, operation->peer);
        return TRUE;
    case HIERA_SIM_ALLREDUCE:
        fprintf(actions->file, "%u allreduce %" G_GINT64_FORMAT " 0\n", me, bytes);
        return TRUE;
    case HIERA_SIM_SCAN:
        fprintf(actions->file, "%u scan %" G_GINT64_FORMAT " 0\n", me, bytes);
        return TRUE;
    case HIERA_SIM_GATHER:
    case HIERA_SIM_SCATTER:
        fprintf(actions->file, "%u %s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %d\n", me,
                operation->collective == HIERA_SIM_GATHER ? "gather" : "scatter", bytes, bytes, operation->peer);
        return TRUE;
    case HIERA_SIM_ALLGATHER:
    case HIERA_SIM_ALLTOALL:
        fprintf(actions->file, "%u %s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", me,
                operation->collective == HIERA_SIM_ALLGATHER ? "allgather" : "alltoall", bytes, bytes);
        return TRUE;
    case HIERA_SIM_REDUCE_SCATTER:
        fprintf(actions->file, "%u reducescatter", me);
        for (guint32 i = 0; i < actions->n_ranks; i++)
            fprintf(actions->file, " %" G_GINT64_FORMAT, bytes);
        fputs(" 0\n", actions->file);
        return TRUE;
    default:
        return FALSE;
    }
}

static gboolean begin(gpointer user, guint32 rank, GError **error)
{
    Actions *actions = user;
    g_autofree char *name = g_strdup_printf("rank%u.txt", rank);
    actions->rank = rank;
    actions->path = g_build_filename(actions->folder, name, NULL);
    actions->file = predict_export_open(actions->path, error);
    g_hash_table_remove_all(actions->requests);
    if (!actions->file)
        return FALSE;
    fprintf(actions->list, "%s\n", name);
    fprintf(actions->file, "%u init\n", rank);
    return TRUE;
}

static gboolean end(gpointer user, GError **error)
{
    Actions *actions = user;
    fprintf(actions->file, "%u finalize\n", actions->rank);
    gboolean good = predict_export_close(actions->file, actions->path, TRUE, error);
    g_clear_pointer(&actions->path, g_free);
    return good;
}

gboolean predict_export_ti(const RecordedRun *run, const Speeds *speeds, const char *path, ScriptLimits *limits,
                           GError **error)
{
    Actions actions = {.folder = path, .n_ranks = run->trace->n_processors};
    const ScriptWriter writer = {begin, end, compute, message, wait, collective, &actions};
    g_autofree char *list = g_build_filename(path, "ranks.txt", NULL);
    if (!hiera_output_folder_make(path, error))
        return FALSE;
    actions.list = predict_export_open(list, error);
    if (!actions.list)
        return FALSE;
    actions.requests = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    gboolean good = script_write(run, speeds, &writer, limits, error);
    g_hash_table_unref(actions.requests);
    g_free(actions.path);
    return predict_export_close(actions.list, list, good, error);
}
