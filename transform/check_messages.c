/* Messages: what was sent arrives, as it was sent. */
#include "checks.h"

/* What was sent and received in one communicator. */
typedef struct {
    guint64 messages, differ;
    guint64 doubts[HIERA_DOUBT_COUNTED + 1];
    guint64 bytes[2];  /* sent, received */
    guint32 first_row; /* where they differ */
} Balance;

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

static void report_difference(const HieraCheck *check, const char *comm, const Balance *balance)
{
    if (balance->differ > 0)
        hiera_findings_add(check->findings, HIERA_FINDING_CONSERVATION, hiera_check_path(check, balance->first_row),
                           hiera_check_line(check, balance->first_row), NULL,
                           "in %s, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                           " messages did not arrive as they were sent: %" G_GUINT64_FORMAT
                           " bytes sent, %" G_GUINT64_FORMAT " received; the first is this %s",
                           comm, balance->differ, balance->messages, balance->bytes[0], balance->bytes[1],
                           hiera_trace_peek_site(check->trace, balance->first_row)->operation);
    else if (balance->bytes[0] != balance->bytes[1])
        hiera_findings_add(check->findings, HIERA_FINDING_CONSERVATION, "", 0, NULL,
                           "in %s, messages of threads did not arrive as they were sent: %" G_GUINT64_FORMAT
                           " bytes sent, %" G_GUINT64_FORMAT " received",
                           comm, balance->bytes[0], balance->bytes[1]);
}

static void report_doubt(const HieraCheck *check, const char *comm, guint64 n, guint64 messages, const char *why)
{
    if (n > 0)
        hiera_findings_add(check->findings, HIERA_FINDING_AMBIGUOUS, "", 0, NULL,
                           "in %s, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                           " messages might be paired otherwise: %s",
                           comm, n, messages, why);
}

static void report_balance(const HieraCheck *check, guint32 comm, const Balance *balance)
{
    const char *id = hiera_catalog_peek_communicator(check->trace->catalog, comm)->id;
    report_difference(check, id, balance);
    report_doubt(check, id, balance->doubts[HIERA_DOUBT_THREADS], balance->messages,
                 "threads of one rank sent or received them at the same time, which MPI does not order");
    report_doubt(check, id, balance->doubts[HIERA_DOUBT_COUNTED], balance->messages,
                 "a rank did not record all of its calls");
}

void hiera_check_messages(const HieraCheck *check)
{
    guint32 n_communicators = hiera_catalog_count_communicators(check->trace->catalog);
    g_autofree Balance *balances = g_new0(Balance, n_communicators + 1);
    for (guint i = 0; i < check->match->messages->len; i++) {
        const HieraMessage *message = &g_array_index(check->match->messages, HieraMessage, i);
        balance_message(balances, message);
    }
    for (guint32 comm = 0; comm < n_communicators; comm++)
        report_balance(check, comm, &balances[comm]);
}
