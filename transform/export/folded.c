/* Writes folded stacks, the input of flame graphs: a line for each stack of the whole job, "root;outer;inner
 * nanoseconds", where the time is that of the innermost one alone. The root is the program: its own time is what the
 * main threads spend outside of all operations. */
#include "base/output_file.h"
#include "base/safe_text.h"
#include "export_labels.h"
#include "export_stacks.h"
#include "exports.h"
#include <string.h>

/* Add a time to that of a stack. @param user  gint64 by stack, all ranks together */
static void spend(guint32 stack, gint64 time_ns, gpointer user)
{
    GArray *times = user;
    if (stack >= times->len)
        g_array_set_size(times, stack + 1);
    gint64 *time = &g_array_index(times, gint64, stack);
    *time = hiera_plus(*time, time_ns);
}

/* A frame must not contain what separates frames and lines. */
static char *make_frame(const HieraSite *site)
{
    g_autofree char *frame = hiera_export_frame(site);
    return g_strdelimit(hiera_text_printable(frame), ";\n\r", ',');
}

static GPtrArray *make_lines(const HieraStacks *stacks, const GArray *times)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free), *lines = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(names, g_strdelimit(hiera_text_printable(hiera_stacks_program(stacks->trace)), ";\n\r", ','));
    for (guint i = 1; i < stacks->stacks->len; i++) {
        const HieraStack *stack = &g_array_index(stacks->stacks, HieraStack, i);
        g_autofree char *frame = make_frame(stack->site);
        g_ptr_array_add(names, g_strconcat(g_ptr_array_index(names, stack->parent), ";", frame, NULL));
    }
    for (guint i = 0; i < times->len; i++) {
        gint64 time_ns = g_array_index(times, gint64, i);
        if (time_ns > 0)
            g_ptr_array_add(lines,
                            g_strdup_printf("%s %" G_GINT64_FORMAT "\n", (char *)g_ptr_array_index(names, i), time_ns));
    }
    g_ptr_array_unref(names);
    return lines;
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void write_all(const HieraTrace *trace, FILE *stream)
{
    static const HieraStackVisitor visitor = {.spend = spend};
    g_autoptr(GArray) times = g_array_new(FALSE, TRUE, sizeof(gint64));
    HieraStacks stacks;
    hiera_stacks_init(&stacks, trace);
    for (guint32 i = 0; i < trace->n_processors; i++)
        hiera_stacks_visit(&stacks, i, &visitor, times);
    g_autoptr(GPtrArray) lines = make_lines(&stacks, times);
    g_ptr_array_sort(lines, compare_lines);
    for (guint i = 0; i < lines->len; i++)
        fputs(g_ptr_array_index(lines, i), stream);
    hiera_stacks_clear(&stacks);
}

gboolean hiera_export_folded(const HieraExportInput *input, const char *target, GError **error)
{
    HieraOutputFile output;
    if (!hiera_output_file_open(&output, target, error))
        return FALSE;
    write_all(hiera_match_peek_trace(input->match), output.stream);
    return hiera_output_file_close(&output, TRUE, error);
}
