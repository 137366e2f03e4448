/* Fuzz driver: bytes → trace files → columns → matches → graph → all measures, --validate and all exports.
 *
 * Form feeds, which cannot occur in XML, separate the files of one input. The files are kept in memory. */
#include "assertions/assertions.h"
#include "base/findings.h"
#include "check_events.h"
#include "convert/convert.h"
#include "fuzz.h"
#include "measures.h"
#include "page.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FILES_MAX  4
#define SEPARATOR  '\f'
#define PAGE_EVERY 32 /* one input of this many becomes a page */

typedef struct {
    int fds[FILES_MAX];
    GPtrArray *paths;
} Files;

static void add_file(Files *files, const uint8_t *bytes, size_t n)
{
    int fd = memfd_create("trace", MFD_CLOEXEC);
    if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
        g_error("no file in memory");
    files->fds[files->paths->len] = fd;
    g_ptr_array_add(files->paths, g_strdup_printf("/proc/self/fd/%d", fd));
}

static void files_init(Files *files, const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size, *next;
    files->paths = g_ptr_array_new_with_free_func(g_free);
    while (files->paths->len + 1 < FILES_MAX && (next = memchr(data, SEPARATOR, (size_t)(end - data)))) {
        add_file(files, data, (size_t)(next - data));
        data = next + 1;
    }
    add_file(files, data, (size_t)(end - data));
    g_ptr_array_add(files->paths, NULL);
}

static void files_clear(Files *files)
{
    for (guint i = 0; i + 1 < files->paths->len; i++)
        close(files->fds[i]);
    g_ptr_array_unref(files->paths);
}

static const HieraMeasure *const measures[] = {
#define X(name) &hiera_measure_##name,
    HIERA_MEASURES(X)
#undef X
};

/* A measure with forms answers by its first one. */
static const HieraMeasure *peek_measure(guint i)
{
    return measures[i]->forms ? measures[i]->forms[0] : measures[i];
}

/* Rules of each scope, for the measure of --assert. They stay until the process ends. */
static const HieraRules *peek_rules(void)
{
    static const char text[] = "job: MPITime < WallTime & bytesSent == bytesReceived\n"
                               "region step: iterations(\"step\") == 0 & MPIWaitTime < 1ms on some rank\n"
                               "operation send: messages == 1 & calls(\"wait\", \"MPI_COMM_WORLD\", 0) == 0\n"
                               "operation allreduce in main: MPICollectiveTime / WallTime > 0.5\n";
    static HieraRules *rules;
    char report[HIERA_RULES_REPORT];
    if (!rules && !(rules = hiera_rules_parse("rules", text, sizeof text - 1, NULL, report)))
        g_error("%s", report);
    return rules;
}

/* One load, as for `hiera-transform --validate --measure ALL`. */
typedef struct {
    HieraCatalog *catalog;
    HieraFindings *findings;
    HieraScope scope;
    GPtrArray *tables, *streams;
    HieraBuilder *builder;
    GArray *processors;
    HieraStream *run; /* of the measure that compares runs: it compares the run with itself */
} Loaded;

static void load(Loaded *loaded, const Files *files)
{
    const HieraLoadOptions options = {.threads = 1, .validate = TRUE, .keep_lines = TRUE};
    *loaded = (Loaded){hiera_catalog_new(),
                       hiera_findings_new(),
                       HIERA_SCOPE_ALL,
                       g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free),
                       g_ptr_array_new_with_free_func((GDestroyNotify)hiera_stream_free),
                       NULL,
                       NULL,
                       NULL};
    loaded->scope.options.rules = peek_rules();
    loaded->scope.options.catalog = loaded->catalog;
    loaded->builder = hiera_builder_new(loaded->catalog, TRUE);
    g_autoptr(GArray) sinks = g_array_new(FALSE, FALSE, sizeof(HieraSink));
    g_autoptr(GPtrArray) paths = hiera_trace_paths_expand((const char *const *)files->paths->pdata, loaded->findings);
    HieraSink sink = hiera_builder_sink(loaded->builder);
    g_array_append_val(sinks, sink);
    for (guint i = 0; i < G_N_ELEMENTS(measures); i++) {
        HieraTable *table =
            hiera_table_new(peek_measure(i)->name, peek_measure(i)->columns, peek_measure(i)->n_columns);
        g_ptr_array_add(loaded->tables, table);
        if (!hiera_measure_peek_read(peek_measure(i)))
            continue;
        HieraStream *stream = hiera_stream_new(peek_measure(i), &loaded->scope, loaded->catalog, table);
        if (peek_measure(i)->runs)
            loaded->run = stream;
        else
            g_ptr_array_add(loaded->streams, stream);
        sink = hiera_stream_sink(stream);
        g_array_append_val(sinks, sink);
    }
    loaded->processors = hiera_load(paths, &options, (const HieraSink *)(void *)sinks->data, sinks->len,
                                    loaded->catalog, loaded->findings);
    /* Names of processors are kept in the catalog, so `paths` may be freed. */
    g_ptr_array_foreach(loaded->streams, (GFunc)(void *)hiera_stream_finish, NULL);
}

static void loaded_clear(Loaded *loaded)
{
    hiera_stream_free(loaded->run);
    hiera_builder_free(loaded->builder);
    g_ptr_array_unref(loaded->streams);
    g_ptr_array_unref(loaded->tables);
    g_array_unref(loaded->processors);
    hiera_findings_free(loaded->findings);
    hiera_catalog_free(loaded->catalog);
}

static void compare(const Loaded *loaded, const HieraMatch *match, const HieraMeasure *measure, HieraTable *table)
{
    HieraComparison said = {NULL, NULL};
    gpointer found = measure->runs->look ? measure->runs->look(match, &loaded->scope) : NULL;
    const HieraRun run = {"run", hiera_stream_peek(loaded->run), found, loaded->catalog}, runs[] = {run, run, run};
    measure->runs->compare(runs, G_N_ELEMENTS(runs), &loaded->scope, table, &said);
    if (found)
        measure->runs->forget(found);
    g_free(said.note);
    g_free(said.failure);
}

/* JUnit is for one measure alone. */
static void write_tables(const Loaded *loaded, HieraFormat format, FILE *out)
{
    guint n = loaded->tables->len, at_once = format == HIERA_FORMAT_JUNIT ? 1 : n;
    for (guint i = 0; i < n; i += at_once)
        hiera_tables_write((HieraTable *const *)&loaded->tables->pdata[i], at_once, format, loaded->findings, out);
}

static void measure(const Loaded *loaded, const HieraGraph *graph, HieraFormat format, FILE *out)
{
    for (guint i = 0; i < G_N_ELEMENTS(measures); i++) {
        HieraTable *table = g_ptr_array_index(loaded->tables, i);
        if (peek_measure(i)->graph && !peek_measure(i)->graph(graph, &loaded->scope, table, NULL))
            continue;
        if (peek_measure(i)->find && !peek_measure(i)->graph &&
            !peek_measure(i)->find(hiera_graph_peek_match(graph), &loaded->scope, table, NULL))
            continue;
        if (peek_measure(i)->runs)
            compare(loaded, hiera_graph_peek_match(graph), peek_measure(i), table);
        if (!hiera_measure_is(peek_measure(i), HIERA_MEASURE_ORDERED))
            hiera_table_settle(table);
        hiera_table_check(table, loaded->findings);
    }
    write_tables(loaded, format, out);
}

static void make_page(const Loaded *loaded, const HieraMatch *match, FILE *out)
{
    const char *help[G_N_ELEMENTS(measures)];
    for (guint i = 0; i < G_N_ELEMENTS(measures); i++)
        help[i] = measures[i]->help;
    const HieraPage page = {match,
                            &loaded->scope,
                            "",
                            (HieraTable *const *)loaded->tables->pdata,
                            help,
                            loaded->tables->len,
                            loaded->findings,
                            "traces",
                            0,
                            FALSE};
    hiera_page_compose(&page, out);
}

/* Each input has one format of tables, which take longer than the measures; one of PAGE_EVERY becomes a page too. */
static void use_graph(const Loaded *loaded, guint turn, FILE *out)
{
    static const HieraFormat formats[] = {HIERA_FORMAT_TABLE, HIERA_FORMAT_CSV, HIERA_FORMAT_JSON, HIERA_FORMAT_JUNIT,
                                          HIERA_FORMAT_BRIEF};
    g_autoptr(HieraTrace) trace = hiera_builder_take_trace(loaded->builder, loaded->processors, NULL);
    HieraGraph *graph = trace ? hiera_graph_build(trace, NULL, NULL) : NULL;
    if (!graph)
        return;
    hiera_match_check(hiera_graph_peek_match(graph), loaded->findings);
    measure(loaded, graph, formats[turn % G_N_ELEMENTS(formats)], out);
    if (turn / G_N_ELEMENTS(formats) % PAGE_EVERY == 0)
        make_page(loaded, hiera_graph_peek_match(graph), out);
    hiera_table_free(hiera_match_make_conservation(hiera_graph_peek_match(graph)));
    hiera_table_free(hiera_match_make_hierarchy(hiera_graph_peek_match(graph)));
    hiera_graph_write_graphml(graph, out, NULL);
    hiera_graph_free(graph);
}

static void convert(const Loaded *loaded, FILE *out)
{
    static const HieraEncoding encodings[] = {HIERA_ENCODING_FULL, HIERA_ENCODING_COMPACT};
    for (guint i = 0; i < loaded->processors->len; i++)
        for (guint encoding = 0; encoding < G_N_ELEMENTS(encodings); encoding++)
            hiera_convert(g_array_index(loaded->processors, HieraProcessor, i).path, encodings[encoding], NULL, 0, out,
                          NULL);
}

static guint hash(const uint8_t *data, size_t size)
{
    guint sum = 5381;
    for (size_t i = 0; i < size; i++)
        sum = sum * 33 + data[i];
    return sum;
}

static guint count_threads(void)
{
    guint n = 0;
    g_autoptr(GDir) tasks = g_dir_open("/proc/self/task", 0, NULL);
    while (tasks && g_dir_read_name(tasks))
        n++;
    return n;
}

/* To be called before LeakSanitizer's last check. libFuzzer has one more thread, which stays. */
static void end_idle_threads(void)
{
    g_thread_pool_set_max_unused_threads(0);
    for (int i = 0; i < 500 && count_threads() > 2; i++)
        g_usleep(10000);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *out;
    Files files;
    Loaded loaded;
    if (!out) {
        out = fopen("/dev/null", "we");
        /* Idle threads of pools must stay: LeakSanitizer reports memory that a thread frees while it ends. */
        g_thread_pool_set_max_idle_time(0);
        g_thread_pool_set_max_unused_threads(-1);
        atexit(end_idle_threads);
    }
    files_init(&files, data, size);
    for (guint i = 0; i + 1 < files.paths->len; i++)
        check_events(g_ptr_array_index(files.paths, i));
    load(&loaded, &files);
    if (loaded.processors->len > 0) {
        use_graph(&loaded, hash(data, size), out);
        convert(&loaded, out);
    }
    loaded_clear(&loaded);
    files_clear(&files);
    return 0;
}
