/* See harness.h. */
#include "harness.h"
#include <glib/gstdio.h>
#include <stdlib.h>

static char *write_trace(const char *folder, guint rank, guint n, const char *body)
{
    char *path = g_strdup_printf("%s/trace%u.xml", folder, rank);
    g_autofree char *text = g_strdup_printf("<processor rank=\"P%u\" init=\"0\" finalize=\"100\" size=\"%u\">\n"
                                            "<hieraComm id=\"MPI_COMM_WORLD\" ranks=\"0-%u\"/>\n%s</processor>\n",
                                            rank, n, n - 1, body);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    return path;
}

Harness harness_load(const char *const *bodies, guint n)
{
    Harness harness = {.folder = g_dir_make_tmp("hiera-unit-XXXXXX", NULL)};
    harness.paths = g_ptr_array_new_with_free_func(g_free);
    for (guint rank = 0; rank < n; rank++) {
        if (bodies[rank])
            g_ptr_array_add(harness.paths, write_trace(harness.folder, rank, n, bodies[rank]));
    }
    harness.catalog = hiera_catalog_new();
    harness.findings = hiera_findings_new();
    g_autoptr(HieraBuilder) builder = hiera_builder_new(harness.catalog, FALSE);
    HieraSink sink = hiera_builder_sink(builder);
    g_autoptr(GArray) processors = hiera_load(harness.paths, NULL, &sink, 1, harness.catalog, harness.findings);
    harness.trace = hiera_builder_take_trace(builder, processors, NULL);
    harness.graph = hiera_graph_build(harness.trace, NULL, NULL);
    ck_assert_ptr_nonnull(harness.graph);
    return harness;
}

void harness_clear(Harness *harness)
{
    for (guint i = 0; i < harness->paths->len; i++)
        g_remove(g_ptr_array_index(harness->paths, i));
    g_rmdir(harness->folder);
    g_free(harness->folder);
    g_ptr_array_unref(harness->paths);
    hiera_graph_free(harness->graph);
    hiera_trace_free(harness->trace);
    hiera_findings_free(harness->findings);
    hiera_catalog_free(harness->catalog);
}

guint32 harness_row(const Harness *harness, guint rank, guint n)
{
    return harness->trace->processors[hiera_trace_find_rank(harness->trace, rank)].first + n;
}

typedef struct {
    igraph_integer_t from, to;
} End;

static int compare_ends(gconstpointer a, gconstpointer b)
{
    const End *left = a, *right = b;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    return (left->to > right->to) - (left->to < right->to);
}

static char *list_edges(const Harness *harness, HieraEdge kind, gboolean all)
{
    const igraph_t *igraph = hiera_graph_peek_igraph(harness->graph);
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(End));
    for (igraph_integer_t edge = 0; edge < igraph_ecount(igraph); edge++) {
        End end = {IGRAPH_FROM(igraph, edge) + 1, IGRAPH_TO(igraph, edge) + 1};
        if (hiera_graph_edge_kind(harness->graph, edge) == kind &&
            (all || hiera_graph_edge_ambiguous(harness->graph, edge)))
            g_array_append_val(ends, end);
    }
    g_array_sort(ends, compare_ends);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < ends->len; i++) {
        const End *end = &g_array_index(ends, End, i);
        g_string_append_printf(text, "%s%" IGRAPH_PRId ">%" IGRAPH_PRId, i ? " " : "", end->from, end->to);
    }
    return g_string_free(text, FALSE);
}

char *harness_edges(const Harness *harness, HieraEdge kind)
{
    return list_edges(harness, kind, TRUE);
}

void harness_expect_edges(const Harness *harness, HieraEdge kind, const char *expected)
{
    g_autofree char *actual = harness_edges(harness, kind);
    ck_assert_msg(g_str_equal(actual, expected), "%s edges: expected '%s', actual '%s'", hiera_edge_name(kind),
                  expected, actual);
}

void harness_expect_ambiguous(const Harness *harness, HieraEdge kind, const char *expected)
{
    g_autofree char *actual = list_edges(harness, kind, FALSE);
    ck_assert_msg(g_str_equal(actual, expected), "ambiguous %s edges: expected '%s', actual '%s'",
                  hiera_edge_name(kind), expected, actual);
}

void harness_expect_reason(const Harness *harness, guint rank, guint n, HieraReason expected)
{
    HieraReason actual = hiera_match_reason(hiera_graph_peek_match(harness->graph), harness_row(harness, rank, n));
    ck_assert_msg(actual == expected, "operation %u of P%u: expected reason %d (%s), actual %d (%s)", n, rank,
                  (int)expected, hiera_reason_text(expected), (int)actual, hiera_reason_text(actual));
}
