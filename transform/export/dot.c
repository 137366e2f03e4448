/* Writes the graph for graphviz: a cluster for each rank, its operations in a tree, messages as arrows between ranks,
 * and a point for each collective that its members share. */
#include "base/output_file.h"
#include "export_flows.h"
#include "export_labels.h"
#include "exports.h"
#include "report/table.h"

/* Texts of DOT: a quote and a backslash are escaped; a backslash before `n` would break the line. */
static char *quote(const char *text)
{
    g_autofree char *printable = hiera_text_printable(text);
    GString *quoted = g_string_new("\"");
    for (const char *c = printable; *c; c++) {
        if (*c == '"' || *c == '\\')
            g_string_append_c(quoted, '\\');
        g_string_append_c(quoted, *c == '\n' || *c == '\r' ? ' ' : *c);
    }
    g_string_append_c(quoted, '"');
    return g_string_free(quoted, FALSE);
}

static void write_operation(const HieraTrace *trace, guint32 row, FILE *stream)
{
    char start[HIERA_NUMBER_BYTES], duration[HIERA_NUMBER_BYTES];
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    g_autofree char *frame = hiera_export_frame(site), *label = quote(frame), *level = quote(site->level);
    hiera_time_format(start, trace->start_ns[row]);
    hiera_time_format(duration, hiera_minus(trace->finish_ns[row], trace->start_ns[row]));
    fprintf(stream, "    n%u [label=%s, class=%s, tooltip=\"at %s, %s\"];\n", row, label, level, start, duration);
}

/* Children hang from their parent; operations of depth 0 follow each other. */
static void write_processor(const HieraTrace *trace, guint32 processor, FILE *stream)
{
    const HieraProcessor *of = &trace->processors[processor];
    fprintf(stream, "  subgraph cluster_P%u {\n    label=\"P%u\";\n", of->rank, of->rank);
    guint32 last = HIERA_NONE;
    for (guint32 row = (guint32)of->first; row < of->first + of->n_operations; row++) {
        write_operation(trace, row, stream);
        if (trace->parent[row] != HIERA_NONE) {
            fprintf(stream, "    n%u -> n%u [class=child, arrowhead=none];\n", trace->parent[row], row);
            continue;
        }
        if (last != HIERA_NONE && trace->thread[last] == trace->thread[row])
            fprintf(stream, "    n%u -> n%u [class=next, style=dotted];\n", last, row);
        last = row;
    }
    fputs("  }\n", stream);
}

static void write_messages(const HieraMatch *match, FILE *stream)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(match, &n);
    for (guint i = 0; i < n; i++) {
        gint64 bytes = hiera_match_message_bytes(match, i);
        g_autofree char *label =
            bytes >= 0 ? g_strdup_printf(", label=\"%" G_GINT64_FORMAT " B\"", bytes) : g_strdup("");
        fprintf(stream, "  n%u -> n%u [class=message, penwidth=2%s];\n", messages[i].from,
                hiera_export_arrival(&messages[i]), label);
    }
}

static void write_collectives(const HieraMatch *match, FILE *stream)
{
    guint n;
    hiera_match_peek_collectives(match, &n);
    for (guint i = 0; i < n; i++) {
        guint n_members;
        const guint32 *members = hiera_match_peek_members(match, i, &n_members);
        fprintf(stream, "  c%u [shape=point, class=collective];\n", i);
        for (guint member = 0; member < n_members; member++)
            fprintf(stream, "  n%u -> c%u [class=collective, arrowhead=none];\n", members[member], i);
    }
}

gboolean hiera_export_dot(const HieraExportInput *input, const char *target, GError **error)
{
    const HieraTrace *trace = hiera_match_peek_trace(input->match);
    HieraOutputFile output;
    if (!hiera_output_file_open(&output, target, error))
        return FALSE;
    fputs("digraph trace {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n", output.stream);
    for (guint32 i = 0; i < trace->n_processors; i++)
        write_processor(trace, i, output.stream);
    write_messages(input->match, output.stream);
    write_collectives(input->match, output.stream);
    fputs("}\n", output.stream);
    return hiera_output_file_close(&output, TRUE, error);
}
