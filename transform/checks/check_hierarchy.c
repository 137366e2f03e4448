/* The hierarchy of operations: children lie within the time of their parent, and operations that one thread makes one
 * after the other do not overlap; and the table of levels. */
#include "levels.h"
#include "report/table.h"

enum { PLACES, ORDER, LEVELS }; /* phases of the check; findings are sorted by phase */
#define MISPLACED G_MININT64    /* value of HieraLevelsRow.children: the operation has a child outside its own time */

/* Report a child outside the time of its parent. The parent is then exempt from check_order(), so that one fault is
 * reported once. */
static void check_place(const HieraLevelsRow *at, const HieraCheck *check)
{
    const HieraTrace *trace = check->trace;
    guint32 row = at->row, parent = trace->parent[row];
    if (parent == HIERA_NONE ||
        (trace->start_ns[row] >= trace->start_ns[parent] && trace->finish_ns[row] <= trace->finish_ns[parent]))
        return;
    at->children[parent] = MISPLACED;
    hiera_check_stand_at(check, PLACES, row);
    const char *path = hiera_check_path(check, row);
    g_autofree char *subject = g_strdup_printf("%u %s", trace->site[row], path);
    g_autofree char *child = hiera_check_describe(check, row), *outer = hiera_check_describe(check, parent);
    hiera_check_add(check, HIERA_FINDING_NESTING, row, parent, subject,
                    "%s starts before or ends after %s, which called it", child, outer);
}

/* Report an operation that starts before the previous one of the same caller and thread has ended.
 * If that one was in an earlier part, only the existence of a finding matters. */
static void check_order(const HieraLevelsRow *at, const HieraCheck *check)
{
    const HieraTrace *trace = check->trace;
    guint32 row = at->row, before = at->before == HIERA_NONE ? row : at->before, parent = trace->parent[row];
    if (at->before_finish == G_MININT64 || trace->start_ns[row] >= at->before_finish ||
        (parent != HIERA_NONE && at->children[parent] == MISPLACED))
        return;
    const char *path = hiera_check_path(check, row);
    char by[HIERA_NUMBER_BYTES];
    hiera_seconds_format(by, hiera_minus(at->before_finish, trace->start_ns[row]));
    g_autofree char *subject = g_strdup_printf("before %u %u %s", trace->site[before], trace->site[row], path);
    g_autofree char *first = hiera_check_describe(check, before), *second = hiera_check_describe(check, row);
    hiera_check_stand_at(check, ORDER, row);
    hiera_check_add(check, HIERA_FINDING_NESTING, row, before, subject,
                    "%s starts %s s before %s ends, which the same thread called earlier: they overlap", second, by,
                    first);
}

static void check_levels(const HieraLevels *of, const HieraCheck *check)
{
    g_autoptr(GArray) levels = hiera_levels_gather(of, check->trace);
    for (guint i = 0; i < levels->len; i++) {
        const HieraLevel *level = &g_array_index(levels, HieraLevel, i);
        hiera_check_stand(check, LEVELS, i);
        if (level->bytes != level->bytes_by_parents)
            hiera_findings_add(check->findings, HIERA_FINDING_CONSERVATION, "", 0, level->name,
                               "level %s: MPI calls inside its operations sent %" G_GINT64_FORMAT
                               " bytes by document order, but %" G_GINT64_FORMAT " by their parents",
                               level->name, level->bytes, level->bytes_by_parents);
    }
}

void hiera_check_hierarchy_add(const HieraCheck *check, HieraLevels *levels)
{
    static const HieraLevelsVisit visits[] = {check_place, check_order};
    hiera_levels_add(levels, check, visits, G_N_ELEMENTS(visits));
    check_levels(levels, check);
}

void hiera_check_hierarchy(const HieraCheck *check)
{
    g_autoptr(HieraLevels) levels = hiera_levels_new(check->scope);
    hiera_check_hierarchy_add(check, levels);
}

/* --- the table of levels --- */

static const HieraColumn columns[] = {
    {"level", HIERA_CELL_TEXT, HIERA_ROLE_KEY},           {"operations", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
    {"inclusive", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},    {"exclusive", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"bytes inside", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
};

HieraTable *hiera_check_make_hierarchy_of(const HieraLevels *of, const HieraTrace *trace)
{
    HieraTable *table = hiera_table_new("levels", columns, G_N_ELEMENTS(columns));
    g_autoptr(GArray) levels = hiera_levels_gather(of, trace);
    for (guint i = 0; i < levels->len; i++) {
        const HieraLevel *level = &g_array_index(levels, HieraLevel, i);
        hiera_table_add(table, (HieraCell[]){{.text = level->name},
                                             {.number = level->operations},
                                             {.number = level->inclusive},
                                             {.number = MAX(level->exclusive, 0)},
                                             {.number = level->bytes}});
    }
    hiera_table_settle(table);
    return table;
}

HieraTable *hiera_check_table_hierarchy(const HieraMatch *match, const HieraScope *scope)
{
    const HieraCheck check = {.trace = match->trace, .match = match, .scope = scope};
    g_autoptr(HieraLevels) levels = hiera_levels_new(scope);
    hiera_levels_add(levels, &check, NULL, 0);
    return hiera_check_make_hierarchy_of(levels, match->trace);
}

HieraTable *hiera_match_make_hierarchy(const HieraMatch *match)
{
    const HieraScope all = HIERA_SCOPE_ALL;
    return hiera_check_table_hierarchy(match, &all);
}
