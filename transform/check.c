/* MPI's rules and those of the tree, checked on the matched trace. Everything here is a finding, nothing an error. */
#include "findings.h"
#include "graph.h"
#include "table.h"
#include "vocabulary.h"
#include <string.h>

typedef struct {
    const HieraTrace *trace;
    const HieraMatch *match;
    HieraFindings *findings;
} Check;

/* What was sent and received in one communicator. */
typedef struct {
    guint64 messages, differ;
    guint64 doubts[HIERA_DOUBT_COUNTED + 1];
    guint64 bytes[2];  /* sent, received */
    guint32 first_row; /* where they differ */
} Balance;

static const char *path_of(const Check *check, guint32 row)
{
    return check->trace->processors[hiera_trace_find_processor(check->trace, row)].path;
}

static guint32 line_of(const Check *check, guint32 row)
{
    return check->trace->element_line ? check->trace->element_line[row] : 0;
}

static const char *name_of(const Check *check, guint32 row)
{
    return hiera_trace_peek_site(check->trace, row)->operation;
}

/* "send (md.c:58)" */
static char *describe(const Check *check, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(check->trace, row);
    return g_strdup_printf("%s (%s:%u)", site->operation, site->file, site->line);
}

static HieraFindingCode finding_of(HieraReason reason)
{
    if (reason == HIERA_REASON_MISMATCH)
        return HIERA_FINDING_COLLECTIVE;
    return hiera_reason_severity(reason) == HIERA_SEVERITY_ERROR ? HIERA_FINDING_UNMATCHED
                                                                 : HIERA_FINDING_UNMATCHED_PARTIAL;
}

/* Whom an operation waits for: " to rank 1", " from rank 0", ", without rank 2 5,"; "" where that is not known. */
static char *describe_partners(const Check *check, guint32 row)
{
    HieraKind kind = hiera_trace_peek_site(check->trace, row)->kind;
    guint32 collective = check->match->collective[row];
    if (collective != HIERA_NONE) {
        g_autofree char *missing = hiera_match_missing(check->trace, check->match, collective);
        return *missing ? g_strconcat(", without rank ", missing, ",", NULL) : g_strdup("");
    }
    if (kind == HIERA_KIND_SEND && check->trace->peer[row] >= 0)
        return g_strdup_printf(" to rank %d", check->trace->peer[row]);
    if (kind == HIERA_KIND_RECEIVE && check->trace->source[row] >= 0)
        return g_strdup_printf(" from rank %d", check->trace->source[row]);
    return g_strdup("");
}

/* "; trace1.xml:7 has allreduce (g.c:4)", and where the calls are the same, what they were given. */
static char *describe_difference(const Check *check, guint32 row)
{
    guint32 other = GPOINTER_TO_UINT(g_hash_table_lookup(check->match->differs, GUINT_TO_POINTER(row)));
    if (other == 0)
        return g_strdup("");
    const HieraTrace *trace = check->trace;
    g_autofree char *theirs = describe(check, --other);
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "; %s:%u has %s", path_of(check, other), line_of(check, other), theirs);
    if (strcmp(name_of(check, row), name_of(check, other)) == 0 && trace->rtag[row] != trace->rtag[other])
        g_string_append_printf(text, " with %s, here %s", hiera_operator_name(trace->rtag[other]),
                               hiera_operator_name(trace->rtag[row]));
    else if (strcmp(name_of(check, row), name_of(check, other)) == 0 && trace->peer[row] != trace->peer[other])
        g_string_append_printf(text, " with root %d, here %d", trace->peer[other], trace->peer[row]);
    return g_string_free(text, FALSE);
}

/* One finding for each call site and reason in a file. */
static void check_reason(const Check *check, guint32 row)
{
    HieraReason reason = (HieraReason)check->match->reason[row];
    if (hiera_reason_severity(reason) == HIERA_SEVERITY_NOTE)
        return;
    g_autofree char *subject = g_strdup_printf("%u %u %s", check->trace->site[row], (guint)reason, path_of(check, row));
    if (hiera_findings_repeat(check->findings, finding_of(reason), subject))
        return;
    g_autofree char *operation = describe(check, row), *partners = describe_partners(check, row);
    g_autofree char *difference = reason == HIERA_REASON_MISMATCH ? describe_difference(check, row) : g_strdup("");
    hiera_findings_add(check->findings, finding_of(reason), path_of(check, row), line_of(check, row), subject,
                       "%s%s has no match: %s%s", operation, partners, hiera_reason_text(reason), difference);
}

static void check_nesting(const Check *check, guint32 row)
{
    const HieraTrace *trace = check->trace;
    const HieraProcessor *processor = &trace->processors[hiera_trace_find_processor(trace, row)];
    guint32 parent = trace->parent[row];
    gint64 begin = parent == HIERA_NONE ? G_MININT64 : trace->start_ns[parent];
    gint64 end = parent == HIERA_NONE ? G_MAXINT64 : trace->finish_ns[parent];
    if (trace->start_ns[row] >= begin && trace->finish_ns[row] <= end)
        return;
    g_autofree char *subject = g_strdup_printf("%u %s", trace->site[row], processor->path);
    g_autofree char *child = describe(check, row), *outer = describe(check, parent);
    hiera_findings_add(check->findings, HIERA_FINDING_NESTING, processor->path, line_of(check, row), subject,
                       "%s lies outside the time of %s, which called it", child, outer);
}

/* Where another pairing is possible, this one proves nothing. */
static void check_causality(const Check *check, const HieraMessage *message)
{
    gint64 sent_ns = check->trace->start_ns[message->from];
    if (message->doubt || message->end_ns >= sent_ns)
        return;
    char sent[HIERA_SECONDS_BYTES], received[HIERA_SECONDS_BYTES];
    hiera_seconds_format(sent, sent_ns);
    hiera_seconds_format(received, message->end_ns);
    g_autofree char *receiver = describe(check, message->to), *sender = describe(check, message->from);
    hiera_findings_add(check->findings, HIERA_FINDING_CAUSALITY, path_of(check, message->to),
                       line_of(check, message->to), NULL,
                       "%s ends at %s, before %s in %s sent to it at %s; the clocks disagree", receiver, received,
                       sender, path_of(check, message->from), sent);
}

/* Those of threads that might be paired otherwise are only compared all together, those tied to what may be another
 * one's not at all. */
static void balance_message(Balance *balances, const HieraMessage *message)
{
    Balance *balance = &balances[message->comm];
    balance->messages++;
    balance->doubts[message->doubt]++;
    if (message->doubt == HIERA_DOUBT_COUNTED || message->sent_bytes < 0 || message->received_bytes < 0)
        return;
    balance->bytes[0] += (guint64)message->sent_bytes;
    balance->bytes[1] += (guint64)message->received_bytes;
    if (message->doubt || message->sent_bytes == message->received_bytes)
        return;
    if (balance->differ++ == 0)
        balance->first_row = message->to;
}

static void report_difference(const Check *check, const char *comm, const Balance *balance)
{
    if (balance->differ > 0)
        hiera_findings_add(check->findings, HIERA_FINDING_CONSERVATION, path_of(check, balance->first_row),
                           line_of(check, balance->first_row), NULL,
                           "in %s, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                           " messages did not arrive as they were sent: %" G_GUINT64_FORMAT
                           " bytes sent, %" G_GUINT64_FORMAT " received; the first is this %s",
                           comm, balance->differ, balance->messages, balance->bytes[0], balance->bytes[1],
                           name_of(check, balance->first_row));
    else if (balance->bytes[0] != balance->bytes[1])
        hiera_findings_add(check->findings, HIERA_FINDING_CONSERVATION, "", 0, NULL,
                           "in %s, messages of threads did not arrive as they were sent: %" G_GUINT64_FORMAT
                           " bytes sent, %" G_GUINT64_FORMAT " received",
                           comm, balance->bytes[0], balance->bytes[1]);
}

static void report_doubt(const Check *check, const char *comm, guint64 n, guint64 messages, const char *why)
{
    if (n > 0)
        hiera_findings_add(check->findings, HIERA_FINDING_AMBIGUOUS, "", 0, NULL,
                           "in %s, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                           " messages might be paired otherwise: %s",
                           comm, n, messages, why);
}

static void report_balance(const Check *check, guint32 comm, const Balance *balance)
{
    const char *id = hiera_catalog_peek_communicator(check->trace->catalog, comm)->id;
    report_difference(check, id, balance);
    report_doubt(check, id, balance->doubts[HIERA_DOUBT_THREADS], balance->messages,
                 "threads of one rank sent or received them at the same time, which MPI does not order");
    report_doubt(check, id, balance->doubts[HIERA_DOUBT_COUNTED], balance->messages,
                 "a rank did not record all of its calls");
}

static void check_messages(const Check *check)
{
    guint32 n_communicators = hiera_catalog_count_communicators(check->trace->catalog);
    g_autofree Balance *balances = g_new0(Balance, n_communicators + 1);
    for (guint i = 0; i < check->match->messages->len; i++) {
        const HieraMessage *message = &g_array_index(check->match->messages, HieraMessage, i);
        check_causality(check, message);
        balance_message(balances, message);
    }
    for (guint32 comm = 0; comm < n_communicators; comm++)
        report_balance(check, comm, &balances[comm]);
}

void hiera_graph_check(const HieraGraph *graph, HieraFindings *findings)
{
    Check check = {graph->trace, graph->match, findings};
    for (guint32 row = 0; row < graph->trace->n_operations; row++) {
        check_reason(&check, row);
        if (graph->trace->parent[row] != HIERA_NONE)
            check_nesting(&check, row);
    }
    check_messages(&check);
}
