/* See tree_worst.h. The exclusive time of an operation is known when the next one at its depth or above begins, so open
 * operations are kept on a stack. */
#include "tree_worst.h"
#include "base/block.h"
#include "base/together.h"

enum { KNOWN_NODES = 5000 }; /* number of call paths whose worst operations get full details on the page */

/* Entry of the stack of open operations. own_ns: the operation's time without the callees that were read so far. */
typedef struct {
    guint32 row;
    gint64 own_ns, waiting_ns;
} Open;

/* The operation with the greatest value of one metric in one node (call path). */
typedef struct {
    gint64 at; /* index in HieraTreeWorst.all: node × HIERA_N_MOST + metric */
    gint64 value, row, lane, depth, begin_ns, duration_ns;
} Most;

struct HieraTreeWorst {
    const HieraScene *scene;
    const guint32 *node;
    guint n_nodes;
    HieraWorstInstance *most; /* this process's worst ones, at node × HIERA_N_MOST + metric; value 0: none */
    GArray *open;             /* stack of Open */
    GArray *gathered;         /* Most: the worst operations of all processes */
    const Most **all;         /* overall worst ones, at node × HIERA_N_MOST + metric; NULL: none */
};

HieraTreeWorst *hiera_tree_worst_new(const HieraScene *scene, const guint32 *node, guint n_nodes)
{
    HieraTreeWorst *worst = g_new(HieraTreeWorst, 1);
    *worst = (HieraTreeWorst){scene,
                              node,
                              n_nodes,
                              g_new0(HieraWorstInstance, (gsize)n_nodes * HIERA_N_MOST),
                              g_array_new(FALSE, FALSE, sizeof(Open)),
                              g_array_new(FALSE, FALSE, sizeof(Most)),
                              NULL};
    return worst;
}

void hiera_tree_worst_free(HieraTreeWorst *worst)
{
    if (!worst)
        return;
    g_free(worst->most);
    g_array_unref(worst->open);
    g_array_unref(worst->gathered);
    g_free(worst->all);
    g_free(worst);
}

/* Keep an operation as the worst of its node in metric `most` if its value is greater than the present one's. */
static void offer(HieraTreeWorst *worst, guint32 row, guint most, gint64 value)
{
    HieraWorstInstance *instance = &worst->most[(gsize)worst->node[row] * HIERA_N_MOST + most];
    if (value > instance->value)
        *instance = (HieraWorstInstance){row, 0, value};
}

/* Pop open operations until n are left; their time without callees is then known. */
static void end_open(HieraTreeWorst *worst, guint n)
{
    for (guint i = worst->open->len; i > n; i--) {
        const Open *open = &g_array_index(worst->open, Open, i - 1);
        offer(worst, open->row, HIERA_MOST_OWN_TIME, open->own_ns);
        offer(worst, open->row, HIERA_MOST_TRANSFER, hiera_minus(open->own_ns, open->waiting_ns));
    }
    g_array_set_size(worst->open, MIN(n, worst->open->len));
}

/* Whether the operation `open` is a direct or indirect caller of `row`, or `row` itself. */
static gboolean is_around(const HieraTrace *trace, guint32 open, guint32 row)
{
    while (row != HIERA_NONE && row > open)
        row = trace->parent[row];
    return row == open;
}

void hiera_tree_worst_add(HieraTreeWorst *worst, guint32 row, gint64 waiting_ns)
{
    const HieraTrace *trace = worst->scene->trace;
    GArray *open = worst->open;
    gint64 duration_ns = hiera_scene_finish(worst->scene, row) - hiera_scene_start(worst->scene, row);
    while (open->len > 0 && !is_around(trace, g_array_index(open, Open, open->len - 1).row, row))
        end_open(worst, open->len - 1);
    if (open->len > 0)
        g_array_index(open, Open, open->len - 1).own_ns -= duration_ns;
    const Open now = {row, duration_ns, waiting_ns};
    g_array_append_val(open, now);
    offer(worst, row, HIERA_MOST_TIME, MAX(1, duration_ns));
    offer(worst, row, HIERA_MOST_WAITING, waiting_ns);
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

/* --- worst operations of several processes --- */

static void describe(HieraTreeWorst *worst)
{
    const HieraScene *scene = worst->scene;
    for (gsize i = 0; i < (gsize)worst->n_nodes * HIERA_N_MOST; i++) {
        guint32 row = worst->most[i].row;
        if (worst->most[i].value <= 0)
            continue;
        gint64 begin_ns = hiera_scene_start(scene, row);
        const Most most = {(gint64)i,
                           worst->most[i].value,
                           hiera_scene_number(scene, row),
                           hiera_scene_lane(scene, row),
                           scene->trace->depth[row],
                           begin_ns,
                           hiera_scene_finish(scene, row) - begin_ns};
        g_array_append_val(worst->gathered, most);
    }
}

void hiera_tree_worst_gather(HieraTreeWorst *worst)
{
    describe(worst);
    g_clear_pointer(&worst->most, g_free);
    hiera_scope_gather_array(worst->scene->scope, worst->scene->trace, worst->gathered);
    worst->all = g_new0(const Most *, (gsize)worst->n_nodes *HIERA_N_MOST);
    for (guint i = 0; i < worst->gathered->len; i++) {
        const Most *most = &g_array_index(worst->gathered, Most, i), **best = &worst->all[most->at];
        /* Of equal values the smaller row wins, as in one process. */
        if (!*best || most->value > (*best)->value || (most->value == (*best)->value && most->row < (*best)->row))
            *best = most;
    }
}

static gboolean is_first_of_row(const Most *const *most, guint at)
{
    for (guint i = 0; i < at; i++) {
        if (most[i] && most[at] && most[i]->row == most[at]->row)
            return FALSE;
    }
    return most[at] != NULL;
}

/* Append where an operation is in the timeline, and the metrics in which it is the worst, with their values. */
static void add_row(GByteArray *block, const Most *const *all, const Most *of)
{
    guint n = 0;
    hiera_block_add(block, of->row);
    hiera_block_add(block, of->lane);
    hiera_block_add(block, of->depth);
    hiera_block_add(block, of->begin_ns);
    hiera_block_add(block, of->duration_ns);
    for (guint i = 0; i < HIERA_N_MOST; i++)
        n += all[i] && all[i]->row == of->row;
    hiera_block_add(block, n);
    for (guint i = 0; i < HIERA_N_MOST; i++) {
        if (!all[i] || all[i]->row != of->row)
            continue;
        hiera_block_add(block, i);
        hiera_block_add(block, all[i]->value);
    }
}

void hiera_tree_worst_write(const HieraTreeWorst *worst, guint32 node, HieraWorst *known, GByteArray *block)
{
    const Most *const *most = &worst->all[(gsize)node * HIERA_N_MOST];
    guint n = 0;
    for (guint i = 0; i < HIERA_N_MOST; i++)
        n += is_first_of_row(most, i);
    hiera_block_add(block, n);
    for (guint i = 0; i < HIERA_N_MOST; i++) {
        if (!is_first_of_row(most, i))
            continue;
        add_row(block, most, most[i]);
        if (node < KNOWN_NODES)
            hiera_worst_want(known, (guint32)most[i]->row);
    }
}
