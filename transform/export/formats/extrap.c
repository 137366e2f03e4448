/* Writes a profile for Extra-P, which models how the time in each call path grows from runs of several sizes: a line of
 * JSON for each path and metric, with the number of ranks as parameter and a value of each rank. Files of several runs
 * can be concatenated. */
#include "export/export_labels.h"
#include "export/export_parts.h"
#include "export/export_stack_sums.h"
#include "export/exports.h"
#include "report/table.h"

typedef struct {
    HieraStacks stacks;
    GPtrArray *ranks; /* HieraStackSum by stack, for each rank: result of hiera_stack_sums_find() */
    gint64 size;      /* number of ranks of the job */
    FILE *stream;
} Extrap;

/* Replace "->" in a name, which C++ allows, by an arrow: Extra-P splits paths there. */
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
        g_autofree char *frame = stack->site ? hiera_export_frame(stack->site) : g_strdup(HIERA_STACKS_THREADS);
        g_autofree char *step = make_step(frame);
        g_ptr_array_add(paths, stack->site ? g_strconcat(g_ptr_array_index(paths, stack->parent), "->", step, NULL)
                                           : g_steal_pointer(&step));
    }
    return paths;
}

/* Write a metric of a path.
 * @param field     offset in HieraStackSum
 * @param decimals  number of digits after the point */
static void write_metric(const Extrap *extrap, const char *path, guint stack, const char *metric, gsize field,
                         guint decimals)
{
    g_autofree char *json = hiera_text_json(path);
    fprintf(extrap->stream,
            "{\"params\":{\"ranks\":%" G_GINT64_FORMAT "},\"callpath\":%s,\"metric\":\"%s\",\"value\":[", extrap->size,
            json, metric);
    for (guint i = 0; i < extrap->ranks->len; i++) {
        const GArray *sums = g_ptr_array_index(extrap->ranks, i);
        char number[HIERA_NUMBER_BYTES];
        gint64 value = 0;
        if (stack < sums->len)
            value = G_STRUCT_MEMBER(gint64, &g_array_index(sums, HieraStackSum, stack), field);
        hiera_decimal_format(number, value, decimals);
        fprintf(extrap->stream, "%s%s", i ? "," : "", number);
    }
    fputs("]}\n", extrap->stream);
}

static void write_all(const Extrap *extrap)
{
    g_autoptr(GPtrArray) paths = make_paths(&extrap->stacks);
    for (guint i = 0; i < paths->len; i++) {
        const HieraSite *site = g_array_index(extrap->stacks.stacks, HieraStack, i).site;
        const char *path = g_ptr_array_index(paths, i);
        write_metric(extrap, path, i, "time", G_STRUCT_OFFSET(HieraStackSum, time_ns), 9);
        if (site)
            write_metric(extrap, path, i, "visits", G_STRUCT_OFFSET(HieraStackSum, visits), 0);
        if (site && site->mpi)
            write_metric(extrap, path, i, "bytes", G_STRUCT_OFFSET(HieraStackSum, bytes), 0);
    }
}

gboolean hiera_export_extrap(const HieraExportInput *input, const char *target, GError **error)
{
    HieraOutputFile output;
    const HieraTrace *trace = hiera_match_peek_trace(input->match);
    if (!hiera_export_open(&output, input->scope, target, error))
        return FALSE;
    Extrap extrap = {.size = MAX((gint64)trace->n_processors, trace->processors[0].size), .stream = output.stream};
    hiera_stacks_init(&extrap.stacks, trace);
    extrap.ranks = hiera_stack_sums_find(&extrap.stacks, input->scope, TRUE);
    if (output.stream)
        write_all(&extrap);
    g_ptr_array_unref(extrap.ranks);
    hiera_stacks_clear(&extrap.stacks);
    return hiera_export_close(&output, error);
}
