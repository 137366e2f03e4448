#include "source_rows.h"
#include "rule_rows.h"
#include <string.h>

typedef struct {
    HieraRule rule;
    HieraRuleRow row;
} Row;

struct HieraSourceRows {
    GHashTable *rows; /* set of Row */
    gboolean by_rank;
};

static guint hash(gconstpointer data)
{
    const HieraRule *rule = &((const Row *)data)->rule;
    return g_str_hash(rule->text) ^ g_str_hash(rule->source) ^ rule->line * 2654435761u;
}

static gint compare(const HieraRule *a, const HieraRule *b)
{
    gint order = strcmp(a->source, b->source);
    if (order == 0)
        order = (a->line > b->line) - (a->line < b->line);
    return order == 0 ? strcmp(a->text, b->text) : order;
}

static gboolean is_same(gconstpointer a, gconstpointer b)
{
    return compare(&((const Row *)a)->rule, &((const Row *)b)->rule) == 0;
}

static void free_row(gpointer data)
{
    Row *row = data;
    g_free((gpointer)row->rule.source);
    g_free((gpointer)row->rule.text);
    hiera_rule_row_clear(&row->row);
    g_free(row);
}

HieraSourceRows *hiera_source_rows_new(gboolean by_rank)
{
    HieraSourceRows *rows = g_new0(HieraSourceRows, 1);
    rows->rows = g_hash_table_new_full(hash, is_same, free_row, NULL);
    rows->by_rank = by_rank;
    return rows;
}

void hiera_source_rows_free(HieraSourceRows *rows)
{
    g_hash_table_unref(rows->rows);
    g_free(rows);
}

void hiera_source_rows_add(HieraSourceRows *rows, const HieraSourceAssertion *assertion, const HieraVerdicts *verdicts,
                           gint64 rank)
{
    Row key = {.rule = {.source = assertion->file, .line = assertion->line, .text = assertion->text}};
    Row *row = g_hash_table_lookup(rows->rows, &key);
    if (!row) {
        row = g_new0(Row, 1);
        row->rule = (HieraRule){.source = g_strdup(assertion->file),
                                .line = assertion->line,
                                .text = g_strdup(assertion->text),
                                .scope = HIERA_RULE_EXECUTION,
                                .marked = true};
        hiera_rule_row_init(&row->row, rows->by_rank);
        g_hash_table_add(rows->rows, row);
    }
    hiera_rule_row_add(&row->row, verdicts, rank);
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
    return compare(&(*(Row *const *)a)->rule, &(*(Row *const *)b)->rule);
}

void hiera_source_rows_write(HieraSourceRows *rows, HieraTable *table)
{
    GHashTableIter all;
    gpointer next;
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();
    g_hash_table_iter_init(&all, rows->rows);
    while (g_hash_table_iter_next(&all, &next, NULL))
        g_ptr_array_add(sorted, next);
    g_ptr_array_sort(sorted, compare_rows);
    for (guint i = 0; i < sorted->len; i++) {
        Row *row = g_ptr_array_index(sorted, i);
        hiera_rule_row_write(&row->row, &row->rule, table);
    }
}
