/* Requests, and messages that matched probes took: reports what calls did to them against MPI's rules (MPI 4.1, 3.7.3,
 * 3.8.2, 3.9, 6.12, 12.3.5), which matching has collected. */
#include "base/attribute_columns.h"
#include "checks.h"
#include "matching/match_common.h"

static const struct {
    HieraFindingCode code;
    const char *text;
} faults[] = {
#define X(identifier, code, text) {HIERA_FINDING_##code, text},
    HIERA_REQUEST_FAULTS(X)
#undef X
};

/* Whether a call that is not in the trace may have completed the request, or received the message. */
static gboolean may_be_unrecorded(const HieraCheck *check, guint32 processor, const HieraRequestFault *fault)
{
    const HieraProcessor *of = &check->trace->processors[processor];
    gboolean lost = fault->kind == HIERA_REQUEST_MESSAGE_LOST;
    if (of->calls_in_threads) /* MPI may give the handle of a request to another thread before the one that completed it
                               * says so
                               */
        return TRUE;
    return *of->seam || of->before || hiera_processor_is_past(of) || (lost && of->cut) ||
           hiera_match_lacks(check->trace, check->match, processor, check->trace->comm[fault->began],
                             lost ? HIERA_LACKS_RECEIVES : HIERA_LACKS_COMPLETIONS);
}

/* Report a fault: one finding for each pair of call sites and trace file. */
static void report(const HieraCheck *check, const HieraRequestFault *fault)
{
    const guint32 *site = check->trace->site;
    const char *path = hiera_check_path(check, fault->row);
    g_autofree char *subject = g_strdup_printf("%u %u %d %s", site[fault->row], site[fault->began], fault->kind, path);
    g_autofree char *call = hiera_check_describe(check, fault->row), *began = hiera_check_describe(check, fault->began);
    g_auto(GStrv) parts = g_strsplit(faults[fault->kind].text, "%s", 2);
    hiera_check_add(check, faults[fault->kind].code, fault->row, fault->began, subject, "%s %s%s%s", call, parts[0],
                    parts[1] ? began : "", parts[1] ? parts[1] : "");
}

/* --- partitions --- */

/* The partitions of one rank's requests that are ready. */
typedef struct {
    guint next;          /* index in HieraMatch.starts of the next start */
    GHashTable *started; /* number of a request → row of its last start */
    GHashTable *ready;   /* text of a start and a partition → row + 1 of the call that marked it */
} Partitions;

static gint64 number_of(const HieraTrace *trace, guint32 row)
{
    const HieraRequest *request;
    return hiera_trace_peek_requests(trace, row, &request) > 0 ? request->number : 0;
}

/* Look at a pready of one partition. */
static void mark(const HieraCheck *check, Partitions *partitions, guint32 row, gint64 partition)
{
    const GArray *starts = check->match->starts;
    for (; partitions->next < starts->len; partitions->next++) {
        const HieraStart *start = &g_array_index(starts, HieraStart, partitions->next);
        if (start->row > row)
            break;
        g_hash_table_insert(partitions->started, GINT_TO_POINTER(number_of(check->trace, start->made_by)),
                            GUINT_TO_POINTER(start->row));
    }
    gpointer start = g_hash_table_lookup(partitions->started, GINT_TO_POINTER(number_of(check->trace, row)));
    char *key = g_strdup_printf("%u %" G_GINT64_FORMAT, GPOINTER_TO_UINT(start), partition);
    guint32 before = GPOINTER_TO_UINT(g_hash_table_lookup(partitions->ready, key));
    const HieraRequestFault fault = {row, before - 1, HIERA_REQUEST_READY_AGAIN};
    if (before > 0)
        report(check, &fault);
    g_hash_table_insert(partitions->ready, key, GUINT_TO_POINTER(row + 1));
}

/* Find partitions that are marked as ready twice after one start. */
static void check_partitions(const HieraCheck *check)
{
    const HieraTrace *trace = check->trace;
    guint32 column = hiera_attribute_columns_find(HIERA_ATTRIBUTE_OF_PARTITIONS), last = HIERA_NONE;
    g_autoptr(GHashTable) started = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) ready = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Partitions partitions = {0, started, ready};
    for (guint i = 0; column != HIERA_NONE && i < trace->attribute->len; i++) {
        const HieraAttributeValue *value = &g_array_index(trace->attribute, HieraAttributeValue, i);
        guint32 row = (guint32)(trace->processors[value->processor].first + value->index);
        if (value->column != column || !hiera_scope_is_own(check->scope, value->processor) ||
            !g_str_equal(hiera_trace_peek_site(trace, row)->operation, "pready"))
            continue;
        if (value->processor != last) {
            g_hash_table_remove_all(started);
            g_hash_table_remove_all(ready);
        }
        last = value->processor;
        hiera_check_stand(check, last, G_MAXUINT32);
        mark(check, &partitions, row, value->number);
    }
}

void hiera_check_requests(const HieraCheck *check)
{
    guint32 last = HIERA_NONE, number = 0;
    for (guint i = 0; i < check->match->request_faults->len; i++) {
        const HieraRequestFault *fault = &g_array_index(check->match->request_faults, HieraRequestFault, i);
        guint32 processor = hiera_trace_find_processor(check->trace, fault->row);
        number = processor == last ? number + 1 : 0;
        last = processor;
        hiera_check_stand(check, processor, number);
        if (hiera_scope_is_own(check->scope, processor) && !may_be_unrecorded(check, processor, fault))
            report(check, fault);
    }
    check_partitions(check);
}
