/* See assert_measures.h. */
#include "assert_measures.h"
#include "measure_names.h"
#include "report/table.h"
#include <string.h>

gboolean assert_measures_same(const char *written, const char *name)
{
    for (; *written && *name; written++, name++) {
        if (*written != *name && !(*written == '_' && *name == '-'))
            return FALSE;
    }
    return *written == *name;
}

const HieraMeasure *assert_measures_find(const char *written, GError **error)
{
    g_autofree char *name = g_strdelimit(g_strdup(written), "_", '-');
    const HieraMeasure *measure = measure_names_find(name, error);
    return measure && measure->forms ? measure->forms[0] : measure;
}

const HieraColumn *assert_measures_find_column(const HieraColumn *columns, guint n_columns, const char *name)
{
    for (guint i = 0; i < n_columns; i++) {
        if (assert_measures_same(name, columns[i].name))
            return &columns[i];
    }
    return NULL;
}

static gboolean is_number(const HieraColumn *column)
{
    return !hiera_cell_is_text(column) && column->type != HIERA_CELL_BAR;
}

static void blame_column(const HieraMeasure *measure, const char *written, char *message)
{
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < measure->n_columns; i++) {
        g_autofree char *name = g_strdelimit(g_strdup(measure->columns[i].name), "-", '_');
        if (is_number(&measure->columns[i]))
            g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", name);
    }
    if (names->len > 0)
        g_snprintf(message, HIERA_EXPRESSION_MESSAGE, "%s has no number '%.40s'; its numbers are %s", measure->name,
                   written, names->str);
    else
        g_snprintf(message, HIERA_EXPRESSION_MESSAGE, "%s has no numbers", measure->name);
}

static gboolean knows_rows(const HieraMeasure *measure, const HieraOutside *outside, char *message)
{
    for (guint i = 0; i < outside->n_rows; i++) {
        const char *equal = strchr(outside->rows[i], '=');
        g_autofree char *column = equal ? g_strndup(outside->rows[i], (gsize)(equal - outside->rows[i])) : NULL;
        if (column && assert_measures_find_column(measure->columns, measure->n_columns, column))
            continue;
        g_snprintf(message, HIERA_EXPRESSION_MESSAGE,
                   column ? "%2$s has no column '%1$.60s'" : "'%1$.60s' chooses no rows of %2$s; write COLUMN=TEXT",
                   column ? column : outside->rows[i], measure->name);
        return FALSE;
    }
    return TRUE;
}

bool assert_measures_know(void *user, HieraOutside *outside, char message[HIERA_EXPRESSION_MESSAGE])
{
    (void)user;
    g_autoptr(GError) error = NULL;
    const HieraMeasure *measure = assert_measures_find(outside->measure, &error);
    if (!measure) {
        g_strlcpy(message, error->message, HIERA_EXPRESSION_MESSAGE);
        return false;
    }
    if (measure->protocol == HIERA_PROTOCOL_RUNS || measure->asserts) {
        g_snprintf(message, HIERA_EXPRESSION_MESSAGE, "rules cannot ask for values of %s", measure->name);
        return false;
    }
    const HieraColumn *column = assert_measures_find_column(measure->columns, measure->n_columns, outside->column);
    if (!column || !is_number(column)) {
        blame_column(measure, outside->column, message);
        return false;
    }
    outside->type = column->type == HIERA_CELL_SECONDS ? HIERA_VALUE_DURATION : HIERA_VALUE_NUMBER;
    return knows_rows(measure, outside, message);
}
