/* Writes a profile for Extra-P, which models how the time in each call path grows from runs of several sizes: a line of
 * JSON for each path and metric, with the number of ranks as parameter and a value of each rank. Files of several runs
 * are put together by writing one behind the other. */
#include "base/output_file.h"
#include "export_labels.h"
#include "export_stacks.h"
#include "exports.h"
#include "report/table.h"

/* What one rank did on one stack. */
typedef struct {
    gint64 time_ns, visits, bytes;
} Cell;

typedef struct {
    const HieraTrace *trace;
    GPtrArray *ranks; /* GArray of Cell by stack, for each processor; short where the rank never met the later stacks */
    gint64 size;      /* ranks of the job */
    FILE *stream;
} Extrap;

static Cell *find_cell(gpointer user, guint32 stack)
{
    Extrap *extrap = user;
    GArray *cells = g_ptr_array_index(extrap->ranks, extrap->ranks->len - 1);
    if (stack >= cells->len)
        g_array_set_size(cells, stack + 1);
    return &g_array_index(cells, Cell, stack);
}

static void spend(guint32 stack, gint64 time_ns, gpointer user)
{
    Cell *cell = find_cell(user, stack);
    cell->time_ns = hiera_plus(cell->time_ns, time_ns);
}

static void begin(guint32 stack, guint32 row, gpointer user)
{
    const HieraTrace *trace = ((Extrap *)user)->trace;
    Cell *cell = find_cell(user, stack);
    cell->visits++;
    if (trace->bytes[row] > 0)
        cell->bytes = hiera_plus(cell->bytes, trace->bytes[row]);
}

static void begin_several(guint32 stack, const HieraSummed *summed, gpointer user)
{
    Cell *cell = find_cell(user, stack);
    cell->visits = hiera_plus(cell->visits, summed->calls);
    cell->bytes = hiera_plus(cell->bytes, MAX(summed->bytes, 0));
}

/* Extra-P splits paths at "->", which names in C++ contain. */
static char *make_step(const char *name)
{
    g_auto(GStrv) parts = g_strsplit(name, "->", -1);
    return g_strjoinv("→", parts);
}

static GPtrArray *make_paths(const HieraStacks *stacks)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(paths, make_step(hiera_stacks_program(stacks->trace)));
    for (guint i = 1; i < stacks->stacks->len; i++) {
        const HieraStack *stack = &g_array_index(stacks->stacks, HieraStack, i);
        g_autofree char *frame = hiera_export_frame(stack->site), *step = make_step(frame);
        g_ptr_array_add(paths, g_strconcat(g_ptr_array_index(paths, stack->parent), "->", step, NULL));
    }
    return paths;
}

/* Write a metric of a path.
 * @param field     of a Cell
 * @param decimals  digits of its numbers behind the point */
static void write_metric(const Extrap *extrap, const char *path, guint stack, const char *metric, gsize field,
                         guint decimals)
{
    g_autofree char *json = hiera_text_json(path);
    fprintf(extrap->stream,
            "{\"params\":{\"ranks\":%" G_GINT64_FORMAT "},\"callpath\":%s,\"metric\":\"%s\",\"value\":[", extrap->size,
            json, metric);
    for (guint i = 0; i < extrap->ranks->len; i++) {
        const GArray *cells = g_ptr_array_index(extrap->ranks, i);
        char number[HIERA_NUMBER_BYTES];
        gint64 value = 0;
        if (stack < cells->len)
            value = G_STRUCT_MEMBER(gint64, &g_array_index(cells, Cell, stack), field);
        hiera_decimal_format(number, value, decimals);
        fprintf(extrap->stream, "%s%s", i ? "," : "", number);
    }
    fputs("]}\n", extrap->stream);
}

static void write_all(Extrap *extrap)
{
    static const HieraStackVisitor visitor = {.spend = spend, .begin = begin, .begin_several = begin_several};
    HieraStacks stacks;
    hiera_stacks_init(&stacks, extrap->trace);
    for (guint32 i = 0; i < extrap->trace->n_processors; i++) {
        g_ptr_array_add(extrap->ranks, g_array_new(FALSE, TRUE, sizeof(Cell)));
        hiera_stacks_visit(&stacks, i, &visitor, extrap);
    }
    g_autoptr(GPtrArray) paths = make_paths(&stacks);
    for (guint i = 0; i < paths->len; i++) {
        const HieraSite *site = g_array_index(stacks.stacks, HieraStack, i).site;
        const char *path = g_ptr_array_index(paths, i);
        write_metric(extrap, path, i, "time", G_STRUCT_OFFSET(Cell, time_ns), 9);
        if (site)
            write_metric(extrap, path, i, "visits", G_STRUCT_OFFSET(Cell, visits), 0);
        if (site && site->mpi)
            write_metric(extrap, path, i, "bytes", G_STRUCT_OFFSET(Cell, bytes), 0);
    }
    hiera_stacks_clear(&stacks);
}

gboolean hiera_export_extrap(const HieraExportInput *input, const char *target, GError **error)
{
    HieraOutputFile output;
    if (!hiera_output_file_open(&output, target, error))
        return FALSE;
    g_autoptr(GPtrArray) ranks = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    const HieraTrace *trace = hiera_match_peek_trace(input->match);
    Extrap extrap = {trace, ranks, MAX((gint64)trace->n_processors, trace->processors[0].size), output.stream};
    write_all(&extrap);
    return hiera_output_file_close(&output, TRUE, error);
}
