#include "measure_counters.h"
#include "base/misuse.h"
#include <string.h>

struct MeasureCounters {
    HieraMeasure measure; /* copy of the chosen measure; its table has further columns for counters */
    HieraScopeCounters counters;
    char **names;
};

/* Split a list at commas, but not within parentheses: sum(a,b) is one name. */
static char **split(const char *list)
{
    GPtrArray *names = g_ptr_array_new();
    const char *begin = list;
    int depth = 0;
    for (const char *c = list;; c++) {
        depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
        if (*c != '\0' && (*c != ',' || depth > 0))
            continue;
        char *name = g_strstrip(g_strndup(begin, (gsize)(c - begin)));
        if (*name)
            g_ptr_array_add(names, name);
        else
            g_free(name);
        if (*c == '\0')
            break;
        begin = c + 1;
    }
    g_ptr_array_add(names, NULL);
    return (char **)(void *)g_ptr_array_free(names, FALSE);
}

static void make_columns(MeasureCounters *made, const HieraMeasure *measure)
{
    guint more = hiera_measure_is(measure, HIERA_MEASURE_COUNTER_COLUMNS) ? made->counters.n : 0;
    HieraColumn *columns = g_new(HieraColumn, measure->n_columns + more);
    memcpy(columns, measure->columns, measure->n_columns * sizeof *columns);
    for (guint i = 0; i < more; i++)
        columns[measure->n_columns + i] = (HieraColumn){made->names[i], HIERA_CELL_INTEGER, HIERA_ROLE_SUM};
    made->measure = *measure;
    made->measure.columns = made->counters.columns = columns;
    made->measure.n_columns = made->counters.n_columns = measure->n_columns + more;
}

/* Return the form of the measure that shows counters. There must be one measure only: the counters are columns of its
 * table. */
static const HieraMeasure *find(const GPtrArray *measures, const char *names, GError **error)
{
    const HieraMeasure *measure = measures->len == 1 ? g_ptr_array_index(measures, 0) : NULL;
    if (measure && measure->counters)
        return measure->counters;
    misuse(error,
           measures->len > 1 ? "--counters %s: ask for one measure alone"
                             : "--counters %s: only --measure profile and statistics tell about counters",
           names);
    return NULL;
}

MeasureCounters *measure_counters_choose(HieraScope *scope, GPtrArray *measures, const char *names, GError **error)
{
    const HieraMeasure *measure = names ? find(measures, names, error) : NULL;
    if (!measure)
        return NULL;
    MeasureCounters *made = g_new0(MeasureCounters, 1);
    made->names = split(names);
    made->counters.names = (const char *const *)made->names;
    made->counters.n = g_strv_length(made->names);
    make_columns(made, measure);
    measures->pdata[0] = &made->measure;
    scope->options.counters = &made->counters;
    return made;
}

void measure_counters_free(MeasureCounters *counters)
{
    if (!counters)
        return;
    g_free(counters->counters.columns);
    g_strfreev(counters->names);
    g_free(counters);
}
