/* Causality: no message is received before it was sent; differences within the error of the clocks are allowed. */
#include "checks.h"
#include "report/table.h"

/* A message that was received before it was sent. */
typedef struct {
    const HieraMessage *message;
    guint32 sender, receiver; /* indices of the sender's and the receiver's HieraProcessor */
    gint64 by_ns;             /* ns from the end of the receive to the start of the send */
    gint64 tolerance_ns;      /* greatest known difference between both clocks in ns, or HIERA_CLOCK_ERROR_UNKNOWN */
    gboolean moved; /* in a predicted run: sender or receiver is a further thread, whose times were only shifted, not
                       simulated */
} Violation;

static gboolean is_moved(const HieraTrace *trace, guint32 row)
{
    return trace->thread[row] != 0 && trace->processors[hiera_trace_find_processor(trace, row)].predicted[0] != '\0';
}

/* Add a message to `violations` if it was received before it was sent. Ambiguous partners prove nothing. */
static void examine(const HieraCheck *check, const HieraMessage *message, GArray *violations)
{
    const HieraTrace *trace = check->trace;
    gint64 end_ns = hiera_match_end_ns(trace, message->ended_by), by_ns = trace->start_ns[message->from] - end_ns;
    if (message->doubt || end_ns >= trace->start_ns[message->from] || !hiera_check_is_own(check, message->to))
        return;
    Violation violation = {message,
                           hiera_trace_find_processor(trace, message->from),
                           hiera_trace_find_processor(trace, message->to),
                           by_ns,
                           0,
                           is_moved(trace, message->from) || is_moved(trace, message->ended_by)};
    violation.tolerance_ns =
        hiera_clocks_differ_by(&trace->processors[violation.sender], &trace->processors[violation.receiver]);
    if (by_ns > violation.tolerance_ns)
        g_array_append_val(violations, violation);
}

/* Sort violations by receiver and sender; of each pair of ranks, the greatest violation comes first. */
static gint compare(gconstpointer a, gconstpointer b)
{
    const Violation *left = a, *right = b;
    if (left->receiver != right->receiver)
        return left->receiver < right->receiver ? -1 : 1;
    if (left->sender != right->sender)
        return left->sender < right->sender ? -1 : 1;
    if (left->moved != right->moved)
        return left->moved ? 1 : -1;
    if (left->by_ns != right->by_ns)
        return left->by_ns > right->by_ns ? -1 : 1;
    return (left->message->to > right->message->to) - (left->message->to < right->message->to);
}

static char *describe_clocks(const Violation *violation)
{
    char error[HIERA_NUMBER_BYTES];
    gint64 tolerance_ns = violation->tolerance_ns;
    if (violation->moved)
        return g_strdup("these times are predicted, and calls of further threads were not simulated");
    if (tolerance_ns == HIERA_CLOCK_ERROR_UNKNOWN)
        return g_strdup("how far the clocks agree is not known");
    if (tolerance_ns == 0)
        return g_strdup("the clocks should agree");
    hiera_seconds_format(error, tolerance_ns);
    return g_strdup_printf("the clocks should agree to within %s s", error);
}

/* Report a violation: one finding for each pair of sender and receiver, with the pair's greatest violation. */
static void report(const HieraCheck *check, const Violation *violation)
{
    const HieraMessage *message = violation->message;
    HieraFindingCode code = violation->moved                                       ? HIERA_FINDING_CAUSALITY_KNOWN
                            : violation->tolerance_ns == HIERA_CLOCK_ERROR_UNKNOWN ? HIERA_FINDING_CAUSALITY_UNSURE
                                                                                   : HIERA_FINDING_CAUSALITY;
    g_autofree char *subject = g_strdup_printf("%u %u", violation->receiver, violation->sender);
    if (hiera_findings_repeat(check->findings, code, subject))
        return;
    char sent[HIERA_NUMBER_BYTES], received[HIERA_NUMBER_BYTES], by[HIERA_NUMBER_BYTES];
    hiera_seconds_format(sent, check->trace->start_ns[message->from]);
    hiera_seconds_format(received, hiera_match_end_ns(check->trace, message->ended_by));
    hiera_seconds_format(by, violation->by_ns);
    g_autofree char *receiver = hiera_check_describe(check, message->to);
    g_autofree char *sender = hiera_check_describe(check, message->from);
    g_autofree char *clocks = describe_clocks(violation);
    hiera_check_stand(check, violation->receiver, violation->sender);
    hiera_check_add(check, code, message->to, message->from, subject,
                    "%s ended at %s s, %s s before %s in %s sent the message at %s s; %s", receiver, received, by,
                    sender, hiera_check_path(check, message->from), sent, clocks);
}

void hiera_check_causality(const HieraCheck *check)
{
    g_autoptr(GArray) violations = g_array_new(FALSE, FALSE, sizeof(Violation));
    for (guint i = 0; i < check->match->messages->len; i++)
        examine(check, &g_array_index(check->match->messages, HieraMessage, i), violations);
    g_array_sort(violations, compare);
    for (guint i = 0; i < violations->len; i++)
        report(check, &g_array_index(violations, Violation, i));
}
