#include "assert_measures.h"
#include "measure_names.h"
#include "report/table.h"
#include "text/nearest.h"
#include "waiting/waiting.h"
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

/* Return the words that cells of a column can have; NULL: the words depend on the traces. */
static const char *const *words_of(const HieraColumn *column)
{
    static const char *const classes[] = {
#define X(identifier, name) name,
        HIERA_WAITS(X)
#undef X
            NULL};
    return strcmp(column->name, "class") == 0 ? classes : NULL;
}

gboolean assert_measures_know_word(const HieraColumn *column, const char *text)
{
    const char *const *words = words_of(column);
    return words && g_strv_contains(words, text);
}

/* Check that a measure has the column of a condition "COLUMN=TEXT", and that the column can have the text. */
static gboolean knows_choice(const HieraMeasure *measure, const char *written, char *message)
{
    const char *equal = strchr(written, '=');
    g_autofree char *name = equal ? g_strndup(written, (gsize)(equal - written)) : NULL;
    const HieraColumn *column = name ? assert_measures_find_column(measure->columns, measure->n_columns, name) : NULL;
    const char *const *words = column ? words_of(column) : NULL;
    if (!column)
        g_snprintf(message, HIERA_EXPRESSION_MESSAGE,
                   name ? "%2$s has no column '%1$.60s'" : "'%1$.60s' chooses no rows of %2$s; write COLUMN=TEXT",
                   name ? name : written, measure->name);
    if (!column || !words || g_strv_contains(words, equal + 1))
        return column != NULL;
    const char *nearest = hiera_nearest_of(equal + 1, words, g_strv_length((char **)words));
    g_snprintf(message, HIERA_EXPRESSION_MESSAGE, "%s has no %s '%.60s'%s%s%s", measure->name, name, equal + 1,
               nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return FALSE;
}

static gboolean knows_rows(const HieraMeasure *measure, const HieraOutside *outside, char *message)
{
    gboolean known = TRUE;
    for (guint i = 0; known && i < outside->n_rows; i++)
        known = knows_choice(measure, outside->rows[i], message);
    return known;
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
    if (measure->runs || hiera_measure_is(measure, HIERA_MEASURE_ASSERTS)) {
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
