/* See counted.h. Values of a counter that grows are added up; of a gauge the greatest value is taken. */
#include "counted.h"
#include "base/block.h"
#include "base/json.h"
#include "base/together.h"
#include "calls/packed_nodes.h"
#include <math.h>
#include <string.h>

/* Value of a counter in a node (call path) of the block `tree`, for one rank. */
typedef struct {
    guint32 node;
    guint counter; /* index in Rank.counters, later in Counted.counters */
    gdouble value;
} Cell;

/* A counter, identified by name and unit. */
typedef struct {
    const char *name, *unit;
    gint64 level;
} Counter;

typedef struct {
    GArray *counters; /* Counter, in the order in which the rank's values name them */
    GArray *cells;    /* Cell, sorted by node, then by counter */
} Rank;

typedef struct {
    const HieraScene *scene;
    const HieraCallPaths *paths;
    GHashTable *cells; /* set of Cell: the cells of the rank that is being counted */
    Rank *ranks;       /* by index of the rank; empty for ranks that the page does not show */
    GArray *counters;  /* Counter, over all ranks */
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

static gint compare_cells(gconstpointer a, gconstpointer b)
{
    const Cell *x = a, *y = b;
    return x->node != y->node ? (x->node > y->node) - (x->node < y->node) : (gint)x->counter - (gint)y->counter;
}

/* --- counter values of one rank --- */

static guint number_of(GArray *counters, const Counter *counter)
{
    for (guint i = 0; i < counters->len; i++) {
        if (strcmp(g_array_index(counters, Counter, i).name, counter->name) == 0)
            return i;
    }
    g_array_append_vals(counters, counter, 1);
    return counters->len - 1;
}

static void count(const Counted *all, Rank *rank, const HieraCounted *counted)
{
    const Counter counter = {counted->counter->name, counted->counter->unit, counted->counter->level};
    const Cell key = {all->paths->node[counted->row], number_of(rank->counters, &counter), counted->value};
    Cell *cell = g_hash_table_lookup(all->cells, &key);
    if (!isfinite(counted->value))
        return;
    if (!cell) {
        cell = g_memdup2(&key, sizeof key);
        g_hash_table_add(all->cells, cell);
    } else {
        cell->value = counter.level ? MAX(cell->value, counted->value) : cell->value + counted->value;
    }
}

static void rank_init(Rank *rank)
{
    rank->counters = g_array_new(FALSE, FALSE, sizeof(Counter));
    rank->cells = g_array_new(FALSE, FALSE, sizeof(Cell));
}

/* Return the index in `counted` of the first value whose row is `row` or later. */
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

static void count_rank(const Counted *all, guint32 number)
{
    const HieraScene *scene = all->scene;
    const HieraProcessor *processor = &scene->trace->processors[number];
    const GArray *counted = scene->trace->counted;
    const guint end = find_row(counted, processor->first + processor->n_operations);
    Rank *rank = &all->ranks[number];
    GHashTableIter iterator;
    gpointer cell;
    rank_init(rank);
    g_hash_table_remove_all(all->cells);
    for (guint i = find_row(counted, processor->first); i < end; i++) {
        const HieraCounted *one = &g_array_index(counted, HieraCounted, i);
        if (hiera_scene_has(scene, one->row) &&
            hiera_scope_accepts_time(scene->scope, scene->trace->start_ns[one->row]))
            count(all, rank, one);
    }
    g_hash_table_iter_init(&iterator, all->cells);
    while (g_hash_table_iter_next(&iterator, &cell, NULL))
        g_array_append_vals(rank->cells, cell, 1);
}

/* --- counter values of other processes' ranks --- */

static void pack_ranks(HieraPacker *to, gpointer user)
{
    const Counted *all = user;
    for (guint32 i = 0; i < all->scene->trace->n_processors; i++) {
        const Rank *rank = &all->ranks[i];
        if (!rank->cells)
            continue;
        hiera_pack_number(to, i);
        hiera_pack_number(to, rank->counters->len);
        for (guint k = 0; k < rank->counters->len; k++) {
            const Counter *counter = &g_array_index(rank->counters, Counter, k);
            hiera_pack_text(to, counter->name);
            hiera_pack_text(to, counter->unit);
            hiera_pack_number(to, counter->level);
        }
        hiera_pack_array(to, rank->cells);
    }
    hiera_pack_number(to, HIERA_NONE);
}

static void unpack_ranks(HieraUnpacker *from, gpointer user)
{
    const Counted *all = user;
    for (gint64 i = hiera_unpack_number(from); i != HIERA_NONE; i = hiera_unpack_number(from)) {
        Rank *rank = &all->ranks[i];
        rank_init(rank);
        for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
            Counter counter;
            counter.name = hiera_unpack_text(from);
            counter.unit = hiera_unpack_text(from);
            counter.level = hiera_unpack_number(from);
            g_array_append_val(rank->counters, counter);
        }
        hiera_unpack_array(from, rank->cells);
    }
}

/* --- writing the counter values of all ranks --- */

/* Append the cells of a rank, with indices in Counted.counters instead of those in Rank.counters. */
static void add_rank(Counted *all, const Rank *rank)
{
    for (guint i = 0; i < rank->cells->len; i++) {
        Cell *cell = &g_array_index(rank->cells, Cell, i);
        cell->counter = number_of(all->counters, &g_array_index(rank->counters, Counter, cell->counter));
    }
    g_array_sort(rank->cells, compare_cells);
    hiera_json_next(all->json);
    g_string_append_c(all->json, '[');
    for (guint i = 0; i < rank->cells->len; i++) {
        const Cell *cell = &g_array_index(rank->cells, Cell, i);
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        hiera_json_next(all->json);
        g_string_append_printf(all->json, "[%u,%u,%s]", cell->node, cell->counter,
                               g_ascii_dtostr(number, sizeof number, cell->value));
    }
    g_string_append_c(all->json, ']');
}

/* Collect the counters of all ranks in order of appearance, rank after rank, and write the ranks' cells. */
static void add_ranks(Counted *all)
{
    hiera_json_open(all->json, "ranks", '[');
    for (guint32 i = 0; i < all->scene->trace->n_processors; i++) {
        const Rank *rank = &all->ranks[i];
        for (guint k = 0; rank->cells && k < rank->counters->len; k++)
            number_of(all->counters, &g_array_index(rank->counters, Counter, k));
        if (rank->cells)
            add_rank(all, rank);
    }
    g_string_append_c(all->json, ']');
}

static void add_counters(const Counted *all)
{
    hiera_json_open(all->json, "counters", '[');
    for (guint i = 0; i < all->counters->len; i++) {
        const Counter *counter = &g_array_index(all->counters, Counter, i);
        hiera_json_next(all->json);
        g_string_append_c(all->json, '{');
        hiera_json_member_text(all->json, "name", counter->name);
        hiera_json_member_text(all->json, "unit", counter->unit);
        hiera_json_member(all->json, "level", counter->level);
        g_string_append_c(all->json, '}');
    }
    g_string_append_c(all->json, ']');
}

static void count_ranks(const Counted *all)
{
    const HieraScene *scene = all->scene;
    for (guint32 i = 0; i < scene->trace->n_processors; i++) {
        if (hiera_scope_accepts_rank(scene->scope, scene->trace->processors[i].rank) &&
            hiera_scope_is_own(scene->scope, i))
            count_rank(all, i);
    }
    hiera_scope_gather_others(scene->scope, scene->trace, pack_ranks, unpack_ranks, (gpointer)all);
}

static void clear(const Counted *all)
{
    for (guint32 i = 0; i < all->scene->trace->n_processors; i++) {
        g_clear_pointer(&all->ranks[i].counters, g_array_unref);
        g_clear_pointer(&all->ranks[i].cells, g_array_unref);
    }
}

void hiera_counted_write(const HieraScene *scene, FILE *stream)
{
    HieraCallPaths paths;
    HieraScope scope = HIERA_SCOPE_ALL;
    g_autoptr(GHashTable) cells = g_hash_table_new_full(hash_cell, same_cell, g_free, NULL);
    g_autoptr(GArray) counters = g_array_new(FALSE, FALSE, sizeof(Counter));
    g_autoptr(GString) json = g_string_new("{");
    g_autofree Rank *ranks = g_new0(Rank, (gsize)scene->trace->n_processors + 1);
    Counted all = {scene, &paths, cells, ranks, counters, json};
    /* Without counters, do not find call paths, because that would take long for nothing. */
    gboolean any = hiera_page_add_up(scene->scope, scene->trace, scene->trace->counted->len) > 0;
    scope.share.own = scene->scope->share.own;
    if (any)
        hiera_call_paths_init_together(&paths, scene->trace, &scope);
    count_ranks(&all);
    add_ranks(&all);
    add_counters(&all);
    g_string_append_c(json, '}');
    hiera_block_write((const guint8 *)json->str, json->len, stream, "counted");
    clear(&all);
    if (any)
        hiera_call_paths_clear(&paths);
}
