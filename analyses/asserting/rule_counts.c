/* See rule_counts.h. */
#include "asserting/rule_counts.h"
#include <string.h>

/* What was posted by a request. */
typedef struct {
    const HieraSite *site;
    HieraKind kind; /* SEND or RECEIVE; of a persistent one, what each start does */
    guint32 comm;
    gint32 peer, source;
    gint64 bytes;
    gboolean persistent;
} Posted;

static void clear_use(gpointer data)
{
    HieraSiteUse *use = data;
    g_clear_pointer(&use->counters, g_array_unref);
    g_clear_pointer(&use->rules, g_array_unref);
}

void hiera_rule_counts_init(HieraRuleCounts *counts, const HieraScope *scope)
{
    *counts = (HieraRuleCounts){.catalog = scope->catalog, .comm = HIERA_NONE};
    counts->rules = hiera_rules_peek(scope->rules, &counts->n_rules);
    counts->counters = hiera_rules_peek_counters(scope->rules, &counts->n_counters);
    counts->totals = g_new0(gint64, counts->n_counters);
    counts->hidden = g_new0(gboolean, counts->n_counters);
    counts->hidden_sums = g_new0(gint64, counts->n_counters);
    counts->uses = g_array_new(FALSE, TRUE, sizeof(HieraSiteUse));
    g_array_set_clear_func(counts->uses, clear_use);
    counts->posted = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
}

void hiera_rule_counts_clear(HieraRuleCounts *counts)
{
    g_array_unref(counts->uses);
    g_hash_table_unref(counts->posted);
    g_free(counts->totals);
    g_free(counts->hidden);
    g_free(counts->hidden_sums);
}

/* --- what a call site has to do with the rules --- */

static void find_use(const HieraRuleCounts *counts, const HieraSite *site, HieraSiteUse *use)
{
    use->known = TRUE;
    use->counters = g_array_new(FALSE, FALSE, sizeof(guint32));
    use->rules = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 i = 0; i < counts->n_counters; i++) {
        if (hiera_counter_counts(&counts->counters[i], site->mpi, site->class_name, site->operation))
            g_array_append_val(use->counters, i);
    }
    for (guint32 i = 0; i < counts->n_rules; i++) {
        if (hiera_rule_is_about(&counts->rules[i], site->mpi, site->class_name, site->operation))
            g_array_append_val(use->rules, i);
    }
}

const HieraSiteUse *hiera_rule_counts_peek_use(HieraRuleCounts *counts, const HieraSite *site)
{
    if (site->id >= counts->uses->len)
        g_array_set_size(counts->uses, site->id + 1);
    HieraSiteUse *use = &g_array_index(counts->uses, HieraSiteUse, site->id);
    if (!use->known)
        find_use(counts, site, use);
    return use;
}

/* --- calls --- */

static void count(HieraRuleCounts *counts, const HieraSite *site, const HieraMeteredCall *call)
{
    const HieraSiteUse *use = hiera_rule_counts_peek_use(counts, site);
    for (guint i = 0; i < use->counters->len; i++) {
        guint32 number = g_array_index(use->counters, guint32, i);
        gint64 *total = &counts->totals[number];
        *total = hiera_plus(*total, hiera_counter_amount(&counts->counters[number], call));
    }
}

static const char *comm_id(HieraRuleCounts *counts, guint32 comm)
{
    if (counts->comm != comm)
        counts->comm_id = comm == HIERA_NONE ? NULL : hiera_catalog_find_id(counts->catalog, comm);
    counts->comm = comm;
    return counts->comm_id;
}

static gint64 known_bytes(gint64 bytes)
{
    return MAX(bytes, 0);
}

/* A message that a call or one of its requests sent or received. */
static void count_message(HieraRuleCounts *counts, const HieraSite *site, guint32 comm, gint32 peer, gboolean sends,
                          gint64 bytes)
{
    HieraMeteredCall call = {.comm = comm_id(counts, comm), .peer = peer, .has_peer = peer != HIERA_ABSENT};
    call.messages = sends && peer >= 0;
    *(sends ? &call.sent : &call.received) = peer == HIERA_PROC_NULL ? 0 : known_bytes(bytes);
    count(counts, site, &call);
}

static void post(HieraRuleCounts *counts, const HieraOperation *operation, gint64 number, gboolean persistent)
{
    HieraKind kind = persistent ? operation->site->starts : operation->site->kind;
    Posted posted = {operation->site,  kind,      operation->comm, operation->peer, operation->source,
                     operation->bytes, persistent};
    g_hash_table_replace(counts->posted, g_memdup2(&number, sizeof number), g_memdup2(&posted, sizeof posted));
}

/* A start of a persistent request sends. */
static void start(HieraRuleCounts *counts, const HieraOperation *operation)
{
    for (guint i = 0; i < operation->n_requests; i++) {
        const Posted *posted = g_hash_table_lookup(counts->posted, &operation->requests[i].number);
        if (posted && posted->kind == HIERA_KIND_SEND)
            count_message(counts, operation->site, posted->comm, posted->peer, TRUE, posted->bytes);
    }
}

/* A completion receives what its requests received. */
static void complete(HieraRuleCounts *counts, const HieraOperation *operation)
{
    for (guint i = 0; i < operation->n_requests; i++) {
        const HieraRequest *request = &operation->requests[i];
        const Posted *posted = g_hash_table_lookup(counts->posted, &request->number);
        if (!posted)
            continue;
        if (posted->kind == HIERA_KIND_RECEIVE || posted->kind == HIERA_KIND_SEND_RECEIVE)
            count_message(counts, operation->site, posted->comm, request->source, FALSE, request->bytes);
        if (!posted->persistent)
            g_hash_table_remove(counts->posted, &request->number);
    }
}

static void count_transfers(HieraRuleCounts *counts, const HieraOperation *operation)
{
    const HieraSite *site = operation->site;
    gboolean begins = operation->n_requests > 0;
    switch (site->kind) {
    case HIERA_KIND_SEND:
        count_message(counts, site, operation->comm, operation->peer, TRUE, operation->bytes);
        break;
    case HIERA_KIND_RECEIVE:
        if (!begins)
            count_message(counts, site, operation->comm, operation->source, FALSE, operation->bytes);
        break;
    case HIERA_KIND_SEND_RECEIVE:
        count_message(counts, site, operation->comm, operation->peer, TRUE, operation->bytes);
        if (!begins)
            count_message(counts, site, operation->comm, operation->source, FALSE, operation->rbytes);
        break;
    case HIERA_KIND_START:
        start(counts, operation);
        return;
    case HIERA_KIND_COMPLETE:
        complete(counts, operation);
        return;
    default:
        count(counts, site,
              &(HieraMeteredCall){.comm = comm_id(counts, operation->comm),
                                  .peer = operation->peer,
                                  .has_peer = operation->peer != HIERA_ABSENT,
                                  .sent = known_bytes(operation->bytes),
                                  .received = known_bytes(operation->rbytes)});
    }
    if (begins)
        post(counts, operation, operation->requests[0].number, site->starts != HIERA_KIND_LOCAL);
}

void hiera_rule_counts_add(HieraRuleCounts *counts, const HieraOperation *operation)
{
    gboolean has_end = operation->finish_ns != HIERA_TIME_OPEN;
    gint32 peer = operation->site->kind == HIERA_KIND_RECEIVE ? operation->source : operation->peer;
    counts->open = counts->open || (operation->site->mpi && !has_end);
    count(counts, operation->site,
          &(HieraMeteredCall){.comm = comm_id(counts, operation->comm),
                              .peer = peer,
                              .has_peer = peer != HIERA_ABSENT,
                              .calls = 1,
                              .time_ns = has_end ? operation->finish_ns - operation->start_ns : 0});
    if (operation->site->mpi)
        count_transfers(counts, operation);
}

void hiera_rule_counts_add_filtered(HieraRuleCounts *counts, const HieraFiltered *filtered)
{
    const HieraSiteUse *use = hiera_rule_counts_peek_use(counts, filtered->site);
    const HieraMeteredCall call = {.comm = comm_id(counts, filtered->comm),
                                   .calls = filtered->count,
                                   .time_ns = filtered->time_ns,
                                   .messages = 0,
                                   .sent = known_bytes(filtered->bytes),
                                   .received = known_bytes(filtered->rbytes)};
    for (guint i = 0; i < use->counters->len; i++) {
        guint32 number = g_array_index(use->counters, guint32, i);
        const HieraCounter *counter = &counts->counters[number];
        counts->hidden[number] = TRUE;
        counts->hidden_sums[number] = hiera_plus(counts->hidden_sums[number], hiera_counter_amount(counter, &call));
    }
}
