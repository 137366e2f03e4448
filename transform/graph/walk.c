/* The walks of the paper over the graph; see hiera_graph.h. */
#include "hiera_graph.h"

typedef struct {
    const HieraGraph *graph;
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraVisit visit;
    gpointer user;
    GArray *partners; /* rows of the current operation's partners; NULL: partners are not visited */
} Walk;

static gboolean visit_row(const Walk *walk, guint32 row)
{
    return walk->visit(hiera_graph_operation_vertex(walk->graph, row), walk->user);
}

/* Keep the first of equal rows. */
static void remove_repeated(GArray *partners)
{
    g_autoptr(GHashTable) seen = partners->len > 1 ? g_hash_table_new(NULL, NULL) : NULL;
    guint n = 0;
    for (guint i = 0; seen && i < partners->len; i++) {
        guint32 row = g_array_index(partners, guint32, i);
        if (g_hash_table_add(seen, GUINT_TO_POINTER(row)))
            g_array_index(partners, guint32, n++) = row;
    }
    if (seen)
        g_array_set_size(partners, n);
}

/* Add the partners of the root of a collective: all other members, by rank. */
static void add_members(const Walk *walk, guint32 row)
{
    guint n;
    const HieraMatch *match = hiera_graph_peek_match(walk->graph);
    guint32 collective = hiera_match_collective(match, row);
    if (collective == HIERA_NONE || hiera_match_peek_collectives(match, &n)[collective].root != row)
        return;
    const guint32 *members = hiera_match_peek_members(match, collective, &n);
    for (guint i = 0; i < n; i++) {
        if (members[i] != row)
            g_array_append_val(walk->partners, members[i]);
    }
}

static gboolean visit_partners(const Walk *walk, guint32 row)
{
    if (walk->partners->len > 0)
        g_array_set_size(walk->partners, 0);
    hiera_graph_find_sources(walk->graph, row, walk->partners);
    hiera_graph_find_targets(walk->graph, row, walk->partners);
    remove_repeated(walk->partners);
    add_members(walk, row);
    for (guint i = 0; i < walk->partners->len; i++) {
        if (!visit_row(walk, g_array_index(walk->partners, guint32, i)))
            return FALSE;
    }
    return TRUE;
}

static gboolean in_scope(const Walk *walk, guint32 row)
{
    return hiera_scope_accepts_row(walk->scope, walk->trace, row) && hiera_scope_accepts_time(walk->scope,
                               walk->trace->start_ns[row]);
}

static gboolean walk_processor(const Walk *walk, guint32 processor)
{
    const HieraProcessor *of = &walk->trace->processors[processor];
    if (!walk->visit(hiera_graph_processor_vertex(walk->graph, processor), walk->user))
        return FALSE;
    for (guint64 i = 0; i < of->n_operations; i++) {
        guint32 row = (guint32)(of->first + i);
        if (!in_scope(walk, row))
            continue;
        if (!walk->visit((igraph_integer_t)row + processor + 1, walk->user) ||
            (walk->partners && !visit_partners(walk, row)))
            return FALSE;
    }
    return TRUE;
}

static void walk_all(const HieraGraph *graph, const HieraScope *scope, HieraVisit visit, gpointer user,
                     GArray *partners)
{
    const HieraScope all = HIERA_SCOPE_ALL;
    Walk walk = {graph, hiera_graph_peek_trace(graph), scope ? scope : &all, visit, user, partners};
    for (guint32 processor = 0; processor < walk.trace->n_processors; processor++) {
        if (hiera_scope_accepts_rank(walk.scope, walk.trace->processors[processor].rank) &&
            !walk_processor(&walk, processor))
            return;
    }
}

void hiera_walk_operations(const HieraGraph *graph, const HieraScope *scope, HieraVisit visit, gpointer user)
{
    walk_all(graph, scope, visit, user, NULL);
}

void hiera_walk_partners(const HieraGraph *graph, const HieraScope *scope, HieraVisit visit, gpointer user)
{
    g_autoptr(GArray) partners = g_array_new(FALSE, FALSE, sizeof(guint32));
    walk_all(graph, scope, visit, user, partners);
}
