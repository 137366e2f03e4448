/* The walks of the paper's figures 3 and 4: vertices, numbered from 1, in the order of the visit. The
 * vertex of a processor is followed by those of its operations in document order, so the walk by
 * operations needs no graph to number them. */
#include "measures.h"

static const HieraColumn columns[] = {{"vertex", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}};

/* --- walks by operations --- */

enum { BITS = 64 };

/* State of the walk over the operations of one processor. */
typedef struct {
    const HieraScope *scope;
    GArray *visited; /* bit by HieraOperation.index, in guint64: 1 if the operation is in the walk */
} Visits;

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    (void)processor;
    Visits *visits = g_new(Visits, 1);
    *visits = (Visits){scope, g_array_new(FALSE, TRUE, sizeof(guint64))};
    return visits;
}

static void operation(gpointer state, const HieraOperation *operation)
{
    const Visits *visits = state;
    guint word = (guint)(operation->index / BITS);
    if (word >= visits->visited->len)
        g_array_set_size(visits->visited, word + 1);
    g_array_index(visits->visited, guint64, word) |= G_GUINT64_CONSTANT(1) << operation->index % BITS;
}

static void add_operations(const GArray *visited, gint64 first, HieraTable *table)
{
    for (guint64 i = 0; i < (guint64)visited->len * BITS; i++) {
        if (g_array_index(visited, guint64, i / BITS) >> i % BITS & 1)
            hiera_table_add(table, &(HieraCell){.number = first + (gint64)i});
    }
}

static void end(gpointer state, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog;
    Visits *visits = state;
    guint64 before = visits->scope->share.first ? visits->scope->share.first[processor->number] : processor->first;
    gint64 vertex = (gint64)(before + processor->number) + 1;
    if (table) {
        hiera_table_add(table, &(HieraCell){.number = vertex});
        add_operations(visits->visited, vertex + 1, table);
    }
    g_array_unref(visits->visited);
    g_free(visits);
}

static void pack(gpointer state, const HieraProcessor *processor, HieraPacker *to)
{
    (void)processor;
    hiera_pack_array(to, ((const Visits *)state)->visited);
}

static gpointer unpack(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    Visits *visits = begin(scope, processor);
    hiera_unpack_array(from, visits->visited);
    return visits;
}

/* --- walks by partners --- */

static gboolean add_vertex(igraph_integer_t vertex, gpointer table)
{
    hiera_table_add(table, &(HieraCell){.number = vertex + 1});
    return TRUE;
}

static gboolean run_partners(const HieraGraph *graph, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    hiera_walk_partners(graph, scope, add_vertex, table);
    return TRUE;
}

/* With several processes, each walks over its own processors, without a graph. */

typedef struct {
    const HieraScope *scope;
    const HieraTrace *trace;
    GPtrArray *walks; /* by processor: GArray of guint64, vertex numbers as in a single process; NULL for processors of
                         other processes */
} Walks;

static guint64 number_of(const Walks *walks, guint32 processor, guint32 row)
{
    const HieraProcessor *of = &walks->trace->processors[processor];
    guint64 first = (guint64)walks->scope->share.first[processor] + processor + 1;
    if (row == HIERA_NONE)
        return first;
    gboolean own = hiera_scope_is_own(walks->scope, processor);
    return first + 1 + (own ? row - (guint32)of->first : hiera_scope_number(walks->scope, walks->trace, row));
}

typedef struct {
    const Walks *walks;
    GArray *walk; /* vertices of the current processor's walk; element of `walks` */
} Step;

static gboolean add_step(guint32 processor, guint32 row, gpointer user)
{
    Step *step = user;
    const guint64 number = number_of(step->walks, processor, row);
    if (row == HIERA_NONE)
        step->walk = step->walks->walks->pdata[processor] = g_array_new(FALSE, FALSE, sizeof number);
    g_array_append_val(step->walk, number);
    return TRUE;
}

static void pack_walks(HieraPacker *to, gpointer user)
{
    const Walks *walks = user;
    for (guint32 i = 0; i < walks->trace->n_processors; i++) {
        if (walks->walks->pdata[i])
            hiera_pack_number(to, i);
        if (walks->walks->pdata[i])
            hiera_pack_array(to, walks->walks->pdata[i]);
    }
    hiera_pack_number(to, -1);
}

static void unpack_walks(HieraUnpacker *from, gpointer user)
{
    const Walks *walks = user;
    for (gint64 i = hiera_unpack_number(from); i >= 0; i = hiera_unpack_number(from)) {
        walks->walks->pdata[i] = g_array_new(FALSE, FALSE, sizeof(guint64));
        hiera_unpack_array(from, walks->walks->pdata[i]);
    }
}

static void add_walk(const GArray *walk, HieraTable *table)
{
    for (guint i = 0; walk && i < walk->len; i++)
        hiera_table_add(table, &(HieraCell){.number = (gint64)g_array_index(walk, guint64, i)});
}

static void free_walk(gpointer walk)
{
    if (walk)
        g_array_unref(walk);
}

static gboolean find_partners(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    Walks walks = {scope, trace, g_ptr_array_new_with_free_func(free_walk)};
    Step step = {&walks, NULL};
    g_ptr_array_set_size(walks.walks, (gint)trace->n_processors);
    hiera_walk_match(match, scope, add_step, &step);
    hiera_scope_gather_others(scope, trace, pack_walks, unpack_walks, &walks);
    for (guint32 i = 0; hiera_scope_leads(scope) && i < trace->n_processors; i++)
        add_walk(walks.walks->pdata[i], table);
    g_ptr_array_unref(walks.walks);
    return TRUE;
}

const HieraMeasure hiera_measure_walk_operations = {
    .name = "walk-operations",
    .help = "vertices of the graph: each processor and its operations",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_VERTICES,
    .rank = &(const HieraRankOps){.read = {.begin = begin, .operation = operation, .pack = pack, .unpack = unpack},
                                  .end = end},
};

const HieraMeasure hiera_measure_walk_partners = {
    .name = "walk-partners",
    .help = "vertices of the graph, each operation followed by its partners",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_VERTICES | HIERA_MEASURE_TOGETHER,
    .graph = run_partners,
    .find = find_partners,
};
