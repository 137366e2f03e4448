/* Draws the flow chart of a function. See report.h. */
#include "report.h"

#define HEX "0x%" G_GINT64_MODIFIER "x"

/* Write the label of a block: its addresses, its first and last line, and the functions it calls. */
static void write_block(const HieraFlow *flow, HieraPlaces *places, GArray *frames, guint node, FILE *stream)
{
    const HieraBlock *block = &g_array_index(flow->blocks, HieraBlock, node);
    fprintf(stream, "b%u [label=\"" HEX "-" HEX "\\n", node, block->begin, block->end);
    if (places)
        hiera_places_find(places, block->begin, frames);
    for (guint i = 0; places && i < frames->len; i++) {
        const HieraFrame *frame = &g_array_index(frames, HieraFrame, i);
        g_autofree char *name = frame->file ? g_path_get_basename(frame->file) : g_strdup("?");
        g_autofree char *escaped = g_strescape(name, NULL);
        fprintf(stream, "%s%s:%d", i ? " in " : "", escaped, frame->line);
    }
    for (guint i = 0; i < flow->calls->len; i++) {
        const HieraCall *call = &g_array_index(flow->calls, HieraCall, i);
        if (call->address < block->begin || call->address >= block->end)
            continue;
        g_autofree char *escaped = g_strescape(call->name ? call->name : "a pointer", NULL);
        fprintf(stream, "\\n%s %s", call->tail ? "becomes" : "calls", escaped);
    }
    fputs("\"];\n", stream);
}

/* Write a cluster: the blocks of a loop that are in no inner loop, and the clusters of inner loops. */
static void write_level(const HieraFlow *flow, HieraPlaces *places, GArray *frames, const guint *innermost, guint loop,
                        FILE *stream)
{
    for (guint node = 0; node < flow->blocks->len; node++)
        if (innermost[node] == loop)
            write_block(flow, places, frames, node, stream);
    for (guint i = 0; i < flow->loops->len; i++) {
        const HieraLoop *inner = flow->loops->pdata[i];
        if (inner->parent != loop)
            continue;
        HieraLines lines = report_find_lines(places, flow, inner);
        fprintf(stream, "subgraph cluster_%u {\nlabel=\"%s %u", i + 1, inner->irreducible ? "irreducible loop" : "loop",
                i + 1);
        if (lines.file)
            fprintf(stream, ", lines %d-%d", lines.first, lines.last);
        fputs("\";\n", stream);
        write_level(flow, places, frames, innermost, i, stream);
        fputs("}\n", stream);
    }
}

void report_dot(const HieraFlow *flow, HieraPlaces *places, FILE *stream)
{
    g_autofree guint *innermost = g_new(guint, flow->blocks->len + 1);
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(HieraFrame));
    g_autofree char *name = g_strescape(flow->function->name, NULL);
    for (guint node = 0; node < flow->blocks->len; node++)
        innermost[node] = HIERA_NO_NODE;
    for (guint i = 0; i < flow->loops->len; i++) {
        const HieraLoop *loop = flow->loops->pdata[i];
        for (guint n = 0; n < loop->nodes->len; n++)
            innermost[g_array_index(loop->nodes, guint, n)] = i;
    }
    fprintf(stream, "digraph \"%s\" {\nnode [shape=box];\n", name);
    write_level(flow, places, frames, innermost, HIERA_NO_NODE, stream);
    for (guint node = 0; node < flow->blocks->len; node++)
        for (guint i = flow->graph->next.first[node]; i < flow->graph->next.first[node + 1]; i++)
            fprintf(stream, "b%u -> b%u;\n", node, flow->graph->next.nodes[i]);
    fputs("}\n", stream);
}
