/* Runs all checks on a matched trace. Violations become findings, never a GError. */
#include "checks.h"

static void check_all(const HieraCheck *check)
{
    static void (*const checks[])(const HieraCheck *) = {
#define X(name) hiera_check_##name,
        HIERA_CHECKS(X)
#undef X
    };
    for (guint i = 0; i < G_N_ELEMENTS(checks); i++)
        checks[i](check);
}

void hiera_match_check(const HieraMatch *match, HieraFindings *findings)
{
    const HieraScope all = HIERA_SCOPE_ALL;
    const HieraCheck check = {match->trace, match, findings, &all};
    check_all(&check);
}

gboolean hiera_check_is_clean(const HieraMatch *match, const HieraScope *scope)
{
    HieraFindings *findings = hiera_findings_new();
    const HieraCheck check = {match->trace, match, findings, scope};
    check_all(&check);
    gboolean clean = hiera_findings_count(findings) == 0;
    hiera_findings_free(findings);
    return clean;
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
