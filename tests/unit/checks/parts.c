/* --validate says the same of a run that is read in parts as of one that is read as a whole.
 *
 * parts FOLDER: all runs below it, in parts of one operation, of seven, and of as many as usual. */
#include "../../../transform/cli/options/report.h"
#include "../../../transform/cli/run/check_in_parts.h"
#include "../../../transform/cli/run/identity_check.h"
#include "checks/checks.h"
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

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    walk(argv[1]);
    printf("%u runs, %u of them in parts of one operation, %u reports otherwise\n", n_runs, n_in_parts, n_wrong);
    return n_wrong > 0 || n_runs < 50 || n_in_parts * 4 < n_runs;
}
