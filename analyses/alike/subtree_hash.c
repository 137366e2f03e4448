/* Hashes of subtrees; see subtree_hash.h. One pass over the rows of a processor with two stacks: the operations that
 * have not ended, and the subtrees inside them. */
#include "subtree_hash.h"
#include "values/outermost.h"
#include <string.h>

enum { REPEAT_MAX = 32 }; /* longest sequence of operations that is recognised as a repeat */

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

/* --- repeats among sibling operations --- */

/* Stack of subtrees. It grows in large steps, because most operations are pushed and popped one by one. */
typedef struct {
    HieraSubtree *all;
    guint n, room;
} Stack;

static gboolean is_repeat(const HieraSubtree *last, guint length)
{
    for (guint i = 0; i < length; i++) {
        if (last[-(gint)i].hash != last[-(gint)(i + length)].hash)
            return FALSE;
    }
    return TRUE;
}

static void push(Stack *stack, HieraSubtree subtree)
{
    if (stack->n == stack->room) {
        stack->room = MAX(2 * stack->room, 64);
        stack->all = g_renew(HieraSubtree, stack->all, stack->room);
    }
    stack->all[stack->n++] = subtree;
}

/* Push an operation behind its siblings from `first` on; if it completes a repeat of those, pop the repeat. */
static void append(Stack *stack, guint first, HieraSubtree subtree)
{
    push(stack, subtree);
    const HieraSubtree *last = stack->all + stack->n - 1;
    guint most = MIN(REPEAT_MAX, (stack->n - first) / 2);
    for (guint length = 1; length <= most; length++) {
        if (last->hash == last[-(gint)length].hash && is_repeat(last, length)) {
            stack->n -= length;
            return;
        }
    }
}

/* --- hashes of operations --- */

/* Entry of the stack of operations that have not ended; the subtrees inside it begin at `first` of `subtrees`. */
typedef struct {
    guint32 row, depth;
    guint first;
} Open;

typedef struct {
    HieraSubtreeHashes *hashes;
    GArray *open; /* stack of Open */
    guint n_open;
    Stack subtrees;
} Walk;

static gboolean accepts(const HieraSubtreeHashes *hashes, guint32 row)
{
    const HieraTrace *trace = hashes->trace;
    return trace->thread[row] == 0 && hiera_scope_accepts_row(hashes->scope, trace, row) &&
           hiera_scope_accepts_time(hashes->scope, trace->start_ns[row]);
}

/* Return `hash` extended by the subtrees from `first` on, which are popped. */
static guint64 hash_inside(Walk *walk, guint first, guint64 hash)
{
    for (guint i = first; i < walk->subtrees.n; i++)
        hash = hiera_subtree_hash_add(hash, walk->subtrees.all[i].hash);
    walk->subtrees.n = first;
    hash = hiera_subtree_hash_add(hash, 2);
    return hash != 0 ? hash : 1;
}

static Open *peek_open(const Walk *walk, guint number)
{
    return &g_array_index(walk->open, Open, number);
}

static void open_row(Walk *walk, guint32 row)
{
    Open open = {row, walk->hashes->trace->depth[row], walk->subtrees.n};
    if (walk->n_open == walk->open->len)
        g_array_set_size(walk->open, MAX(2 * walk->n_open, 16));
    *peek_open(walk, walk->n_open++) = open;
}

static void close_to(Walk *walk, guint32 depth)
{
    HieraSubtreeHashes *hashes = walk->hashes;
    while (walk->n_open > 0 && peek_open(walk, walk->n_open - 1)->depth >= depth) {
        Open open = *peek_open(walk, --walk->n_open);
        guint64 hash = hash_inside(walk, open.first, hashes->of_site[hashes->trace->site[open.row]]);
        guint around = walk->n_open > 0 ? peek_open(walk, walk->n_open - 1)->first : 0;
        hashes->of_row[open.row] = hash;
        append(&walk->subtrees, around, (HieraSubtree){hash, open.row});
    }
}

static guint64 hash_processor(Walk *walk, const HieraProcessor *processor)
{
    const HieraTrace *trace = walk->hashes->trace;
    for (guint64 row = processor->first; row < processor->first + processor->n_operations; row++) {
        if (trace->thread[row] != 0)
            continue;
        close_to(walk, trace->depth[row]);
        if (accepts(walk->hashes, (guint32)row))
            open_row(walk, (guint32)row);
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
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(Open));
    Walk walk = {.hashes = hashes, .open = open};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (hiera_scope_accepts_rank(scope, trace->processors[i].rank) && hiera_scope_is_own(scope, i))
            hashes->of_processor[i] = hash_processor(&walk, &trace->processors[i]);
    }
    g_free(walk.subtrees.all);
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
    Stack inside = {0};
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
            append(&inside, 0, subtree);
        else
            push(&inside, subtree);
    }
    GArray *found = g_array_sized_new(FALSE, FALSE, sizeof(HieraSubtree), inside.n);
    if (inside.n > 0)
        g_array_append_vals(found, inside.all, inside.n);
    g_free(inside.all);
    return found;
}
