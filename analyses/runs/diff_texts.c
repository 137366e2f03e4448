/* Texts of paths, and of rows above the threshold of --fail-above; see diff_parts.h. */
#include "calls/call_paths.h"
#include "calls/call_times.h"
#include "diff_parts.h"
#include <string.h>

enum { LEAST_SHARE = 100, ROWS_NAMED = 10 };

const char *hiera_diff_path(const HieraDiff *diff, const HieraDiffRow *row, HieraTable *table)
{
    if (row->place == 0)
        return hiera_table_keep(table, "whole run");
    const HieraRun *run = &diff->runs[row->shown];
    guint32 node = hiera_tree_alignment_node(&diff->alignment, row->place, row->shown);
    return hiera_call_path(((const HieraCallTimes *)run->all)->tree, run->catalog, node, FALSE, table);
}

static gboolean is_failure(const HieraDiffRow *row, gint64 threshold)
{
    gboolean slower = row->verdict == HIERA_DIFF_SLOWER || row->verdict == HIERA_DIFF_UNKNOWN;
    gboolean counts = row->place == 0 || row->share >= LEAST_SHARE;
    return slower && counts && (__int128)row->change_ns * 10000 > (__int128)row->a.time_ns * threshold;
}

/* Append a line like "whole run: 1.200000 s per rank instead of 1.000000 s, 20.0 % slower". */
static void describe_failure(const HieraDiff *diff, const HieraDiffRow *row, HieraTable *table, GString *text)
{
    g_auto(GStrv) steps = g_strsplit(hiera_diff_path(diff, row, table), (char[]){HIERA_PATH_SEPARATOR, '\0'}, -1);
    g_autofree char *path = g_strjoinv(" > ", steps);
    g_string_append_printf(text, "%s: %.6f s per rank instead of %.6f s", path, (double)row->b.time_ns / 1e9,
                           (double)row->a.time_ns / 1e9);
    if (row->a.time_ns > 0)
        g_string_append_printf(text, ", %.1f %% slower", (double)row->change_ns * 100 / (double)row->a.time_ns);
}

char *hiera_diff_failure(const HieraDiff *diff, gint64 threshold, HieraTable *table)
{
    guint n = 0;
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < diff->rows->len; i++) {
        const HieraDiffRow *row = &g_array_index(diff->rows, HieraDiffRow, i);
        if (!is_failure(row, threshold) || n++ >= ROWS_NAMED)
            continue;
        if (text->len > 0)
            g_string_append_c(text, '\n');
        describe_failure(diff, row, table, text);
    }
    if (n > ROWS_NAMED)
        g_string_append_printf(text, "\n… and %u more paths", n - ROWS_NAMED);
    return g_string_free(text, n == 0);
}
