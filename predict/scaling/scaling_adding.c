/* See scaling_parts.h. Divides a run into parts: each span of a rank's timeline adds to the part of its call path. */
#include "calls/call_paths.h"
#include "calls/timeline.h"
#include "run/exchanges.h"
#include "run/groups.h"
#include "scaling_parts.h"
#include "waiting/waiting.h"
#include <math.h>

/* --- sums of one run, by part and rank --- */

typedef struct {
    Part *part;
    gdouble *sums; /* sums of each quantity of the part, by quantity, then by rank */
    ReachSums reach;
} PartSums;

typedef struct {
    ScalingParts *parts;
    const RecordedRun *run;
    const ScalingChanges *changes; /* changes of computation and messages; NULL: none */
    HieraCallPaths paths;
    HieraTable *texts;
    GroupNumbers *numbers;
    Groups *groups;
    Exchanges exchanges;
    gint64 *waiting;
    gint64 *longer;    /* by row: how much longer the operation waits because of `changes`, ns; NULL: no changes */
    GHashTable *sums;  /* kind, collective and node of the call path → PartSums */
    gdouble *computed; /* by rank: computation, ns */
    GArray **stages;   /* by rank: gdouble: computation between collectives in which all wait for all (stages) */
} Adding;

static Part *find_part(Adding *adding, PartKind kind, HieraSimCollective collective, guint32 node)
{
    const char *text = hiera_call_paths_text(&adding->paths, node, adding->texts);
    return scaling_parts_find(adding->parts, kind, collective, *text ? text : "outside of all operations");
}

static void free_sums(gpointer sums)
{
    g_free(((PartSums *)sums)->sums);
    reach_clear(&((PartSums *)sums)->reach);
    g_free(sums);
}

static PartSums *find_sums(Adding *adding, PartKind kind, HieraSimCollective collective, guint32 node)
{
    guint64 key = ((guint64)node * PART_N_KINDS + kind) * 256 + collective;
    guint32 n_ranks = adding->run->trace->n_processors;
    PartSums *sums = g_hash_table_lookup(adding->sums, &key);
    if (!sums) {
        sums = g_new(PartSums, 1);
        *sums = (PartSums){.part = find_part(adding, kind, collective, node),
                           .sums = g_new0(gdouble, (gsize)PART_QUANTITIES * n_ranks)};
        g_hash_table_insert(adding->sums, g_memdup2(&key, sizeof key), sums);
    }
    return sums;
}

static gdouble *find_sum(Adding *adding, PartKind kind, HieraSimCollective collective, guint32 node, guint quantity,
                         guint32 rank)
{
    return &find_sums(adding, kind, collective, node)->sums[(gsize)quantity * adding->run->trace->n_processors + rank];
}

static void add(Adding *adding, PartKind kind, guint32 node, guint quantity, guint32 rank, gdouble value)
{
    *find_sum(adding, kind, 0, node, quantity, rank) += value;
}

static gboolean all_wait_for_all(HieraSimCollective collective)
{
    switch (collective) {
    case HIERA_SIM_BARRIER:
    case HIERA_SIM_ALLREDUCE:
    case HIERA_SIM_ALLGATHER:
    case HIERA_SIM_REDUCE_SCATTER:
    case HIERA_SIM_ALLTOALL:
        return TRUE;
    default:
        return FALSE;
    }
}

static void begin_stage(GArray *stages)
{
    const gdouble none = 0;
    g_array_append_val(stages, none);
}

/* Add the collective of a row, if it is one. @return FALSE: the row has no collective, or its members are not known */
static gboolean add_collective(Adding *adding, guint32 row, guint32 rank)
{
    guint32 index = hiera_match_collective(adding->run->match, row), n = 0, node = adding->paths.node[row];
    const CollectiveCall *call = index == HIERA_NONE ? NULL : groups_peek_call(adding->groups, index);
    if (!call || !call->known)
        return FALSE;
    const guint32 *ranks = group_numbers_peek_ranks(adding->numbers, call->group, &n);
    reach_add_call(&find_sums(adding, PART_COLLECTIVES, call->collective, node)->reach, ranks, n,
                   adding->run->hosts.host);
    *find_sum(adding, PART_COLLECTIVES, call->collective, node, COLLECTIVES_CALLS, rank) += 1;
    *find_sum(adding, PART_COLLECTIVES, call->collective, node, COLLECTIVES_BYTES, rank) += (gdouble)call->bytes;
    *find_sum(adding, PART_COLLECTIVES, call->collective, node, COLLECTIVES_MEMBERS, rank) += n;
    if (n == adding->run->trace->n_processors && all_wait_for_all(call->collective))
        begin_stage(adding->stages[rank]);
    return TRUE;
}

/* Add the messages that a call sends or receives. @return FALSE: the call has no messages and completes no request */
static gboolean add_messages(Adding *adding, guint32 row, guint32 rank)
{
    const Exchange *first = exchanges_find(&adding->exchanges, row);
    const Exchange *behind = adding->exchanges.all + adding->exchanges.n;
    for (const Exchange *at = first; at && at < behind && at->row == row; at++) {
        if (at->kind == EXCHANGE_COMPLETES)
            continue;
        gboolean sends = at->kind == EXCHANGE_SENDS;
        guint32 node = adding->paths.node[row];
        add(adding, PART_MESSAGES, node, sends ? MESSAGES_SENT : MESSAGES_RECEIVED, rank, 1);
        add(adding, PART_MESSAGES, node, sends ? MESSAGES_SENT_BYTES : MESSAGES_RECEIVED_BYTES, rank,
            (gdouble)exchanges_bytes(&adding->exchanges, at));
        guint32 partner = hiera_trace_find_processor(adding->run->trace, exchanges_partner(&adding->exchanges, at));
        reach_add(&find_sums(adding, PART_MESSAGES, 0, node)->reach, rank, partner, adding->run->hosts.host,
                  adding->run->trace->n_processors);
    }
    return first != NULL;
}

/* Whether calls of a kind only start or complete messages and collectives that other calls have made. */
static gboolean only_completes(HieraKind kind)
{
    return kind == HIERA_KIND_COMPLETE || kind == HIERA_KIND_PROBE || kind == HIERA_KIND_START;
}

static void add_span(const HieraTimeSpan *span, gpointer data)
{
    Adding *adding = data;
    guint32 node = hiera_call_paths_of_span(&adding->paths, span), rank = span->processor;
    gint64 time_ns = span->end_ns - span->begin_ns;
    if (span->doing == HIERA_DOES_COMPUTE) {
        gdouble ns = (gdouble)time_ns / (adding->changes ? speeds_of(adding->changes->speeds, span) : 1);
        add(adding, PART_COMPUTATION, node, PART_TIME, rank, ns);
        adding->computed[rank] += ns;
        g_array_index(adding->stages[rank], gdouble, adding->stages[rank]->len - 1) += ns;
        return;
    }
    gint64 waiting_ns = MIN(adding->waiting[span->row], time_ns);
    gboolean known = add_messages(adding, span->row, rank);
    known = add_collective(adding, span->row, rank) || known;
    gint64 longer_ns = adding->longer ? adding->longer[span->row] : 0;
    if (waiting_ns > 0 || longer_ns != 0)
        add(adding, PART_WAITING, node, PART_TIME, rank, (gdouble)(waiting_ns + longer_ns));
    if (!known && !only_completes(hiera_trace_peek_site(adding->run->trace, span->row)->kind))
        add(adding, PART_OTHERS, node, PART_TIME, rank, (gdouble)(time_ns - waiting_ns));
}

/* --- values of one run, from its sums --- */

static void set_values(PartValues *values, const PartSums *sums, guint quantity, guint32 n_ranks, guint32 slowest)
{
    gint each_of = part_peek_quantity(sums->part->kind, quantity)->each_of;
    gdouble *value = values->value[quantity], all = 0, all_counts = 0;
    value[OF_MOST] = NAN;
    for (guint32 rank = 0; rank < n_ranks; rank++) {
        gdouble count = each_of < 0 ? 1 : sums->sums[(gsize)each_of * n_ranks + rank];
        gdouble sum = MAX(sums->sums[(gsize)quantity * n_ranks + rank], 0), here = count > 0 ? sum / count : NAN;
        all += sum;
        all_counts += count;
        value[OF_MOST] = fmax(value[OF_MOST], here);
        if (rank == slowest)
            value[OF_SLOWEST] = here;
    }
    value[OF_MEAN] = all_counts > 0 ? all / all_counts : NAN;
}

static void pad(Part *part, guint n)
{
    const PartValues none = part_no_values(part->kind);
    while (part->runs->len < n)
        g_array_append_val(part->runs, none);
}

static void keep_values(Adding *adding, guint32 slowest)
{
    GHashTableIter iterator;
    gpointer sums;
    guint n_runs = adding->parts->runs->len;
    for (guint i = 0; i < adding->parts->parts->len; i++)
        pad(g_ptr_array_index(adding->parts->parts, i), n_runs);
    g_hash_table_iter_init(&iterator, adding->sums);
    while (g_hash_table_iter_next(&iterator, NULL, &sums)) {
        Part *part = ((PartSums *)sums)->part;
        PartValues values = part_no_values(part->kind);
        for (guint i = 0; part_peek_quantity(part->kind, i); i++)
            set_values(&values, sums, i, adding->run->trace->n_processors, slowest);
        values.inside = reach_take(&((PartSums *)sums)->reach, adding->run->trace->n_processors, values.distance);
        part_add_values(&g_array_index(part->runs, PartValues, n_runs - 1), &values, part->kind);
    }
}

/* --- adding a run --- */

static guint32 find_slowest(const Adding *adding)
{
    guint32 slowest = 0;
    for (guint32 rank = 1; rank < adding->run->trace->n_processors; rank++)
        slowest = adding->computed[rank] > adding->computed[slowest] ? rank : slowest;
    return slowest;
}

static void keep_run(Adding *adding)
{
    PartRun *run = &g_array_index(adding->parts->runs, PartRun, adding->parts->runs->len - 1);
    guint32 slowest = find_slowest(adding);
    const HieraProcessor *of = &adding->run->trace->processors[slowest];
    run->computed_ns = adding->computed[slowest];
    run->mpi_ns = (gdouble)(of->finalize_ns - of->init_ns) - run->computed_ns;
    run->stages = g_array_ref(adding->stages[slowest]);
    keep_values(adding, slowest);
}

/* Return by row how much longer an operation waits because of the changes, ns; NULL: waiting stays as recorded. */
static gint64 *find_longer(RecordedRun *run, const ScalingChanges *changes, const char *name, GPtrArray *notes)
{
    g_autoptr(GError) error = NULL;
    gint64 *longer = changes ? scaling_waiting_difference(run, changes, &error) : NULL;
    if (error)
        g_ptr_array_add(notes, g_strdup_printf("%s: waiting stays as recorded, since its simulation does not end: %s",
                                               name, error->message));
    return longer;
}

gboolean scaling_parts_add(ScalingParts *parts, RecordedRun *run, const ScalingChanges *changes, const char *name,
                           GPtrArray *notes, GError **error)
{
    const HieraTrace *trace = run->trace;
    const HieraScope all = HIERA_SCOPE_ALL;
    if (trace->processors[0].size > (gint64)trace->n_processors) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                    "%s: %u of %" G_GINT64_FORMAT " ranks were read; how a run scales needs all of them", name,
                    trace->n_processors, trace->processors[0].size);
        return FALSE;
    }
    const PartRun added = {
        g_strdup(name), trace->n_processors, trace->n_processors, recorded_run_time_ns(run), 0, 0, NULL};
    g_array_append_val(parts->runs, added);
    Adding adding = {.parts = parts, .run = run, .changes = changes};
    adding.longer = find_longer(run, changes, name, notes);
    run->sizes = changes ? changes->sizes : NULL;
    hiera_call_paths_init(&adding.paths, trace, &all);
    adding.texts = hiera_table_new("", NULL, 0);
    adding.numbers = group_numbers_new();
    adding.groups = groups_new(run, adding.numbers);
    exchanges_init(&adding.exchanges, run, adding.groups);
    adding.waiting = hiera_waits_by_row(run->match, &all);
    adding.sums = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_sums);
    adding.computed = g_new0(gdouble, trace->n_processors);
    adding.stages = g_new(GArray *, trace->n_processors);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        adding.stages[i] = g_array_new(FALSE, FALSE, sizeof(gdouble));
        begin_stage(adding.stages[i]);
        hiera_timeline_visit(trace, i, add_span, &adding);
    }
    keep_run(&adding);
    for (guint32 i = 0; i < trace->n_processors; i++)
        g_array_unref(adding.stages[i]);
    g_free(adding.stages);
    g_free(adding.computed);
    g_hash_table_unref(adding.sums);
    g_free(adding.waiting);
    g_free(adding.longer);
    run->sizes = NULL;
    exchanges_clear(&adding.exchanges);
    groups_free(adding.groups);
    group_numbers_free(adding.numbers);
    hiera_table_free(adding.texts);
    hiera_call_paths_clear(&adding.paths);
    return TRUE;
}
