/* See shared_causes.h. Nodes have the numbers that one process would give them, because the parts of a wait have their
 * order. */
#include "shared_causes.h"
#include "delay_waits.h"
#include <stdlib.h>
#include <string.h>

/* A node, or a wait of the processor that the row is about. */
static const HieraColumn survey_columns[] = {
    HIERA_NODE_COLUMNS,
    {"wait", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},    /* in its process: rising from processor to processor */
    {"further", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, /* whether it is of a further thread */
    {"class", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"begin", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"end", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"own", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, /* what is asked for */
    {"unsure", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"causing", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"causer_from", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"causer_to", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"waiter_from", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
};
enum {
    WAIT = HIERA_N_NODE_COLUMNS,
    FURTHER,
    CLASS,
    BEGIN,
    END,
    OWN,
    UNSURE,
    CAUSING,
    CAUSER_FROM,
    CAUSER_TO,
    WAITER_FROM,
    N_SURVEY_COLUMNS
};
G_STATIC_ASSERT(N_SURVEY_COLUMNS == G_N_ELEMENTS(survey_columns));

/* Time of the causing or waiting rank in a node before a wait, which has its number among those of all. */
static const HieraColumn part_columns[] = {{"wait", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                           {"causing", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                           {"node", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                           {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM}};
enum { PART_WAIT, PART_CAUSING, PART_NODE, PART_TIME, N_PART_COLUMNS };

/* --- what is told of nodes and waits --- */

/* The paths of the scope's own processors, whatever ranks it has. */
static void init_own_paths(HieraCallPaths *paths, const HieraTrace *trace, const HieraScope *scope)
{
    HieraScope own = *scope;
    own.ranks = NULL;
    hiera_call_paths_init(paths, trace, &own);
}

typedef struct {
    HieraCell cells[HIERA_N_NODE_COLUMNS];
} PackedNode;

/* Add a row about a wait. @param packed  by node, what its first cells are; without a path: not known yet */
static void add_wait(const HieraDelayWaits *all, const HieraScope *scope, guint32 number, PackedNode *packed,
                     HieraTable *survey)
{
    HieraCell cells[N_SURVEY_COLUMNS];
    const HieraWait *wait = &g_array_index(all->waits, HieraWait, number);
    HieraDelayed of = hiera_delay_waits_describe((gpointer)all, number);
    HieraCell *node = packed[of.at].cells;
    if (!node[HIERA_NODE_PATH].text)
        hiera_node_pack(all->paths, of.at, HIERA_NONE, survey, node);
    memcpy(cells, node, sizeof(PackedNode));
    cells[HIERA_NODE_PROCESSOR].number = of.waiting;
    cells[WAIT].number = number;
    cells[FURTHER].number = all->trace->thread[wait->row] != 0;
    cells[CLASS].number = wait->class;
    cells[BEGIN].number = wait->begin_ns;
    cells[END].number = wait->end_ns;
    cells[OWN].number = hiera_delay_waits_amount(all, scope, number);
    cells[UNSURE].number = of.unsure;
    cells[CAUSING].number = of.causing;
    cells[CAUSER_FROM].number = of.causer_from_ns;
    cells[CAUSER_TO].number = of.causer_to_ns;
    cells[WAITER_FROM].number = of.waiter_from_ns;
    hiera_table_add(survey, cells);
}

static void add_waits(const HieraDelayWaits *all, const HieraScope *scope, HieraTable *survey)
{
    g_autofree PackedNode *packed = g_new0(PackedNode, all->paths->tree->nodes->len);
    for (guint i = 0; i < all->waits->len; i++) {
        if (hiera_scope_is_own(scope,
                               hiera_trace_find_processor(all->trace, g_array_index(all->waits, HieraWait, i).row)))
            add_wait(all, scope, i, packed, survey);
    }
}

static void tell_survey(const HieraDelayWaits *all, const HieraScope *scope, HieraTable *survey)
{
    hiera_nodes_pack(all->paths, survey);
    add_waits(all, scope, survey);
}

/* --- the waits of all --- */

static int compare_waits(const void *left, const void *right)
{
    const HieraCell *a = *(const HieraCell *const *)left, *b = *(const HieraCell *const *)right;
    if (a[HIERA_NODE_PROCESSOR].number != b[HIERA_NODE_PROCESSOR].number)
        return a[HIERA_NODE_PROCESSOR].number < b[HIERA_NODE_PROCESSOR].number ? -1 : 1;
    return (a[WAIT].number > b[WAIT].number) - (a[WAIT].number < b[WAIT].number);
}

/* Copy the rows about nodes, and return those about waits in the order in which one process would have them: their
 * cells, to be freed with g_ptr_array_unref. */
static GPtrArray *part_rows(const HieraTable *surveys, HieraTable *nodes)
{
    GPtrArray *waits = g_ptr_array_new();
    for (guint i = 0; i < hiera_table_count(surveys); i++) {
        const HieraCell *cells = hiera_table_peek_row(surveys, i);
        if (cells[HIERA_NODE_PROCESSOR].number == HIERA_NONE)
            hiera_table_add(nodes, cells);
        else
            g_ptr_array_add(waits, (gpointer)cells);
    }
    if (waits->len > 0)
        qsort(waits->pdata, waits->len, sizeof *waits->pdata, compare_waits);
    return waits;
}

/* First all nodes; then all waits, whose nodes have the numbers that one process would give them. */
static void decide(const HieraTrace *trace, const HieraTable *surveys, HieraTable *told)
{
    HieraCallPaths paths;
    g_autoptr(GPtrArray) waits = part_rows(surveys, told);
    for (guint i = 0; i < hiera_table_count(told); i++) {
        HieraCell *cells = (HieraCell *)hiera_table_peek_row(told, i);
        cells[HIERA_NODE_PATH].text = hiera_table_keep(told, cells[HIERA_NODE_PATH].text);
    }
    hiera_nodes_unpack(&paths, trace, told);
    for (guint i = 0; i < waits->len; i++) {
        HieraCell cells[N_SURVEY_COLUMNS];
        memcpy(cells, waits->pdata[i], sizeof cells);
        cells[HIERA_NODE_NUMBER].number = hiera_node_unpack(&paths, cells);
        cells[HIERA_NODE_PATH].text = "";
        hiera_table_add(told, cells);
    }
    hiera_call_paths_clear(&paths);
}

/* What was told. */
typedef struct {
    HieraCallPaths paths; /* of all ranks; no row has a node */
    const HieraTable *table;
    guint n_nodes, n_waits;
} Told;

static void told_init(Told *told, const HieraTrace *trace, const HieraTable *table)
{
    guint n = hiera_table_count(table);
    *told = (Told){.table = table};
    while (told->n_nodes < n && hiera_table_peek_row(table, told->n_nodes)[HIERA_NODE_PROCESSOR].number == HIERA_NONE)
        told->n_nodes++;
    told->n_waits = n - told->n_nodes;
    hiera_nodes_unpack_first(&told->paths, trace, table, told->n_nodes);
}

static const HieraCell *peek_cells(const Told *told, guint wait)
{
    return hiera_table_peek_row(told->table, told->n_nodes + wait);
}

static HieraDelayed unpack_wait(const Told *told, guint wait)
{
    const HieraCell *cells = peek_cells(told, wait);
    return (HieraDelayed){.waiting = (guint32)cells[HIERA_NODE_PROCESSOR].number,
                          .causing = (guint32)cells[CAUSING].number,
                          .at = (guint32)cells[HIERA_NODE_NUMBER].number,
                          .unsure = cells[UNSURE].number != 0,
                          .causer_from_ns = cells[CAUSER_FROM].number,
                          .causer_to_ns = cells[CAUSER_TO].number,
                          .waiter_from_ns = cells[WAITER_FROM].number,
                          .waiter_to_ns = cells[BEGIN].number};
}

/* --- where ranks spend their time before them --- */

typedef struct {
    HieraTable *part;
    gint64 wait;
    gboolean causing;
} Telling;

static void tell_time(guint32 node, gint64 time_ns, gpointer user)
{
    const Telling *telling = user;
    hiera_table_add(telling->part, (HieraCell[N_PART_COLUMNS]){{.number = telling->wait},
                                                               {.number = telling->causing},
                                                               {.number = node},
                                                               {.number = time_ns}});
}

static void tell_times(const HieraDelayWaits *all, const HieraScope *scope, guint32 wait, const HieraDelayed *of,
                       HieraTable *part)
{
    for (guint side = 0; side < 2 && of->causing != HIERA_NONE; side++) {
        Telling telling = {part, wait, side == 0};
        if (hiera_scope_is_own(scope, telling.causing ? of->causing : of->waiting))
            hiera_delay_waits_visit((gpointer)all, wait, of, telling.causing, tell_time, &telling);
    }
}

/* Give rows and times the nodes of all. @param own  becomes cleared */
static void move_to_told(HieraDelayWaits *all, HieraCallPaths *own, Told *told)
{
    g_autofree guint32 *to = hiera_nodes_map(own, &told->paths);
    for (guint32 i = 0; i < all->trace->n_processors; i++)
        hiera_rank_times_move(&all->times[i], to);
    hiera_nodes_move(own, &told->paths);
    all->paths = &told->paths;
}

static void tell_part(const HieraDelayWaits *all, const HieraScope *scope, const Told *told, HieraTable *part)
{
    for (guint i = 0; i < told->n_waits; i++) {
        const HieraDelayed of = unpack_wait(told, i);
        tell_times(all, scope, i, &of, part);
    }
}

/* --- explained --- */

typedef struct {
    Told told;
    const HieraTable *parts;
    guint *rows;   /* of parts: those of a side of a wait are together */
    guint *behind; /* by 2 · wait + side: where they end; those of the next one begin there */
} Join;

static gsize place_of(guint32 wait, gboolean causing)
{
    return 2 * (gsize)wait + (causing != FALSE);
}

static gsize place_of_row(const Join *join, guint row)
{
    const HieraCell *cells = hiera_table_peek_row(join->parts, row);
    return place_of((guint32)cells[PART_WAIT].number, (gboolean)cells[PART_CAUSING].number);
}

static void sort_rows(Join *join)
{
    guint n = hiera_table_count(join->parts);
    gsize n_places = 2 * (gsize)join->told.n_waits;
    join->rows = g_new(guint, (gsize)n + 1);
    join->behind = g_new0(guint, n_places + 1);
    for (guint i = 0; i < n; i++)
        join->behind[place_of_row(join, i) + 1]++;
    for (gsize i = 0; i < n_places; i++)
        join->behind[i + 1] += join->behind[i];
    for (guint i = 0; i < n; i++)
        join->rows[join->behind[place_of_row(join, i)]++] = i;
}

static HieraDelayed describe(gpointer user, guint32 wait)
{
    const Join *join = user;
    return unpack_wait(&join->told, wait);
}

static void visit_told(gpointer user, guint32 wait, const HieraDelayed *of, gboolean causing, HieraNodeVisit visit,
                       gpointer data)
{
    const Join *join = user;
    gsize place = place_of(wait, causing);
    (void)of;
    for (guint i = place > 0 ? join->behind[place - 1] : 0; i < join->behind[place]; i++) {
        const HieraCell *cells = hiera_table_peek_row(join->parts, join->rows[i]);
        visit((guint32)cells[PART_NODE].number, cells[PART_TIME].number, data);
    }
}

/* The times and classes of all waits, and what of each is to be explained. */
static GArray *unpack_waits(const Told *told, gint64 *own_ns)
{
    GArray *waits = g_array_new(FALSE, FALSE, sizeof(HieraWait));
    for (guint i = 0; i < told->n_waits; i++) {
        const HieraCell *cells = peek_cells(told, i);
        HieraWait wait = {HIERA_NONE, HIERA_NONE, cells[BEGIN].number, cells[END].number, (guint8)cells[CLASS].number};
        own_ns[i] = cells[OWN].number;
        g_array_append_val(waits, wait);
    }
    return waits;
}

/* Find the waits of the main thread of each processor. */
static void find_ranges(const Told *told, guint32 n_processors, guint32 *first, guint32 *end)
{
    guint32 at = 0;
    for (guint32 i = 0; i < n_processors; i++) {
        first[i] = end[i] = at;
        for (; at < told->n_waits && peek_cells(told, at)[HIERA_NODE_PROCESSOR].number == i; at++)
            end[i] = peek_cells(told, at)[FURTHER].number ? end[i] : at + 1;
    }
}

/* Return the causes, HieraDelay, from what all have told. */
static GArray *explain(const Told *told, const HieraTrace *trace, const HieraTable *parts)
{
    gsize n_processors = (gsize)trace->n_processors + 1;
    g_autofree guint32 *first = g_new(guint32, n_processors), *end = g_new(guint32, n_processors);
    Join join = {.told = *told, .parts = parts};
    g_autofree gint64 *own_ns = g_new(gint64, (gsize)join.told.n_waits + 1);
    g_autoptr(GArray) waits = unpack_waits(&join.told, own_ns);
    sort_rows(&join);
    find_ranges(&join.told, trace->n_processors, first, end);
    const HieraDelaySource source = {waits, first,    end,       own_ns, join.told.paths.tree->nodes->len,
                                     &join, describe, visit_told};
    GArray *delays = hiera_delays_explain(&source);
    g_free(join.rows);
    g_free(join.behind);
    return delays;
}

/* @param own  of this process; becomes those of all, in `told` */
static GArray *explain_together(HieraDelayWaits *all, HieraCallPaths *own, const HieraScope *scope, Told *told)
{
    const HieraTrace *trace = all->trace;
    g_autoptr(HieraTable) surveys = hiera_table_new("", survey_columns, N_SURVEY_COLUMNS),
                          table = hiera_table_new("", survey_columns, N_SURVEY_COLUMNS),
                          parts = hiera_table_new("", part_columns, N_PART_COLUMNS);
    tell_survey(all, scope, surveys);
    hiera_scope_gather_rows(scope, trace, surveys);
    if (hiera_scope_leads(scope))
        decide(trace, surveys, table);
    g_clear_pointer(&surveys, hiera_table_free);
    hiera_scope_tell_rows(scope, trace, table);
    told_init(told, trace, table);
    move_to_told(all, own, told);
    tell_part(all, scope, told, parts);
    hiera_scope_gather_rows(scope, trace, parts);
    return hiera_scope_leads(scope) ? explain(told, trace, parts) : g_array_new(FALSE, FALSE, sizeof(HieraDelay));
}

/* One process explains waits where they are: to tell them to itself takes 10 % more instructions for the whole of
 * --measure causes, and 40 % more memory (130,000 calls, 48,000 waits). */
HieraDelays *hiera_delays_find_together(const HieraMatch *match, HieraCallPaths *paths, const GArray *waits,
                                        const HieraScope *scope)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    HieraCallPaths own;
    HieraDelayWaits all;
    Told told;
    if (!scope->own) {
        hiera_call_paths_init_all_ranks(paths, trace, scope);
        return hiera_delays_find(match, paths, waits, scope);
    }
    HieraDelays *found = g_new(HieraDelays, 1);
    init_own_paths(&own, trace, scope);
    hiera_delay_waits_init(&all, match, &own, waits, scope);
    found->list = explain_together(&all, &own, scope, &told);
    found->n_processors = trace->n_processors;
    found->times = hiera_delay_waits_clear(&all);
    *paths = told.paths;
    return found;
}
