/* What an operation has of its own is known when the next one at its depth or above begins, so those that are still
 * open are a stack. */
#include "tree_worst.h"
#include "block.h"

enum { KNOWN_NODES = 5000 }; /* operations of so many paths are known in full */

/* An operation that may have more callees. */
typedef struct {
    guint32 row;
    gint64 own_ns;
} Open;

struct HieraTreeWorst {
    const HieraScene *scene;
    const guint32 *node;
    guint n_nodes;
    HieraInstance *most; /* HIERA_N_MOST of each node; value 0: none */
    GArray *open;        /* Open, by depth */
};

HieraTreeWorst *hiera_tree_worst_new(const HieraScene *scene, const guint32 *node, guint n_nodes)
{
    HieraTreeWorst *worst = g_new(HieraTreeWorst, 1);
    *worst = (HieraTreeWorst){scene, node, n_nodes, g_new0(HieraInstance, (gsize)n_nodes * HIERA_N_MOST),
                              g_array_new(FALSE, FALSE, sizeof(Open))};
    return worst;
}

void hiera_tree_worst_free(HieraTreeWorst *worst)
{
    if (!worst)
        return;
    g_free(worst->most);
    g_array_unref(worst->open);
    g_free(worst);
}

/* Of operations that have equally much, the first is kept. */
static void offer(HieraTreeWorst *worst, guint32 row, guint most, gint64 value)
{
    HieraInstance *instance = &worst->most[(gsize)worst->node[row] * HIERA_N_MOST + most];
    if (value > instance->value)
        *instance = (HieraInstance){row, value};
}

/* End operations until so many are open. */
static void end_open(HieraTreeWorst *worst, guint n)
{
    for (guint i = worst->open->len; i > n; i--) {
        const Open *open = &g_array_index(worst->open, Open, i - 1);
        offer(worst, open->row, HIERA_MOST_OWN_TIME, open->own_ns);
        offer(worst, open->row, HIERA_MOST_TRANSFER, hiera_minus(open->own_ns, worst->scene->waiting[open->row]));
    }
    g_array_set_size(worst->open, MIN(n, worst->open->len));
}

/* Whether an open operation is the one around a row, or around that. */
static gboolean is_around(const HieraTrace *trace, guint32 open, guint32 row)
{
    while (row != HIERA_NONE && row > open)
        row = trace->parent[row];
    return row == open;
}

void hiera_tree_worst_add(HieraTreeWorst *worst, guint32 row)
{
    const HieraTrace *trace = worst->scene->trace;
    GArray *open = worst->open;
    gint64 duration_ns = hiera_scene_finish(worst->scene, row) - hiera_scene_start(worst->scene, row);
    while (open->len > 0 && !is_around(trace, g_array_index(open, Open, open->len - 1).row, row))
        end_open(worst, open->len - 1);
    if (open->len > 0)
        g_array_index(open, Open, open->len - 1).own_ns -= duration_ns;
    const Open now = {row, duration_ns};
    g_array_append_val(open, now);
    offer(worst, row, HIERA_MOST_TIME, MAX(1, duration_ns));
    offer(worst, row, HIERA_MOST_WAITING, worst->scene->waiting[row]);
    if (hiera_trace_peek_site(trace, row)->mpi && hiera_scope_accepts_time(worst->scene->scope, trace->start_ns[row]))
        offer(worst, row, HIERA_MOST_BYTES, trace->bytes[row]);
}

void hiera_tree_worst_wait(HieraTreeWorst *worst, guint32 row, HieraWaitClass class, gint64 waiting_ns)
{
    offer(worst, row, HIERA_MOST_OF_CLASS + class, waiting_ns);
}

void hiera_tree_worst_end(HieraTreeWorst *worst)
{
    end_open(worst, 0);
}

/* --- of all processes --- */

typedef struct {
    const HieraTreeWorst *own;
    HieraInstance *all;
} Gathering;

static void tell_most(HieraPacker *to, gpointer user)
{
    const HieraTreeWorst *worst = ((const Gathering *)user)->own;
    for (guint32 i = 0; i < worst->n_nodes * HIERA_N_MOST; i++) {
        if (worst->most[i].value <= 0)
            continue;
        hiera_pack_number(to, i);
        hiera_pack_number(to, hiera_scope_row_of_all(worst->scene->scope, worst->scene->trace, worst->most[i].row));
        hiera_pack_number(to, worst->most[i].value);
    }
    hiera_pack_number(to, HIERA_NONE);
}

/* Of those that have equally much, the first is kept. */
static void hear_most(HieraUnpacker *from, gpointer user)
{
    HieraInstance *all = ((const Gathering *)user)->all;
    for (gint64 i = hiera_unpack_number(from); i != HIERA_NONE; i = hiera_unpack_number(from)) {
        guint32 row = (guint32)hiera_unpack_number(from);
        const HieraInstance theirs = {row, hiera_unpack_number(from)};
        if (theirs.value > all[i].value || (theirs.value == all[i].value && theirs.row < all[i].row))
            all[i] = theirs;
    }
}

void hiera_tree_worst_gather(HieraTreeWorst *worst)
{
    const HieraScene *scene = worst->scene;
    if (!scene->scope->own)
        return;
    HieraInstance *all = g_new0(HieraInstance, (gsize)worst->n_nodes * HIERA_N_MOST);
    Gathering gathering = {worst, all};
    hiera_scope_gather(scene->scope, scene->trace, tell_most, hear_most, &gathering);
    g_free(worst->most);
    worst->most = all;
}

static gboolean is_first_of_row(const HieraInstance *most, guint at)
{
    for (guint i = 0; i < at; i++) {
        if (most[i].value > 0 && most[i].row == most[at].row)
            return FALSE;
    }
    return most[at].value > 0;
}

/* Append where an operation stands, and all of which it has most. */
static void add_row(GByteArray *block, const HieraScene *scene, const HieraInstance *most, guint32 row)
{
    guint n = 0;
    gint64 begin_ns = hiera_scene_start(scene, row);
    hiera_block_add(block, row);
    hiera_block_add(block, hiera_scene_lane(scene, row));
    hiera_block_add(block, scene->trace->depth[row]);
    hiera_block_add(block, begin_ns);
    hiera_block_add(block, hiera_scene_finish(scene, row) - begin_ns);
    for (guint i = 0; i < HIERA_N_MOST; i++)
        n += most[i].value > 0 && most[i].row == row;
    hiera_block_add(block, n);
    for (guint i = 0; i < HIERA_N_MOST; i++) {
        if (most[i].value <= 0 || most[i].row != row)
            continue;
        hiera_block_add(block, i);
        hiera_block_add(block, most[i].value);
    }
}

void hiera_tree_worst_write(const HieraTreeWorst *worst, const HieraScene *scene, guint32 node, HieraWorst *known,
                            GByteArray *block)
{
    const HieraInstance *most = &worst->most[(gsize)node * HIERA_N_MOST];
    guint n = 0;
    for (guint i = 0; i < HIERA_N_MOST; i++)
        n += is_first_of_row(most, i);
    hiera_block_add(block, n);
    for (guint i = 0; i < HIERA_N_MOST; i++) {
        if (!is_first_of_row(most, i))
            continue;
        add_row(block, scene, most, most[i].row);
        if (node < KNOWN_NODES)
            hiera_worst_know(known, scene, most[i].row);
    }
}
