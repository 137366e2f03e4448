/* Writes GOAL, the text format of LogGOPSim (Hoefler, Siebert, Lumsdaine, "Group Operation Assembly Language", 2009):
 * each rank is a graph of tasks with labels. Tasks of the program form a sequence; non-blocking operations are beside
 * it, and a task of length 0 waits for them. */
#include "exports.h"

typedef struct {
    FILE *file;
    guint64 n_labels;
    GArray *before;       /* guint64: labels of tasks that must end before the next task of the program begins */
    GArray *started;      /* guint64: labels of non-blocking tasks that must begin before the program's next task */
    GHashTable *requests; /* guint64 → guint64: number of an open request → label of its task */
} Goal;

static guint64 begin_task(Goal *goal)
{
    fprintf(goal->file, "l%" G_GUINT64_FORMAT ": ", ++goal->n_labels);
    return goal->n_labels;
}

static void require(const Goal *goal, const char *how, guint64 other)
{
    fprintf(goal->file, "l%" G_GUINT64_FORMAT " %s l%" G_GUINT64_FORMAT "\n", goal->n_labels, how, other);
}

/* Write which tasks the last written task must wait for. */
static void require_before(const Goal *goal)
{
    for (guint i = 0; i < goal->before->len; i++)
        require(goal, "requires", g_array_index(goal->before, guint64, i));
    for (guint i = 0; i < goal->started->len; i++)
        require(goal, "irequires", g_array_index(goal->started, guint64, i));
}

/* Make the last written task the one that the next task of the program waits for. */
static void go_on(Goal *goal)
{
    g_array_set_size(goal->before, 0);
    g_array_set_size(goal->started, 0);
    g_array_append_val(goal->before, goal->n_labels);
}

static void compute(gpointer user, gint64 ns)
{
    Goal *goal = user;
    begin_task(goal);
    fprintf(goal->file, "calc %" G_GINT64_FORMAT "\n", ns);
    require_before(goal);
    go_on(goal);
}

static void require_requests(const Goal *goal, const guint64 *requests, guint n)
{
    for (guint i = 0; i < n; i++) {
        const guint64 *label = g_hash_table_lookup(goal->requests, &requests[i]);
        if (label)
            require(goal, "requires", *label);
    }
}

static void message(gpointer user, const ScriptMessage *message)
{
    Goal *goal = user;
    guint64 label = begin_task(goal);
    fprintf(goal->file, "%s %" G_GINT64_FORMAT "b %s %u tag %u\n", message->sends ? "send" : "recv",
            MAX(message->bytes, 1), message->sends ? "to" : "from", message->peer, message->tag);
    require_before(goal);
    require_requests(goal, message->after, message->n_after);
    if (message->request == 0) {
        go_on(goal);
        return;
    }
    g_array_set_size(goal->started, 0);
    g_array_append_val(goal->started, label);
    guint64 *pair = g_new(guint64, 2);
    pair[0] = message->request;
    pair[1] = label;
    g_hash_table_replace(goal->requests, pair, pair + 1);
}

static void wait(gpointer user, const guint64 *requests, guint n)
{
    Goal *goal = user;
    begin_task(goal);
    fputs("calc 0\n", goal->file);
    require_before(goal);
    require_requests(goal, requests, n);
    for (guint i = 0; i < n; i++)
        g_hash_table_remove(goal->requests, &requests[i]);
    go_on(goal);
}

static gboolean begin(gpointer user, guint32 rank, GError **error)
{
    (void)error;
    Goal *goal = user;
    fprintf(goal->file, "\nrank %u {\n", rank);
    goal->n_labels = 0;
    g_array_set_size(goal->before, 0);
    g_array_set_size(goal->started, 0);
    g_hash_table_remove_all(goal->requests);
    return TRUE;
}

static gboolean end(gpointer user, GError **error)
{
    (void)error;
    fputs("}\n", ((Goal *)user)->file);
    return TRUE;
}

gboolean predict_export_goal(const RecordedRun *run, const Speeds *speeds, const char *path, ScriptLimits *limits,
                             GError **error)
{
    Goal goal = {.file = predict_export_open(path, error)};
    const ScriptWriter writer = {begin, end, compute, message, wait, NULL, &goal};
    if (!goal.file)
        return FALSE;
    goal.before = g_array_new(FALSE, FALSE, sizeof(guint64));
    goal.started = g_array_new(FALSE, FALSE, sizeof(guint64));
    goal.requests = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    fprintf(goal.file, "num_ranks %u\n", run->trace->n_processors);
    gboolean good = script_write(run, speeds, &writer, limits, error);
    g_array_unref(goal.before);
    g_array_unref(goal.started);
    g_hash_table_unref(goal.requests);
    return predict_export_close(goal.file, path, good, error);
}
