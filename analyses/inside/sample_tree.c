#include "sample_tree.h"
#include "hiera_code.h"
#include <math.h>
#include <string.h>

typedef struct {
    guint32 parent;
    const char *step;
} Key;

static guint key_hash(gconstpointer data)
{
    const Key *key = data;
    return g_str_hash(key->step) * 31 + key->parent;
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
    const Key *x = a, *y = b;
    return x->parent == y->parent && strcmp(x->step, y->step) == 0;
}

void hiera_sampled_tree_init(HieraSampledTree *tree)
{
    const HieraSampledNode root = {.step = ""};
    tree->nodes = g_array_new(FALSE, FALSE, sizeof(HieraSampledNode));
    g_array_append_val(tree->nodes, root);
    tree->places = g_hash_table_new_full(key_hash, key_equal, g_free, NULL);
    tree->steps = g_string_chunk_new(4096);
    tree->unknown = g_array_new(FALSE, FALSE, sizeof(HieraSamplesUnknown));
}

void hiera_sampled_tree_clear(HieraSampledTree *tree)
{
    g_array_unref(tree->nodes);
    g_hash_table_unref(tree->places);
    g_array_unref(tree->unknown);
    g_string_chunk_free(tree->steps);
}

static guint32 child(HieraSampledTree *tree, guint32 parent, const char *step)
{
    const Key wanted = {parent, step};
    gpointer known = g_hash_table_lookup(tree->places, &wanted);
    if (known)
        return GPOINTER_TO_UINT(known);
    guint32 number = tree->nodes->len;
    HieraSampledNode *around = &g_array_index(tree->nodes, HieraSampledNode, parent);
    const HieraSampledNode node = {
        .parent = parent, .next = around->first, .step = g_string_chunk_insert(tree->steps, step)};
    around->first = number;
    g_array_append_val(tree->nodes, node);
    const Key key = {parent, node.step};
    g_hash_table_insert(tree->places, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(number));
    return number;
}

/* --- texts of nodes: regions, functions, loops, lines --- */

/* Return file and lines, such as "md.c:219-231"; addresses if the file is not known. */
static char *describe_lines(const HieraCodeSpan *lines)
{
    if (!lines->file)
        return g_strdup_printf("0x%" G_GINT64_MODIFIER "x-0x%" G_GINT64_MODIFIER "x", lines->begin, lines->end);
    g_autofree char *name = g_path_get_basename(lines->file);
    return lines->first == lines->last ? g_strdup_printf("%s:%d", name, lines->first)
                                       : g_strdup_printf("%s:%d-%d", name, lines->first, lines->last);
}

static guint32 add_function(HieraSampledTree *tree, guint32 node, const HieraSampled *sampled, const HieraCodeAt *at)
{
    g_autofree char *object = *sampled->object ? g_path_get_basename(sampled->object) : g_strdup("unknown code");
    g_autofree char *lines = at && at->function && at->lines.file ? describe_lines(&at->lines) : NULL;
    g_autoptr(GString) step = g_string_new(at ? at->function : NULL);
    if (lines)
        g_string_append_printf(step, " %s", lines);
    else
        g_string_append_printf(step, "%s(%s)", step->len > 0 ? " " : "", object);
    g_autofree char *valid = g_utf8_make_valid(step->str, -1);
    return child(tree, node, valid);
}

static guint32 add_loops(HieraSampledTree *tree, guint32 node, const HieraCodeAt *at)
{
    for (guint i = 0; i < at->n_loops; i++) {
        g_autofree char *lines = describe_lines(&at->loops[i]);
        g_autofree char *step = g_strdup_printf("%s %s", at->loops[i].irreducible ? "irreducible loop" : "loop", lines);
        node = child(tree, node, step);
    }
    return node;
}

static guint32 add_line(HieraSampledTree *tree, guint32 node, const HieraCodeAt *at)
{
    if (!at->file)
        return node;
    const HieraCodeSpan line = {.file = at->file, .first = at->line, .last = at->line};
    g_autofree char *step = describe_lines(&line);
    return child(tree, node, step);
}

static guint32 add_regions(HieraSampledTree *tree, const char *path)
{
    static const char separator[] = {HIERA_PATH_SEPARATOR, '\0'};
    guint32 node = 0;
    g_auto(GStrv) steps = g_strsplit(path, separator, -1);
    for (char **step = steps; *step; step++)
        node = child(tree, node, *step);
    return node;
}

/* --- adding samples to the tree --- */

static void note_unknown(const HieraSampledTree *tree, const HieraSampled *sampled, const char *problem)
{
    const HieraSamplesUnknown one = {sampled->object, problem, sampled->count};
    for (guint i = 0; i < tree->unknown->len; i++) {
        HieraSamplesUnknown *known = &g_array_index(tree->unknown, HieraSamplesUnknown, i);
        if (strcmp(known->object, sampled->object) == 0) {
            known->count = hiera_plus(known->count, sampled->count);
            return;
        }
    }
    g_array_append_val(tree->unknown, one);
}

static const HieraCodeAt *find_code(const HieraSampledTree *tree, const HieraSampled *sampled)
{
    const char *problem;
    const HieraCodeAt *at = hiera_code_find(sampled, &problem);
    if (!at)
        note_unknown(tree, sampled, problem);
    return at;
}

void hiera_sampled_tree_add(HieraSampledTree *tree, HieraSamplesBy by, const HieraSampled *sampled)
{
    guint32 node = add_regions(tree, sampled->path);
    const HieraCodeAt *at = by != HIERA_SAMPLES_BY_REGION ? find_code(tree, sampled) : NULL;
    if (by != HIERA_SAMPLES_BY_REGION)
        node = add_function(tree, node, sampled, at);
    if (at && (by == HIERA_SAMPLES_BY_LOOP || by == HIERA_SAMPLES_BY_LINE))
        node = add_loops(tree, node, at);
    if (at && by == HIERA_SAMPLES_BY_LINE)
        node = add_line(tree, node, at);
    for (guint32 up = node;; up = g_array_index(tree->nodes, HieraSampledNode, up).parent) {
        HieraSampledNode *sums = &g_array_index(tree->nodes, HieraSampledNode, up);
        sums->count = hiera_plus(sums->count, sampled->count);
        sums->time_ns = hiera_plus(sums->time_ns, sampled->time_ns);
        sums->mpi_ns = hiera_plus(sums->mpi_ns, sampled->in_mpi ? sampled->time_ns : 0);
        if (up == 0)
            break;
    }
}

static gint compare(gconstpointer a, gconstpointer b, gpointer data)
{
    const GArray *nodes = data;
    const HieraSampledNode *x = &g_array_index(nodes, HieraSampledNode, *(const guint32 *)a);
    const HieraSampledNode *y = &g_array_index(nodes, HieraSampledNode, *(const guint32 *)b);
    if (x->time_ns != y->time_ns)
        return x->time_ns > y->time_ns ? -1 : 1;
    return strcmp(x->step, y->step);
}

static void sort_children(GArray *nodes, guint32 node, GArray *children)
{
    g_array_set_size(children, 0);
    for (guint32 i = g_array_index(nodes, HieraSampledNode, node).first; i != 0;
         i = g_array_index(nodes, HieraSampledNode, i).next)
        g_array_append_val(children, i);
    g_array_sort_with_data(children, compare, nodes);
    guint32 *link = &g_array_index(nodes, HieraSampledNode, node).first;
    for (guint i = 0; i < children->len; i++) {
        *link = g_array_index(children, guint32, i);
        link = &g_array_index(nodes, HieraSampledNode, *link).next;
    }
    *link = 0;
}

void hiera_sampled_tree_sort(HieraSampledTree *tree)
{
    g_autoptr(GArray) children = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 i = 0; i < tree->nodes->len; i++)
        sort_children(tree->nodes, i, children);
}

/* --- the hottest node, and bounds of shares --- */

guint32 hiera_sampled_tree_find_hottest(const HieraSampledTree *tree, guint32 from)
{
    guint32 node = from;
    for (guint32 next = hiera_sampled_tree_peek(tree, from)->first; next != 0;
         next = hiera_sampled_tree_peek(tree, node)->first) {
        if (2 * hiera_sampled_tree_peek(tree, next)->count < hiera_sampled_tree_peek(tree, node)->count)
            break;
        node = next;
    }
    return node;
}

char *hiera_sampled_tree_describe(const HieraSampledTree *tree, guint32 node)
{
    g_autoptr(GString) text = g_string_new(hiera_sampled_tree_peek(tree, node)->step);
    for (guint32 up = hiera_sampled_tree_peek(tree, node)->parent; up != 0;
         up = hiera_sampled_tree_peek(tree, up)->parent)
        g_string_append_printf(text, " in %s", hiera_sampled_tree_peek(tree, up)->step);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static gint64 hundredths(double part)
{
    return (gint64)(10000 * part + 0.5);
}

void hiera_sample_bounds(gint64 k, gint64 n, gint64 *least, gint64 *most)
{
    const double z = 1.959964; /* quantile of the standard normal distribution: 97.5 % are below */
    double share = (double)k / (double)n, wide = z * z / (double)n;
    double middle = share + wide / 2, half = z * sqrt(share * (1 - share) / (double)n + wide / (4 * (double)n));
    *least = hundredths(MAX((middle - half) / (1 + wide), 0));
    *most = hundredths(MIN((middle + half) / (1 + wide), 1));
}
