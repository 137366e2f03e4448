/* Hashes of subtrees; see subtree_hash.h. One pass over the rows of a processor: the operations that have not ended are
 * a stack, and the subtrees inside them another one. */
#include "subtree_hash.h"
#include "values/outermost.h"
#include <string.h>

enum { REPEAT_MAX = 32 }; /* the longest sequence of siblings whose repeats are found */

guint64 hiera_subtree_hash_add(guint64 hash, guint64 other)
{
    hash = (hash ^ other) * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);
    hash ^= hash >> 29;
    hash *= G_GUINT64_CONSTANT(0xBF58476D1CE4E5B9);
    return hash ^ hash >> 32;
}

static guint64 add_text(guint64 hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (guchar)*text) * G_GUINT64_CONSTANT(1099511628211);
    return hiera_subtree_hash_add(hash, 1);
}

static guint64 hash_site(const HieraSite *site)
{
    guint64 hash = add_text(G_GUINT64_CONSTANT(14695981039346656037), site->level);
    hash = add_text(add_text(add_text(hash, site->class_name), site->operation), site->file);
    return hiera_subtree_hash_add(hash, site->line);
}

/* --- siblings --- */

static gboolean is_repeat(const HieraSubtree *last, guint length)
{
    for (guint i = 0; i < length; i++) {
        if (last[-(gint)i].hash != last[-(gint)(i + length)].hash)
            return FALSE;
    }
    return TRUE;
}

/* Append an operation to its siblings, which begin at `first`; if it completes a repeat, take that away. */
static void append(GArray *subtrees, guint first, HieraSubtree subtree)
{
    g_array_append_val(subtrees, subtree);
    const HieraSubtree *last = &g_array_index(subtrees, HieraSubtree, subtrees->len - 1);
    for (guint length = 1; length <= REPEAT_MAX && 2 * length <= subtrees->len - first; length++) {
        if (is_repeat(last, length)) {
            g_array_set_size(subtrees, subtrees->len - length);
            return;
        }
    }
}

/* --- operations --- */

/* An operation that has not ended; its siblings inside begin at `first`. */
typedef struct {
    guint32 row, depth;
    guint first;
} Open;

typedef struct {
    HieraSubtreeHashes *hashes;
    GArray *open, *subtrees; /* Open; HieraSubtree */
} Walk;

static gboolean accepts(const HieraSubtreeHashes *hashes, guint32 row)
{
    const HieraTrace *trace = hashes->trace;
    return trace->thread[row] == 0 && hiera_scope_accepts_row(hashes->scope, trace, row) &&
           hiera_scope_accepts_time(hashes->scope, trace->start_ns[row]);
}

/* Hash the operations that begin at `first`, and take them away. */
static guint64 hash_inside(const Walk *walk, guint first, guint64 hash)
{
    for (guint i = first; i < walk->subtrees->len; i++)
        hash = hiera_subtree_hash_add(hash, g_array_index(walk->subtrees, HieraSubtree, i).hash);
    g_array_set_size(walk->subtrees, first);
    hash = hiera_subtree_hash_add(hash, 2);
    return hash != 0 ? hash : 1;
}

static void close_to(const Walk *walk, guint32 depth)
{
    HieraSubtreeHashes *hashes = walk->hashes;
    while (walk->open->len > 0) {
        Open open = g_array_index(walk->open, Open, walk->open->len - 1);
        if (open.depth < depth)
            return;
        g_array_set_size(walk->open, walk->open->len - 1);
        guint64 hash = hash_inside(walk, open.first, hashes->of_site[hashes->trace->site[open.row]]);
        guint around = walk->open->len > 0 ? g_array_index(walk->open, Open, walk->open->len - 1).first : 0;
        hashes->of_row[open.row] = hash;
        append(walk->subtrees, around, (HieraSubtree){hash, open.row});
    }
}

static guint64 hash_processor(const Walk *walk, const HieraProcessor *processor)
{
    const HieraTrace *trace = walk->hashes->trace;
    for (guint64 row = processor->first; row < processor->first + processor->n_operations; row++) {
        if (trace->thread[row] != 0)
            continue;
        close_to(walk, trace->depth[row]);
        Open open = {(guint32)row, trace->depth[row], walk->subtrees->len};
        if (accepts(walk->hashes, (guint32)row))
            g_array_append_val(walk->open, open);
    }
    close_to(walk, 0);
    return hash_inside(walk, 0, 0);
}

void hiera_subtree_hashes_init(HieraSubtreeHashes *hashes, const HieraTrace *trace, const HieraScope *scope)
{
    guint32 n_sites = hiera_catalog_count_sites(trace->catalog);
    *hashes = (HieraSubtreeHashes){trace, scope, g_new(guint64, (gsize)n_sites + 1),
                                   g_new0(guint64, (gsize)trace->n_operations + 1),
                                   g_new0(guint64, (gsize)trace->n_processors + 1)};
    for (guint32 i = 0; i < n_sites; i++)
        hashes->of_site[i] = hash_site(hiera_catalog_peek_site(trace->catalog, i));
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(Open)),
                      subtrees = g_array_new(FALSE, FALSE, sizeof(HieraSubtree));
    Walk walk = {hashes, open, subtrees};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (hiera_scope_accepts_rank(scope, trace->processors[i].rank))
            hashes->of_processor[i] = hash_processor(&walk, &trace->processors[i]);
    }
}

void hiera_subtree_hashes_clear(HieraSubtreeHashes *hashes)
{
    g_free(hashes->of_site);
    g_free(hashes->of_row);
    g_free(hashes->of_processor);
}

guint32 hiera_subtree_end(const HieraTrace *trace, guint32 processor, guint32 row)
{
    const HieraProcessor *of = &trace->processors[processor];
    guint32 end = row + 1, last = (guint32)(of->first + of->n_operations);
    while (end < last && trace->depth[end] > trace->depth[row] && trace->thread[end] == trace->thread[row])
        end++;
    return end;
}

GArray *hiera_subtrees_inside(const HieraSubtreeHashes *hashes, guint32 processor, guint32 parent, gboolean collapsed)
{
    const HieraTrace *trace = hashes->trace;
    const HieraProcessor *of = &trace->processors[processor];
    GArray *inside = g_array_new(FALSE, FALSE, sizeof(HieraSubtree));
    guint32 row = parent == HIERA_NONE ? (guint32)of->first : parent + 1,
            end = parent == HIERA_NONE ? (guint32)(of->first + of->n_operations)
                                       : hiera_subtree_end(trace, processor, parent);
    HieraInside sibling = HIERA_OUTSIDE;
    for (; row < end; row++) {
        if (trace->thread[row] != 0 || hiera_inside_holds(&sibling, trace->depth[row], 0) || hashes->of_row[row] == 0)
            continue;
        hiera_inside_enter(&sibling, trace->depth[row], 0);
        HieraSubtree subtree = {hashes->of_row[row], row};
        if (collapsed)
            append(inside, 0, subtree);
        else
            g_array_append_val(inside, subtree);
    }
    return inside;
}
