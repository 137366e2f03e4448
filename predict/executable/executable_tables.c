#include "executable_tables.h"
#include "execution/ends.h"
#include "execution/graph/graph_report.h"
#include "image/places/readable_name.h"
#include <math.h>
#include <string.h>

#define KEY(name, type)                                                                                                \
    {                                                                                                                  \
        name, HIERA_CELL_##type, HIERA_ROLE_KEY                                                                        \
    }
#define ANSWER(name, type)                                                                                             \
    {                                                                                                                  \
        name, HIERA_CELL_##type, HIERA_ROLE_ANSWER                                                                     \
    }
#define DETAIL(name, type)                                                                                             \
    {                                                                                                                  \
        name, HIERA_CELL_##type, HIERA_ROLE_DETAIL                                                                     \
    }

static gint64 whole(gdouble number)
{
    return (gint64)floor(number + 0.5);
}

static gint64 ns_of(gdouble ps)
{
    return whole(ps / HIERA_PS_PER_NS);
}

static gint64 percent_of(gdouble part, gdouble all)
{
    return all > 0 ? whole(10000 * part / all) : 0;
}

/* Format a number with three digits behind the point; the table owns the text. */
static const char *keep_number(HieraTable *table, gdouble number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return hiera_table_keep(table, g_ascii_formatd(text, sizeof text, "%.3f", number));
}

static const char *keep_name(HieraTable *table, const HieraFunctionGraph *graph)
{
    g_autofree char *name = hiera_readable_name(graph->name, graph->file);
    g_autofree char *base = graph->object->base != 0 ? g_path_get_basename(graph->object->path) : NULL;
    g_autofree char *both = base ? g_strdup_printf("%s (%s)", name, base) : NULL;
    return hiera_table_keep(table, both ? both : name);
}

static const char *keep_lines(HieraTable *table, const char *file, int first, int last)
{
    g_autofree char *base = file ? g_path_get_basename(file) : NULL;
    g_autofree char *place = !base           ? g_strdup("")
                             : first == last ? g_strdup_printf("%s:%d", base, first)
                                             : g_strdup_printf("%s:%d-%d", base, first, last);
    return hiera_table_keep(table, place);
}

/* Format an address as offset in the function's executable or library; the table owns the text. */
static const char *keep_address(HieraTable *table, const HieraFunctionGraph *graph, guint64 address)
{
    g_autofree char *text = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", address - graph->object->base);
    return hiera_table_keep(table, text);
}

/* --- table of runs --- */

static const HieraColumn run_columns[] = {KEY("processes", INTEGER),      ANSWER("time", SECONDS),
                                          DETAIL("least", SECONDS),       DETAIL("most", SECONDS),
                                          DETAIL("deviation", SECONDS),   ANSWER("speedup", FIGURE),
                                          ANSWER("efficiency", PERCENT),  DETAIL("redundancy", FIGURE),
                                          DETAIL("utilization", PERCENT), DETAIL("quality", FIGURE)};

/* Speedup S = T(1) / T(n), efficiency E = S / n, redundancy R = O(n) / O(1) where O is what all processes execute,
 * utilization U = R E, quality Q = S E / R (Lee 1980; Hwang, "Advanced computer architecture", 1993). If the smallest
 * number of processes m is not 1, T(1) is m T(m), and O(1) is O(m). */
HieraTable *executable_table_runs(const GPtrArray *all)
{
    HieraTable *table = hiera_table_new("executable", run_columns, G_N_ELEMENTS(run_columns));
    const ExecutableSums *first = executable_sums_find_smallest(all);
    for (guint i = 0; i < all->len; i++) {
        const ExecutableSums *sums = all->pdata[i];
        gdouble time = executable_sums_time(sums), n = sums->n_processes, least = G_MAXDOUBLE, most = 0, squares = 0;
        gdouble speedup = executable_sums_time(first) * first->n_processes / MAX(time, 1), efficiency = speedup / n;
        gdouble redundancy = executable_sums_cycles(sums) / MAX(executable_sums_cycles(first), 1);
        for (guint k = 0; k < sums->ends_ps->len; k++) {
            gdouble end = g_array_index(sums->ends_ps, gdouble, k);
            least = MIN(least, end);
            most = MAX(most, end);
            squares += (end - time) * (end - time);
        }
        gdouble deviation = sums->n_simulations > 1 ? sqrt(squares / (sums->n_simulations - 1)) : 0;
        const HieraCell cells[] = {
            {.number = sums->n_processes},
            {.number = ns_of(time)},
            {.number = ns_of(least)},
            {.number = ns_of(most)},
            {.number = ns_of(deviation)},
            {.text = keep_number(table, speedup)},
            {.number = whole(10000 * efficiency)},
            {.text = keep_number(table, redundancy)},
            {.number = whole(10000 * redundancy * efficiency)},
            {.text = keep_number(table, redundancy > 0 ? speedup * efficiency / redundancy : 0)}};
        hiera_table_add(table, cells);
    }
    return table;
}

/* --- table of scalability --- */

static const HieraColumn scalability_columns[] = {KEY("processes", INTEGER), ANSWER("speedup", FIGURE),
                                                  ANSWER("serial", PERCENT), ANSWER("limit", FIGURE),
                                                  ANSWER("scaled", FIGURE),  ANSWER("power", FIGURE)};

/* Serial fraction: the part f of T(m) that does not shrink when m processes become n times as many: S = 1 / (f + (1 -
 * f) / n) (Amdahl 1967; found from S as by Karp and Flatt 1990), below 0 if the speedup is more than n. The speedup is
 * at most 1 / f; for a problem that grows with the processes it is n - f S (n - 1) (Gustafson 1988). Power is S E,
 * which is largest at the number of processes that is used best (Kleinrock 1979). */
HieraTable *executable_table_scalability(const GPtrArray *all)
{
    HieraTable *table = hiera_table_new("scalability", scalability_columns, G_N_ELEMENTS(scalability_columns));
    const ExecutableSums *first = executable_sums_find_smallest(all);
    for (guint i = 0; i < all->len; i++) {
        const ExecutableSums *sums = all->pdata[i];
        gdouble n = (gdouble)sums->n_processes / first->n_processes;
        gdouble speedup = executable_sums_time(first) / MAX(executable_sums_time(sums), 1);
        if (n <= 1)
            continue;
        gdouble serial = (1 / speedup - 1 / n) / (1 - 1 / n);
        const HieraCell cells[] = {{.number = sums->n_processes},
                                   {.text = keep_number(table, speedup)},
                                   {.number = whole(10000 * serial)},
                                   {.text = serial > 0 ? keep_number(table, 1 / serial) : ""},
                                   {.text = keep_number(table, n - serial * speedup * (n - 1))},
                                   {.text = keep_number(table, speedup * speedup / n)}};
        hiera_table_add(table, cells);
    }
    return table;
}

/* --- table of processes --- */

static const HieraColumn process_columns[] = {
    KEY("processor", INTEGER),   ANSWER("time", SECONDS),         ANSWER("compute", SECONDS),
    ANSWER("mpi", SECONDS),      ANSWER("waiting", SECONDS),      DETAIL("occupied", PERCENT),
    DETAIL("cycles", INTEGER),   DETAIL("sent", INTEGER),         DETAIL("received", INTEGER),
    DETAIL("bytes_sent", BYTES), DETAIL("bytes_received", BYTES), DETAIL("sending", SECONDS),
    DETAIL("link", PERCENT),     DETAIL("collectives", INTEGER),  DETAIL("drawn", INTEGER)};

HieraTable *executable_table_processes(const ExecutableSums *sums)
{
    HieraTable *table = hiera_table_new("processes", process_columns, G_N_ELEMENTS(process_columns));
    gdouble n = sums->n_simulations, time = executable_sums_time(sums);
    for (guint32 i = 0; i < sums->n_processes; i++) {
        const ProcessSums *of = &sums->processes[i];
        const HieraCell cells[] = {{.number = i},
                                   {.number = ns_of(of->time_ps / n)},
                                   {.number = ns_of(of->compute_ps / n)},
                                   {.number = ns_of(of->mpi_ps / n)},
                                   {.number = ns_of(of->waiting_ps / n)},
                                   {.number = percent_of(of->compute_ps / n, time)},
                                   {.number = whole(of->cycles / n)},
                                   {.number = whole(of->n_sent / n)},
                                   {.number = whole(of->n_received / n)},
                                   {.number = whole(of->bytes_sent / n)},
                                   {.number = whole(of->bytes_received / n)},
                                   {.number = ns_of(of->sending_ps / n)},
                                   {.number = percent_of(of->sending_ps / n, time)},
                                   {.number = whole(of->n_collectives / n)},
                                   {.number = whole(of->n_drawn / n)}};
        hiera_table_add(table, cells);
    }
    return table;
}

/* --- table of functions --- */

/* @param processor  cell type of the column `processor`: FIGURE for a number, TEXT for the word "all" */
#define FUNCTION_COLUMNS(processor)                                                                                    \
    KEY("function", TEXT), KEY("place", TEXT), KEY("processor", processor), ANSWER("calls", INTEGER),                  \
        ANSWER("cycles", INTEGER), ANSWER("share", PERCENT), DETAIL("least", INTEGER), DETAIL("most", INTEGER)
static const HieraColumn function_columns[] = {FUNCTION_COLUMNS(TEXT)},
                         own_function_columns[] = {FUNCTION_COLUMNS(FIGURE)};

typedef struct {
    guint graph;
    gdouble cycles;
} Heavy;

static int compare_heavy(gconstpointer a, gconstpointer b)
{
    gdouble x = ((const Heavy *)a)->cycles, y = ((const Heavy *)b)->cycles;
    return x != y ? (x < y) - (x > y) : (int)((const Heavy *)a)->graph - (int)((const Heavy *)b)->graph;
}

static void add_function(HieraTable *table, const ExecutableSums *sums, guint graph, guint32 first, guint32 last,
                         gdouble all)
{
    const HieraFunctionGraph *of = hiera_execution_graph(sums->execution, graph);
    gdouble n = sums->n_simulations, calls = 0, cycles = 0, least = G_MAXDOUBLE, most = 0;
    g_autofree char *name = first == last ? g_strdup_printf("%u", first) : g_strdup("all");
    for (guint32 i = first; i <= last; i++) {
        gdouble own = executable_sums_function(sums, i, graph) / n;
        calls += sums->processes[i].counters[hiera_counter_of_graph(sums->execution, graph)] / n;
        cycles += own;
        least = MIN(least, own);
        most = MAX(most, own);
    }
    if (calls == 0)
        return;
    const HieraCell cells[] = {{.text = keep_name(table, of)},
                               {.text = keep_lines(table, of->file, of->first_line, of->last_line)},
                               {.text = hiera_table_keep(table, name)},
                               {.number = whole(calls)},
                               {.number = whole(cycles)},
                               {.number = percent_of(cycles, all)},
                               {.number = whole(least)},
                               {.number = whole(most)}};
    hiera_table_add(table, cells);
}

HieraTable *executable_table_functions(const ExecutableSums *sums, gboolean per_process)
{
    HieraTable *table = hiera_table_new("functions", per_process ? own_function_columns : function_columns,
                                        G_N_ELEMENTS(function_columns));
    g_autoptr(GArray) heavy = g_array_new(FALSE, FALSE, sizeof(Heavy));
    gdouble all = executable_sums_cycles(sums);
    for (guint i = 0; i < sums->execution->graphs->len; i++) {
        Heavy of = {i, 0};
        for (guint32 p = 0; p < sums->n_processes; p++)
            of.cycles += executable_sums_function(sums, p, i);
        g_array_append_val(heavy, of);
    }
    g_array_sort(heavy, compare_heavy);
    for (guint i = 0; i < heavy->len; i++) {
        guint graph = g_array_index(heavy, Heavy, i).graph;
        if (!per_process)
            add_function(table, sums, graph, 0, sums->n_processes - 1, all);
        for (guint32 p = 0; per_process && p < sums->n_processes; p++)
            add_function(table, sums, graph, p, p, all);
    }
    return table;
}

/* --- table of loops --- */

/* @param processor  cell type of the column `processor`: FIGURE for a number, TEXT for the word "all" */
#define LOOP_COLUMNS(processor)                                                                                        \
    KEY("function", TEXT), KEY("loop", TEXT), KEY("processor", processor), ANSWER("executions", INTEGER),              \
        ANSWER("iterations", INTEGER), DETAIL("depth", INTEGER), ANSWER("capped", TEXT)
static const HieraColumn loop_columns[] = {LOOP_COLUMNS(TEXT)}, own_loop_columns[] = {LOOP_COLUMNS(FIGURE)};

static void add_loop(HieraTable *table, const ExecutableSums *sums, guint number, guint32 first, guint32 last)
{
    const HieraExecutionLoop *loop = hiera_execution_loop(sums->execution, number);
    const HieraFunctionGraph *graph = hiera_execution_graph(sums->execution, loop->graph);
    gdouble n = sums->n_simulations, executions = 0, iterations = 0;
    gboolean capped = FALSE;
    g_autofree char *name = first == last ? g_strdup_printf("%u", first) : g_strdup("all");
    for (guint32 i = first; i <= last; i++) {
        capped |= sums->processes[i].was_capped[number];
        executions += sums->processes[i].counters[hiera_counter_of_loop(sums->execution, number)] / n;
        iterations += sums->processes[i].counters[loop->header] / n;
    }
    if (executions == 0)
        return;
    const HieraCell cells[] = {{.text = keep_name(table, graph)},
                               {.text = loop->file ? keep_lines(table, loop->file, loop->first_line, loop->last_line)
                                                   : keep_address(table, graph, loop->begin)},
                               {.text = hiera_table_keep(table, name)},
                               {.number = whole(executions)},
                               {.number = whole(iterations)},
                               {.number = loop->depth},
                               {.text = capped ? "yes" : ""}};
    hiera_table_add(table, cells);
}

HieraTable *executable_table_loops(const ExecutableSums *sums, gboolean per_process)
{
    HieraTable *table =
        hiera_table_new("loops", per_process ? own_loop_columns : loop_columns, G_N_ELEMENTS(loop_columns));
    for (guint i = 0; i < sums->execution->loops->len; i++) {
        if (!per_process)
            add_loop(table, sums, i, 0, sums->n_processes - 1);
        for (guint32 p = 0; per_process && p < sums->n_processes; p++)
            add_loop(table, sums, i, p, p);
    }
    return table;
}

/* --- table of decisions --- */

static const HieraColumn decision_columns[] = {KEY("function", TEXT), KEY("line", TEXT), ANSWER("decided", TEXT),
                                               ANSWER("taken_by", TEXT), ANSWER("not_taken_by", TEXT)};

/* Format the ranks whose last decision at a branch was `taken`, like "0, 2-7". */
static char *name_ranks(const ExecutableSums *sums, guint vertex, gboolean taken)
{
    GString *text = g_string_new(NULL);
    guint n = sums->execution->vertices->len;
    for (guint32 i = 0; i < sums->n_processes; i++) {
        guint32 first = i;
        while (i < sums->n_processes && sums->processes[i].counters[vertex] > 0 &&
               sums->decided[(gsize)i * n + vertex].taken == taken)
            i++;
        if (i == first)
            continue;
        g_string_append_printf(text, i - 1 == first ? "%s%u" : "%s%u-%u", text->len > 0 ? ", " : "", first, i - 1);
    }
    return g_string_free(text, FALSE);
}

HieraTable *executable_table_decisions(const ExecutableSums *sums)
{
    HieraTable *table = hiera_table_new("decisions", decision_columns, G_N_ELEMENTS(decision_columns));
    for (guint i = 0; i < sums->execution->vertices->len; i++) {
        const HieraVertex *vertex = hiera_execution_vertex(sums->execution, i);
        if (vertex->kind != HIERA_VERTEX_BRANCH || vertex->is_gone)
            continue;
        g_autofree char *taken = name_ranks(sums, i, TRUE), *not_taken = name_ranks(sums, i, FALSE),
                        *place = hiera_place_text(sums->execution, i);
        gboolean by_rank =
            *taken && *not_taken && vertex->loop == HIERA_NO_VERTEX && !(sums->unknown[i] & HIERA_UNKNOWN_DECISION);
        if (!by_rank && !(sums->unknown[i] & HIERA_UNKNOWN_DECISION))
            continue;
        const HieraFunctionGraph *graph = hiera_execution_graph(sums->execution, vertex->graph);
        const HieraCell cells[] = {{.text = keep_name(table, graph)},
                                   {.text = hiera_table_keep(table, place)},
                                   {.text = by_rank ? "by rank" : "drawn"},
                                   {.text = by_rank ? hiera_table_keep(table, taken) : ""},
                                   {.text = by_rank ? hiera_table_keep(table, not_taken) : ""}};
        hiera_table_add(table, cells);
    }
    return table;
}

/* --- table of a function's vertices --- */

static const HieraColumn graph_columns[] = {KEY("vertex", INTEGER), KEY("begin", TEXT),       KEY("end", TEXT),
                                            ANSWER("kind", TEXT),   ANSWER("cycles", FIGURE), ANSWER("next", TEXT),
                                            DETAIL("calls", TEXT)};

HieraTable *executable_table_graph(const HieraExecution *execution, guint number)
{
    HieraTable *table = hiera_table_new("graph", graph_columns, G_N_ELEMENTS(graph_columns));
    const HieraFunctionGraph *graph = hiera_execution_graph(execution, number);
    for (guint i = graph->first; i < graph->first + graph->n; i++) {
        const HieraVertex *vertex = hiera_execution_vertex(execution, i);
        g_autoptr(GString) next = g_string_new(NULL);
        if (vertex->is_gone)
            continue;
        for (guint k = 0; k < vertex->n_next; k++) {
            if (vertex->next[k] == HIERA_NO_VERTEX)
                g_string_append(next, k > 0 ? " none" : "none");
            else
                g_string_append_printf(next, k > 0 ? " %u" : "%u", vertex->next[k] - graph->first);
        }
        const HieraCell cells[] = {{.number = i - graph->first},
                                   {.text = keep_address(table, graph, vertex->begin)},
                                   {.text = keep_address(table, graph, vertex->end)},
                                   {.text = hiera_vertex_describe(vertex)},
                                   {.text = keep_number(table, vertex->cycles)},
                                   {.text = hiera_table_keep(table, next->str)},
                                   {.text = vertex->name ? hiera_table_keep(table, vertex->name) : ""}};
        hiera_table_add(table, cells);
    }
    return table;
}
