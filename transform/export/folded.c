/* Writes folded stacks, the input of flame graphs: a line for each stack of the whole job, "root;outer;inner
 * nanoseconds", where the time is that of the innermost one alone. The root is the program: its own time is what the
 * main threads spend outside of all operations. */
#include "base/output_file.h"
#include "base/safe_text.h"
#include "export_events.h"
#include "export_labels.h"
#include "exports.h"
#include <string.h>

#define ROOT 0

typedef struct {
    guint32 parent;
    const HieraSite *site;
    gint64 time_ns; /* of this stack alone, all ranks together */
} Node;

typedef struct {
    const HieraTrace *trace;
    GArray *nodes;      /* Node; a parent stands before its children */
    GHashTable *lookup; /* (parent, site) as guint64 → index */
    guint32 node;       /* the innermost one that is open */
    gint64 last_ns;     /* up to here all time is given away */
    guint32 thread;
    const HieraProcessor *processor;
} Folded;

static guint32 find_node(Folded *folded, guint32 parent, const HieraSite *site)
{
    guint64 key = (guint64)parent << 32 | site->id;
    gpointer found = g_hash_table_lookup(folded->lookup, &key);
    if (found)
        return GPOINTER_TO_UINT(found);
    const Node node = {parent, site, 0};
    guint32 index = folded->nodes->len;
    g_array_append_val(folded->nodes, node);
    g_hash_table_insert(folded->lookup, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(index));
    return index;
}

/* Give the time since the last event to the innermost stack. */
static void spend(Folded *folded, gint64 until_ns)
{
    Node *node = &g_array_index(folded->nodes, Node, folded->node);
    if (until_ns > folded->last_ns)
        node->time_ns = hiera_plus(node->time_ns, hiera_minus(until_ns, folded->last_ns));
    folded->last_ns = MAX(folded->last_ns, until_ns);
}

/* Give the time of the main thread behind its last operation to the root. */
static void end_main_thread(Folded *folded)
{
    if (folded->thread == 0)
        spend(folded, folded->processor->finalize_ns);
}

static void fold(const HieraEvent *event, gpointer user)
{
    Folded *folded = user;
    if (event->thread != folded->thread) {
        end_main_thread(folded);
        folded->thread = event->thread;
    }
    if (event->thread && event->begins && event->depth == 0) /* what it does outside of operations is not known */
        folded->last_ns = event->time_ns;
    spend(folded, event->time_ns);
    if (event->begins)
        folded->node = find_node(folded, folded->node, hiera_trace_peek_site(folded->trace, event->row));
    else
        folded->node = g_array_index(folded->nodes, Node, folded->node).parent;
}

static void fold_processor(Folded *folded, guint32 processor)
{
    folded->processor = &folded->trace->processors[processor];
    folded->node = ROOT;
    folded->thread = 0;
    folded->last_ns = folded->processor->init_ns;
    hiera_events_visit(folded->trace, processor, fold, folded);
    end_main_thread(folded);
}

/* A frame must not contain what separates frames and lines. */
static char *make_frame(const HieraSite *site)
{
    g_autofree char *frame = hiera_export_frame(site);
    return g_strdelimit(hiera_text_printable(frame), ";\n\r", ',');
}

static GPtrArray *make_lines(const Folded *folded, const char *root)
{
    GPtrArray *stacks = g_ptr_array_new_with_free_func(g_free), *lines = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(stacks, g_strdup(root));
    for (guint i = 1; i < folded->nodes->len; i++) {
        const Node *node = &g_array_index(folded->nodes, Node, i);
        g_autofree char *frame = make_frame(node->site);
        g_ptr_array_add(stacks, g_strconcat(g_ptr_array_index(stacks, node->parent), ";", frame, NULL));
    }
    for (guint i = 0; i < folded->nodes->len; i++) {
        gint64 time_ns = g_array_index(folded->nodes, Node, i).time_ns;
        if (time_ns > 0)
            g_ptr_array_add(
                lines, g_strdup_printf("%s %" G_GINT64_FORMAT "\n", (char *)g_ptr_array_index(stacks, i), time_ns));
    }
    g_ptr_array_unref(stacks);
    return lines;
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void write_all(const HieraTrace *trace, FILE *stream)
{
    Folded folded = {.trace = trace, .nodes = g_array_new(FALSE, FALSE, sizeof(Node))};
    const Node root = {HIERA_NONE, NULL, 0};
    g_array_append_val(folded.nodes, root);
    folded.lookup = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint32 i = 0; i < trace->n_processors; i++)
        fold_processor(&folded, i);
    const char *application = trace->processors[0].application;
    g_autofree char *name = g_strdelimit(hiera_text_printable(application[0] ? application : "program"), ";\n\r", ',');
    g_autoptr(GPtrArray) lines = make_lines(&folded, name);
    g_ptr_array_sort(lines, compare_lines);
    for (guint i = 0; i < lines->len; i++)
        fputs(g_ptr_array_index(lines, i), stream);
    g_hash_table_unref(folded.lookup);
    g_array_unref(folded.nodes);
}

gboolean hiera_export_folded(const HieraExportInput *input, const char *target, GError **error)
{
    HieraOutputFile output;
    if (!hiera_output_file_open(&output, target, error))
        return FALSE;
    write_all(hiera_match_peek_trace(input->match), output.stream);
    return hiera_output_file_close(&output, TRUE, error);
}
