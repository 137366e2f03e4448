/* Messages: each is received with the size with which it was sent. */
#include "checks.h"

static void report_difference(const HieraCheck *check, const char *comm, const HieraTraffic *traffic)
{
    if (traffic->differ > 0)
        hiera_findings_add(check->findings, HIERA_FINDING_CONSERVATION, hiera_check_path(check, traffic->first_row),
                           hiera_check_line(check, traffic->first_row), NULL,
                           "in %s, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                           " messages were received with another size: %" G_GINT64_FORMAT
                           " bytes sent, %" G_GINT64_FORMAT " received; this %s got the first of them",
                           comm, traffic->differ, traffic->messages, traffic->compared[0], traffic->compared[1],
                           hiera_trace_peek_site(check->trace, traffic->first_row)->operation);
    else if (traffic->compared[0] != traffic->compared[1])
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

static void report_traffic(const HieraCheck *check, guint32 comm, const HieraTraffic *traffic)
{
    const char *id = hiera_catalog_peek_communicator(check->trace->catalog, comm)->id;
    report_difference(check, id, traffic);
    report_doubt(check, id, traffic->doubts[HIERA_DOUBT_THREADS], traffic->messages,
                 "threads of one rank sent or received at the same time, and MPI does not order their calls");
    report_doubt(check, id, traffic->doubts[HIERA_DOUBT_COUNTED], traffic->messages,
                 "a rank did not record all of its calls");
}

void hiera_check_messages(const HieraCheck *check)
{
    for (guint32 comm = 0; comm < check->match->n_traffic; comm++)
        report_traffic(check, comm, &check->match->traffic[comm]);
}
