/* The block `tree`: call paths, and for each rank the sums of those that it has. */
#include "block.h"
#include "calls/call_paths.h"
#include "sums.h"

/* Sums of one rank in one node. */
typedef struct {
    gint64 calls, inclusive_ns, exclusive_ns, bytes;
    gint64 waiting_ns[HIERA_N_WAITS]; /* by class */
} Sums;

typedef struct {
    const HieraScene *scene;
    HieraCallPaths paths;
    Sums *sums;       /* by node, of the current rank */
    guint32 *longest; /* by node: the row that takes longest on any rank; HIERA_NONE if there is none */
    const GArray *waits; /* HieraWait, by row */
    guint at;            /* the first of them whose row is still to come */
    GByteArray *block;
} Tree;

/* A node's place: 0 is the program, 1 all further threads, 2 + n the n-th site. */
static guint32 place_of(const Tree *tree, guint32 node)
{
    const HieraSite *site = node ? hiera_call_paths_site(&tree->paths, node) : NULL;
    return site ? tree->scene->order.position[site->id] + 2 : node ? 1 : 0;
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

static void count_row(Tree *tree, guint32 row)
{
    const HieraTrace *trace = tree->scene->trace;
    guint32 parent = trace->parent[row];
    Sums *sums = &tree->sums[tree->paths.node[row]];
    gint64 duration_ns = hiera_scene_finish(tree->scene, row) - hiera_scene_start(tree->scene, row);
    sums->calls += hiera_scope_accepts_time(tree->scene->scope, trace->start_ns[row]);
    guint32 *longest = &tree->longest[tree->paths.node[row]];
    if (*longest == HIERA_NONE || duration_ns > hiera_scene_finish(tree->scene, *longest) - hiera_scene_start(tree->scene, *longest))
        *longest = row;
    sums->inclusive_ns = hiera_plus(sums->inclusive_ns, duration_ns);
    sums->exclusive_ns = hiera_plus(sums->exclusive_ns, duration_ns);
    sums->bytes = hiera_plus(sums->bytes, MAX(0, trace->bytes[row]));
    for (; tree->at < tree->waits->len && g_array_index(tree->waits, HieraWait, tree->at).row <= row; tree->at++) {
        const HieraWait *wait = &g_array_index(tree->waits, HieraWait, tree->at);
        gint64 waiting_ns = hiera_scope_clip(tree->scene->scope, wait->begin_ns, wait->end_ns);
        if (wait->row == row)
            sums->waiting_ns[wait->class] = hiera_plus(sums->waiting_ns[wait->class], waiting_ns);
    }
    Sums *around = parent != HIERA_NONE         ? &tree->sums[tree->paths.node[parent]]
                   : trace->thread[row] == 0 ? &tree->sums[0]
                                             : NULL;
    if (around)
        around->exclusive_ns = hiera_minus(around->exclusive_ns, duration_ns);
}

/* Append how many classes of waiting there are, and each with its time. */
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

static void add_sums(Tree *tree)
{
    guint32 n = 0, last = 0, n_nodes = tree->paths.tree->nodes->len;
    for (guint32 node = 0; node < n_nodes; node++)
        n += tree->sums[node].calls > 0;
    hiera_block_add(tree->block, n);
    for (guint32 node = 0; node < n_nodes; node++) {
        const Sums *sums = &tree->sums[node];
        if (sums->calls == 0)
            continue;
        hiera_block_add(tree->block, node - last);
        hiera_block_add(tree->block, sums->calls);
        hiera_block_add(tree->block, sums->inclusive_ns);
        hiera_block_add(tree->block, sums->exclusive_ns);
        hiera_block_add(tree->block, sums->bytes);
        add_classes(tree->block, sums);
        last = node;
    }
}

/* The program itself is called once by each rank, from init to finalize. */
static void count_processor(Tree *tree, const HieraProcessor *processor)
{
    gsize n_nodes = tree->paths.tree->nodes->len;
    for (gsize node = 0; node < n_nodes; node++)
        tree->sums[node] = (Sums){0};
    gint64 run_ns = hiera_scope_clip(tree->scene->scope, processor->init_ns, processor->finalize_ns);
    tree->sums[0] = (Sums){.calls = 1, .inclusive_ns = run_ns, .exclusive_ns = run_ns};
    for (guint64 row = processor->first; row < processor->first + processor->n_operations; row++)
        if (hiera_scene_has(tree->scene, (guint32)row))
            count_row(tree, (guint32)row);
    add_sums(tree);
}

/* Where the timeline has the longest instance of each node. */
static void add_longest(const Tree *tree)
{
    guint32 n_nodes = tree->paths.tree->nodes->len;
    for (guint32 node = 0; node < n_nodes; node++) {
        guint32 row = tree->longest[node];
        hiera_block_add(tree->block, row != HIERA_NONE);
        if (row == HIERA_NONE)
            continue;
        gint64 begin_ns = hiera_scene_start(tree->scene, row);
        hiera_block_add(tree->block, hiera_scene_lane(tree->scene, row));
        hiera_block_add(tree->block, tree->scene->trace->depth[row]);
        hiera_block_add(tree->block, begin_ns);
        hiera_block_add(tree->block, hiera_scene_finish(tree->scene, row) - begin_ns);
    }
}

void hiera_tree_write(const HieraScene *scene, const GArray *waits, FILE *stream)
{
    g_autoptr(GByteArray) block = g_byte_array_new();
    Tree tree = {.scene = scene, .waits = waits, .block = block};
    hiera_call_paths_init(&tree.paths, scene->trace, &HIERA_SCOPE_ALL);
    tree.sums = g_new(Sums, tree.paths.tree->nodes->len);
    tree.longest = g_new(guint32, tree.paths.tree->nodes->len);
    for (guint32 node = 0; node < tree.paths.tree->nodes->len; node++)
        tree.longest[node] = HIERA_NONE;
    add_nodes(&tree);
    for (guint32 i = 0; i < scene->trace->n_processors; i++)
        if (hiera_scope_accepts_rank(scene->scope, scene->trace->processors[i].rank))
            count_processor(&tree, &scene->trace->processors[i]);
    add_longest(&tree);
    hiera_block_write(block->data, block->len, stream, "tree");
    g_free(tree.sums);
    g_free(tree.longest);
    hiera_call_paths_clear(&tree.paths);
}
