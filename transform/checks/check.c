/* Runs all checks on a matched trace. Violations become findings, never a GError. */
#include "checks.h"

void hiera_match_check(const HieraMatch *match, HieraFindings *findings)
{
    static void (*const checks[])(const HieraCheck *) = {
#define X(name) hiera_check_##name,
        HIERA_CHECKS(X)
#undef X
    };
    HieraCheck check = {match->trace, match, findings};
    for (guint i = 0; i < G_N_ELEMENTS(checks); i++)
        checks[i](&check);
}

GPtrArray *hiera_check_make_tables(const HieraMatch *match, HieraFindings *findings)
{
    static const struct {
        HieraTable *(*make)(const HieraMatch *);
        guint at_least;
    } rows[] = {
#define X(name, at_least) {hiera_match_make_##name, at_least},
        HIERA_CHECK_TABLES(X)
#undef X
    };
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(HieraTable) table = rows[i].make(match);
        hiera_table_check(table, findings);
        if (hiera_table_count(table) >= rows[i].at_least)
            g_ptr_array_add(tables, g_steal_pointer(&table));
    }
    return tables;
}
