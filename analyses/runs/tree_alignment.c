/* See tree_alignment.h. Places are created breadth-first: the children of one place are sorted by site, and each pass
 * walks through two sorted lists. */
#include "tree_alignment.h"
#include <string.h>

/* Passes of the alignment: what two sites must have in common to be one place, beside level and name. */
typedef enum { SAME_LINE, SAME_FILE, SAME_NAME, N_PASSES } Pass;

/* A child to be aligned: a node of a run, or a place, which has the call site of its first node. */
typedef struct {
    const HieraSite *site;
    guint32 number; /* number of the node in its tree, or of the place */
    gboolean taken;
} Child;

typedef struct {
    HieraTreeAlignment *alignment;
    const HieraCallTree *const *trees;
    const HieraCatalog *const *catalogs;
    guint32 **first, **next; /* by run, then node: its first child, and its next sibling; 0: none */
} Work;

static const HieraSite *site_of(const Work *work, guint run, guint32 node)
{
    static const HieraSite threads = {
        .level = "", .class_name = "", .operation = "further threads", .file = "", .short_file = ""};
    static const HieraSite counted = {
        .level = "", .class_name = "", .operation = "only counted", .file = "", .short_file = ""};
    static const HieraSite own = {
        .level = "", .class_name = "", .operation = HIERA_ITSELF, .file = "", .short_file = ""};
    guint32 site = hiera_call_tree_peek(work->trees[run], node)->site;
    if (site == HIERA_CALL_THREADS)
        return &threads;
    if (site == HIERA_CALL_COUNTED)
        return &counted;
    return site == HIERA_CALL_OWN ? &own : hiera_catalog_peek_site(work->catalogs[run], site);
}

static const char *last_part(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static gint compare_sites(const HieraSite *a, const HieraSite *b, Pass pass)
{
    gint order = strcmp(a->level, b->level);
    order = order ? order : strcmp(a->class_name, b->class_name);
    order = order ? order : strcmp(a->operation, b->operation);
    if (order || pass == SAME_NAME)
        return order;
    order = strcmp(last_part(a->file), last_part(b->file));
    return order || pass == SAME_FILE ? order : (a->line > b->line) - (a->line < b->line);
}

static gint compare_children(gconstpointer left, gconstpointer right)
{
    const HieraSite *a = ((const Child *)left)->site, *b = ((const Child *)right)->site;
    gint order = compare_sites(a, b, SAME_LINE);
    return order ? order : strcmp(a->file, b->file);
}

static guint32 *place_of(const HieraTreeAlignment *alignment, guint32 place, guint run)
{
    return &g_array_index(alignment->nodes, guint32, (gsize)place * alignment->n_runs + run);
}

static void set_node(const HieraTreeAlignment *alignment, guint32 place, guint run, guint32 node)
{
    *place_of(alignment, place, run) = node;
    alignment->rows[run][node] = place;
}

static guint32 add_place(HieraTreeAlignment *alignment)
{
    guint32 place = hiera_tree_alignment_count(alignment);
    g_array_set_size(alignment->nodes, alignment->nodes->len + alignment->n_runs);
    for (guint run = 0; run < alignment->n_runs; run++)
        *place_of(alignment, place, run) = HIERA_NONE;
    return place;
}

/* Assign nodes of a run to places whose call sites agree with theirs in a pass; both lists are sorted. */
static void match(const Work *work, guint run, Pass pass, const GArray *places, const GArray *nodes)
{
    for (guint i = 0, j = 0; i < places->len && j < nodes->len;) {
        Child *place = &g_array_index(places, Child, i), *node = &g_array_index(nodes, Child, j);
        gint order = compare_sites(place->site, node->site, pass);
        if (!place->taken && !node->taken && order == 0) {
            set_node(work->alignment, place->number, run, node->number);
            place->taken = node->taken = TRUE;
        }
        i += place->taken || order < 0;
        j += node->taken || order > 0;
    }
}

/* Assign the children of a place in one run to places; make new places for those that fit none. */
static void align_run(const Work *work, guint run, GArray *places, const GArray *nodes)
{
    for (guint i = 0; i < places->len; i++)
        g_array_index(places, Child, i).taken = FALSE;
    for (Pass pass = SAME_LINE; pass < N_PASSES; pass++)
        match(work, run, pass, places, nodes);
    for (guint i = 0; i < nodes->len; i++) {
        const Child *node = &g_array_index(nodes, Child, i);
        if (node->taken)
            continue;
        Child place = {node->site, add_place(work->alignment), TRUE};
        set_node(work->alignment, place.number, run, node->number);
        g_array_append_val(places, place);
    }
    g_array_sort(places, compare_children);
}

static void align_children(const Work *work, guint32 parent)
{
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(Child));
    g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(Child));
    for (guint run = 0; run < work->alignment->n_runs; run++) {
        guint32 node = *place_of(work->alignment, parent, run);
        g_array_set_size(nodes, 0);
        for (guint32 at = node == HIERA_NONE ? 0 : work->first[run][node]; at != 0; at = work->next[run][at]) {
            Child child = {site_of(work, run, at), at, FALSE};
            g_array_append_val(nodes, child);
        }
        g_array_sort(nodes, compare_children);
        align_run(work, run, places, nodes);
    }
}

static void find_children(Work *work, guint run)
{
    const HieraCallTree *tree = work->trees[run];
    work->first[run] = g_new0(guint32, tree->nodes->len);
    work->next[run] = g_new0(guint32, tree->nodes->len);
    for (guint32 node = 1; node < tree->nodes->len; node++) {
        guint32 parent = hiera_call_tree_peek(tree, node)->parent;
        work->next[run][node] = work->first[run][parent];
        work->first[run][parent] = node;
    }
}

void hiera_tree_alignment_init(HieraTreeAlignment *alignment, const HieraCallTree *const *trees,
                               const HieraCatalog *const *catalogs, guint n_runs)
{
    *alignment = (HieraTreeAlignment){n_runs, g_array_new(FALSE, FALSE, sizeof(guint32)), g_new0(guint32 *, n_runs)};
    g_autofree guint32 **first = g_new0(guint32 *, n_runs), **next = g_new0(guint32 *, n_runs);
    Work work = {alignment, trees, catalogs, first, next};
    add_place(alignment);
    for (guint run = 0; run < n_runs; run++) {
        find_children(&work, run);
        alignment->rows[run] = g_new0(guint32, trees[run]->nodes->len);
        set_node(alignment, 0, run, 0);
    }
    for (guint32 place = 0; place < hiera_tree_alignment_count(alignment); place++)
        align_children(&work, place);
    for (guint run = 0; run < n_runs; run++) {
        g_free(first[run]);
        g_free(next[run]);
    }
}

void hiera_tree_alignment_clear(HieraTreeAlignment *alignment)
{
    for (guint run = 0; run < alignment->n_runs; run++)
        g_free(alignment->rows[run]);
    g_free(alignment->rows);
    g_array_unref(alignment->nodes);
}

guint32 hiera_tree_alignment_count(const HieraTreeAlignment *alignment)
{
    return alignment->nodes->len / alignment->n_runs;
}

guint32 hiera_tree_alignment_node(const HieraTreeAlignment *alignment, guint32 place, guint run)
{
    return *place_of(alignment, place, run);
}
