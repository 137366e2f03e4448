#include "rule_meter.h"
#include "source_rules.h"

/* HieraMeter of one set of rules (those of --assert, or the assertions in the source), and its call sites. */
typedef struct {
    HieraMeter *meter; /* checks the rules; NULL: there are none */
    GArray *sites;     /* by HieraSite.id: guint32, 1 + number of the call site in the meter; 0: not looked up yet */
} Part;

/* Entry of the stack of operations that have not ended. */
typedef struct {
    gint64 finish_ns;
    guint32 assertion; /* number of the assertion in the source that the operation executes; HIERA_NONE: none */
} Open;

struct HieraRuleMeter {
    const HieraScope *scope;
    guint32 rank;
    gint64 size;
    guint64 first; /* row of the rank's first operation in the trace of all ranks; HIERA_NONE: no trace is in memory */
    Part file, source;
    HieraSourceRules *assertions;
    GArray *open; /* stack of Open, innermost last */
    guint32 comm; /* communicator of the last look-up; comm_number: its number in the meter of `file` */
    guint32 comm_number;
};

static Part begin_part(const HieraRules *rules, const HieraProcessor *processor)
{
    Part part = {hiera_meter_new(rules, NULL, NULL), g_array_new(FALSE, TRUE, sizeof(guint32))};
    if (!part.meter)
        g_error("no memory for the rules of --assert");
    hiera_meter_set_rank(part.meter, processor->rank, processor->size);
    hiera_meter_set_mpi(part.meter, processor->init_ns, processor->cut ? G_MAXINT64 : processor->finalize_ns);
    return part;
}

static void end_part(Part *part)
{
    hiera_meter_free(part->meter);
    if (part->sites)
        g_array_unref(part->sites);
}

HieraRuleMeter *hiera_rule_meter_new(const HieraScope *scope, const HieraProcessor *processor)
{
    HieraRuleMeter *meter = g_new0(HieraRuleMeter, 1);
    meter->scope = scope;
    meter->rank = processor->rank;
    if (processor->n_operations == 0)
        meter->first = HIERA_NONE;
    else
        meter->first = scope->share.first ? scope->share.first[processor->number] : processor->first;
    meter->assertions = hiera_source_rules_new(scope->options.values);
    if (scope->options.rules)
        meter->file = begin_part(scope->options.rules, processor);
    meter->source = begin_part(hiera_source_rules_peek(meter->assertions), processor);
    meter->open = g_array_new(FALSE, FALSE, sizeof(Open));
    meter->comm = HIERA_NONE;
    return meter;
}

void hiera_rule_meter_free(HieraRuleMeter *meter)
{
    end_part(&meter->file);
    end_part(&meter->source);
    hiera_source_rules_free(meter->assertions);
    g_array_unref(meter->open);
    g_free(meter);
}

/* Return the element of `sites` for a call site: 1 + the number of the site in the meter; 0: not looked up yet. */
static guint32 *get_site(Part *part, const HieraSite *site)
{
    if (site->id >= part->sites->len)
        g_array_set_size(part->sites, site->id + 1);
    return &g_array_index(part->sites, guint32, site->id);
}

static guint32 find_site(Part *part, const HieraSite *site)
{
    guint32 *known = get_site(part, site);
    if (*known == 0)
        *known = 1 + hiera_meter_site(part->meter, site->mpi, site->class_name, site->operation);
    return *known - 1;
}

/* Return the meter's number of a site, for assertions in the source. @param assertion  set to the assertion that
 * operations of the site execute, or HIERA_NONE */
static guint32 find_assertion(HieraRuleMeter *meter, const HieraSite *site, guint32 *assertion)
{
    Part *part = &meter->source;
    *assertion = hiera_source_rules_find(meter->assertions, site);
    if (hiera_meter_fit(part->meter))
        g_array_set_size(part->sites, 0); /* forget all sites' numbers: elements added later are 0 */
    if (*assertion == HIERA_NONE)
        return find_site(part, site);
    guint32 *known = get_site(part, site);
    if (*known == 0)
        *known = 1 + hiera_meter_site_of_rule(part->meter, *assertion);
    return *known - 1;
}

static guint32 find_comm(HieraRuleMeter *meter, const Part *part, guint32 comm)
{
    if (comm == HIERA_NONE)
        return 0;
    const char *id = hiera_catalog_find_id(meter->scope->options.catalog, comm);
    if (part != &meter->file)
        return hiera_meter_comm(part->meter, id);
    if (meter->comm != comm)
        meter->comm_number = hiera_meter_comm(part->meter, id);
    meter->comm = comm;
    return meter->comm_number;
}

static void close_operation(const Part *part, gint64 finish_ns)
{
    if (part->meter)
        hiera_meter_close(part->meter, finish_ns == HIERA_TIME_OPEN ? HIERA_METER_NO_END : finish_ns);
}

/* End all open operations at `depth` or deeper. */
static void close_to(HieraRuleMeter *meter, guint32 depth)
{
    for (; meter->open->len > depth; g_array_set_size(meter->open, meter->open->len - 1)) {
        const Open *open = &g_array_index(meter->open, Open, meter->open->len - 1);
        close_operation(&meter->file, open->finish_ns);
        close_operation(&meter->source, open->finish_ns);
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
    if (peer == HIERA_ABSENT)
        return HIERA_METER_NO_PEER;
    return peer == HIERA_PROC_NULL ? HIERA_METER_PEER_NULL : peer;
}

/* Whether the operation starts or completes requests. The message of a matched probe is a request with a negative
 * number. */
static gboolean has_requests(const HieraOperation *operation)
{
    gboolean has = FALSE;
    for (guint i = 0; i < operation->n_requests; i++)
        has = has || operation->requests[i].number >= 0;
    return has;
}

static void count(HieraRuleMeter *meter, const Part *part, const HieraOperation *operation)
{
    gboolean has_end = operation->finish_ns != HIERA_TIME_OPEN;
    hiera_meter_count(part->meter, &(HieraMetered){
                                       .comm = find_comm(meter, part, operation->comm),
                                       .calls = 1,
                                       .time_ns = has_end ? operation->finish_ns - operation->start_ns : 0,
                                       .has_end = has_end,
                                       .begins = has_requests(operation),
                                       .peer = peer_of(operation->peer),
                                       .source = peer_of(operation->source),
                                       .bytes = operation->bytes,
                                       .rbytes = operation->rbytes,
                                       .posted = operation->posted,
                                   });
    for (guint i = 0; i < operation->n_requests; i++) {
        const HieraRequest *request = &operation->requests[i];
        hiera_meter_request(part->meter, request->number, peer_of(request->source), request->bytes);
    }
}

static void add(HieraRuleMeter *meter, const Part *part, guint32 site, const HieraOperation *operation)
{
    hiera_meter_set_thread(part->meter, operation->thread);
    hiera_meter_open(part->meter, site, operation->start_ns, row_of(meter, operation),
                     is_asked_about(meter, operation));
    count(meter, part, operation);
}

void hiera_rule_meter_add(HieraRuleMeter *meter, const HieraOperation *operation)
{
    Open open = {.finish_ns = operation->finish_ns};
    close_to(meter, operation->depth);
    if (meter->file.meter)
        add(meter, &meter->file, find_site(&meter->file, operation->site), operation);
    guint32 site = find_assertion(meter, operation->site, &open.assertion);
    add(meter, &meter->source, site, operation);
    g_array_append_val(meter->open, open);
}

void hiera_rule_meter_add_asserted(HieraRuleMeter *meter, const HieraAsserted *asserted)
{
    double values[HIERA_MOST_VARIABLES];
    unsigned n;
    if (asserted->depth >= meter->open->len)
        return;
    close_to(meter, asserted->depth + 1);
    guint32 number = g_array_index(meter->open, Open, asserted->depth).assertion;
    if (number == HIERA_NONE)
        return;
    hiera_source_rules_set_place(meter->assertions, number, asserted->file, asserted->line);
    hiera_source_rules_read_variables(meter->assertions, number, asserted->variables, values);
    const HieraRule *rule = &hiera_rules_peek(hiera_source_rules_peek(meter->assertions), &n)[number];
    hiera_meter_set_variables(meter->source.meter, number, values, rule->n_variables);
}

static void hide(HieraRuleMeter *meter, const Part *part, guint32 site, const HieraFiltered *filtered)
{
    hiera_meter_hide(part->meter, site,
                     &(HieraMetered){
                         .comm = find_comm(meter, part, filtered->comm),
                         .calls = filtered->count,
                         .time_ns = filtered->time_ns,
                         .bytes = filtered->bytes,
                         .rbytes = filtered->rbytes,
                     });
}

void hiera_rule_meter_add_filtered(HieraRuleMeter *meter, const HieraFiltered *filtered)
{
    guint32 assertion;
    if (meter->file.meter)
        hide(meter, &meter->file, find_site(&meter->file, filtered->site), filtered);
    hide(meter, &meter->source, find_assertion(meter, filtered->site, &assertion), filtered);
}

static const HieraOutcome *finish(const HieraRuleMeter *meter, const Part *part, const HieraProcessor *processor)
{
    hiera_meter_set_rank(part->meter, processor->rank, processor->size);
    return hiera_meter_finish(part->meter, &(HieraMeteredRank){
                                               .wall_ns = processor->finalize_ns - processor->init_ns,
                                               .lost = processor->lost_calls > 0 || processor->paused_calls > 0,
                                               .cut = processor->cut && !processor->ended,
                                               .asked = hiera_scope_accepts_rank(meter->scope, processor->rank),
                                           });
}

const HieraOutcome *hiera_rule_meter_finish(HieraRuleMeter *meter, const HieraProcessor *processor)
{
    close_to(meter, 0);
    return meter->file.meter ? finish(meter, &meter->file, processor) : NULL;
}

void hiera_rule_meter_finish_source(HieraRuleMeter *meter, const HieraProcessor *processor, HieraSourceVisit visit,
                                    gpointer user)
{
    unsigned n;
    close_to(meter, 0);
    const HieraOutcome *outcome = finish(meter, &meter->source, processor);
    hiera_rules_peek(hiera_source_rules_peek(meter->assertions), &n);
    for (unsigned i = 0; i < n; i++) {
        HieraSourceAssertion assertion = hiera_source_rules_get(meter->assertions, i);
        visit(user, &assertion, &outcome->verdicts[i], processor->rank);
    }
}
