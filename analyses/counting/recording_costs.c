/* A stack of open operations counts what is recorded inside each; see recording_costs.h. */
#include "recording_costs.h"
#include "tracing_cost.h"

/* Number of operations: [0] MPI calls, [1] others. */
typedef struct {
    gint64 calls[2];
} Counts;

/* Entry of the stack of open operations: the next operations may be inside them. */
typedef struct {
    const HieraSite *site;
    gint64 calls[2]; /* number of operations in it, with itself: [0] MPI calls, [1] others */
    gboolean counts; /* TRUE if the operation is in the scope */
} Open;

/* An operation whose end is not in the trace. */
typedef struct {
    guint32 site;
    gint64 start_ns;
} Unending;

/* State of one processor. The costs depend on the encoding of the trace, which is known at its end: until then `own_ns`
 * is not used. */
struct HieraRecordingCosts {
    const HieraScope *scope;
    GArray *sites;    /* HieraCosts by HieraSite.id */
    GArray *inside;   /* by HieraSite.id: Counts, operations inside those of the site, with themselves */
    GArray *open;     /* stack of Open, innermost last */
    guint32 thread;   /* thread of the operations in `open` */
    GArray *unending; /* Unending, whose time lasts to the end of the processor */
    gboolean settled; /* TRUE if HieraCosts are complete, with costs and sizes */
};

static void add(gint64 *to, gint64 what)
{
    *to = hiera_plus(*to, what);
}

gint64 hiera_cost_times(gint64 n, gint64 each)
{
    gint64 product;
    return __builtin_mul_overflow(n, each, &product) ? HIERA_TOO_LARGE : product;
}

void hiera_costs_add(HieraCosts *to, const HieraCosts *from)
{
    to->site = from->site;
    add(&to->calls, from->calls);
    add(&to->filtered, from->filtered);
    add(&to->time_ns, from->time_ns);
    add(&to->own_ns, from->own_ns);
    add(&to->inside_ns, from->inside_ns);
    add(&to->bytes, from->bytes);
}

HieraRecordingCosts *hiera_recording_costs_new(const HieraScope *scope)
{
    HieraRecordingCosts *processor = g_new0(HieraRecordingCosts, 1);
    *processor = (HieraRecordingCosts){scope,
                                       g_array_new(FALSE, TRUE, sizeof(HieraCosts)),
                                       g_array_new(FALSE, TRUE, sizeof(Counts)),
                                       g_array_new(FALSE, FALSE, sizeof(Open)),
                                       0,
                                       g_array_new(FALSE, FALSE, sizeof(Unending)),
                                       FALSE};
    return processor;
}

HieraCosts *hiera_costs_find(GArray *sites, const HieraSite *site)
{
    if (site->id >= sites->len)
        g_array_set_size(sites, site->id + 1);
    HieraCosts *costs = &g_array_index(sites, HieraCosts, site->id);
    costs->site = site;
    return costs;
}

/* Close operations until `depth` of them are open. */
static void leave(HieraRecordingCosts *processor, guint32 depth)
{
    while (processor->open->len > depth) {
        const Open last = g_array_index(processor->open, Open, processor->open->len - 1);
        g_array_set_size(processor->open, processor->open->len - 1);
        Open *around =
            processor->open->len > 0 ? &g_array_index(processor->open, Open, processor->open->len - 1) : NULL;
        if (last.counts && last.site->id >= processor->inside->len)
            g_array_set_size(processor->inside, last.site->id + 1);
        for (guint i = 0; i < 2; i++) {
            if (last.counts)
                g_array_index(processor->inside, Counts, last.site->id).calls[i] += last.calls[i];
            if (around)
                around->calls[i] += last.calls[i];
        }
    }
}

static void count(HieraRecordingCosts *processor, const HieraOperation *operation)
{
    HieraCosts *costs = hiera_costs_find(processor->sites, operation->site);
    costs->calls++;
    if (operation->finish_ns == HIERA_TIME_OPEN) {
        Unending unending = {operation->site->id, operation->start_ns};
        g_array_append_val(processor->unending, unending);
    } else
        add(&costs->time_ns, MAX(hiera_minus(operation->finish_ns, operation->start_ns), 0));
}

void hiera_recording_costs_add(HieraRecordingCosts *processor, const HieraOperation *operation)
{
    const HieraScope *scope = processor->scope;
    leave(processor, operation->thread == processor->thread ? operation->depth : 0);
    processor->thread = operation->thread;
    Open open = {.site = operation->site,
                 .counts = hiera_scope_accepts_operation(scope, operation) &&
                           hiera_scope_accepts_time(scope, operation->start_ns)};
    open.calls[operation->site->mpi ? 0 : 1] = 1;
    g_array_append_val(processor->open, open);
    if (open.counts)
        count(processor, operation);
}

void hiera_recording_costs_hide(HieraRecordingCosts *costs, const HieraFiltered *filtered)
{
    add(&hiera_costs_find(costs->sites, filtered->site)->filtered, filtered->count);
}

/* Return the cost of MPI calls and other operations, with the prices of the trace's encoding. */
static gint64 price(const gint64 calls[2], gboolean compact)
{
    const HieraSite call = {.mpi = TRUE}, region = {.mpi = FALSE};
    return hiera_plus(hiera_cost_times(calls[0], hiera_tracing_cost_ns(&call, compact)),
                      hiera_cost_times(calls[1], hiera_tracing_cost_ns(&region, compact)));
}

static void set_costs(const HieraRecordingCosts *processor, gboolean compact, HieraCosts *costs)
{
    gint64 filtered_ns = hiera_cost_times(costs->filtered, HIERA_FILTERED_COST_NS);
    costs->own_ns =
        hiera_plus(hiera_cost_times(costs->calls, hiera_tracing_cost_ns(costs->site, compact)), filtered_ns);
    costs->bytes = hiera_cost_times(costs->calls, hiera_tracing_cost_bytes(costs->site, compact));
    costs->inside_ns = filtered_ns;
    if (costs->site->id < processor->inside->len)
        add(&costs->inside_ns, price(g_array_index(processor->inside, Counts, costs->site->id).calls, compact));
}

static void settle(HieraRecordingCosts *processor, const HieraProcessor *of)
{
    if (processor->settled)
        return;
    processor->settled = TRUE;
    leave(processor, 0);
    for (guint i = 0; i < processor->unending->len; i++) {
        const Unending *unending = &g_array_index(processor->unending, Unending, i);
        add(&g_array_index(processor->sites, HieraCosts, unending->site).time_ns,
            MAX(hiera_minus(of->finalize_ns, unending->start_ns), 0));
    }
    for (guint i = 0; i < processor->sites->len; i++) {
        HieraCosts *costs = &g_array_index(processor->sites, HieraCosts, i);
        if (costs->site)
            set_costs(processor, of->compact, costs);
    }
}

void hiera_recording_costs_pack(HieraRecordingCosts *processor, const HieraProcessor *of, HieraPacker *to)
{
    settle(processor, of);
    hiera_pack_number(to, processor->sites->len);
    for (guint i = 0; i < processor->sites->len; i++) {
        const HieraCosts *costs = &g_array_index(processor->sites, HieraCosts, i);
        hiera_pack_number(to, costs->site != NULL);
        if (costs->site)
            hiera_pack_bytes(to, costs, sizeof *costs);
    }
}

HieraRecordingCosts *hiera_recording_costs_unpack(const HieraScope *scope, HieraUnpacker *from)
{
    HieraRecordingCosts *processor = hiera_recording_costs_new(scope);
    guint n = (guint)hiera_unpack_number(from);
    processor->settled = TRUE;
    for (guint id = 0; id < n; id++) {
        HieraCosts costs;
        if (!hiera_unpack_number(from))
            continue;
        hiera_unpack_bytes(from, &costs, sizeof costs);
        costs.site = hiera_unpack_site(from, id);
        *hiera_costs_find(processor->sites, costs.site) = costs;
    }
    return processor;
}

GArray *hiera_recording_costs_end(HieraRecordingCosts *processor, const HieraProcessor *of)
{
    settle(processor, of);
    GArray *sites = processor->sites;
    g_array_unref(processor->inside);
    g_array_unref(processor->open);
    g_array_unref(processor->unending);
    g_free(processor);
    return sites;
}
