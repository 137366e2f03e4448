/* Writes the graph for graphviz: a cluster for each rank, its operations in a tree, messages as arrows between ranks,
 * and a point for each collective, connected to its members. Each of these goes through the processors, so that several
 * processes can write it together: a message belongs to its sender, a collective to its first member. */
#include "export/export_collectives.h"
#include "export/export_flows.h"
#include "export/export_labels.h"
#include "export/export_parts.h"
#include "export/exports.h"
#include "report/table.h"

/* Whether graphviz reads an ampersand as the begin of an HTML character reference: "&lt;", "&#65;". */
static gboolean begins_character(const char *ampersand)
{
    const char *at = ampersand + 1 + (ampersand[1] == '#');
    while (g_ascii_isalnum(*at))
        at++;
    return *at == ';';
}

/* Quote a text for DOT. Quotes and backslashes get a backslash, because "\n" would break the line. */
static char *quote(const char *text)
{
    g_autofree char *printable = hiera_text_printable(text);
    GString *quoted = g_string_new("\"");
    for (const char *c = printable; *c; c++) {
        if (*c == '&' && begins_character(c)) {
            g_string_append(quoted, "&amp;");
            continue;
        }
        if (*c == '"' || *c == '\\')
            g_string_append_c(quoted, '\\');
        g_string_append_c(quoted, *c == '\n' || *c == '\r' ? ' ' : *c);
    }
    g_string_append_c(quoted, '"');
    return g_string_free(quoted, FALSE);
}

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraFlows flows;
    HieraExportCollectives collectives;
    FILE *stream;
} Dot;

/* Return the number of an operation's node: its row if one process had all operations. */
static guint32 number_of(const Dot *dot, guint32 row)
{
    return hiera_scope_row_of_all(dot->scope, dot->trace, row);
}

static void write_operation(const Dot *dot, guint32 row)
{
    char start[HIERA_NUMBER_BYTES], duration[HIERA_NUMBER_BYTES];
    const HieraTrace *trace = dot->trace;
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    g_autofree char *frame = hiera_export_frame(site), *label = quote(frame), *level = quote(site->level);
    hiera_time_format(start, trace->start_ns[row]);
    hiera_time_format(duration, hiera_minus(trace->finish_ns[row], trace->start_ns[row]));
    fprintf(dot->stream, "    n%u [label=%s, class=%s, tooltip=\"at %s, %s\"];\n", number_of(dot, row), label, level,
            start, duration);
}

/* Write the operations of a processor. Edges go from parents to children, and between operations of depth 0. */
static void write_processor(guint32 processor, FILE *stream, gpointer user)
{
    Dot *dot = user;
    const HieraTrace *trace = dot->trace;
    const HieraProcessor *of = &trace->processors[processor];
    dot->stream = stream;
    fprintf(stream, "  subgraph cluster_P%u {\n    label=\"P%u\";\n", of->rank, of->rank);
    guint32 last = HIERA_NONE;
    for (guint32 row = (guint32)of->first; row < of->first + of->n_operations; row++) {
        write_operation(dot, row);
        if (trace->parent[row] != HIERA_NONE) {
            fprintf(stream, "    n%u -> n%u [class=child, arrowhead=none];\n", number_of(dot, trace->parent[row]),
                    number_of(dot, row));
            continue;
        }
        if (last != HIERA_NONE && trace->thread[last] == trace->thread[row])
            fprintf(stream, "    n%u -> n%u [class=next, style=dotted];\n", number_of(dot, last), number_of(dot, row));
        last = row;
    }
    fputs("  }\n", stream);
}

static void write_message(const Dot *dot, guint32 index)
{
    guint n;
    const HieraMessage *message = &hiera_match_peek_messages(dot->match, &n)[index];
    gint64 bytes = hiera_match_message_bytes(dot->match, index);
    fprintf(dot->stream, "  n%u -> n%u [class=message, penwidth=2", number_of(dot, message->from),
            number_of(dot, hiera_export_arrival(message)));
    if (bytes >= 0)
        fprintf(dot->stream, ", label=\"%" G_GINT64_FORMAT " B\"", bytes);
    fputs("];\n", dot->stream);
}

/* Write the messages that one processor sends. */
static void write_messages(guint32 processor, FILE *stream, gpointer user)
{
    Dot *dot = user;
    const HieraProcessor *of = &dot->trace->processors[processor];
    const GArray *leaving = dot->flows.leaving;
    dot->stream = stream;
    for (guint i = hiera_flows_find(leaving, (guint32)of->first); i < leaving->len; i++) {
        const HieraExportFlow *flow = &g_array_index(leaving, HieraExportFlow, i);
        if (flow->row >= of->first + of->n_operations)
            return;
        write_message(dot, flow->message);
    }
}

static void write_collective(guint32 number, guint32 index, gpointer user)
{
    guint n;
    const Dot *dot = user;
    const guint32 *members = hiera_match_peek_members(dot->match, index, &n);
    fprintf(dot->stream, "  c%u [shape=point, class=collective];\n", number);
    for (guint i = 0; i < n; i++)
        fprintf(dot->stream, "  n%u -> c%u [class=collective, arrowhead=none];\n", number_of(dot, members[i]), number);
}

static void write_collectives(guint32 processor, FILE *stream, gpointer user)
{
    Dot *dot = user;
    dot->stream = stream;
    hiera_export_collectives_visit(&dot->collectives, processor, write_collective, dot);
}

/* Write the file, together with all other processes. @param stream  NULL in processes other than 0 */
static void write_all(const HieraExportInput *input, FILE *stream)
{
    static HieraExportPart *const parts[] = {write_processor, write_messages, write_collectives};
    Dot dot = {.match = input->match, .trace = hiera_match_peek_trace(input->match), .scope = input->scope};
    hiera_flows_init(&dot.flows, dot.match, dot.scope);
    hiera_export_collectives_init(&dot.collectives, dot.match, dot.scope);
    if (stream)
        fputs("digraph trace {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n", stream);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        hiera_export_write_parts(dot.scope, dot.trace, parts[i], stream, &dot);
    if (stream)
        fputs("}\n", stream);
    hiera_flows_clear(&dot.flows);
    hiera_export_collectives_clear(&dot.collectives);
}

gboolean hiera_export_dot(const HieraExportInput *input, const char *target, GError **error)
{
    HieraOutputFile output;
    if (!hiera_export_open(&output, input->scope, target, error))
        return FALSE;
    write_all(input, output.stream);
    return hiera_export_close(&output, error);
}
