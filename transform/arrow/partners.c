/* Tables of what belongs together: messages, collectives and their members, the graph. See tables.h. */
#include "matching/match_common.h"
#include "tables.h"

#define NEVER  HIERA_ARROW_NEVER_NONE
#define NUMBER HIERA_ARROW_NUMBER

/* --- messages --- */

static gsize count_messages(const HieraArrowRows *rows)
{
    return rows->match->messages->len;
}

static const HieraMessage *message_at(const HieraArrowRows *rows, gsize row)
{
    return &g_array_index(rows->match->messages, HieraMessage, row);
}

static gint64 rank_of_row(const HieraTrace *trace, guint32 row)
{
    return trace->processors[hiera_trace_find_processor(trace, row)].rank;
}

NUMBER(send_of, message_at(rows, row)->from)
NUMBER(receive_of, message_at(rows, row)->to)
NUMBER(ended_by, message_at(rows, row)->ended_by)
NUMBER(sender_of, rank_of_row(rows->trace, message_at(rows, row)->from))
NUMBER(receiver_of, rank_of_row(rows->trace, message_at(rows, row)->to))
NUMBER(sent_ns, rows->trace->start_ns[message_at(rows, row)->from])
NUMBER(received_ns, hiera_arrow_finish_ns(rows, message_at(rows, row)->ended_by))
NUMBER(message_comm, message_at(rows, row)->comm)
NUMBER(tag_of, hiera_match_message_tag(rows->match, (guint32)row))
NUMBER(bytes_of, hiera_match_message_bytes(rows->match, (guint32)row))
NUMBER(is_ambiguous, message_at(rows, row)->doubt != HIERA_DOUBT_NONE)

static const HieraArrowColumn of_messages[] = {
    {"send", "I", NEVER, .number = send_of},
    {"receive", "I", NEVER, .number = receive_of},
    {"ended_by", "I", HIERA_NONE, .number = ended_by},
    {"sender", "I", NEVER, .number = sender_of},
    {"receiver", "I", NEVER, .number = receiver_of},
    {"start_ns", "l", NEVER, .number = sent_ns},
    {"finish_ns", "l", HIERA_TIME_OPEN, .number = received_ns},
    {"comm", "u", NEVER, .number = message_comm, .text = hiera_arrow_comm_id},
    {"tag", "i", HIERA_ABSENT, .number = tag_of},
    {"bytes", "l", -1, .number = bytes_of},
    {"ambiguous", "b", NEVER, .number = is_ambiguous},
};
const HieraArrowTable hiera_arrow_messages = {HIERA_ARROW_OF_MATCH, count_messages, of_messages,
                                              G_N_ELEMENTS(of_messages)};

/* --- collectives and their members --- */

static gsize count_collectives(const HieraArrowRows *rows)
{
    return rows->match->collectives->len;
}

static const HieraCollective *collective_at(const HieraArrowRows *rows, gsize row)
{
    return &g_array_index(rows->match->collectives, HieraCollective, row);
}

/* Return the first, or else the last, of the times at which the members came. */
static gint64 find_start(const HieraArrowRows *rows, gsize row, gboolean first)
{
    guint n;
    const guint32 *members = hiera_match_peek_members(rows->match, (guint32)row, &n);
    const gint64 *times = rows->trace->start_ns;
    gint64 found = first ? G_MAXINT64 : G_MININT64;
    for (guint i = 0; i < n; i++)
        found = first ? MIN(found, times[members[i]]) : MAX(found, times[members[i]]);
    return found;
}

/* Return the calls that completed collectives: row of the call that started it → row that completed it. */
static gpointer find_completions(const HieraMatch *match)
{
    GHashTable *found = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < match->requests->len; i++) {
        HieraPair pair = g_array_index(match->requests, HieraPair, i);
        if (match->collective_behind[pair.start])
            g_hash_table_insert(found, GUINT_TO_POINTER(pair.start), GUINT_TO_POINTER(pair.completion));
    }
    return found;
}

/* Return the row that ends a call which no other one completed: its own, unless it started a request. */
static guint32 end_alone(const HieraTrace *trace, guint32 row)
{
    gboolean makes = hiera_trace_peek_site(trace, row)->starts != HIERA_KIND_LOCAL; /* a persistent request */
    return !makes && hiera_match_begins_request(trace, row) ? HIERA_NONE : row;
}

static gint64 last_finish_ns(HieraArrowRows *rows, gsize row)
{
    guint n;
    const guint32 *members = hiera_match_peek_members(rows->match, (guint32)row, &n);
    GHashTable *completions = hiera_match_find_once(rows->match, find_completions, (GDestroyNotify)g_hash_table_unref);
    gint64 last = G_MININT64;
    for (guint i = 0; i < n; i++) {
        guint32 end = GPOINTER_TO_UINT(g_hash_table_lookup(completions, GUINT_TO_POINTER(members[i])));
        last = MAX(last, hiera_arrow_finish_ns(rows, end ? end : end_alone(rows->trace, members[i])));
    }
    return last;
}

NUMBER(made_at, rows->trace->site[collective_at(rows, row)->made_by])
NUMBER(collective_comm, collective_at(rows, row)->comm)
NUMBER(root_of, collective_at(rows, row)->root)
NUMBER(n_members_of, collective_at(rows, row)->n)
NUMBER(first_start_ns, find_start(rows, row, TRUE))
NUMBER(last_start_ns, find_start(rows, row, FALSE))
NUMBER(is_whole, collective_at(rows, row)->whole)

static const HieraArrowColumn of_collectives[] = {
    {"name", "u", NEVER, .number = made_at, .text = hiera_arrow_site_name},
    {"comm", "u", HIERA_NONE, .number = collective_comm, .text = hiera_arrow_comm_id},
    {"root", "I", HIERA_NONE, .number = root_of},
    {"members", "I", NEVER, .number = n_members_of},
    {"start_ns", "l", NEVER, .number = first_start_ns},
    {"last_start_ns", "l", NEVER, .number = last_start_ns},
    {"finish_ns", "l", HIERA_TIME_OPEN, .number = last_finish_ns},
    {"whole", "b", NEVER, .number = is_whole},
};
const HieraArrowTable hiera_arrow_collectives = {HIERA_ARROW_OF_MATCH, count_collectives, of_collectives,
                                                 G_N_ELEMENTS(of_collectives)};

static gsize count_members(const HieraArrowRows *rows)
{
    return rows->match->members->len;
}

static const void *borrow_members(const HieraArrowRows *rows)
{
    return rows->match->members->data;
}

static gint64 find_collective(HieraArrowRows *rows, gsize row)
{
    while (row >= collective_at(rows, rows->at)->first + collective_at(rows, rows->at)->n)
        rows->at++;
    return rows->at;
}

static const HieraArrowColumn of_members[] = {
    {"collective", "I", NEVER, .number = find_collective},
    {"operation", "I", NEVER, .borrow = borrow_members},
};
const HieraArrowTable hiera_arrow_members = {HIERA_ARROW_OF_MATCH, count_members, of_members, G_N_ELEMENTS(of_members)};

/* --- the graph --- */

static gsize count_vertices(const HieraArrowRows *rows)
{
    return (gsize)igraph_vcount(hiera_graph_peek_igraph(rows->graph));
}

static gsize count_edges(const HieraArrowRows *rows)
{
    return (gsize)igraph_ecount(hiera_graph_peek_igraph(rows->graph));
}

NUMBER(operation_at, hiera_graph_vertex_row(rows->graph, (igraph_integer_t)row))
NUMBER(from_of, IGRAPH_FROM(hiera_graph_peek_igraph(rows->graph), row))
NUMBER(to_of, IGRAPH_TO(hiera_graph_peek_igraph(rows->graph), row))
NUMBER(kind_of, hiera_graph_edge_kind(rows->graph, (igraph_integer_t)row))
HIERA_ARROW_TEXT(kind_name, hiera_edge_name((HieraEdge)key))

static const HieraArrowColumn of_vertices[] = {{"operation", "I", HIERA_NONE, .number = operation_at}};
const HieraArrowTable hiera_arrow_vertices = {HIERA_ARROW_OF_GRAPH, count_vertices, of_vertices,
                                              G_N_ELEMENTS(of_vertices)};
static const HieraArrowColumn of_edges[] = {
    {"from", "l", NEVER, .number = from_of},
    {"to", "l", NEVER, .number = to_of},
    {"kind", "u", NEVER, .number = kind_of, .text = kind_name},
};
const HieraArrowTable hiera_arrow_edges = {HIERA_ARROW_OF_GRAPH, count_edges, of_edges, G_N_ELEMENTS(of_edges)};
