/* Messages: each is received with as many bytes as were sent. */
#include "checks.h"

/* Traffic of a communicator, and the call that received the first message whose size differs from the size sent. */
typedef struct {
    HieraTraffic traffic;
    guint32 first_of_all; /* row that the receiving call would have if one process had the operations of all ranks */
    guint32 processor, line, site;
} Total;

static void report_difference(const HieraCheck *check, const char *comm, const Total *total)
{
    const HieraTraffic *traffic = &total->traffic;
    const HieraSite *site = traffic->differ > 0 ? hiera_catalog_peek_site(check->trace->catalog, total->site) : NULL;
    if (site) {
        const HieraFindingAt at = {
            check->trace->processors[total->processor].path, total->line, {{site->file, site->line}}};
        hiera_findings_add_at(check->findings, HIERA_FINDING_CONSERVATION, &at, NULL,
                              "in %s, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                              " messages were received with another size: %" G_GINT64_FORMAT
                              " bytes sent, %" G_GINT64_FORMAT " received; this %s got the first of them",
                              comm, traffic->differ, traffic->messages, traffic->compared[0], traffic->compared[1],
                              site->operation);
    } else if (traffic->compared[0] != traffic->compared[1])
        hiera_findings_add(check->findings, HIERA_FINDING_CONSERVATION, "", 0, NULL,
                           "in %s, messages of threads were received with another size: %" G_GINT64_FORMAT
                           " bytes sent, %" G_GINT64_FORMAT " received",
                           comm, traffic->compared[0], traffic->compared[1]);
}

static void report_doubt(const HieraCheck *check, const char *comm, guint64 n, guint64 messages, const char *why)
{
    if (n > 0)
        hiera_findings_add(check->findings, HIERA_FINDING_AMBIGUOUS, "", 0, NULL,
                           "in %s, the pairing of %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                           " messages is ambiguous: %s",
                           comm, n, messages, why);
}

static void report_total(const HieraCheck *check, guint32 comm, const Total *total)
{
    const char *id = hiera_catalog_peek_communicator(check->trace->catalog, comm)->id;
    const HieraTraffic *traffic = &total->traffic;
    report_difference(check, id, total);
    report_doubt(check, id, traffic->doubts[HIERA_DOUBT_THREADS], traffic->messages,
                 "threads of one rank sent or received at the same time, and MPI does not order their calls");
    report_doubt(check, id, traffic->doubts[HIERA_DOUBT_COUNTED], traffic->messages,
                 "a rank did not record all of its calls");
}

static Total own_total(const HieraCheck *check, guint32 comm)
{
    Total total = {.traffic = check->match->traffic[comm]};
    guint32 row = total.traffic.first_row;
    if (total.traffic.differ == 0)
        return total;
    total.first_of_all = hiera_scope_row_of_all(check->scope, check->trace, row);
    total.processor = hiera_trace_find_processor(check->trace, row);
    total.line = hiera_check_line(check, row);
    total.site = check->trace->site[row];
    return total;
}

/* --- totals of several processes become one total --- */

typedef struct {
    const HieraCheck *check;
    Total *totals; /* by communicator: total over all processes */
} Gathering;

/* Serialize a total for process 0, without the members `sent` and `received`, which are not needed there. */
static void pack_total(HieraPacker *to, const Total *total)
{
    const HieraTraffic *traffic = &total->traffic;
    hiera_pack_number(to, (gint64)traffic->messages);
    hiera_pack_number(to, (gint64)traffic->differ);
    hiera_pack_bytes(to, traffic->doubts, sizeof traffic->doubts);
    hiera_pack_bytes(to, traffic->compared, sizeof traffic->compared);
    hiera_pack_number(to, total->first_of_all);
    hiera_pack_number(to, total->processor);
    hiera_pack_number(to, total->line);
    hiera_pack_number(to, total->site);
}

static Total unpack_total(HieraUnpacker *from)
{
    Total total = {.traffic.messages = (guint64)hiera_unpack_number(from)};
    HieraTraffic *traffic = &total.traffic;
    traffic->differ = (guint64)hiera_unpack_number(from);
    hiera_unpack_bytes(from, traffic->doubts, sizeof traffic->doubts);
    hiera_unpack_bytes(from, traffic->compared, sizeof traffic->compared);
    total.first_of_all = (guint32)hiera_unpack_number(from);
    total.processor = (guint32)hiera_unpack_number(from);
    total.line = (guint32)hiera_unpack_number(from);
    total.site = (guint32)hiera_unpack_number(from);
    return total;
}

static void pack_totals(HieraPacker *to, gpointer user)
{
    const HieraCheck *check = ((const Gathering *)user)->check;
    for (guint32 comm = 0; comm < check->match->n_traffic; comm++) {
        const Total total = own_total(check, comm);
        if (total.traffic.messages == 0)
            continue;
        hiera_pack_number(to, (gint64)comm + 1);
        pack_total(to, &total);
    }
    hiera_pack_number(to, 0);
}

static void add_total(Total *into, const Total *more)
{
    const HieraTraffic *traffic = &more->traffic;
    if (traffic->differ > 0 && (into->traffic.differ == 0 || more->first_of_all < into->first_of_all)) {
        HieraTraffic sums = into->traffic;
        *into = *more;
        into->traffic = sums;
    }
    into->traffic.messages += traffic->messages;
    into->traffic.differ += traffic->differ;
    for (guint i = 0; i < G_N_ELEMENTS(traffic->doubts); i++)
        into->traffic.doubts[i] += traffic->doubts[i];
    for (guint i = 0; i < G_N_ELEMENTS(traffic->compared); i++)
        into->traffic.compared[i] = hiera_plus(into->traffic.compared[i], traffic->compared[i]);
}

static void unpack_totals(HieraUnpacker *from, gpointer user)
{
    Total *totals = ((const Gathering *)user)->totals;
    for (gint64 comm; (comm = hiera_unpack_number(from)) > 0;) {
        const Total total = unpack_total(from);
        add_total(&totals[comm - 1], &total);
    }
}

void hiera_check_messages(const HieraCheck *check)
{
    guint32 n = check->match->n_traffic;
    g_autofree Total *totals = g_new0(Total, (gsize)n + 1);
    Gathering gathering = {check, totals};
    for (guint32 comm = 0; hiera_scope_leads(check->scope) && comm < n; comm++)
        totals[comm] = own_total(check, comm);
    hiera_scope_gather_others(check->scope, check->trace, pack_totals, unpack_totals, &gathering);
    for (guint32 comm = 0; hiera_scope_leads(check->scope) && comm < n; comm++)
        report_total(check, comm, &totals[comm]);
}
