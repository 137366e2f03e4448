#include "rank_events.h"
#include "event_values.h"
#include "export/export_events.h"

#define BETWEEN " > "

/* Entry of the stack of open operations: those that have begun and not ended. */
typedef struct {
    guint32 row;
    gint64 region;     /* id of the operation if it is a region; 0: it is a call */
    gsize path, stack; /* lengths of Walk.path and Walk.stack up to this operation's name */
} Open;

typedef struct {
    HieraProbedTrace *probed;
    const HieraProcessor *processor;
    HieraProbeState *state;
    GString *path, *stack; /* names of the open operations; with source lines, if the script needs them */
    GArray *open;          /* stack of Open */
    guint32 thread;
    gint64 n_regions; /* number of regions in the thread so far */
    GString *id;
} Walk;

/* --- firing events of the script --- */

static const Open *open_at(const Walk *walk, guint i)
{
    return &g_array_index(walk->open, Open, i);
}

static guint last_of(const Walk *walk)
{
    return walk->open->len - 1;
}

/* Return the id of the innermost region around the open operation at index `of`; 0: none. */
static gint64 find_parent(const Walk *walk, guint of)
{
    while (of-- > 0) {
        if (open_at(walk, of)->region > 0)
            return open_at(walk, of)->region;
    }
    return 0;
}

/* Fire an event at the open operation with index `of`: the operation that begins or ends, or one around it. */
static void fire_of(const Walk *walk, guint of, const HieraEvent *event, HieraProbeEventKind kind,
                    const HieraTransfer *transfer)
{
    HieraProbedTrace *probed = walk->probed;
    const Open *open = open_at(walk, of);
    const HieraSite *site = hiera_trace_peek_site(probed->trace, open->row);
    const GArray *clauses = hiera_probed_trace_clauses(probed, site);
    const HieraEventFacts facts = {.trace = probed,
                                   .processor = walk->processor,
                                   .site = site,
                                   .name = hiera_probed_trace_name(probed, site),
                                   .row = open->row,
                                   .thread = event->thread,
                                   .depth = of,
                                   .call = event->row,
                                   .kind = kind,
                                   .transfer = transfer,
                                   .path = {walk->path->str, open->path},
                                   .stack = {walk->stack->str, open->stack},
                                   .region = open->region,
                                   .parent = find_parent(walk, of),
                                   .id = walk->id};
    const HieraProbeEvent fired = {.kind = kind, .get = hiera_event_value, .data = &facts};
    for (guint i = 0; i < clauses->len; i++) {
        guint clause = g_array_index(clauses, guint, i);
        if (hiera_probe_clause_takes(probed->script, clause, kind, walk->processor->rank))
            hiera_probe_fire(walk->state, clause, &fired);
    }
}

static void fire(const Walk *walk, const HieraEvent *event, HieraProbeEventKind kind, const HieraTransfer *transfer)
{
    fire_of(walk, last_of(walk), event, kind, transfer);
}

static void fire_transfers(const Walk *walk, const HieraEvent *event, const GArray *transfers, HieraProbeEventKind kind)
{
    for (guint i = hiera_transfers_find(transfers, event->row); i < transfers->len; i++) {
        const HieraTransfer *transfer = &g_array_index(transfers, HieraTransfer, i);
        if (transfer->row != event->row)
            return;
        fire(walk, event, kind, transfer);
    }
}

static gboolean is_chosen(const Walk *walk, guint32 row)
{
    const HieraScope *scope = walk->probed->scope;
    const HieraTrace *trace = walk->probed->trace;
    return hiera_scope_accepts_row(scope, trace, row) && hiera_scope_accepts_time(scope, trace->start_ns[row]);
}

static gboolean is_wanted(const Walk *walk, guint32 row, const HieraSite *site)
{
    return hiera_probed_trace_clauses(walk->probed, site)->len > 0 && is_chosen(walk, row);
}

/* --- regions that are suspended while a call in them waits --- */

static void fire_around(const Walk *walk, guint of, const HieraEvent *event, HieraProbeEventKind kind)
{
    if (open_at(walk, of)->region > 0 && is_chosen(walk, open_at(walk, of)->row))
        fire_of(walk, of, event, kind, NULL);
}

static void suspend(const Walk *walk, const HieraEvent *event)
{
    for (guint i = last_of(walk); i-- > 0;)
        fire_around(walk, i, event, HIERA_EVENT_REGION_SUSPEND);
}

static void resume(const Walk *walk, const HieraEvent *event)
{
    for (guint i = 0; i < last_of(walk); i++)
        fire_around(walk, i, event, HIERA_EVENT_REGION_RESUME);
}

/* --- walking through the events of a rank --- */

static void append_place(Walk *walk, const HieraSite *site)
{
    g_string_append_printf(walk->stack, "%s%s", walk->stack->len > 0 ? BETWEEN : "",
                           hiera_probed_trace_name(walk->probed, site));
    if (*site->short_file)
        g_string_append_printf(walk->stack, " %s:%u", site->short_file, (guint)site->line);
}

static void enter(Walk *walk, const HieraEvent *event, const HieraSite *site)
{
    if (event->thread != walk->thread) {
        walk->thread = event->thread;
        walk->n_regions = 0;
    }
    if (walk->path->len > 0)
        g_string_append(walk->path, BETWEEN);
    g_string_append(walk->path, hiera_probed_trace_name(walk->probed, site));
    if (hiera_probe_script_asks(walk->probed->script, HIERA_PROBE_VARIABLE_STACK))
        append_place(walk, site);
    Open open = {event->row, 0, walk->path->len, walk->stack->len};
    if (!site->mpi)
        /* The id does not depend on how threads interleave. */
        open.region = ((gint64)event->thread << 32) + ++walk->n_regions;
    g_array_append_val(walk->open, open);
}

static void leave(Walk *walk)
{
    guint n = last_of(walk);
    g_string_truncate(walk->path, n > 0 ? open_at(walk, n - 1)->path : 0);
    g_string_truncate(walk->stack, n > 0 ? open_at(walk, n - 1)->stack : 0);
    g_array_set_size(walk->open, n);
}

static void begin(const Walk *walk, const HieraEvent *event, const HieraSite *site)
{
    if (is_wanted(walk, event->row, site))
        fire(walk, event, site->mpi ? HIERA_EVENT_CALL_BEGIN : HIERA_EVENT_REGION_START, NULL);
    if (hiera_probed_trace_waits(walk->probed, site))
        suspend(walk, event);
}

/* Fire the events at the end of an operation; none if the trace has no end of it. */
static void end(const Walk *walk, const HieraEvent *event, const HieraSite *site)
{
    const HieraTransfers *transfers = &walk->probed->transfers;
    if (hiera_trace_is_open(walk->probed->trace, event->row))
        return;
    if (hiera_probed_trace_waits(walk->probed, site))
        resume(walk, event);
    if (!is_wanted(walk, event->row, site))
        return;
    if (site->mpi) {
        fire_transfers(walk, event, transfers->sent, HIERA_EVENT_SEND);
        fire_transfers(walk, event, transfers->received, HIERA_EVENT_RECEIVE);
    }
    fire(walk, event, site->mpi ? HIERA_EVENT_CALL_END : HIERA_EVENT_REGION_STOP, NULL);
}

static void step(const HieraEvent *event, gpointer user)
{
    Walk *walk = user;
    const HieraSite *site = hiera_trace_peek_site(walk->probed->trace, event->row);
    if (event->begins) {
        enter(walk, event, site);
        begin(walk, event, site);
    } else {
        end(walk, event, site);
        leave(walk);
    }
}

void hiera_rank_events_tell(HieraProbedTrace *probed, const HieraProcessor *processor, HieraProbeState *state)
{
    Walk walk = {.probed = probed,
                 .processor = processor,
                 .state = state,
                 .path = g_string_new(NULL),
                 .stack = g_string_new(NULL),
                 .open = g_array_new(FALSE, FALSE, sizeof(Open)),
                 .id = g_string_new(NULL)};
    hiera_events_visit(probed->trace, (guint32)(processor - probed->trace->processors), step, &walk);
    g_string_free(walk.path, TRUE);
    g_string_free(walk.stack, TRUE);
    g_string_free(walk.id, TRUE);
    g_array_unref(walk.open);
}
