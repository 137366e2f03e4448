/* Results of the probe script of a run: of all ranks together, as global_print() adds them up, or of each rank. */
#include "measures.h"
#include "probes/format.h"
#include "probes/probes.h"

#define COLUMNS                                                                                                        \
    {"aggregation", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, {"function", HIERA_CELL_TEXT, HIERA_ROLE_KEY},                   \
        {"keys", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, {"from", HIERA_CELL_TEXT, HIERA_ROLE_KEY},                          \
        {"value", HIERA_CELL_TEXT, HIERA_ROLE_KEY},

static const HieraColumn columns[] = {COLUMNS},
                         rank_columns[] = {{"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, COLUMNS};

/* Results of the probe script on one rank, or of all ranks together. */
typedef struct {
    gint64 rank;            /* -1: all ranks together */
    HieraProbeSaved *saved; /* NULL: memory was not enough */
} Part;

typedef struct {
    gboolean by_rank;
    GArray *parts; /* array of Part */
    gboolean incomplete;
} All;

static void add_part(All *all, gint64 rank)
{
    const Part part = {rank, hiera_probe_saved_new(&(HieraProbeHost){.memory = (gsize)1 << 30})};
    all->incomplete = all->incomplete || !part.saved;
    g_array_append_val(all->parts, part);
}

static void clear_part(gpointer part)
{
    if (((Part *)part)->saved)
        hiera_probe_saved_free(((Part *)part)->saved);
}

static All *make(gboolean by_rank)
{
    All *all = g_new0(All, 1);
    all->by_rank = by_rank;
    all->parts = g_array_new(FALSE, FALSE, sizeof(Part));
    g_array_set_clear_func(all->parts, clear_part);
    return all;
}

static gpointer open_all(const HieraScope *scope)
{
    (void)scope;
    All *all = make(FALSE);
    add_part(all, -1);
    return all;
}

static gpointer open_by_rank(const HieraScope *scope)
{
    (void)scope;
    return make(TRUE);
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

static void summed(gpointer state, const HieraSummed *summed)
{
    (void)state, (void)summed;
}

static void saved(gpointer state, const char *line)
{
    g_string_append(state, line);
    g_string_append_c(state, '\n');
}

static void merge(gpointer data, gpointer state, const HieraProcessor *processor, gboolean keep)
{
    All *all = data;
    GString *lines = state;
    gboolean has = keep && lines->len > 0;
    if (has && all->by_rank)
        add_part(all, processor->rank);
    HieraProbeSaved *to = has ? g_array_index(all->parts, Part, all->parts->len - 1).saved : NULL;
    if (to && !hiera_probe_saved_load(to, lines->str, lines->len))
        all->incomplete = TRUE;
    g_string_free(lines, TRUE);
}

static void pack(gpointer state, const HieraProcessor *processor, HieraPacker *to)
{
    (void)processor;
    const GString *lines = state;
    hiera_pack_number(to, (gint64)lines->len);
    hiera_pack_bytes(to, lines->str, lines->len);
}

static gpointer unpack(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    (void)scope, (void)processor;
    GString *lines = g_string_new(NULL);
    g_string_set_size(lines, (gsize)hiera_unpack_number(from));
    hiera_unpack_bytes(from, lines->str, lines->len);
    return lines;
}

static void append_value(GString *text, const HieraValue *value)
{
    char own[HIERA_FORMAT_BYTES];
    if (value->type == HIERA_VALUE_TEXT)
        g_string_append_len(text, value->text, value->length);
    else
        g_string_append_len(text, own, (gssize)hiera_format_value(value, own));
}

/* Return values as one text that the table keeps, in valid UTF-8: texts of the program may have any bytes. */
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

typedef struct {
    HieraTable *table;
    gint64 rank; /* rank of the rows; -1: the table has no column `processor` */
} Rows;

static void add_row(void *user, const HieraProbeSavedRow *row)
{
    const Rows *rows = user;
    HieraTable *table = rows->table;
    const HieraCell cells[] = {{.number = rows->rank},          {.text = hiera_table_keep(table, row->name)},
                               {.text = row->function},         {.text = keep_values(table, row->keys, row->n_keys)},
                               {.text = keep_from(table, row)}, {.text = keep_values(table, &row->value, 1)}};
    G_STATIC_ASSERT(G_N_ELEMENTS(cells) == G_N_ELEMENTS(rank_columns));
    hiera_table_add(table, rows->rank < 0 ? cells + 1 : cells);
}

static gint compare_parts(gconstpointer a, gconstpointer b)
{
    const Part *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog;
    All *all = data;
    g_array_sort(all->parts, compare_parts);
    for (guint i = 0; table && i < all->parts->len; i++) {
        const Part *part = &g_array_index(all->parts, Part, i);
        if (part->saved && !hiera_probe_saved_visit(part->saved, add_row, &(Rows){table, part->rank}))
            all->incomplete = TRUE;
    }
    if (table && all->incomplete)
        hiera_table_limit(table, HIERA_FINDING_VALUE,
                          "aggregations: what the probe script has found in some ranks cannot be read, or does not fit "
                          "that of others; it is left out");
    g_array_unref(all->parts);
    g_free(all);
}

#define OF(columns_, opens)                                                                                            \
    {                                                                                                                  \
        .name = "aggregations",                                                                                        \
        .help = "what the probe script of the run has found, of all ranks together or of each",                        \
        .nothing = "no probe script with aggregations ran in the program", .columns = columns_,                        \
        .n_columns = G_N_ELEMENTS(columns_), .by = "job,rank", .forms = forms, .flags = HIERA_MEASURE_ORDERED,         \
        .job = &(const HieraJobOps)                                                                                    \
        {                                                                                                              \
            .read = {.begin = begin,                                                                                   \
                     .operation = operation,                                                                           \
                     .summed = summed,                                                                                 \
                     .records = {.saved = saved},                                                                      \
                     .pack = pack,                                                                                     \
                     .unpack = unpack},                                                                                \
            .open = opens, .merge = merge, .close = close_all                                                          \
        }                                                                                                              \
    }

static const HieraMeasure by_rank;
static const HieraMeasure *const forms[] = {&hiera_measure_aggregations, &by_rank};
const HieraMeasure hiera_measure_aggregations = OF(columns, open_all);
static const HieraMeasure by_rank = OF(rank_columns, open_by_rank);
