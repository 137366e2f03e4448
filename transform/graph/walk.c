/* The walks of the paper over the graph; see hiera_graph.h. They need no edges of igraph: only messages and
 * collectives, as they were matched. */
#include "graph_private.h"

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    const HieraMessageEnds *ends; /* messages by row; NULL: partners are not visited */
    HieraVisitStep visit;
    gpointer user;
    GArray *partners; /* rows of the current operation's partners */
} Walk;

/* Remove each row that is already in the list before. */
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

/* If a row is the root of a collective, add its partners: all other members, by rank. */
static void add_members(const Walk *walk, guint32 row)
{
    guint n;
    guint32 collective = hiera_match_collective(walk->match, row);
    if (collective == HIERA_NONE || hiera_match_peek_collectives(walk->match, &n)[collective].root != row)
        return;
    const guint32 *members = hiera_match_peek_members(walk->match, collective, &n);
    for (guint i = 0; i < n; i++) {
        if (members[i] != row)
            g_array_append_val(walk->partners, members[i]);
    }
}

static gboolean visit_partners(const Walk *walk, guint32 row)
{
    if (walk->partners->len > 0)
        g_array_set_size(walk->partners, 0);
    hiera_message_ends_find_sources(walk->ends, row, walk->partners);
    hiera_message_ends_find_targets(walk->ends, row, walk->partners);
    remove_repeated(walk->partners);
    add_members(walk, row);
    for (guint i = 0; i < walk->partners->len; i++) {
        guint32 partner = g_array_index(walk->partners, guint32, i);
        if (!walk->visit(hiera_trace_find_processor(walk->trace, partner), partner, walk->user))
            return FALSE;
    }
    return TRUE;
}

static gboolean in_scope(const Walk *walk, guint32 row)
{
    return hiera_scope_accepts_row(walk->scope, walk->trace, row) &&
           hiera_scope_accepts_time(walk->scope, walk->trace->start_ns[row]);
}

static gboolean walk_processor(const Walk *walk, guint32 processor)
{
    const HieraProcessor *of = &walk->trace->processors[processor];
    if (!walk->visit(processor, HIERA_NONE, walk->user))
        return FALSE;
    for (guint64 i = 0; i < of->n_operations; i++) {
        guint32 row = (guint32)(of->first + i);
        if (!in_scope(walk, row))
            continue;
        if (!walk->visit(processor, row, walk->user) || (walk->ends && !visit_partners(walk, row)))
            return FALSE;
    }
    return TRUE;
}

/* Walk over all processors in the scope. @param ends  messages by row; NULL: partners are not visited */
static void walk_all(const HieraMatch *match, const HieraMessageEnds *ends, const HieraScope *scope,
                     HieraVisitStep visit, gpointer user)
{
    const HieraScope all = HIERA_SCOPE_ALL;
    g_autoptr(GArray) partners = g_array_new(FALSE, FALSE, sizeof(guint32));
    Walk walk = {match, hiera_match_peek_trace(match), scope ? scope : &all, ends, visit, user, partners};
    for (guint32 processor = 0; processor < walk.trace->n_processors; processor++) {
        if (hiera_scope_is_own(walk.scope, processor) &&
            hiera_scope_accepts_rank(walk.scope, walk.trace->processors[processor].rank) &&
            !walk_processor(&walk, processor))
            return;
    }
}

void hiera_walk_match(const HieraMatch *match, const HieraScope *scope, HieraVisitStep visit, gpointer user)
{
    HieraMessageEnds ends;
    hiera_message_ends_init(&ends, match->messages, hiera_match_peek_trace(match)->n_operations);
    walk_all(match, &ends, scope, visit, user);
    hiera_message_ends_clear(&ends);
}

/* --- walks over vertices of the graph --- */

typedef struct {
    const HieraGraph *graph;
    HieraVisit visit;
    gpointer user;
} Vertices;

static gboolean visit_vertex(guint32 processor, guint32 row, gpointer user)
{
    const Vertices *of = user;
    igraph_integer_t vertex =
        row == HIERA_NONE ? hiera_graph_processor_vertex(of->graph, processor) : (igraph_integer_t)row + processor + 1;
    return of->visit(vertex, of->user);
}

void hiera_walk_operations(const HieraGraph *graph, const HieraScope *scope, HieraVisit visit, gpointer user)
{
    Vertices of = {graph, visit, user};
    walk_all(graph->match, NULL, scope, visit_vertex, &of);
}

void hiera_walk_partners(const HieraGraph *graph, const HieraScope *scope, HieraVisit visit, gpointer user)
{
    Vertices of = {graph, visit, user};
    walk_all(graph->match, &graph->ends, scope, visit_vertex, &of);
}
