#include "answer.h"
#include <stdio.h>
#include <string.h>

/* @return index of the column; G_MAXUINT: no column has this name */
static guint find_column(const HieraTable *table, const char *name)
{
    guint n;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n);
    for (guint i = 0; i < n; i++) {
        if (strcmp(columns[i].name, name) == 0)
            return i;
    }
    return G_MAXUINT;
}

static gboolean is_in_one(const GPtrArray *tables, const char *name)
{
    for (guint i = 0; i < tables->len; i++) {
        if (find_column(tables->pdata[i], name) != G_MAXUINT)
            return TRUE;
    }
    return FALSE;
}

static void refuse(const GPtrArray *tables, const char *name, GError **error)
{
    g_autoptr(GString) known = g_string_new(NULL);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < tables->len; i++) {
        guint n;
        const HieraColumn *columns = hiera_table_peek_columns(tables->pdata[i], &n);
        for (guint j = 0; j < n; j++) {
            if (g_hash_table_add(seen, (gpointer)columns[j].name))
                g_string_append_printf(known, "%s%s", known->len ? ", " : "", columns[j].name);
        }
    }
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "--columns: there is no column '%s'; choose from %s",
                name, known->str);
}

/* Remove the table's columns without one of these names. @return FALSE: it has none of them, and is unchanged */
static gboolean choose(HieraTable *table, char *const *names)
{
    g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; names[i]; i++) {
        guint column = find_column(table, names[i]);
        if (column != G_MAXUINT)
            g_array_append_val(chosen, column);
    }
    if (chosen->len > 0)
        hiera_table_choose(table, (const guint *)(void *)chosen->data, chosen->len);
    return chosen->len > 0;
}

gboolean answer_write(const AnswerShape *shape, GPtrArray *tables, const HieraFindings *findings, GError **error)
{
    g_autoptr(GPtrArray) written = g_ptr_array_new();
    for (guint i = 0; shape->columns && shape->columns[i]; i++) {
        if (!is_in_one(tables, shape->columns[i])) {
            refuse(tables, shape->columns[i], error);
            return FALSE;
        }
    }
    for (guint i = 0; i < tables->len; i++) {
        if (!shape->columns || choose(tables->pdata[i], shape->columns))
            g_ptr_array_add(written, tables->pdata[i]);
    }
    hiera_tables_write((HieraTable *const *)written->pdata, written->len, shape->format, findings, stdout);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return TRUE;
    g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "standard output cannot be written");
    return FALSE;
}
