/* Traffic between senders and receivers: messages and one-sided accesses by rank, host, communicator or call path.
 *
 * Each message and access is a flow, and is added to the cell of its two ends. There are as many cells as pairs that
 * communicate, not as pairs of ranks. */
#include "matrix.h"
#include "calls/packed_nodes.h"
#include "calls/summed_visit.h"
#include "limited_sends.h"
#include "message_scope.h"
#include "message_time.h"
#include "object_names.h"
#include <string.h>

/* Columns of a flow. `role` of the times: HIERA_ROLE_SUM if rows may have equal keys, and are then merged. */
#define FLOW_COLUMNS(role)                                                                                             \
    {"kind", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, {"messages", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},                       \
        {"bytes", HIERA_CELL_BYTES, HIERA_ROLE_SUM}, {"send", HIERA_CELL_SECONDS, role},                               \
        {"receive", HIERA_CELL_SECONDS, role},
#define PAIR_COLUMNS(type, role)                                                                                       \
    {"sender", type, HIERA_ROLE_KEY}, {"receiver", type, HIERA_ROLE_KEY}, FLOW_COLUMNS(role)
static const HieraColumn rank_columns[] = {PAIR_COLUMNS(HIERA_CELL_INTEGER, HIERA_ROLE_TELLING)};
static const HieraColumn thread_columns[] = {{"sender", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                             {"sending-thread", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                             {"receiver", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                             {"receiving-thread", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                             FLOW_COLUMNS(HIERA_ROLE_TELLING)};
static const HieraColumn host_columns[] = {PAIR_COLUMNS(HIERA_CELL_TEXT, HIERA_ROLE_TELLING)};
static const HieraColumn path_columns[] = {PAIR_COLUMNS(HIERA_CELL_CALLERS, HIERA_ROLE_SUM)};
static const HieraColumn communicator_columns[] = {{"communicator", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                                   FLOW_COLUMNS(HIERA_ROLE_SUM)};

/* A message, or a one-sided access (put, get or accumulate). */
typedef struct {
    guint32 sender, receiver; /* rows of the two calls; HIERA_NONE: no row (target of an access, calls in sums) */
    guint32 from_rank, to_rank, comm; /* `from_rank`, `to_rank`: world ranks of sender and receiver */
    const char *kind;
    gint64 bytes, sending_ns, receiving_ns;
} Flow;

/* Cell of the matrix, and row of the table: a key, and the sums over all flows with this key. */
typedef struct {
    guint32 from, to; /* key: ranks, hosts, call paths, or a communicator in `from` alone, as the Form says */
    guint32 from_thread, to_thread; /* of the key: numbers of threads, HIERA_NONE: none; 0 unless the Form has them */
    const char *kind;
    gint64 messages, bytes, sending_ns, receiving_ns;
} Cell;

typedef struct Matrix Matrix;

/* How the measure answers a word of --by: how the key of a flow is found, and how a key is shown in the table. */
typedef struct {
    void (*find_key)(const Matrix *matrix, const Flow *flow, Cell *key);
    HieraCell (*show)(const Matrix *matrix, guint32 number, HieraTable *table);
    guint ends;           /* number of ends in the key, with a column each: 1 (`from` alone), or 2 (`from` and `to`) */
    gboolean has_threads; /* whether each end has a column for its thread */
} Form;

struct Matrix {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *limits;
    HieraMessageScope *scope;
    HieraMessageTime *time;
    HieraObjectNames *names;
    HieraCallPaths paths; /* call paths of the rows; empty unless the form needs them */
    guint32 *hosts;       /* by processor: the first processor on the same host */
    const Form *form;
    GHashTable *cells; /* set of Cell */
};

static guint hash_cell(gconstpointer data)
{
    const Cell *cell = data;
    guint64 both = ((guint64)cell->from << 32 | cell->to) ^ (guint64)cell->from_thread << 48 ^ cell->to_thread << 20;
    return (guint)((both ^ (guint64)cell->kind[0] << 16) * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15) >> 32);
}

static gboolean equal_cells(gconstpointer left, gconstpointer right)
{
    const Cell *a = left, *b = right;
    return a->from == b->from && a->to == b->to && a->from_thread == b->from_thread && a->to_thread == b->to_thread &&
           strcmp(a->kind, b->kind) == 0;
}

/* Add the sums of `added` to the cell with the same key; make that cell if there is none. */
static void add_cell(GHashTable *cells, const Cell *added)
{
    Cell *cell = g_hash_table_lookup(cells, added);
    if (!cell) {
        g_hash_table_add(cells, g_memdup2(added, sizeof *added));
        return;
    }
    cell->messages = hiera_plus(cell->messages, added->messages);
    cell->bytes = hiera_plus(cell->bytes, added->bytes);
    cell->sending_ns = hiera_plus(cell->sending_ns, added->sending_ns);
    cell->receiving_ns = hiera_plus(cell->receiving_ns, added->receiving_ns);
}

/* @param messages  number of messages or accesses that the flow stands for */
static void add_flows(const Matrix *matrix, const Flow *flow, gint64 messages)
{
    Cell cell = {.kind = flow->kind,
                 .messages = messages,
                 .bytes = MAX(flow->bytes, 0),
                 .sending_ns = flow->sending_ns,
                 .receiving_ns = flow->receiving_ns};
    matrix->form->find_key(matrix, flow, &cell);
    add_cell(matrix->cells, &cell);
}

/* --- flows of single messages and accesses --- */

static guint32 rank_of(const HieraTrace *trace, guint32 row)
{
    return trace->processors[hiera_trace_find_processor(trace, row)].rank;
}

static gboolean is_own(const Matrix *matrix, guint32 row)
{
    return hiera_scope_is_own(matrix->limits, hiera_trace_find_processor(matrix->trace, row));
}

/* Add all messages. If there are several processes, that of the receiver counts a message, and each process adds the
 * time of its side. */
static void add_messages(Matrix *matrix)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(matrix->match, &n);
    for (guint i = 0; i < n; i++) {
        const HieraMessage *message = &messages[i];
        guint32 to_rank = rank_of(matrix->trace, message->to);
        if (!hiera_message_scope_accepts(matrix->scope, message->from, to_rank))
            continue;
        gboolean sends = is_own(matrix, message->from), receives = is_own(matrix, message->to);
        Flow flow = {message->from,
                     message->to,
                     rank_of(matrix->trace, message->from),
                     to_rank,
                     message->comm,
                     "message",
                     receives ? hiera_match_message_bytes(matrix->match, i) : 0,
                     sends ? hiera_message_time_share(matrix->time, message->from) : 0,
                     receives ? hiera_message_time_share(matrix->time, message->to) : 0};
        if (sends || receives)
            add_flows(matrix, &flow, receives);
    }
}

/* Add a one-sided access. Data go from the origin to the target; of a get, from the target to the origin. */
static void add_access(Matrix *matrix, guint32 row, HieraKind kind)
{
    const HieraTrace *trace = matrix->trace;
    gint32 peer = hiera_match_peer(matrix->match, row);
    if (peer < 0 || hiera_trace_is_failed(trace, row) ||
        !hiera_message_scope_accepts(matrix->scope, row, (guint32)peer))
        return;
    guint32 origin = rank_of(trace, row), target = (guint32)peer;
    gint64 time_ns = hiera_message_time_of_row(matrix->time, row);
    Flow flow = {row,
                 HIERA_NONE,
                 origin,
                 target,
                 trace->comm[row],
                 kind == HIERA_KIND_PUT ? "put" : "update",
                 MAX(trace->bytes[row], 0),
                 time_ns,
                 0};
    if (kind == HIERA_KIND_GET)
        flow = (Flow){HIERA_NONE, row, target, origin, trace->comm[row], "get", trace->bytes[row], 0, time_ns};
    if (kind == HIERA_KIND_UPDATE)
        flow.bytes = hiera_plus(flow.bytes, MAX(hiera_trace_peek_sparse(trace, row)->rbytes, 0));
    add_flows(matrix, &flow, 1);
}

static void add_accesses(Matrix *matrix)
{
    for (guint32 row = 0; row < matrix->trace->n_operations; row++) {
        HieraKind kind = hiera_trace_peek_site(matrix->trace, row)->kind;
        if (kind == HIERA_KIND_PUT || kind == HIERA_KIND_GET || kind == HIERA_KIND_UPDATE)
            add_access(matrix, row, kind);
    }
}

/* --- flows of profiles, whose traces have sums of calls --- */

/* Add a send whose receive is only in the sums of calls of the receiver's trace. */
static void add_limited(guint32 row, guint32 by, guint32 peer, gpointer user)
{
    Matrix *matrix = user;
    if (!is_own(matrix, row))
        return;
    const HieraTrace *trace = matrix->trace;
    gint64 bytes = MAX(trace->bytes[by], 0), time_ns = hiera_message_time_of_row(matrix->time, row);
    Flow flow = {row, HIERA_NONE, rank_of(trace, row), peer, trace->comm[by], "message", bytes, time_ns, 0};
    if (hiera_message_scope_accepts(matrix->scope, row, peer))
        add_flows(matrix, &flow, 1);
}

/* Return the kind of a call site's calls; of a send-receive, the kind of the half that `way` names. */
static HieraKind kind_of(const HieraSite *site, HieraWay way)
{
    HieraKind kind = site->starts != HIERA_KIND_LOCAL ? site->starts : site->kind;
    if (way == HIERA_WAY_SEND)
        return HIERA_KIND_SEND;
    return way == HIERA_WAY_RECEIVE ? HIERA_KIND_RECEIVE : kind;
}

/* Add one end of messages between processors that both have a trace. Only sends are counted: a profile does not know
 * the size of a receive that completes without a status. */
static void add_end(const Matrix *matrix, const HieraPart *part, guint32 rank, guint32 peer, gboolean receives)
{
    gint64 time_ns = MAX(part->time_ns, 0), bytes = MAX(part->bytes, 0);
    Flow flow = {HIERA_NONE, HIERA_NONE, rank, peer, part->comm, "message", bytes, time_ns, 0};
    if (receives)
        flow = (Flow){HIERA_NONE, HIERA_NONE, peer, rank, part->comm, "message", 0, 0, time_ns};
    if (hiera_trace_find_rank(matrix->trace, peer) != HIERA_NONE)
        add_flows(matrix, &flow, receives ? 0 : part->calls);
}

static void add_accesses_of(const Matrix *matrix, const HieraPart *part, guint32 rank, guint32 peer, HieraKind kind)
{
    gint64 time_ns = MAX(part->time_ns, 0), bytes = MAX(part->bytes, 0);
    Flow flow = {HIERA_NONE, HIERA_NONE, rank, peer, part->comm, kind == HIERA_KIND_PUT ? "put" : "update",
                 bytes,      time_ns,    0};
    if (kind == HIERA_KIND_GET)
        flow = (Flow){HIERA_NONE, HIERA_NONE, peer, rank, part->comm, "get", bytes, 0, time_ns};
    if (kind == HIERA_KIND_UPDATE)
        flow.bytes = hiera_plus(bytes, MAX(part->rbytes, 0));
    add_flows(matrix, &flow, part->calls);
}

static void add_part(const Matrix *matrix, const HieraSite *site, guint32 rank, const HieraPart *part)
{
    HieraKind kind = kind_of(site, part->way);
    gint32 peer = hiera_match_world_rank(matrix->match, part->comm, part->peer);
    if (peer < 0 || !(hiera_scope_accepts_rank(matrix->limits, rank) || hiera_scope_accepts_rank(matrix->limits, peer)))
        return;
    if (kind == HIERA_KIND_SEND || kind == HIERA_KIND_RECEIVE)
        add_end(matrix, part, rank, (guint32)peer, kind == HIERA_KIND_RECEIVE);
    else if (kind == HIERA_KIND_PUT || kind == HIERA_KIND_GET || kind == HIERA_KIND_UPDATE)
        add_accesses_of(matrix, part, rank, (guint32)peer, kind);
}

static void add_parts(const HieraSummed *summed, const HieraSummedPlace *place, gpointer user)
{
    const Matrix *matrix = user;
    for (guint i = 0; place->unit && summed->site->mpi && i < summed->parts->len; i++) {
        const HieraPart *part = &g_array_index(summed->parts, HieraPart, i);
        if (!part->rest && part->comm != HIERA_NONE && part->peer != HIERA_ABSENT)
            add_part(matrix, summed->site, matrix->trace->processors[place->processor].rank, part);
    }
}

/* --- forms: keys for the words of --by --- */

static void find_ranks(const Matrix *matrix, const Flow *flow, Cell *key)
{
    (void)matrix;
    key->from = flow->from_rank;
    key->to = flow->to_rank;
}

static HieraCell show_rank(const Matrix *matrix, guint32 rank, HieraTable *table)
{
    (void)matrix, (void)table;
    return (HieraCell){.number = rank};
}

static guint32 thread_of(const Matrix *matrix, guint32 row)
{
    return row == HIERA_NONE ? HIERA_NONE : matrix->trace->thread[row];
}

static void find_threads(const Matrix *matrix, const Flow *flow, Cell *key)
{
    find_ranks(matrix, flow, key);
    key->from_thread = thread_of(matrix, flow->sender);
    key->to_thread = thread_of(matrix, flow->receiver);
}

/* Return the first processor on the host of a rank, which stands for this host; HIERA_NONE: the rank has no trace. */
static guint32 host_of(const Matrix *matrix, guint32 rank)
{
    guint32 processor = hiera_trace_find_rank(matrix->trace, rank);
    return processor == HIERA_NONE ? HIERA_NONE : matrix->hosts[processor];
}

static void find_hosts(const Matrix *matrix, const Flow *flow, Cell *key)
{
    key->from = host_of(matrix, flow->from_rank);
    key->to = host_of(matrix, flow->to_rank);
}

static HieraCell show_host(const Matrix *matrix, guint32 host, HieraTable *table)
{
    (void)table;
    return (HieraCell){.text = host == HIERA_NONE ? "" : matrix->trace->processors[host].host};
}

/* Return for each processor the first one on the same host, HIERA_NONE if the host is unknown; to be freed with
 * g_free. */
static guint32 *find_first_on_hosts(const HieraTrace *trace)
{
    guint32 *first = g_new(guint32, (gsize)trace->n_processors + 1);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        gpointer known;
        char *host = (char *)trace->processors[i].host;
        first[i] = *host ? i : HIERA_NONE;
        if (g_hash_table_lookup_extended(seen, host, NULL, &known))
            first[i] = GPOINTER_TO_UINT(known);
        else
            g_hash_table_insert(seen, host, GUINT_TO_POINTER(first[i]));
    }
    return first;
}

static void find_communicator(const Matrix *matrix, const Flow *flow, Cell *key)
{
    key->from = hiera_object_names_find(matrix->names, flow->comm);
}

static HieraCell show_communicator(const Matrix *matrix, guint32 comm, HieraTable *table)
{
    (void)table;
    return (HieraCell){.text = hiera_object_names_peek(matrix->names, comm)};
}

static void find_paths(const Matrix *matrix, const Flow *flow, Cell *key)
{
    key->from = flow->sender == HIERA_NONE ? HIERA_NONE : matrix->paths.node[flow->sender];
    key->to = flow->receiver == HIERA_NONE ? HIERA_NONE : matrix->paths.node[flow->receiver];
}

static HieraCell show_path(const Matrix *matrix, guint32 node, HieraTable *table)
{
    if (node == HIERA_NONE)
        return (HieraCell){.text = ""};
    return (HieraCell){.text = hiera_call_paths_text(&matrix->paths, node, table)};
}

/* --- rows of the table --- */

/* Return the number of a thread as text; "": there is none. The table owns the text. */
static const char *name_thread(guint32 thread, HieraTable *table)
{
    char number[16];
    g_snprintf(number, sizeof number, "%u", thread);
    return thread == HIERA_NONE ? "" : hiera_table_keep(table, number);
}

static void add_row(const Matrix *matrix, const Cell *cell, HieraTable *table)
{
    HieraCell cells[G_N_ELEMENTS(thread_columns)], *at = cells;
    *at++ = matrix->form->show(matrix, cell->from, table);
    if (matrix->form->has_threads)
        (at++)->text = name_thread(cell->from_thread, table);
    if (matrix->form->ends > 1)
        *at++ = matrix->form->show(matrix, cell->to, table);
    if (matrix->form->has_threads)
        (at++)->text = name_thread(cell->to_thread, table);
    (at++)->text = cell->kind;
    (at++)->number = cell->messages;
    (at++)->number = cell->bytes;
    (at++)->number = cell->sending_ns;
    at->number = cell->receiving_ns;
    hiera_table_add(table, cells);
}

static void add_rows(const Matrix *matrix, HieraTable *table)
{
    GHashTableIter iterator;
    gpointer cell;
    g_hash_table_iter_init(&iterator, matrix->cells);
    while (g_hash_table_iter_next(&iterator, &cell, NULL))
        if (((const Cell *)cell)->messages > 0) /* `messages` is 0 if only receives were recorded, no send */
            add_row(matrix, cell, table);
}

static void limit_sums(const HieraTrace *trace, HieraTable *table)
{
    if (hiera_trace_has_sums(trace))
        hiera_table_limit(
            table, HIERA_FINDING_SUMS,
            "profiles have sums: messages are those that were sent, times those of the calls that name a peer");
}

/* --- several processes: process 0 gets the cells of all; their numbers mean the same in all processes --- */

static void pack_cells(HieraPacker *to, gpointer user)
{
    GHashTableIter iterator;
    gpointer item;
    hiera_pack_number(to, g_hash_table_size(user));
    g_hash_table_iter_init(&iterator, user);
    while (g_hash_table_iter_next(&iterator, &item, NULL)) {
        const Cell *cell = item;
        const gint64 numbers[] = {cell->from,     cell->to,    cell->from_thread, cell->to_thread,
                                  cell->messages, cell->bytes, cell->sending_ns,  cell->receiving_ns};
        hiera_pack_text(to, cell->kind);
        hiera_pack_bytes(to, numbers, sizeof numbers);
    }
}

static void unpack_cells(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        const char *kind = hiera_unpack_text(from);
        gint64 numbers[8];
        hiera_unpack_bytes(from, numbers, sizeof numbers);
        add_cell(user, &(const Cell){(guint32)numbers[0], (guint32)numbers[1], (guint32)numbers[2], (guint32)numbers[3],
                                     kind, numbers[4], numbers[5], numbers[6], numbers[7]});
    }
}

static void fill(Matrix *matrix, HieraTable *table)
{
    add_messages(matrix);
    add_accesses(matrix);
    hiera_limited_sends_visit(matrix->match, add_limited, matrix);
    hiera_summed_visit(matrix->trace, matrix->limits, add_parts, matrix);
    hiera_scope_gather_others(matrix->limits, matrix->trace, pack_cells, unpack_cells, matrix->cells);
    if (hiera_scope_leads(matrix->limits))
        add_rows(matrix, table);
}

/* Fill the table. @param paths  whether to find the call paths of all rows */
static gboolean find_with(const HieraMatch *match, const HieraScope *scope, HieraTable *table, const Form *form,
                          gboolean paths)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(HieraMessageScope) accepted = hiera_message_scope_new(trace, scope);
    g_autoptr(HieraMessageTime) time = hiera_message_time_new(match);
    g_autoptr(HieraObjectNames) names = hiera_object_names_new(match);
    g_autoptr(GHashTable) cells = g_hash_table_new_full(hash_cell, equal_cells, g_free, NULL);
    g_autofree guint32 *hosts = find_first_on_hosts(trace);
    Matrix matrix = {match, trace, scope, accepted, time, names, {0}, hosts, form, cells};
    if (paths) {
        hiera_call_paths_init_all_ranks(&matrix.paths, trace, scope);
        g_free(hiera_nodes_unite(&matrix.paths, scope));
    }
    fill(&matrix, table);
    limit_sums(trace, table);
    if (paths)
        hiera_call_paths_clear(&matrix.paths);
    return TRUE;
}

static gboolean find_by_rank(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    return find_with(match, scope, table, &(const Form){find_ranks, show_rank, 2, FALSE}, FALSE);
}

static gboolean find_by_thread(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    return find_with(match, scope, table, &(const Form){find_threads, show_rank, 2, TRUE}, FALSE);
}

static gboolean find_by_host(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    return find_with(match, scope, table, &(const Form){find_hosts, show_host, 2, FALSE}, FALSE);
}

static gboolean find_by_communicator(const HieraMatch *match, const HieraScope *scope, HieraTable *table,
                                     GError **error)
{
    (void)error;
    return find_with(match, scope, table, &(const Form){find_communicator, show_communicator, 1, FALSE}, FALSE);
}

static gboolean find_by_path(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    return find_with(match, scope, table, &(const Form){find_paths, show_path, 2, FALSE}, TRUE);
}

#define FORM(of, way, taken)                                                                                           \
    {                                                                                                                  \
        .name = "matrix", .columns = of, .n_columns = G_N_ELEMENTS(of),                                                \
        .nothing = "no message and no access to a window", .flags = HIERA_MEASURE_TOGETHER | taken, .find = find_##way \
    }
static const HieraMeasure by_rank = FORM(rank_columns, by_rank, HIERA_MEASURE_SUMS),
                          by_thread = FORM(thread_columns, by_thread, 0),
                          by_host = FORM(host_columns, by_host, HIERA_MEASURE_SUMS),
                          by_communicator = FORM(communicator_columns, by_communicator, HIERA_MEASURE_SUMS),
                          by_path = FORM(path_columns, by_path, 0);
static const HieraMeasure *const forms[] = {&by_rank,         &by_thread, &by_host,
                                            &by_communicator, &by_path,   &hiera_matrix_by_collective};

const HieraMeasure hiera_measure_matrix = {
    .name = "matrix",
    .help = "who sends to whom: messages, one-sided accesses, bytes, time",
    .by = "rank,thread,host,communicator,path,collective",
    .forms = forms,
};
