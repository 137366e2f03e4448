/* See rule_meter.h. */
#include "asserting/rule_meter.h"

struct HieraRuleMeter {
    const HieraScope *scope;
    guint32 rank;
    guint64 first; /* row of the rank's first operation in the trace; HIERA_NONE: there is no trace in memory */
    HieraMeter *meter;
    GArray *sites;  /* guint32, by id of the site: its number in the meter + 1; 0: not known */
    GArray *finish; /* gint64: ends of the open operations, the innermost last */
    guint32 comm;   /* the communicator asked for last, and its number in the meter */
    guint32 comm_number;
};

HieraRuleMeter *hiera_rule_meter_new(const HieraScope *scope, const HieraProcessor *processor)
{
    HieraRuleMeter *meter = g_new0(HieraRuleMeter, 1);
    meter->scope = scope;
    meter->rank = processor->rank;
    meter->first = processor->n_operations > 0 ? processor->first : HIERA_NONE;
    meter->meter = hiera_meter_new(scope->rules, NULL, NULL);
    if (!meter->meter)
        g_error("no memory for the rules of --assert");
    hiera_meter_set_rank(meter->meter, processor->rank, processor->size);
    meter->sites = g_array_new(FALSE, TRUE, sizeof(guint32));
    meter->finish = g_array_new(FALSE, FALSE, sizeof(gint64));
    meter->comm = HIERA_NONE;
    return meter;
}

void hiera_rule_meter_free(HieraRuleMeter *meter)
{
    hiera_meter_free(meter->meter);
    g_array_unref(meter->sites);
    g_array_unref(meter->finish);
    g_free(meter);
}

static guint32 find_site(HieraRuleMeter *meter, const HieraSite *site)
{
    if (site->id >= meter->sites->len)
        g_array_set_size(meter->sites, site->id + 1);
    guint32 *known = &g_array_index(meter->sites, guint32, site->id);
    if (*known == 0)
        *known = 1 + hiera_meter_site(meter->meter, site->mpi, site->class_name, site->operation);
    return *known - 1;
}

static guint32 find_comm(HieraRuleMeter *meter, guint32 comm)
{
    if (comm == HIERA_NONE)
        return 0;
    if (meter->comm != comm)
        meter->comm_number = hiera_meter_comm(meter->meter, hiera_catalog_find_id(meter->scope->catalog, comm));
    meter->comm = comm;
    return meter->comm_number;
}

/* End all operations at this depth and below. */
static void close_to(HieraRuleMeter *meter, guint32 depth)
{
    for (; meter->finish->len > depth; g_array_set_size(meter->finish, meter->finish->len - 1)) {
        gint64 finish_ns = g_array_index(meter->finish, gint64, meter->finish->len - 1);
        hiera_meter_close(meter->meter, finish_ns == HIERA_TIME_OPEN ? HIERA_METER_NO_END : finish_ns);
    }
}

static gboolean is_asked_about(const HieraRuleMeter *meter, const HieraOperation *operation)
{
    return hiera_scope_accepts_rank(meter->scope, meter->rank) &&
           hiera_scope_accepts_operation(meter->scope, operation) &&
           hiera_scope_accepts_time(meter->scope, operation->start_ns);
}

static guint64 row_of(const HieraRuleMeter *meter, const HieraOperation *operation)
{
    return meter->first == HIERA_NONE ? HIERA_NONE : meter->first + operation->index;
}

static gint64 peer_of(gint32 peer)
{
    return peer == HIERA_ABSENT ? HIERA_METER_NO_PEER : peer == HIERA_PROC_NULL ? HIERA_METER_PEER_NULL : peer;
}

/* Does it start or complete requests? The message of a matched probe is one with a negative number. */
static gboolean has_requests(const HieraOperation *operation)
{
    gboolean has = FALSE;
    for (guint i = 0; i < operation->n_requests; i++)
        has = has || operation->requests[i].number >= 0;
    return has;
}

static void count(HieraRuleMeter *meter, const HieraOperation *operation)
{
    gboolean has_end = operation->finish_ns != HIERA_TIME_OPEN;
    hiera_meter_count(meter->meter, &(HieraMetered){
                                        .comm = find_comm(meter, operation->comm),
                                        .calls = 1,
                                        .time_ns = has_end ? operation->finish_ns - operation->start_ns : 0,
                                        .has_end = has_end,
                                        .begins = has_requests(operation),
                                        .peer = peer_of(operation->peer),
                                        .source = peer_of(operation->source),
                                        .bytes = operation->bytes,
                                        .rbytes = operation->rbytes,
                                    });
    for (guint i = 0; i < operation->n_requests; i++) {
        const HieraRequest *request = &operation->requests[i];
        hiera_meter_request(meter->meter, request->number, peer_of(request->source), request->bytes);
    }
}

void hiera_rule_meter_add(HieraRuleMeter *meter, const HieraOperation *operation)
{
    close_to(meter, operation->depth);
    hiera_meter_open(meter->meter, find_site(meter, operation->site), operation->start_ns, row_of(meter, operation),
                     is_asked_about(meter, operation));
    count(meter, operation);
    g_array_append_val(meter->finish, operation->finish_ns);
}

void hiera_rule_meter_add_filtered(HieraRuleMeter *meter, const HieraFiltered *filtered)
{
    hiera_meter_hide(meter->meter, find_site(meter, filtered->site),
                     &(HieraMetered){
                         .comm = find_comm(meter, filtered->comm),
                         .calls = filtered->count,
                         .time_ns = filtered->time_ns,
                         .bytes = filtered->bytes,
                         .rbytes = filtered->rbytes,
                     });
}

const HieraOutcome *hiera_rule_meter_finish(HieraRuleMeter *meter, const HieraProcessor *processor)
{
    close_to(meter, 0);
    hiera_meter_set_rank(meter->meter, processor->rank, processor->size);
    return hiera_meter_finish(meter->meter,
                              &(HieraMeteredRank){
                                  .wall_ns = processor->finalize_ns - processor->init_ns,
                                  .lost = processor->lost_calls > 0 || processor->paused_calls > 0,
                                  .cut = processor->cut && !processor->ended,
                                  .asked = hiera_scope_accepts_rank(meter->scope, processor->rank),
                              });
}
