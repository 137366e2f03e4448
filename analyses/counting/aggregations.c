/* What the probe script of the run has found, all ranks together, as global_print() adds them up. */
#include "measures.h"
#include "probes/format.h"
#include "probes/probes.h"

static const HieraColumn columns[] = {
    {"aggregation", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, {"function", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"keys", HIERA_CELL_TEXT, HIERA_ROLE_KEY},        {"from", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"value", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
};

typedef struct {
    HieraProbeSaved *saved;
    gboolean incomplete;
} All;

static gpointer open_all(const HieraScope *scope)
{
    (void)scope;
    All *all = g_new0(All, 1);
    all->saved = hiera_probe_saved_new(&(HieraProbeHost){.memory = (gsize)1 << 30});
    all->incomplete = all->saved == NULL;
    return all;
}

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    (void)scope, (void)processor;
    return g_string_new(NULL);
}

static void operation(gpointer state, const HieraOperation *operation)
{
    (void)state, (void)operation;
}

static void saved(gpointer state, const char *line)
{
    g_string_append(state, line);
    g_string_append_c(state, '\n');
}

static void merge(gpointer data, gpointer state, const HieraProcessor *processor, gboolean keep)
{
    (void)processor;
    All *all = data;
    GString *lines = state;
    if (keep && lines->len > 0 && all->saved && !hiera_probe_saved_load(all->saved, lines->str, lines->len))
        all->incomplete = TRUE;
    g_string_free(lines, TRUE);
}

static void append_value(GString *text, const HieraValue *value)
{
    char own[HIERA_FORMAT_BYTES];
    if (value->type == HIERA_VALUE_TEXT)
        g_string_append_len(text, value->text, value->length);
    else
        g_string_append_len(text, own, (gssize)hiera_format_value(value, own));
}

/* Texts of a program may be any bytes. */
static const char *keep_values(HieraTable *table, const HieraValue *values, guint n)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < n; i++) {
        if (i > 0)
            g_string_append(text, ", ");
        append_value(text, &values[i]);
    }
    g_autofree char *valid = g_utf8_make_valid(text->str, (gssize)text->len);
    return hiera_table_keep(table, valid);
}

static const char *keep_from(HieraTable *table, const HieraProbeSavedRow *row)
{
    if (!row->is_bin)
        return "";
    return row->from.type == HIERA_VALUE_MISSING ? "less" : keep_values(table, &row->from, 1);
}

static void add_row(void *user, const HieraProbeSavedRow *row)
{
    HieraTable *table = user;
    hiera_table_add(table, (HieraCell[]){{.text = hiera_table_keep(table, row->name)},
                                         {.text = row->function},
                                         {.text = keep_values(table, row->keys, row->n_keys)},
                                         {.text = keep_from(table, row)},
                                         {.text = keep_values(table, &row->value, 1)}});
}

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog;
    All *all = data;
    if (table && all->saved && !hiera_probe_saved_visit(all->saved, add_row, table))
        all->incomplete = TRUE;
    if (table && all->incomplete)
        hiera_table_limit(table, HIERA_FINDING_VALUE,
                          "aggregations: what the probe script has found in some ranks cannot be read, or does not fit that of others; it is left out");
    if (all->saved)
        hiera_probe_saved_free(all->saved);
    g_free(all);
}

const HieraMeasure hiera_measure_aggregations = {
    .name = "aggregations",
    .help = "what the probe script of the run has found, all ranks together",
    .nothing = "no probe script with aggregations ran in the program",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .protocol = HIERA_PROTOCOL_JOB,
    .ordered = TRUE,
    .begin = begin,
    .operation = operation,
    .saved = saved,
    .open = open_all,
    .merge = merge,
    .close = close_all,
};
