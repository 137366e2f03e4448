/* Writes folded stacks, the input of flame graphs: a line for each stack of the whole job, "root;outer;inner
 * nanoseconds", where the time is the own time of the innermost operation. The root is the program: its own time is
 * what the main threads spend outside of all operations. Further threads have a root of their own. */
#include "base/safe_text.h"
#include "export/export_labels.h"
#include "export/export_parts.h"
#include "export/export_stack_sums.h"
#include "export/exports.h"
#include <string.h>

/* Make the text of a call site without the characters that separate frames and lines. */
static char *make_frame(const HieraSite *site)
{
    g_autofree char *frame = hiera_export_frame(site);
    return g_strdelimit(hiera_text_printable(frame), ";\n\r", ',');
}

static GPtrArray *make_lines(const HieraStacks *stacks, const GArray *sums)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free), *lines = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(names, g_strdelimit(hiera_text_printable(hiera_stacks_program(stacks->trace)), ";\n\r", ','));
    for (guint i = 1; i < stacks->stacks->len; i++) {
        const HieraStack *stack = &g_array_index(stacks->stacks, HieraStack, i);
        g_autofree char *frame = stack->site ? make_frame(stack->site) : NULL;
        g_ptr_array_add(names, frame ? g_strconcat(g_ptr_array_index(names, stack->parent), ";", frame, NULL)
                                     : g_strdup(HIERA_STACKS_THREADS));
    }
    for (guint i = 0; i < sums->len; i++) {
        gint64 time_ns = g_array_index(sums, HieraStackSum, i).time_ns;
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

static void write_all(const HieraStacks *stacks, const GArray *sums, FILE *stream)
{
    g_autoptr(GPtrArray) lines = make_lines(stacks, sums);
    g_ptr_array_sort(lines, compare_lines);
    for (guint i = 0; i < lines->len; i++)
        fputs(g_ptr_array_index(lines, i), stream);
}

gboolean hiera_export_folded(const HieraExportInput *input, const char *target, GError **error)
{
    HieraOutputFile output;
    HieraStacks stacks;
    if (!hiera_export_open(&output, input->scope, target, error))
        return FALSE;
    hiera_stacks_init(&stacks, hiera_match_peek_trace(input->match));
    g_autoptr(GPtrArray) rows = hiera_stack_sums_find(&stacks, input->scope, FALSE);
    if (output.stream)
        write_all(&stacks, rows->pdata[0], output.stream);
    hiera_stacks_clear(&stacks);
    return hiera_export_close(&output, error);
}
