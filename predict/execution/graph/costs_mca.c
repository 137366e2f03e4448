/* Costs of vertices as llvm-mca estimates them: each vertex' code alone, repeated on one CPU core. */
#include "execution_graph.h"
#include <glib/gstdio.h>
#include <string.h>

enum { ITERATIONS = 100 };

/* Return assembly with a region for each vertex. @param bad  lines to leave out. @param lines  receives the vertex of
 * each */
static char *write_regions(HieraExecution *execution, guint first, const GHashTable *bad, GArray *lines)
{
    GString *text = g_string_new(".intel_syntax noprefix\n");
    guint none = HIERA_NO_VERTEX, line = 1;
    g_array_append_val(lines, none);
    for (guint i = first; i < execution->vertices->len; i++) {
        const HieraVertex *vertex = hiera_execution_vertex(execution, i);
        HieraInstruction instruction;
        if (vertex->kind != HIERA_VERTEX_EXECUTION || vertex->is_gone)
            continue;
        g_string_append_printf(text, "# LLVM-MCA-BEGIN %u\n", i);
        g_array_append_val(lines, none);
        line++;
        HieraDecoder *decoder = hiera_modules_at(&execution->modules, vertex->begin)->decoder;
        for (guint64 at = vertex->begin; at < vertex->end && hiera_decoder_decode(decoder, at, &instruction);
             at += instruction.length) {
            line++;
            gboolean is_bad = !decoder->raw || g_hash_table_contains((GHashTable *)bad, GUINT_TO_POINTER(line));
            if (is_bad)
                g_string_append(text, "nop\n");
            else
                g_string_append_printf(text, "%s %s\n", decoder->raw->mnemonic, decoder->raw->op_str);
            g_array_append_val(lines, i);
        }
        g_string_append(text, "# LLVM-MCA-END\n");
        g_array_append_val(lines, none);
        line++;
    }
    return g_string_free(text, FALSE);
}

/* Set the costs of vertices to the "Total Cycles:" of their regions in llvm-mca's output. @return number of regions
 * found */
static guint take_costs(HieraExecution *execution, const char *output)
{
    guint n = 0, vertex = HIERA_NO_VERTEX;
    g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
    for (char **line = lines; *line; line++) {
        const char *name = strstr(*line, "Code Region - ");
        if (name)
            vertex = (guint)g_ascii_strtoull(name + strlen("Code Region - "), NULL, 10);
        if (!g_str_has_prefix(*line, "Total Cycles:") || vertex >= execution->vertices->len)
            continue;
        hiera_execution_vertex(execution, vertex)->cycles =
            g_ascii_strtod(*line + strlen("Total Cycles:"), NULL) / ITERATIONS;
        n++;
    }
    return n;
}

/* Add the numbers of lines that the assembler rejects (FILE:LINE:COLUMN: error) to `bad`. @return whether any is new */
static gboolean take_errors(const char *errors, GHashTable *bad)
{
    guint before = g_hash_table_size(bad);
    g_auto(GStrv) lines = g_strsplit(errors, "\n", -1);
    for (char **line = lines; *line; line++) {
        const char *error = strstr(*line, ": error:");
        g_auto(GStrv) words = error ? g_strsplit(*line, ":", 3) : NULL;
        if (words && words[0] && words[1])
            g_hash_table_add(bad, GUINT_TO_POINTER((guint)g_ascii_strtoull(words[1], NULL, 10)));
    }
    return g_hash_table_size(bad) > before;
}

static char *find_program(void)
{
    char *path = g_find_program_in_path("llvm-mca");
    for (guint version = 30; version > 8 && !path; version--) {
        g_autofree char *name = g_strdup_printf("llvm-mca-%u", version);
        path = g_find_program_in_path(name);
    }
    return path;
}

static gboolean try_once(HieraExecution *execution, guint first, const char *program, const char *processor,
                         GHashTable *bad, gboolean *again, GError **error)
{
    g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autofree char *text = write_regions(execution, first, bad, lines), *path = NULL, *output = NULL, *errors = NULL;
    g_autofree char *of = g_strdup_printf("-mcpu=%s", processor ? processor : "native");
    g_autofree char *times = g_strdup_printf("-iterations=%d", ITERATIONS);
    int file = g_file_open_tmp("hiera-predict-XXXXXX.s", &path, error), status = 0;
    if (file < 0)
        return FALSE;
    g_close(file, NULL);
    char *words[] = {(char *)program,
                     (char *)"-mtriple=x86_64",
                     of,
                     times,
                     (char *)"-instruction-info=0",
                     (char *)"-resource-pressure=0",
                     path,
                     NULL};
    gboolean good = g_file_set_contents(path, text, -1, error) &&
                    g_spawn_sync(NULL, words, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, &errors, &status, error);
    *again = good && take_errors(errors, bad);
    if (good && !*again && take_costs(execution, output) == 0) {
        g_set_error(error, HIERA_IMAGE_ERROR, 0, "llvm-mca told no costs: %s", errors);
        good = FALSE;
    }
    g_unlink(path);
    return good;
}

gboolean hiera_execution_cost_by_mca(HieraExecution *execution, guint first, const char *processor, GError **error)
{
    g_autofree char *program = find_program();
    g_autoptr(GHashTable) bad = g_hash_table_new(NULL, NULL);
    gboolean again = TRUE, good = TRUE;
    if (!program || execution->object->machine != HIERA_MACHINE_X86_64) {
        g_set_error(error, HIERA_IMAGE_ERROR, 0, "%s",
                    program ? "llvm-mca is asked about x86-64 only; leave --cost out"
                            : "llvm-mca is not installed; install llvm, or leave --cost out");
        return FALSE;
    }
    for (guint i = 0; i < 3 && again && good; i++)
        good = try_once(execution, first, program, processor, bad, &again, error);
    return good;
}
