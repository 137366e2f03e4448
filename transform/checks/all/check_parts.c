#include "check_parts.h"
#include "checks/flows.h"
#include "checks/leaks.h"
#include "checks/levels.h"
#include "report/table.h"

struct HieraCheckParts {
    HieraScope all;
    GArray *before; /* guint64, by processor: number of its operations in all earlier parts of the run */
    GArray *flows;  /* HieraCommTraffic, by communicator, of all parts so far */
    HieraLevels *levels;
    HieraLeaks *leaks;
};

HieraCheckParts *hiera_check_parts_new(void)
{
    const HieraScope all = HIERA_SCOPE_ALL;
    HieraCheckParts *parts = g_new0(HieraCheckParts, 1);
    parts->all = all;
    parts->before = g_array_new(FALSE, TRUE, sizeof(guint64));
    parts->flows = g_array_new(FALSE, TRUE, sizeof(HieraCommTraffic));
    parts->levels = hiera_levels_new(&parts->all);
    parts->leaks = hiera_leaks_new(&parts->all);
    return parts;
}

void hiera_check_parts_free(HieraCheckParts *parts)
{
    g_array_unref(parts->before);
    g_array_unref(parts->flows);
    hiera_levels_free(parts->levels);
    hiera_leaks_free(parts->leaks);
    g_free(parts);
}

/* Whether an unmatched operation can be reported from its part alone: a message that nobody receives is reported in the
 * same way anywhere, but a collective is reported with its number. */
static gboolean may_be_alone(const HieraMatch *match, guint32 row, gboolean last)
{
    HieraKind kind = hiera_trace_peek_site(match->trace, row)->kind;
    return match->reason[row] == HIERA_REASON_NOT_COMMUNICATING || match->reason[row] == HIERA_REASON_MATCHED ||
           match->reason[row] == HIERA_REASON_PROC_NULL ||
           (last && (kind == HIERA_KIND_SEND || kind == HIERA_KIND_RECEIVE));
}

/* Whether all partners of the part's operations are in the part. Before the last part, only requests of sends may be
 * open. */
static gboolean is_closed(const HieraMatch *match, gboolean last)
{
    gboolean closed = TRUE;
    for (guint i = 0; i < match->open_requests->len && closed && !last; i++)
        closed = hiera_trace_peek_site(match->trace, g_array_index(match->open_requests, guint32, i))->kind ==
                 HIERA_KIND_SEND;
    for (guint32 row = 0; row < match->trace->n_operations && closed; row++)
        closed = may_be_alone(match, row, last);
    return closed;
}

/* Run the checks that work on a part alone. @param reported  receives findings. @return FALSE: read all parts at once
 */
static gboolean check_alone(HieraCheck *check, gboolean last, HieraFindings *reported)
{
    static const struct {
        void (*find)(const HieraCheck *);
        HieraCheckParting parting;
    } checks[] = {
#define X(name, may_be_equal, parting) {hiera_check_##name, HIERA_CHECK_##parting},
        HIERA_CHECKS(X)
#undef X
    };
    for (guint i = 0; i < G_N_ELEMENTS(checks); i++) {
        g_autoptr(HieraFindings) found = hiera_findings_new();
        check->findings = found;
        if (checks[i].parting == HIERA_CHECK_REMEMBERS)
            continue;
        checks[i].find(check);
        if (hiera_findings_sum(found) > 0 && !(last && checks[i].parting == HIERA_CHECK_LATER))
            return FALSE;
        hiera_findings_merge(reported, found);
    }
    return TRUE;
}

static void count_before(HieraCheckParts *parts, const HieraCheck *check)
{
    for (guint32 i = 0; i < check->trace->n_processors; i++)
        g_array_index(parts->before, guint64, i) += check->trace->processors[i].n_operations - check->part->around[i];
}

gboolean hiera_check_parts_add(HieraCheckParts *parts, const HieraMatch *match, const guint32 *around, gboolean last,
                               HieraFindings *findings)
{
    g_array_set_size(parts->before, match->trace->n_processors);
    g_autoptr(HieraFindings) found = hiera_findings_new(), reported = hiera_findings_new();
    const HieraCheckedPart part = {around, (const guint64 *)(void *)parts->before->data};
    HieraCheck check = {match->trace, match, found, &parts->all, &part};
    if (!is_closed(match, last) || !check_alone(&check, last, reported))
        return FALSE;
    check.findings = found;
    hiera_check_hierarchy_add(&check, parts->levels);
    hiera_comm_traffic_add(parts->flows, match, &parts->all);
    hiera_leaks_add(parts->leaks, &check);
    if (hiera_findings_sum(found) > 0 || !hiera_levels_are_exact(parts->levels))
        return FALSE;
    count_before(parts, &check);
    if (!last)
        return TRUE;
    hiera_findings_merge(findings, reported);
    check.findings = findings;
    hiera_leaks_report(parts->leaks, &check);
    return TRUE;
}

GPtrArray *hiera_check_parts_make_tables(const HieraCheckParts *parts, const HieraTrace *last, HieraFindings *findings)
{
    static const guint at_least[] = {
#define X(name, n) n,
        HIERA_CHECK_TABLES(X)
#undef X
    };
    HieraTable *made[] = {hiera_comm_traffic_make_table(parts->flows, last->catalog),
                          hiera_check_make_hierarchy_of(parts->levels, last)};
    G_STATIC_ASSERT(G_N_ELEMENTS(made) == G_N_ELEMENTS(at_least));
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    for (guint i = 0; i < G_N_ELEMENTS(made); i++) {
        hiera_table_check(made[i], findings);
        if (hiera_table_count(made[i]) >= at_least[i])
            g_ptr_array_add(tables, made[i]);
        else
            hiera_table_free(made[i]);
    }
    return tables;
}
