/* Runs all checks on a matched trace. Violations become findings, never a GError. */
#include "checks/checks.h"

static const struct {
    void (*find)(const HieraCheck *);
    gboolean may_be_equal;
} checks[] = {
#define X(name, may_be_equal, parting) {hiera_check_##name, may_be_equal},
    HIERA_CHECKS(X)
#undef X
};

void hiera_match_check(const HieraMatch *match, HieraFindings *findings)
{
    const HieraScope all = HIERA_SCOPE_ALL;
    const HieraCheck check = {match->trace, match, findings, &all, NULL};
    for (guint i = 0; i < G_N_ELEMENTS(checks); i++)
        checks[i].find(&check);
}

/* --- checking with several processes together --- */

static void pack_findings(HieraPacker *to, gpointer findings)
{
    hiera_findings_pack(findings, to);
}

static void unpack_findings(HieraUnpacker *from, gpointer findings)
{
    g_autoptr(HieraFindings) part = hiera_findings_new();
    hiera_findings_unpack(part, from);
    hiera_findings_join(findings, part);
}

void hiera_check_together(const HieraMatch *match, const HieraScope *scope, HieraFindings *findings)
{
    for (guint i = 0; i < G_N_ELEMENTS(checks); i++) {
        g_autoptr(HieraFindings) own = hiera_findings_new(), all = hiera_findings_new();
        const HieraCheck check = {match->trace, match, own, scope, NULL};
        hiera_findings_keep_all(all);
        if (checks[i].may_be_equal)
            hiera_findings_keep_all(own);
        checks[i].find(&check);
        hiera_findings_join(all, own);
        hiera_scope_gather_others(scope, match->trace, pack_findings, unpack_findings, all);
        hiera_findings_sort(all);
        hiera_findings_merge(findings, all);
    }
}

GPtrArray *hiera_check_make_tables(const HieraMatch *match, const HieraScope *scope, HieraFindings *findings)
{
    static const struct {
        HieraTable *(*make)(const HieraMatch *, const HieraScope *);
        guint at_least;
    } rows[] = {
#define X(name, at_least) {hiera_check_table_##name, at_least},
        HIERA_CHECK_TABLES(X)
#undef X
    };
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(HieraTable) table = rows[i].make(match, scope);
        hiera_table_check(table, findings);
        if (hiera_table_count(table) >= rows[i].at_least)
            g_ptr_array_add(tables, g_steal_pointer(&table));
    }
    return tables;
}
