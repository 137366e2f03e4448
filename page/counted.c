/* See counted.h. What grows is added up; of a level a rank has the greatest value. */
#include "counted.h"
#include "block.h"
#include "json.h"
#include <math.h>
#include <stdlib.h>

/* What a rank has of a counter in a node. */
typedef struct {
    guint32 node;
    guint counter;
    gdouble value;
} Cell;

typedef struct {
    const HieraScene *scene;
    const HieraCallPaths *paths;
    GPtrArray *counters; /* HieraTraceCounter, in the order in which they came */
    GHashTable *cells;   /* of the current rank, which are their own keys */
    GString *json;
} Counted;

static guint hash_cell(gconstpointer data)
{
    const Cell *cell = data;
    return cell->node * 64 + cell->counter;
}

static gboolean same_cell(gconstpointer a, gconstpointer b)
{
    const Cell *x = a, *y = b;
    return x->node == y->node && x->counter == y->counter;
}

static int compare_cells(const void *a, const void *b)
{
    const Cell *x = *(const Cell *const *)a, *y = *(const Cell *const *)b;
    return x->node != y->node ? (x->node < y->node ? -1 : 1) : (gint)x->counter - (gint)y->counter;
}

static guint number_of(Counted *all, const HieraTraceCounter *counter)
{
    guint number;
    if (g_ptr_array_find(all->counters, counter, &number))
        return number;
    g_ptr_array_add(all->counters, (gpointer)counter);
    return all->counters->len - 1;
}

static void count(Counted *all, const HieraCounted *counted)
{
    const Cell key = {all->paths->node[counted->row], number_of(all, counted->counter), counted->value};
    Cell *cell = g_hash_table_lookup(all->cells, &key);
    if (!isfinite(counted->value))
        return;
    if (!cell) {
        cell = g_memdup2(&key, sizeof key);
        g_hash_table_add(all->cells, cell);
    } else {
        cell->value = counted->counter->level ? MAX(cell->value, counted->value) : cell->value + counted->value;
    }
}

static void add_cells(const Counted *all)
{
    guint n;
    g_autofree gpointer *cells = g_hash_table_get_keys_as_array(all->cells, &n);
    qsort(cells, n, sizeof *cells, compare_cells);
    hiera_json_next(all->json);
    g_string_append_c(all->json, '[');
    for (guint i = 0; i < n; i++) {
        const Cell *cell = cells[i];
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        hiera_json_next(all->json);
        g_string_append_printf(all->json, "[%u,%u,%s]", cell->node, cell->counter, g_ascii_dtostr(number, sizeof number, cell->value));
    }
    g_string_append_c(all->json, ']');
}

/* The first value of a row, or of one behind it. */
static guint find_row(const GArray *counted, guint64 row)
{
    guint low = 0, high = counted->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(counted, HieraCounted, middle).row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_rank(Counted *all, const HieraProcessor *processor)
{
    const HieraScene *scene = all->scene;
    const GArray *counted = scene->trace->counted;
    const guint end = find_row(counted, processor->first + processor->n_operations);
    g_hash_table_remove_all(all->cells);
    for (guint i = find_row(counted, processor->first); i < end; i++) {
        const HieraCounted *one = &g_array_index(counted, HieraCounted, i);
        if (hiera_scene_has(scene, one->row) && hiera_scope_accepts_time(scene->scope, scene->trace->start_ns[one->row]))
            count(all, one);
    }
    add_cells(all);
}

static void add_counters(const Counted *all)
{
    hiera_json_open(all->json, "counters", '[');
    for (guint i = 0; i < all->counters->len; i++) {
        const HieraTraceCounter *counter = g_ptr_array_index(all->counters, i);
        hiera_json_next(all->json);
        g_string_append_c(all->json, '{');
        hiera_json_member_text(all->json, "name", counter->name);
        hiera_json_member_text(all->json, "unit", counter->unit);
        hiera_json_member(all->json, "level", counter->level);
        g_string_append_c(all->json, '}');
    }
    g_string_append_c(all->json, ']');
}

void hiera_counted_write(const HieraScene *scene, FILE *stream)
{
    HieraCallPaths paths;
    g_autoptr(GPtrArray) counters = g_ptr_array_new();
    g_autoptr(GHashTable) cells = g_hash_table_new_full(hash_cell, same_cell, g_free, NULL);
    g_autoptr(GString) json = g_string_new("{");
    Counted all = {scene, &paths, counters, cells, json};
    gboolean any = scene->trace->counted->len > 0; /* of many operations the paths take long */
    if (any)
        hiera_call_paths_init(&paths, scene->trace, &HIERA_SCOPE_ALL);
    hiera_json_open(json, "ranks", '[');
    for (guint32 i = 0; i < scene->trace->n_processors; i++) {
        if (hiera_scope_accepts_rank(scene->scope, scene->trace->processors[i].rank))
            add_rank(&all, &scene->trace->processors[i]);
    }
    g_string_append_c(json, ']');
    add_counters(&all);
    g_string_append_c(json, '}');
    hiera_block_write((const guint8 *)json->str, json->len, stream, "counted");
    if (any)
        hiera_call_paths_clear(&paths);
}
