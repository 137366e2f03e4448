/* Operations without a partner: each is reported with the reason that matching found. */
#include "base/vocabulary.h"
#include "checks.h"
#include <string.h>

static const char *name_of(const HieraCheck *check, guint32 row)
{
    return hiera_trace_peek_site(check->trace, row)->operation;
}

static HieraFindingCode finding_of(HieraReason reason)
{
    if (reason == HIERA_REASON_MISMATCH)
        return HIERA_FINDING_COLLECTIVE;
    if (reason == HIERA_REASON_NO_EPOCH)
        return HIERA_FINDING_EPOCH;
    if (hiera_reason_severity(reason) == HIERA_SEVERITY_NOTE)
        return HIERA_FINDING_UNMATCHED_KNOWN;
    return hiera_reason_severity(reason) == HIERA_SEVERITY_ERROR ? HIERA_FINDING_UNMATCHED
                                                                 : HIERA_FINDING_UNMATCHED_PARTIAL;
}

/* Return the partners that an operation waits for: " to rank 1", " from rank 0", ", without rank 2 5,"; "" if they
 * are not known. To be freed with g_free. */
static char *describe_partners(const HieraCheck *check, guint32 row)
{
    HieraKind kind = hiera_trace_peek_site(check->trace, row)->kind;
    guint32 collective = hiera_match_collective(check->match, row);
    if (collective != HIERA_NONE) {
        g_autofree char *missing = hiera_match_missing(check->trace, check->match, collective);
        return *missing ? g_strconcat(", without rank ", missing, ",", NULL) : g_strdup("");
    }
    gboolean reaches = kind == HIERA_KIND_PUT || kind == HIERA_KIND_GET || kind == HIERA_KIND_UPDATE;
    if ((kind == HIERA_KIND_SEND || reaches) && check->trace->peer[row] >= 0)
        return g_strdup_printf(" to rank %d", check->trace->peer[row]);
    if (kind == HIERA_KIND_RECEIVE && check->trace->source[row] >= 0)
        return g_strdup_printf(" from rank %d", check->trace->source[row]);
    return g_strdup("");
}

/* Return the index of an unmatched collective on its communicator, like ", collective 3 of MPI_COMM_WORLD,"; the last
 * comma is left to describe_partners() if that adds its own. "" for other operations. To be freed with g_free. */
static char *describe_position(const HieraCheck *check, guint32 row)
{
    guint32 position = GPOINTER_TO_UINT(g_hash_table_lookup(check->match->position, GUINT_TO_POINTER(row)));
    guint32 comm = check->trace->comm[row];
    if (position == 0 || comm == HIERA_NONE)
        return g_strdup("");
    return g_strdup_printf(", collective %u of %s%s", position,
                           hiera_catalog_peek_communicator(check->trace->catalog, comm)->id,
                           hiera_match_collective(check->match, row) == HIERA_NONE ? "," : "");
}

/* Return the call of another member, like "; rank 1 has allreduce (g.c:4) (trace1.xml:7)"; if both called the same
 * operation, with the root or operator that differs. "" if no call is known to differ. To be freed with g_free. */
static char *describe_difference(const HieraCheck *check, guint32 row)
{
    guint32 other = GPOINTER_TO_UINT(g_hash_table_lookup(check->match->differs, GUINT_TO_POINTER(row)));
    if (other == 0)
        return g_strdup("");
    const HieraTrace *trace = check->trace;
    g_autofree char *theirs = hiera_check_describe(check, --other);
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "; rank %u has %s", hiera_check_rank(check, other), theirs);
    if (strcmp(name_of(check, row), name_of(check, other)) == 0 &&
        hiera_trace_peek_sparse(trace, row)->rtag != hiera_trace_peek_sparse(trace, other)->rtag)
        g_string_append_printf(text, " with %s, here %s",
                               hiera_operator_name(hiera_trace_peek_sparse(trace, other)->rtag),
                               hiera_operator_name(hiera_trace_peek_sparse(trace, row)->rtag));
    else if (strcmp(name_of(check, row), name_of(check, other)) == 0 && trace->peer[row] != trace->peer[other])
        g_string_append_printf(text, " with root %d, here %d", trace->peer[other], trace->peer[row]);
    g_string_append_printf(text, " (%s:%u)", hiera_check_path(check, other), hiera_check_line(check, other));
    return g_string_free(text, FALSE);
}

/* Report an operation without a partner: one finding for each call site, reason and trace file. */
static void check_row(const HieraCheck *check, guint32 row)
{
    HieraReason reason = (HieraReason)check->match->reason[row];
    if ((hiera_reason_severity(reason) == HIERA_SEVERITY_NOTE && reason != HIERA_REASON_ELSEWHERE) ||
        !hiera_check_is_own(check, row))
        return;
    g_autofree char *subject =
        g_strdup_printf("%u %u %s", check->trace->site[row], (guint)reason, hiera_check_path(check, row));
    if (hiera_findings_repeat(check->findings, finding_of(reason), subject))
        return;
    g_autofree char *operation = hiera_check_describe(check, row), *partners = describe_partners(check, row);
    g_autofree char *position = describe_position(check, row);
    g_autofree char *difference = reason == HIERA_REASON_MISMATCH ? describe_difference(check, row) : g_strdup("");
    hiera_check_stand_at(check, 0, row);
    guint32 other = GPOINTER_TO_UINT(g_hash_table_lookup(check->match->differs, GUINT_TO_POINTER(row)));
    hiera_check_add(check, finding_of(reason), row, other > 0 ? other - 1 : HIERA_NONE, subject,
                    "%s%s%s has no match: %s%s", operation, position, partners, hiera_reason_text(reason), difference);
}

void hiera_check_unmatched(const HieraCheck *check)
{
    for (guint32 row = 0; row < check->trace->n_operations; row++)
        check_row(check, row);
}
