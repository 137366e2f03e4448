/* The block `tree`: call paths, and for each of them the sums of each rank, as in the measure `profile`. */
#include "base/block.h"
#include "base/rank_parts.h"
#include "calls/packed_nodes.h"
#include "calls/sent_bytes.h"
#include "sums.h"
#include "tree_worst.h"

/* Sums of one rank in one node (call path). */
typedef struct {
    gint64 calls, inclusive_ns, exclusive_ns, bytes;
    gint64 waiting_ns[HIERA_N_WAITS]; /* waiting time by class of waiting */
} Sums;

typedef struct {
    const HieraScene *scene;
    HieraCallPaths paths;
    Sums *sums; /* sums of the current rank, by node (call path) */
    HieraTreeWorst *worst;
    const GArray *waits;      /* HieraWait, sorted by row */
    guint at;                 /* index in `waits` of the first wait of an operation that was not visited yet */
    GByteArray *block;        /* bytes of the block `tree` that describe the nodes */
    HieraRankParts *ranks;    /* bytes of each rank, which follow the nodes in the block */
    gint64 first_ns, last_ns; /* begin and end of the current rank's main thread */
    gint64 filtered_ns;       /* time of the main thread in MPI calls that a filter excluded from recording */
    HieraSentBytes *sent;     /* bytes that starts of the rank's persistent requests send */
} Tree;

/* Return the number for a node's call site: 0 the program, 1 further threads, 2 filtered calls, 3 + its position. */
static guint32 place_of(const Tree *tree, guint32 node)
{
    const HieraSite *site = node ? hiera_call_paths_site(&tree->paths, node) : NULL;
    if (site)
        return tree->scene->order.position[site->id] + 3;
    if (node == 0)
        return 0;
    return hiera_call_tree_peek(tree->paths.tree, node)->site == HIERA_CALL_THREADS ? 1 : 2;
}

/* Whether filtered calls are on the page: not if it shows a part of the time, because their times are not known. */
static gboolean has_filtered(const HieraScope *scope, const HieraFilteredOf *of, const HieraTrace *trace)
{
    return scope->from_ns == G_MININT64 && scope->to_ns == G_MAXINT64 &&
           hiera_scope_accepts_rank(scope, trace->processors[of->processor].rank);
}

/* Return the node for filtered calls of a call site, below the node for all filtered calls; made if it is new. */
static guint32 node_of_filtered(Tree *tree, guint32 site)
{
    guint32 all = hiera_call_tree_find(tree->paths.tree, 0, HIERA_CALL_COUNTED);
    return hiera_call_tree_find(tree->paths.tree, all, site);
}

/* Return, by rank, bytes that list the call sites of the rank's filtered calls. */
static HieraRankParts *find_filtered(const HieraScene *scene)
{
    const HieraTrace *trace = scene->trace;
    HieraRankParts *filtered = hiera_rank_parts_new(trace->n_processors);
    for (guint i = 0; i < trace->filtered->len; i++) {
        const HieraFilteredOf *of = &g_array_index(trace->filtered, HieraFilteredOf, i);
        guint32 site = of->sum.site->id;
        if (has_filtered(scene->scope, of, trace) && hiera_scope_is_own(scene->scope, of->processor))
            g_byte_array_append(hiera_rank_parts_of(filtered, of->processor), (const guint8 *)&site, sizeof site);
    }
    return filtered;
}

static void pack_bytes(HieraPacker *to, gpointer user)
{
    const GByteArray *bytes = user;
    hiera_pack_number(to, bytes->len);
    hiera_pack_bytes(to, bytes->data, bytes->len);
}

static void unpack_bytes(HieraUnpacker *from, gpointer user)
{
    GByteArray *bytes = user;
    g_byte_array_set_size(bytes, (guint)hiera_unpack_number(from));
    hiera_unpack_bytes(from, bytes->data, bytes->len);
}

/* Make nodes for the filtered calls of all processes, in each process, so that numbers of nodes agree. */
static void make_filtered_nodes(Tree *tree)
{
    const HieraScene *scene = tree->scene;
    g_autoptr(GPtrArray) filtered = find_filtered(scene);
    g_autoptr(GByteArray) sites = g_byte_array_new();
    hiera_rank_parts_gather(filtered, scene->scope, scene->trace);
    hiera_rank_parts_join(filtered, sites);
    hiera_scope_tell(scene->scope, scene->trace, pack_bytes, unpack_bytes, sites);
    for (guint i = 0; i < sites->len / sizeof(guint32); i++)
        node_of_filtered(tree, ((const guint32 *)(const void *)sites->data)[i]);
}

static void add_nodes(Tree *tree)
{
    const GArray *nodes = tree->paths.tree->nodes;
    hiera_block_add(tree->block, nodes->len);
    for (guint32 node = 0; node < nodes->len; node++) {
        hiera_block_add(tree->block, node ? g_array_index(nodes, HieraCallNode, node).parent : 0);
        hiera_block_add(tree->block, place_of(tree, node));
    }
}

/* Subtract the time of an operation from its caller's exclusive time; outermost operations of the main thread also
 * extend the time of that thread. */
static void add_to_caller(Tree *tree, guint32 row, gint64 duration_ns)
{
    const HieraTrace *trace = tree->scene->trace;
    guint32 parent = trace->parent[row];
    guint32 around = parent == HIERA_NONE ? hiera_call_tree_peek(tree->paths.tree, tree->paths.node[row])->parent
                                          : tree->paths.node[parent];
    Sums *sums = &tree->sums[around];
    if (parent != HIERA_NONE || trace->thread[row] == 0)
        sums->exclusive_ns = hiera_minus(sums->exclusive_ns, duration_ns);
    else
        sums->inclusive_ns = hiera_plus(sums->inclusive_ns, duration_ns);
    if (trace->thread[row] != 0)
        return;
    tree->first_ns = MIN(tree->first_ns, trace->start_ns[row]);
    tree->last_ns = MAX(tree->last_ns, trace->finish_ns[row]);
}

static void count_row(Tree *tree, guint32 row)
{
    const HieraTrace *trace = tree->scene->trace;
    Sums *sums = &tree->sums[tree->paths.node[row]];
    gint64 duration_ns = hiera_scene_finish(tree->scene, row) - hiera_scene_start(tree->scene, row);
    gint64 bytes = hiera_sent_bytes_of_row(&tree->sent, trace, row);
    gint64 all_waiting_ns = 0;
    gboolean counts = hiera_scope_accepts_time(tree->scene->scope, trace->start_ns[row]);
    sums->calls += counts;
    sums->inclusive_ns = hiera_plus(sums->inclusive_ns, duration_ns);
    sums->exclusive_ns = hiera_plus(sums->exclusive_ns, duration_ns);
    sums->bytes = hiera_plus(sums->bytes, counts ? bytes : 0);
    for (; tree->at < tree->waits->len && g_array_index(tree->waits, HieraWait, tree->at).row <= row; tree->at++) {
        const HieraWait *wait = &g_array_index(tree->waits, HieraWait, tree->at);
        gint64 waiting_ns = hiera_scope_clip(tree->scene->scope, wait->begin_ns, wait->end_ns);
        if (wait->row != row)
            continue;
        sums->waiting_ns[wait->class] = hiera_plus(sums->waiting_ns[wait->class], waiting_ns);
        hiera_tree_worst_wait(tree->worst, row, wait->class, waiting_ns);
        all_waiting_ns = hiera_plus(all_waiting_ns, waiting_ns);
    }
    hiera_tree_worst_add(tree->worst, row, all_waiting_ns);
    add_to_caller(tree, row, duration_ns);
}

/* Add the filtered calls of a rank to nodes of their own, because the calls' callers are not known. */
static void count_filtered(Tree *tree, guint32 processor)
{
    const HieraTrace *trace = tree->scene->trace;
    for (guint i = 0; i < trace->filtered->len; i++) {
        const HieraFilteredOf *of = &g_array_index(trace->filtered, HieraFilteredOf, i);
        if (of->processor != processor || !has_filtered(tree->scene->scope, of, trace))
            continue;
        guint32 node = node_of_filtered(tree, of->sum.site->id);
        Sums *sums = &tree->sums[node], *all = &tree->sums[hiera_call_tree_peek(tree->paths.tree, node)->parent];
        sums->calls = hiera_plus(sums->calls, of->sum.count);
        sums->inclusive_ns = hiera_plus(sums->inclusive_ns, of->sum.time_ns);
        sums->exclusive_ns = hiera_plus(sums->exclusive_ns, of->sum.time_ns);
        sums->bytes = hiera_plus(sums->bytes, hiera_site_gives(of->sum.site) ? MAX(0, of->sum.bytes) : 0);
        all->inclusive_ns = hiera_plus(all->inclusive_ns, of->sum.time_ns);
        if (of->sum.site->mpi && of->sum.thread == 0)
            tree->filtered_ns = hiera_plus(tree->filtered_ns, of->sum.time_ns);
    }
}

/* Append the number of classes of waiting that are not 0, then each of these classes with its time. */
static void add_classes(GByteArray *block, const Sums *sums)
{
    guint n = 0;
    for (guint i = 0; i < HIERA_N_WAITS; i++)
        n += sums->waiting_ns[i] > 0;
    hiera_block_add(block, n);
    for (guint i = 0; i < HIERA_N_WAITS; i++) {
        if (sums->waiting_ns[i] == 0)
            continue;
        hiera_block_add(block, i);
        hiera_block_add(block, sums->waiting_ns[i]);
    }
}

/* Whether a rank has sums in a node. An operation that only overlaps the shown part of the run counts as time, but not
 * as a call. */
static gboolean is_used(const Sums *sums)
{
    return sums->calls > 0 || sums->inclusive_ns > 0;
}

static void add_sums(const Tree *tree, GByteArray *block)
{
    guint32 n = 0, last = 0, n_nodes = tree->paths.tree->nodes->len;
    for (guint32 node = 0; node < n_nodes; node++)
        n += is_used(&tree->sums[node]);
    hiera_block_add(block, tree->filtered_ns);
    hiera_block_add(block, n);
    for (guint32 node = 0; node < n_nodes; node++) {
        const Sums *sums = &tree->sums[node];
        if (!is_used(sums))
            continue;
        hiera_block_add(block, node - last);
        hiera_block_add(block, sums->calls);
        hiera_block_add(block, sums->inclusive_ns);
        hiera_block_add(block, sums->exclusive_ns);
        hiera_block_add(block, sums->bytes);
        add_classes(block, sums);
        last = node;
    }
}

/* Add the program itself, which each rank calls once. It runs from the first operation or init, whichever is earlier (a
 * framework may have called MPI_Init), to the last operation or finalize. */
static void count_processor(Tree *tree, guint32 number)
{
    const HieraProcessor *processor = &tree->scene->trace->processors[number];
    gsize n_nodes = tree->paths.tree->nodes->len;
    for (gsize node = 0; node < n_nodes; node++)
        tree->sums[node] = (Sums){0};
    tree->first_ns = processor->init_ns;
    tree->last_ns = processor->finalize_ns;
    tree->filtered_ns = 0;
    for (guint64 row = processor->first; row < processor->first + processor->n_operations; row++)
        if (hiera_scene_has(tree->scene, (guint32)row))
            count_row(tree, (guint32)row);
    hiera_sent_bytes_clear(&tree->sent);
    gint64 run_ns = hiera_scope_clip(tree->scene->scope, tree->first_ns, tree->last_ns);
    tree->sums[0].calls = 1;
    tree->sums[0].inclusive_ns = run_ns;
    tree->sums[0].exclusive_ns = hiera_plus(tree->sums[0].exclusive_ns, run_ns);
    count_filtered(tree, number);
    add_sums(tree, hiera_rank_parts_of(tree->ranks, number));
}

static void count_processors(Tree *tree)
{
    const HieraScene *scene = tree->scene;
    tree->sums = g_new(Sums, tree->paths.tree->nodes->len);
    for (guint32 i = 0; i < scene->trace->n_processors; i++) {
        if (hiera_scope_accepts_rank(scene->scope, scene->trace->processors[i].rank) &&
            hiera_scope_is_own(scene->scope, i))
            count_processor(tree, i);
    }
    hiera_tree_worst_end(tree->worst);
    g_free(tree->sums);
}

HieraTree *hiera_tree_make(const HieraScene *scene, const GArray *waits)
{
    Tree tree = {.scene = scene, .waits = waits, .block = g_byte_array_new()};
    HieraScope all = HIERA_SCOPE_ALL;
    all.share.own = scene->scope->share.own;
    g_autoptr(GPtrArray) ranks = tree.ranks = hiera_rank_parts_new(scene->trace->n_processors);
    hiera_call_paths_init_together(&tree.paths, scene->trace, &all);
    make_filtered_nodes(&tree);
    HieraTree *made = g_new(HieraTree, 1);
    *made = (HieraTree){tree.block, tree.paths.tree->nodes->len, NULL};
    made->worst = tree.worst = hiera_tree_worst_new(scene, tree.paths.node, made->n_nodes);
    add_nodes(&tree);
    count_processors(&tree);
    hiera_rank_parts_gather(ranks, scene->scope, scene->trace);
    hiera_rank_parts_join(ranks, tree.block);
    hiera_tree_worst_gather(made->worst);
    hiera_call_paths_clear(&tree.paths);
    return made;
}

void hiera_tree_free(HieraTree *tree)
{
    if (!tree)
        return;
    g_byte_array_unref(tree->block);
    hiera_tree_worst_free(tree->worst);
    g_free(tree);
}

void hiera_tree_write(const HieraTree *tree, HieraWorst *known, FILE *stream)
{
    g_autoptr(GByteArray) block = g_byte_array_new();
    g_byte_array_append(block, tree->block->data, tree->block->len);
    for (guint32 node = 0; node < tree->n_nodes; node++)
        hiera_tree_worst_write(tree->worst, node, known, block);
    hiera_block_write(block->data, block->len, stream, "tree");
}
