/* See rule_meter.h. */
#include "asserting/rule_meter.h"
#include <string.h>

/* What the rules have to do with a call site. */
typedef struct {
    gboolean known;
    GArray *counters; /* guint32: counters that its operations may raise */
    GArray *rules;    /* guint32: rules that are about its executions */
} SiteUse;

/* An execution that a rule is about, and that has not ended. */
typedef struct {
    guint32 rule, depth;
    gint64 start_ns, finish_ns;
    guint64 index; /* of its operation */
    guint values;  /* first of its totals at the begin, in `noted` */
} Frame;

/* What was posted by a request. */
typedef struct {
    const HieraSite *site;
    HieraKind kind; /* SEND or RECEIVE; of a persistent one, what each start does */
    guint32 comm;
    gint32 peer, source;
    gint64 bytes;
    gboolean persistent;
} Posted;

struct HieraRuleMeter {
    const HieraScope *scope;
    const HieraRule *rules;
    const HieraCounter *counters;
    guint n_rules, n_counters;
    GArray *uses;              /* SiteUse, by id of the site */
    GPtrArray *callers;        /* HieraSite, by depth, of the last operation */
    GArray *frames;            /* Frame, the innermost last */
    GArray *noted;             /* gint64 */
    GHashTable *posted;        /* number of a request → Posted */
    gboolean *hidden;          /* by counter: some of its calls were only counted */
    gint64 *hidden_sums;       /* by counter: what these were */
    gint64 *hidden_executions; /* by rule: executions that were only counted */
    gboolean open;             /* an MPI call has no end */
    HieraRuleOutcome outcome;
    guint32 comm; /* the communicator asked for last, */
    const char *comm_id;
};

static void clear_use(gpointer data)
{
    SiteUse *use = data;
    g_clear_pointer(&use->counters, g_array_unref);
    g_clear_pointer(&use->rules, g_array_unref);
}

HieraRuleMeter *hiera_rule_meter_new(const HieraScope *scope, const HieraProcessor *processor)
{
    HieraRuleMeter *meter = g_new0(HieraRuleMeter, 1);
    meter->scope = scope;
    meter->rules = hiera_rules_peek(scope->rules, &meter->n_rules);
    meter->counters = hiera_rules_peek_counters(scope->rules, &meter->n_counters);
    meter->comm = HIERA_NONE;
    meter->uses = g_array_new(FALSE, TRUE, sizeof(SiteUse));
    g_array_set_clear_func(meter->uses, clear_use);
    meter->callers = g_ptr_array_new();
    meter->frames = g_array_new(FALSE, FALSE, sizeof(Frame));
    meter->noted = g_array_new(FALSE, FALSE, sizeof(gint64));
    meter->posted = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    meter->hidden = g_new0(gboolean, meter->n_counters);
    meter->hidden_sums = g_new0(gint64, meter->n_counters);
    meter->hidden_executions = g_new0(gint64, meter->n_rules);
    meter->outcome = (HieraRuleOutcome){.rank = processor->rank,
                                        .size = processor->size,
                                        .verdicts = g_new0(HieraVerdicts, meter->n_rules),
                                        .totals = g_new0(gint64, meter->n_counters),
                                        .unknown = g_new0(gboolean, meter->n_counters)};
    return meter;
}

void hiera_rule_meter_free(HieraRuleMeter *meter)
{
    g_array_unref(meter->uses);
    g_ptr_array_unref(meter->callers);
    g_array_unref(meter->frames);
    g_array_unref(meter->noted);
    g_hash_table_unref(meter->posted);
    g_free(meter->hidden);
    g_free(meter->hidden_sums);
    g_free(meter->hidden_executions);
    g_free(meter->outcome.verdicts);
    g_free(meter->outcome.totals);
    g_free(meter->outcome.unknown);
    g_free(meter);
}

/* --- what a call site has to do with the rules --- */

static void find_use(const HieraRuleMeter *meter, const HieraSite *site, SiteUse *use)
{
    use->known = TRUE;
    use->counters = g_array_new(FALSE, FALSE, sizeof(guint32));
    use->rules = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 i = 0; i < meter->n_counters; i++) {
        if (hiera_counter_counts(&meter->counters[i], site->mpi, site->class_name, site->operation))
            g_array_append_val(use->counters, i);
    }
    for (guint32 i = 0; i < meter->n_rules; i++) {
        if (hiera_rule_is_about(&meter->rules[i], site->mpi, site->class_name, site->operation))
            g_array_append_val(use->rules, i);
    }
}

static const SiteUse *peek_use(HieraRuleMeter *meter, const HieraSite *site)
{
    if (site->id >= meter->uses->len)
        g_array_set_size(meter->uses, site->id + 1);
    SiteUse *use = &g_array_index(meter->uses, SiteUse, site->id);
    if (!use->known)
        find_use(meter, site, use);
    return use;
}

/* --- executions --- */

static HieraVerdict judge(const HieraRuleMeter *meter, guint32 rule, const HieraEvaluation *evaluation,
                          HieraSides *sides)
{
    return hiera_rule_evaluate(meter->scope->rules, &meter->rules[rule], evaluation, sides);
}

/* The execution of the innermost frame has ended. */
static void close_frame(HieraRuleMeter *meter)
{
    const Frame frame = g_array_index(meter->frames, Frame, meter->frames->len - 1);
    const HieraRule *rule = &meter->rules[frame.rule];
    gint64 *values = (gint64 *)(void *)meter->noted->data + frame.values;
    for (guint i = 0; i < rule->n_counters; i++)
        values[i] = hiera_minus(meter->outcome.totals[rule->counters[i]], values[i]);
    HieraEvaluation evaluation = {.wall_ns = frame.finish_ns - frame.start_ns,
                                  .values = values,
                                  .processes = meter->outcome.size,
                                  .wall_unknown = frame.finish_ns < frame.start_ns};
    HieraInstance instance = {.row = frame.index, .rank = meter->outcome.rank, .start_ns = frame.start_ns};
    HieraVerdict verdict = frame.finish_ns == HIERA_TIME_OPEN ? HIERA_VERDICT_UNKNOWN
                                                              : judge(meter, frame.rule, &evaluation, &instance.sides);
    hiera_verdicts_add(&meter->outcome.verdicts[frame.rule], verdict, instance);
    g_array_set_size(meter->noted, frame.values);
    g_array_set_size(meter->frames, meter->frames->len - 1);
}

/* End all executions at this depth and below. */
static void close_to(HieraRuleMeter *meter, guint32 depth)
{
    while (meter->frames->len > 0 && g_array_index(meter->frames, Frame, meter->frames->len - 1).depth >= depth)
        close_frame(meter);
}

/* Whether one of the callers has the name that the rule wants. */
static gboolean is_inside(const HieraRuleMeter *meter, const HieraRule *rule)
{
    for (guint i = 0; rule->inside && i < meter->callers->len; i++) {
        const HieraSite *caller = g_ptr_array_index(meter->callers, i);
        if (caller && hiera_rule_is_inside(rule, caller->class_name, caller->operation))
            return TRUE;
    }
    return !rule->inside;
}

static gboolean is_asked_about(const HieraRuleMeter *meter, const HieraOperation *operation)
{
    const HieraScope *scope = meter->scope;
    return hiera_scope_accepts_rank(scope, meter->outcome.rank) && hiera_scope_accepts_operation(scope, operation) &&
           hiera_scope_accepts_time(scope, operation->start_ns);
}

static void open_frame(HieraRuleMeter *meter, guint32 number, const HieraOperation *operation)
{
    const HieraRule *rule = &meter->rules[number];
    const Frame frame = {number,           operation->depth, operation->start_ns, operation->finish_ns,
                         operation->index, meter->noted->len};
    for (guint i = 0; i < rule->n_counters; i++)
        g_array_append_val(meter->noted, meter->outcome.totals[rule->counters[i]]);
    g_array_append_val(meter->frames, frame);
}

static void open_frames(HieraRuleMeter *meter, const SiteUse *use, const HieraOperation *operation)
{
    for (guint i = 0; i < use->rules->len; i++) {
        guint32 number = g_array_index(use->rules, guint32, i);
        if (is_inside(meter, &meter->rules[number]) && is_asked_about(meter, operation))
            open_frame(meter, number, operation);
    }
}

/* --- calls --- */

static void count(HieraRuleMeter *meter, const HieraSite *site, const HieraMeteredCall *call)
{
    const SiteUse *use = peek_use(meter, site);
    for (guint i = 0; i < use->counters->len; i++) {
        guint32 number = g_array_index(use->counters, guint32, i);
        gint64 *total = &meter->outcome.totals[number];
        *total = hiera_plus(*total, hiera_counter_amount(&meter->counters[number], call));
    }
}

static const char *comm_id(HieraRuleMeter *meter, guint32 comm)
{
    if (meter->comm != comm)
        meter->comm_id = comm == HIERA_NONE ? NULL : hiera_catalog_find_id(meter->scope->catalog, comm);
    meter->comm = comm;
    return meter->comm_id;
}

static gint64 known_bytes(gint64 bytes)
{
    return MAX(bytes, 0);
}

/* A message that a call or one of its requests sent or received. */
static void count_message(HieraRuleMeter *meter, const HieraSite *site, guint32 comm, gint32 peer, gboolean sends,
                          gint64 bytes)
{
    HieraMeteredCall call = {.comm = comm_id(meter, comm), .peer = peer, .has_peer = peer != HIERA_ABSENT};
    call.messages = sends && peer >= 0;
    *(sends ? &call.sent : &call.received) = peer == HIERA_PROC_NULL ? 0 : known_bytes(bytes);
    count(meter, site, &call);
}

static void post(HieraRuleMeter *meter, const HieraOperation *operation, gint64 number, gboolean persistent)
{
    HieraKind kind = persistent ? operation->site->starts : operation->site->kind;
    Posted posted = {operation->site,  kind,      operation->comm, operation->peer, operation->source,
                     operation->bytes, persistent};
    g_hash_table_replace(meter->posted, g_memdup2(&number, sizeof number), g_memdup2(&posted, sizeof posted));
}

/* A start of a persistent request sends. */
static void start(HieraRuleMeter *meter, const HieraOperation *operation)
{
    for (guint i = 0; i < operation->n_requests; i++) {
        const Posted *posted = g_hash_table_lookup(meter->posted, &operation->requests[i].number);
        if (posted && posted->kind == HIERA_KIND_SEND)
            count_message(meter, operation->site, posted->comm, posted->peer, TRUE, posted->bytes);
    }
}

/* A completion receives what its requests received. */
static void complete(HieraRuleMeter *meter, const HieraOperation *operation)
{
    for (guint i = 0; i < operation->n_requests; i++) {
        const HieraRequest *request = &operation->requests[i];
        const Posted *posted = g_hash_table_lookup(meter->posted, &request->number);
        if (!posted)
            continue;
        if (posted->kind == HIERA_KIND_RECEIVE || posted->kind == HIERA_KIND_SEND_RECEIVE)
            count_message(meter, operation->site, posted->comm, request->source, FALSE, request->bytes);
        if (!posted->persistent)
            g_hash_table_remove(meter->posted, &request->number);
    }
}

static void count_transfers(HieraRuleMeter *meter, const HieraOperation *operation)
{
    const HieraSite *site = operation->site;
    gboolean begins = operation->n_requests > 0;
    switch (site->kind) {
    case HIERA_KIND_SEND:
        count_message(meter, site, operation->comm, operation->peer, TRUE, operation->bytes);
        break;
    case HIERA_KIND_RECEIVE:
        if (!begins)
            count_message(meter, site, operation->comm, operation->source, FALSE, operation->bytes);
        break;
    case HIERA_KIND_SEND_RECEIVE:
        count_message(meter, site, operation->comm, operation->peer, TRUE, operation->bytes);
        if (!begins)
            count_message(meter, site, operation->comm, operation->source, FALSE, operation->rbytes);
        break;
    case HIERA_KIND_START:
        start(meter, operation);
        return;
    case HIERA_KIND_COMPLETE:
        complete(meter, operation);
        return;
    default:
        count(meter, site,
              &(HieraMeteredCall){.comm = comm_id(meter, operation->comm),
                                  .peer = operation->peer,
                                  .has_peer = operation->peer != HIERA_ABSENT,
                                  .sent = known_bytes(operation->bytes),
                                  .received = known_bytes(operation->rbytes)});
    }
    if (begins)
        post(meter, operation, operation->requests[0].number, site->starts != HIERA_KIND_LOCAL);
}

static void count_call(HieraRuleMeter *meter, const HieraOperation *operation)
{
    gboolean has_end = operation->finish_ns != HIERA_TIME_OPEN;
    gint32 peer = operation->site->kind == HIERA_KIND_RECEIVE ? operation->source : operation->peer;
    meter->open = meter->open || (operation->site->mpi && !has_end);
    count(meter, operation->site,
          &(HieraMeteredCall){.comm = comm_id(meter, operation->comm),
                              .peer = peer,
                              .has_peer = peer != HIERA_ABSENT,
                              .calls = 1,
                              .time_ns = has_end ? operation->finish_ns - operation->start_ns : 0});
    if (operation->site->mpi)
        count_transfers(meter, operation);
}

static gboolean is_inside_mpi(const HieraRuleMeter *meter)
{
    for (guint i = 0; i < meter->callers->len; i++) {
        const HieraSite *caller = g_ptr_array_index(meter->callers, i);
        if (caller && caller->mpi)
            return TRUE;
    }
    return FALSE;
}

void hiera_rule_meter_add(HieraRuleMeter *meter, const HieraOperation *operation)
{
    close_to(meter, operation->depth);
    g_ptr_array_set_size(meter->callers, (gint)operation->depth);
    open_frames(meter, peek_use(meter, operation->site), operation);
    if (!operation->site->mpi || !is_inside_mpi(meter))
        count_call(meter, operation);
    g_ptr_array_add(meter->callers, (gpointer)operation->site);
}

/* --- what is not known --- */

void hiera_rule_meter_add_filtered(HieraRuleMeter *meter, const HieraFiltered *filtered)
{
    const SiteUse *use = peek_use(meter, filtered->site);
    const HieraMeteredCall call = {.comm = comm_id(meter, filtered->comm),
                                   .calls = filtered->count,
                                   .time_ns = filtered->time_ns,
                                   .messages = 0,
                                   .sent = known_bytes(filtered->bytes),
                                   .received = known_bytes(filtered->rbytes)};
    for (guint i = 0; i < use->counters->len; i++) {
        guint32 number = g_array_index(use->counters, guint32, i);
        const HieraCounter *counter = &meter->counters[number];
        meter->hidden[number] = TRUE;
        meter->hidden_sums[number] = hiera_plus(meter->hidden_sums[number], hiera_counter_amount(counter, &call));
    }
    for (guint i = 0; i < use->rules->len; i++)
        meter->hidden_executions[g_array_index(use->rules, guint32, i)] += filtered->count;
}

/* Whether only their sums are known of calls that a rule counts. */
static gboolean has_hidden(const HieraRuleMeter *meter, const HieraRule *rule, gboolean lost)
{
    for (guint i = 0; i < rule->n_counters; i++) {
        if (lost || meter->hidden[rule->counters[i]])
            return TRUE;
    }
    return FALSE;
}

/* Nobody knows in which executions hidden calls were: no verdict on them is sure. */
static void doubt_executions(HieraRuleMeter *meter, gboolean lost)
{
    for (guint i = 0; i < meter->n_rules; i++) {
        HieraVerdicts *verdicts = &meter->outcome.verdicts[i];
        if (has_hidden(meter, &meter->rules[i], lost))
            *verdicts = (HieraVerdicts){.n[HIERA_VERDICT_UNKNOWN] = hiera_verdicts_count(verdicts)};
        verdicts->n[HIERA_VERDICT_UNKNOWN] += (guint64)meter->hidden_executions[i];
    }
}

/* Add what was only counted to the totals, as far as its sum says enough. */
static void finish_totals(HieraRuleMeter *meter, gboolean lost)
{
    for (guint i = 0; i < meter->n_counters; i++) {
        const HieraCounter *counter = &meter->counters[i];
        gboolean vague = counter->metric == HIERA_METRIC_MESSAGES || counter->has_peer;
        meter->outcome.unknown[i] = lost || meter->open || (meter->hidden[i] && vague);
        meter->outcome.totals[i] = hiera_plus(meter->outcome.totals[i], meter->hidden_sums[i]);
    }
}

static void judge_rank(HieraRuleMeter *meter, guint32 number)
{
    const HieraRule *rule = &meter->rules[number];
    g_autofree gint64 *values = g_new(gint64, rule->n_counters + 1);
    g_autofree bool *unknown = g_new(bool, rule->n_counters + 1);
    HieraRuleOutcome *outcome = &meter->outcome;
    for (guint i = 0; i < rule->n_counters; i++) {
        values[i] = outcome->totals[rule->counters[i]];
        unknown[i] = outcome->unknown[rule->counters[i]];
    }
    const HieraEvaluation evaluation = {.wall_ns = outcome->wall_ns,
                                        .values = values,
                                        .unknown = unknown,
                                        .wall_unknown = outcome->wall_unknown,
                                        .processes = outcome->size};
    HieraInstance instance = {.rank = outcome->rank};
    HieraVerdict verdict = judge(meter, number, &evaluation, &instance.sides);
    hiera_verdicts_add(&outcome->verdicts[number], verdict, instance);
}

const HieraRuleOutcome *hiera_rule_meter_finish(HieraRuleMeter *meter, const HieraProcessor *processor)
{
    gboolean lost = processor->lost_calls > 0 || processor->paused_calls > 0, cut = processor->cut && !processor->ended;
    close_to(meter, 0);
    doubt_executions(meter, lost);
    finish_totals(meter, lost || cut);
    meter->outcome.size = processor->size;
    meter->outcome.wall_ns = processor->finalize_ns - processor->init_ns;
    meter->outcome.wall_unknown = cut;
    for (guint i = 0; i < meter->n_rules; i++) {
        if (meter->rules[i].scope == HIERA_RULE_RANK && hiera_scope_accepts_rank(meter->scope, processor->rank))
            judge_rank(meter, i);
    }
    return &meter->outcome;
}
