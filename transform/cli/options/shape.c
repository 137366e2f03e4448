#include "shape.h"
#include "base/misuse.h"
#include "text/nearest.h"
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

/* Return the names of all measures' columns, each once; to be freed with g_ptr_array_unref. */
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

static gboolean is_column(const GPtrArray *measures, const char *name)
{
    g_autoptr(GPtrArray) all = collect_columns(measures);
    return g_ptr_array_find_with_equal_func(all, name, g_str_equal, NULL);
}

/* Check that at least one measure has a column of this name. */
static gboolean check_name(const char *option, const char *name, const GPtrArray *measures, GError **error)
{
    g_autoptr(GPtrArray) all = collect_columns(measures);
    if (g_ptr_array_find_with_equal_func(all, name, g_str_equal, NULL))
        return TRUE;
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < all->len; i++)
        g_string_append_printf(list, "%s%s", i ? ", " : "", (const char *)g_ptr_array_index(all, i));
    const char *nearest = hiera_nearest_of(name, (const char *const *)all->pdata, all->len);
    return misuse(error, "%s: there is no column '%s'%s%s%s; choose from %s", option, name,
                  nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "", list->str);
}

/* --- --columns: which columns --- */

static gboolean check_measure(const HieraMeasure *measure, char *const *names, GError **error)
{
    guint found;
    for (guint i = 0; names[i]; i++) {
        if (find_column(measure->columns, measure->n_columns, names[i], &found))
            return TRUE;
    }
    return misuse(error, "--columns names no column of the measure %s; --measure list shows its columns",
                  measure->name);
}

/* Check that each name is a column of a measure, and that each measure has one of these columns. */
static gboolean set_columns(Shape *shape, const char *text, const GPtrArray *measures, GError **error)
{
    if (!text)
        return TRUE;
    shape->columns = g_strsplit(text, ",", -1);
    for (char **name = shape->columns; *name; name++) {
        if (!check_name("--columns", g_strstrip(*name), measures, error))
            return FALSE;
    }
    for (guint i = 0; i < measures->len; i++) {
        if (!check_measure(g_ptr_array_index(measures, i), shape->columns, error))
            return FALSE;
    }
    return TRUE;
}

static void choose_columns(char *const *names, HieraTable *table)
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

/* --- --sort: order of rows --- */

/* Set the column and the order to sort by from the value of --sort: "COLUMN", "COLUMN:up" or "COLUMN:down". */
static gboolean set_sort(Shape *shape, const char *text, const GPtrArray *measures, GError **error)
{
    if (!text)
        return TRUE;
    const char *colon = is_column(measures, text) ? NULL : strrchr(text, ':'); /* a column's name may have colons */
    shape->sort = g_strstrip(colon ? g_strndup(text, (gsize)(colon - text)) : g_strdup(text));
    if (colon && strcmp(colon, ":up") == 0)
        shape->order = HIERA_ORDER_UP;
    else if (colon && strcmp(colon, ":down") == 0)
        shape->order = HIERA_ORDER_DOWN;
    else if (colon)
        return misuse(error, "--sort '%s': after the colon stands up or down", text);
    return check_name("--sort", shape->sort, measures, error);
}

static void sort_rows(const Shape *shape, HieraTable *table)
{
    guint n_columns, found;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    if (find_column(columns, n_columns, shape->sort, &found))
        hiera_table_sort(table, found, shape->order);
}

/* --- --top: number of rows --- */

static gboolean set_top(Shape *shape, const char *text, GError **error)
{
    guint64 top;
    if (!text)
        return TRUE;
    if (!g_ascii_string_to_unsigned(text, 10, 1, G_MAXUINT32, &top, NULL))
        return misuse(error, "--top '%s' is not a number of rows; write a number from 1", text);
    shape->top = (guint)top;
    return TRUE;
}

gboolean shape_parse(Shape *shape, const char *columns, const char *sort, const char *top, const GPtrArray *measures,
                     GError **error)
{
    *shape = (Shape){.order = HIERA_ORDER_USUAL};
    if ((columns || sort || top) && measures->len == 0)
        return misuse(error, "%s applies to measures only; name one with --measure",
                      columns ? "--columns"
                      : sort  ? "--sort"
                              : "--top");
    return set_columns(shape, columns, measures, error) && set_sort(shape, sort, measures, error) &&
           set_top(shape, top, error);
}

void shape_clear(Shape *shape)
{
    g_strfreev(shape->columns);
    g_free(shape->sort);
}

/* Sort before columns are removed, because the column to sort by may be one of these. */
void shape_apply(const Shape *shape, HieraTable *table)
{
    if (shape->sort)
        sort_rows(shape, table);
    if (shape->top > 0)
        hiera_table_keep_first(table, shape->top);
    if (shape->columns)
        choose_columns(shape->columns, table);
}
