/* See columns.h. */
#include "columns.h"
#include "base/nearest.h"
#include "report/table.h"
#include <string.h>

static gboolean find_column(const HieraColumn *columns, guint n_columns, const char *name, guint *found)
{
    for (guint i = 0; i < n_columns; i++) {
        if (strcmp(columns[i].name, name) == 0) {
            *found = i;
            return TRUE;
        }
    }
    return FALSE;
}

/* Return the names of the columns of all measures, without repetitions; to be freed with g_ptr_array_unref. */
static GPtrArray *collect_columns(const GPtrArray *measures)
{
    GPtrArray *all = g_ptr_array_new();
    for (guint i = 0; i < measures->len; i++) {
        const HieraMeasure *measure = g_ptr_array_index(measures, i);
        for (guint j = 0; j < measure->n_columns; j++) {
            if (!g_ptr_array_find_with_equal_func(all, measure->columns[j].name, g_str_equal, NULL))
                g_ptr_array_add(all, (gpointer)measure->columns[j].name);
        }
    }
    return all;
}

static gboolean check_name(const char *name, const GPtrArray *all, GError **error)
{
    if (g_ptr_array_find_with_equal_func((GPtrArray *)all, name, g_str_equal, NULL))
        return TRUE;
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < all->len; i++)
        g_string_append_printf(list, "%s%s", i ? ", " : "", (const char *)g_ptr_array_index(all, i));
    const char *nearest = hiera_nearest(name, (const char *const *)all->pdata, all->len);
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "there is no column '%s'%s%s%s; choose from %s", name,
                nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "", list->str);
    return FALSE;
}

static gboolean check_measure(const HieraMeasure *measure, const char *const *names, GError **error)
{
    guint found;
    for (guint i = 0; names[i]; i++) {
        if (find_column(measure->columns, measure->n_columns, names[i], &found))
            return TRUE;
    }
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                "--columns names no column of the measure %s; --measure list shows its columns", measure->name);
    return FALSE;
}

gboolean columns_check(const char *const *names, const GPtrArray *measures, GError **error)
{
    g_autoptr(GPtrArray) all = collect_columns(measures);
    for (guint i = 0; names[i]; i++) {
        if (!check_name(names[i], all, error))
            return FALSE;
    }
    for (guint i = 0; i < measures->len; i++) {
        if (!check_measure(g_ptr_array_index(measures, i), names, error))
            return FALSE;
    }
    return TRUE;
}

void columns_choose(const char *const *names, HieraTable *table)
{
    guint n_columns, found;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; names[i]; i++) {
        if (find_column(columns, n_columns, names[i], &found))
            g_array_append_val(chosen, found);
    }
    hiera_table_choose(table, (const guint *)(void *)chosen->data, chosen->len);
}
