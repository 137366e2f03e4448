/* --validate says the same of a run that is read in parts as of one that is read as a whole.
 *
 * parts FOLDER: all runs below it, in parts of one operation, of seven, and of as many as usual.
 *
 * parts: what it takes to check buffers of very many calls that are not complete, counted in steps. */
#include "../../../transform/cli/options/report.h"
#include "../../../transform/cli/run/check_in_parts.h"
#include "../../../transform/cli/run/identity_check.h"
#include "base/attribute_columns.h"
#include "base/vocabulary.h"
#include "checks/checks.h"
#include "checks/memory/buffer_uses.h"
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

static guint n_runs, n_in_parts, n_wrong;

static char *report_text(const HieraFindings *findings, const GPtrArray *tables)
{
    char *text = NULL;
    size_t n;
    FILE *stream = open_memstream(&text, &n);
    report_validation(findings, tables, stream);
    fclose(stream);
    return text;
}

static char *say_as_whole(const GPtrArray *paths)
{
    const HieraScope all = HIERA_SCOPE_ALL;
    const HieraLoadOptions how = {.validate = TRUE, .keep_lines = TRUE};
    g_autoptr(HieraCatalog) catalog = hiera_catalog_new();
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    g_autoptr(HieraBuilder) builder = hiera_builder_new(catalog, HIERA_KEEP_LINES);
    const HieraSink sink = hiera_builder_sink(builder);
    g_autoptr(GArray) processors = hiera_load(paths, &how, &sink, 1, catalog, findings);
    HieraTrace *trace = hiera_builder_take_trace(builder, processors, NULL);
    HieraMatch *match = hiera_match_build(trace);
    hiera_match_check(match, findings);
    identity_check(match, findings);
    g_autoptr(GPtrArray) tables = hiera_check_make_tables(match, &all, findings);
    char *text = report_text(findings, tables);
    hiera_match_free(match);
    hiera_trace_free(trace);
    return text;
}

/* @return NULL if it cannot be read in parts */
static char *say_in_parts(const GPtrArray *paths, guint64 rows)
{
    const HieraPartsOptions how = {.rows = rows};
    g_autoptr(HieraCatalog) catalog = hiera_catalog_new();
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    CheckedRun checked;
    if (!check_in_parts(paths, how, catalog, findings, TRUE, &checked))
        return NULL;
    char *text = report_text(findings, checked.tables);
    g_ptr_array_unref(checked.tables);
    g_array_unref(checked.processors);
    return text;
}

static void compare(const char *folder)
{
    static const guint64 rows[] = {1, 7, CHECK_AT_ONCE};
    const char *arguments[] = {folder, NULL};
    g_autoptr(HieraFindings) of_paths = hiera_findings_new();
    g_autoptr(GPtrArray) paths = hiera_trace_paths_expand(arguments, of_paths);
    char *whole = say_as_whole(paths);
    n_runs++;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        char *parts = say_in_parts(paths, rows[i]);
        n_in_parts += parts && i == 0;
        if (parts && strcmp(parts, whole) != 0) {
            n_wrong++;
            printf("%s, parts of %u:\n%s\nas a whole:\n%s\n", folder, (guint)rows[i], parts, whole);
        }
        free(parts);
    }
    free(whole);
}

static void walk(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    gboolean has_traces = FALSE;
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        has_traces |= g_str_has_prefix(name, "trace") && g_str_has_suffix(name, ".xml");
        walk(path);
    }
    if (has_traces)
        compare(folder);
}

/* --- buffers of very many calls --- */

static void add_call(FILE *stream, int *time, const char *operation, const char *more)
{
    fprintf(stream, "<hieraMPI operation=\"%s\" file=\"a.c\" line=\"1\" start_time=\"%d\" finish_time=\"%d\" %s/>\n",
            operation, *time, *time + 1, more);
    *time += 2;
}

/* Write a trace with so many receives beside one into a very long buffer, and, if `overlap`, into one buffer. */
static void write_pending(const char *path, int n, gboolean overlap)
{
    FILE *stream = fopen(path, "w");
    int time = 1;
    fprintf(stream, "<processor rank=\"P0\" init=\"0\" finalize=\"%d\" size=\"1\">\n", 8 * n);
    for (int i = 0; i <= n; i++) {
        int address = overlap ? 0x10000000 : 0x10000000 + 8 * i, bytes = 4;
        if (i == 0) {
            address = 0x1000;
            bytes = 0x8000000;
        }
        g_autofree char *more =
            g_strdup_printf("count=\"1\" type=\"MPI_INT\" rem=\"0\" tag=\"%d\" comm=\"MPI_COMM_WORLD\" request=\"%d\" "
                            "buffers=\"w:%x+%d\"",
                            i, i + 1, address, bytes);
        add_call(stream, &time, "irecv", more);
    }
    for (int i = 0; i <= n; i++) {
        g_autofree char *more = g_strdup_printf("requests=\"%d\"", i + 1);
        add_call(stream, &time, "wait", more);
    }
    fprintf(stream, "</processor>\n");
    fclose(stream);
}

static guint64 count_visits(const char *path, int n, gboolean overlap, gboolean *is_said)
{
    write_pending(path, n, overlap);
    g_autoptr(GPtrArray) paths = g_ptr_array_new();
    g_ptr_array_add(paths, (gpointer)path);
    guint64 before = hiera_buffers_visits;
    char *said = say_as_whole(paths);
    *is_said = strstr(said, "receive buffer of irecv") != NULL;
    free(said);
    return hiera_buffers_visits - before;
}

/* Twice as many calls take little more than twice as many steps. @return whether that is so */
static gboolean check_pending(gboolean overlap)
{
    enum { CALLS = 4000 };
    g_autofree char *folder = g_dir_make_tmp("hiera-XXXXXX", NULL),
                    *path = g_build_filename(folder, "trace0.xml", NULL);
    gboolean is_said[2];
    guint64 one = count_visits(path, CALLS, overlap, &is_said[0]),
            two = count_visits(path, 2 * CALLS, overlap, &is_said[1]);
    g_unlink(path);
    g_rmdir(folder);
    printf("%d receives%s: %" G_GUINT64_FORMAT " steps; twice as many: %" G_GUINT64_FORMAT "\n", CALLS,
           overlap ? " into one buffer" : "", one, two);
    return one > 0 && two < one * 5 / 2 && is_said[0] == overlap && is_said[1] == overlap;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        hiera_attribute_columns_wish(HIERA_ATTRIBUTE_OF_BUFFERS);
        gboolean are_good = check_pending(FALSE);
        return !check_pending(TRUE) || !are_good;
    }
    walk(argv[1]);
    printf("%u runs, %u of them in parts of one operation, %u reports otherwise\n", n_runs, n_in_parts, n_wrong);
    return n_wrong > 0 || n_runs < 50 || n_in_parts * 4 < n_runs;
}
