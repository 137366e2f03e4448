/* See rank_events.h. */
#include "rank_events.h"
#include "event_values.h"
#include "export/export_events.h"

#define BETWEEN " > "

typedef struct {
    HieraProbedTrace *probed;
    const HieraProcessor *processor;
    HieraProbeState *state;
    GString *path, *stack; /* names of the open operations; with their places in the source, if the script asks for it */
    GArray *lengths; /* gsize, of both before each open operation */
    GArray *regions; /* gint64, ids of the open operations; 0: a call */
    guint32 thread;
    gint64 n_regions; /* of the thread */
    GString *id;
} Walk;

/* --- events --- */

static gint64 region_at(const Walk *walk, guint n_less)
{
    return walk->regions->len > n_less ? g_array_index(walk->regions, gint64, walk->regions->len - 1 - n_less) : 0;
}

/* The innermost region around the last operation. */
static gint64 find_parent(const Walk *walk)
{
    for (guint i = 1; i < walk->regions->len; i++) {
        if (region_at(walk, i) > 0)
            return region_at(walk, i);
    }
    return 0;
}

static void fire(const Walk *walk, const GArray *clauses, const HieraEvent *event, HieraProbeEventKind kind,
                 const HieraTransfer *transfer)
{
    HieraProbedTrace *probed = walk->probed;
    const HieraSite *site = hiera_trace_peek_site(probed->trace, event->row);
    const HieraEventFacts facts = {probed,        walk->processor, site,     hiera_probed_trace_name(probed, site), event->row,
                                   event->thread, event->depth,    kind,     transfer,              walk->path, walk->stack,
                                   region_at(walk, 0), find_parent(walk), walk->id};
    const HieraProbeEvent told = {.kind = kind, .get = hiera_event_value, .data = &facts};
    for (guint i = 0; i < clauses->len; i++) {
        guint clause = g_array_index(clauses, guint, i);
        if (hiera_probe_clause_takes(probed->script, clause, kind, walk->processor->rank))
            hiera_probe_fire(walk->state, clause, &told);
    }
}

static void fire_transfers(const Walk *walk, const GArray *clauses, const HieraEvent *event, const GArray *transfers,
                           HieraProbeEventKind kind)
{
    for (guint i = hiera_transfers_find(transfers, event->row); i < transfers->len; i++) {
        const HieraTransfer *transfer = &g_array_index(transfers, HieraTransfer, i);
        if (transfer->row != event->row)
            return;
        fire(walk, clauses, event, kind, transfer);
    }
}

static gboolean is_chosen(const Walk *walk, guint32 row)
{
    const HieraScope *scope = walk->probed->scope;
    const HieraTrace *trace = walk->probed->trace;
    return hiera_scope_accepts_row(scope, trace, row) && hiera_scope_accepts_time(scope, trace->start_ns[row]);
}

/* What never ended has no end. */
static void end_operation(const Walk *walk, const GArray *clauses, const HieraEvent *event, gboolean mpi)
{
    const HieraTransfers *transfers = &walk->probed->transfers;
    if (hiera_trace_is_open(walk->probed->trace, event->row))
        return;
    if (mpi) {
        fire_transfers(walk, clauses, event, transfers->sent, HIERA_EVENT_SEND);
        fire_transfers(walk, clauses, event, transfers->received, HIERA_EVENT_RECEIVE);
    }
    fire(walk, clauses, event, mpi ? HIERA_EVENT_CALL_END : HIERA_EVENT_REGION_STOP, NULL);
}

/* --- the walk --- */

static void append_place(Walk *walk, const HieraSite *site)
{
    g_string_append_printf(walk->stack, "%s%s", walk->stack->len > 0 ? BETWEEN : "", hiera_probed_trace_name(walk->probed, site));
    if (*site->short_file)
        g_string_append_printf(walk->stack, " %s:%u", site->short_file, (guint)site->line);
}

static void enter(Walk *walk, const HieraEvent *event, const HieraSite *site)
{
    gsize lengths[] = {walk->path->len, walk->stack->len};
    gint64 region = 0;
    if (event->thread != walk->thread) {
        walk->thread = event->thread;
        walk->n_regions = 0;
    }
    if (!site->mpi)
        region = ((gint64)event->thread << 32) + ++walk->n_regions; /* the same, whichever threads run beside it */
    g_array_append_vals(walk->lengths, lengths, 2);
    g_array_append_val(walk->regions, region);
    if (lengths[0] > 0)
        g_string_append(walk->path, BETWEEN);
    g_string_append(walk->path, hiera_probed_trace_name(walk->probed, site));
    if (hiera_probe_script_asks(walk->probed->script, HIERA_PROBE_VARIABLE_STACK))
        append_place(walk, site);
}

static void leave(Walk *walk)
{
    guint last = walk->lengths->len - 2;
    g_string_truncate(walk->path, g_array_index(walk->lengths, gsize, last));
    g_string_truncate(walk->stack, g_array_index(walk->lengths, gsize, last + 1));
    g_array_set_size(walk->lengths, last);
    g_array_set_size(walk->regions, walk->regions->len - 1);
}

static void step(const HieraEvent *event, gpointer user)
{
    Walk *walk = user;
    const HieraSite *site = hiera_trace_peek_site(walk->probed->trace, event->row);
    const GArray *clauses = hiera_probed_trace_clauses(walk->probed, site);
    gboolean wanted = clauses->len > 0 && is_chosen(walk, event->row);
    if (event->begins)
        enter(walk, event, site);
    if (wanted && event->begins)
        fire(walk, clauses, event, site->mpi ? HIERA_EVENT_CALL_BEGIN : HIERA_EVENT_REGION_START, NULL);
    else if (wanted)
        end_operation(walk, clauses, event, site->mpi);
    if (!event->begins)
        leave(walk);
}

void hiera_rank_events_tell(HieraProbedTrace *probed, const HieraProcessor *processor, HieraProbeState *state)
{
    Walk walk = {.probed = probed,
                 .processor = processor,
                 .state = state,
                 .path = g_string_new(NULL),
                 .stack = g_string_new(NULL),
                 .lengths = g_array_new(FALSE, FALSE, sizeof(gsize)),
                 .regions = g_array_new(FALSE, FALSE, sizeof(gint64)),
                 .id = g_string_new(NULL)};
    hiera_events_visit(probed->trace, (guint32)(processor - probed->trace->processors), step, &walk);
    g_string_free(walk.path, TRUE);
    g_string_free(walk.stack, TRUE);
    g_string_free(walk.id, TRUE);
    g_array_unref(walk.lengths);
    g_array_unref(walk.regions);
}
