/* Writes functions and loops as a tree, CSV or JSON. See report.h. */
#include "report.h"
#include "image/flow/jump_values.h"
#include "image/places/readable_name.h"
#include <string.h>

#define HEX "0x%" G_GINT64_MODIFIER "x"

HieraLines report_find_lines(HieraPlaces *places, const HieraFlow *flow, const HieraLoop *loop)
{
    if (!places)
        return (HieraLines){0};
    return loop ? hiera_places_loop(places, flow, loop) : hiera_places_function(places, flow);
}

static gboolean has_block(const HieraLoop *loop, guint block)
{
    for (guint i = 0; i < loop->nodes->len; i++)
        if (g_array_index(loop->nodes, guint, i) == block)
            return TRUE;
    return FALSE;
}

guint report_count_calls(const HieraFlow *flow, const HieraLoop *loop)
{
    guint n = 0;
    for (guint i = 0; i < flow->calls->len; i++)
        n += has_block(loop, hiera_flow_block(flow, g_array_index(flow->calls, HieraCall, i).address));
    return n;
}

HieraCodeRange report_range(const HieraFlow *flow, const HieraLoop *loop)
{
    HieraCodeRange range = {G_MAXUINT64, 0};
    for (guint i = 0; i < loop->nodes->len; i++) {
        const HieraBlock *block = &g_array_index(flow->blocks, HieraBlock, g_array_index(loop->nodes, guint, i));
        range.begin = MIN(range.begin, block->begin);
        range.end = MAX(range.end, block->end);
    }
    return range;
}

/* --- functions as a tree --- */

static char *describe_lines(const HieraLines *lines)
{
    if (!lines->file)
        return g_strdup("");
    g_autofree char *name = g_path_get_basename(lines->file);
    return lines->first == lines->last ? g_strdup_printf("  %s:%d", name, lines->first)
                                       : g_strdup_printf("  %s:%d-%d", name, lines->first, lines->last);
}

static void tree_function(const Report *report, const HieraFlow *flow)
{
    const HieraCodeRange *range = &g_array_index(flow->function->ranges, HieraCodeRange, 0);
    HieraLines lines = report_find_lines(report->places, flow, NULL);
    g_autofree char *place = describe_lines(&lines), *name = hiera_readable_name(flow->function->name, lines.file);
    fprintf(report->stream, "%s%s  " HEX ", %" G_GUINT64_FORMAT " bytes\n", name, place, range->begin,
            range->end - range->begin);
    for (guint i = 0; i < flow->doubts->len; i++)
        fprintf(report->stream, "  partly decoded: %s\n", (const char *)flow->doubts->pdata[i]);
    for (guint i = 0; i < flow->loops->len; i++) {
        const HieraLoop *loop = flow->loops->pdata[i];
        guint n_calls = report_count_calls(flow, loop);
        HieraCodeRange at = report_range(flow, loop);
        HieraLines of_loop = report_find_lines(report->places, flow, loop);
        g_autofree char *there = describe_lines(&of_loop);
        fprintf(report->stream, "%*s%s %u%s  " HEX "-" HEX ", %u exit%s, %u call%s", (int)(2 * loop->depth), "",
                loop->irreducible ? "irreducible loop" : "loop", i + 1, there, at.begin, at.end, loop->exits->len,
                loop->exits->len == 1 ? "" : "s", n_calls, n_calls == 1 ? "" : "s");
        if (loop->entries->len > 1)
            fprintf(report->stream, ", %u entries", loop->entries->len);
        fputc('\n', report->stream);
    }
}

/* --- functions as CSV --- */

static void csv_text(FILE *stream, const char *text)
{
    gboolean quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted)
        fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    if (quoted)
        fputc('"', stream);
}

static void csv_lines(FILE *stream, const HieraLines *lines)
{
    csv_text(stream, lines->file ? lines->file : "");
    if (lines->file)
        fprintf(stream, ",%d,%d", lines->first, lines->last);
    else
        fputs(",,", stream);
}

static void csv_function(const Report *report, const HieraFlow *flow)
{
    const HieraCodeRange *range = &g_array_index(flow->function->ranges, HieraCodeRange, 0);
    FILE *stream = report->stream;
    HieraLines lines = report_find_lines(report->places, flow, NULL);
    g_autofree char *name = hiera_readable_name(flow->function->name, lines.file);
    csv_text(stream, name);
    fputs(",0,,0,function,", stream);
    csv_lines(stream, &lines);
    fprintf(stream, "," HEX "," HEX ",%u,1,,%u,", range->begin, range->end, flow->blocks->len, flow->calls->len);
    g_ptr_array_add(flow->doubts, NULL);
    g_autofree char *doubts = g_strjoinv("; ", (char **)flow->doubts->pdata);
    g_ptr_array_set_size(flow->doubts, (int)flow->doubts->len - 1);
    csv_text(stream, doubts);
    fputc(',', stream);
    csv_text(stream, flow->function->name);
    fputc('\n', stream);
    for (guint i = 0; i < flow->loops->len; i++) {
        const HieraLoop *loop = flow->loops->pdata[i];
        HieraLines of_loop = report_find_lines(report->places, flow, loop);
        HieraCodeRange at = report_range(flow, loop);
        csv_text(stream, name);
        fprintf(stream, ",%u,%u,%u,%s,", i + 1, loop->parent == HIERA_NO_NODE ? 0 : loop->parent + 1, loop->depth,
                loop->irreducible ? "irreducible" : "loop");
        csv_lines(stream, &of_loop);
        fprintf(stream, "," HEX "," HEX ",%u,%u,%u,%u,,", at.begin, at.end, loop->nodes->len, loop->entries->len,
                loop->exits->len, report_count_calls(flow, loop));
        csv_text(stream, flow->function->name);
        fputc('\n', stream);
    }
}

/* --- functions as JSON --- */

static void json_text(FILE *stream, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    fputc('"', stream);
    for (const char *at = valid; *at; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(stream, "\\%c", *at);
        else if ((guchar)*at < 0x20)
            fprintf(stream, "\\u%04x", *at);
        else
            fputc(*at, stream);
    }
    fputc('"', stream);
}

static void json_lines(FILE *stream, const HieraLines *lines)
{
    if (!lines->file)
        return;
    fputs(", \"file\": ", stream);
    json_text(stream, lines->file);
    fprintf(stream, ", \"first_line\": %d, \"last_line\": %d", lines->first, lines->last);
}

static void json_loop(const Report *report, const HieraFlow *flow, guint i)
{
    const HieraLoop *loop = flow->loops->pdata[i];
    FILE *stream = report->stream;
    HieraLines lines = report_find_lines(report->places, flow, loop);
    HieraCodeRange at = report_range(flow, loop);
    fprintf(stream, "%s\n      {\"loop\": %u, \"parent\": ", i ? "," : "", i + 1);
    if (loop->parent == HIERA_NO_NODE)
        fputs("null", stream);
    else
        fprintf(stream, "%u", loop->parent + 1);
    fprintf(stream, ", \"depth\": %u, \"irreducible\": %s", loop->depth, loop->irreducible ? "true" : "false");
    json_lines(stream, &lines);
    fprintf(stream,
            ", \"header\": \"" HEX "\", \"begin\": \"" HEX "\", \"end\": \"" HEX
            "\", \"blocks\": %u, \"calls\": %u, \"entries\": [",
            g_array_index(flow->blocks, HieraBlock, loop->header).begin, at.begin, at.end, loop->nodes->len,
            report_count_calls(flow, loop));
    for (guint n = 0; n < loop->entries->len; n++)
        fprintf(stream, "%s\"" HEX "\"", n ? ", " : "",
                g_array_index(flow->blocks, HieraBlock, g_array_index(loop->entries, guint, n)).begin);
    fputs("], \"exits\": [", stream);
    for (guint n = 0; n < loop->exits->len; n++) {
        const HieraFlowEdge *exit = &g_array_index(loop->exits, HieraFlowEdge, n);
        fprintf(stream, "%s[\"" HEX "\", \"" HEX "\"]", n ? ", " : "",
                g_array_index(flow->blocks, HieraBlock, exit->from).begin,
                g_array_index(flow->blocks, HieraBlock, exit->to).begin);
    }
    fputs("]}", stream);
}

static void json_call(FILE *stream, const HieraCall *call, gboolean first)
{
    fprintf(stream, "%s\n      {\"address\": \"" HEX "\", \"function\": ", first ? "" : ",", call->address);
    if (call->name)
        json_text(stream, call->name);
    else
        fputs("null", stream);
    fprintf(stream, ", \"tail\": %s, \"returns\": %s}", call->tail ? "true" : "false", call->stays ? "false" : "true");
}

static void json_tables(FILE *stream, const HieraFlow *flow)
{
    gboolean first = TRUE;
    for (guint i = 0; i < flow->pointer_jumps->len; i++) {
        const HieraPointerJump *jump = &g_array_index(flow->pointer_jumps, HieraPointerJump, i);
        if (!jump->leaves)
            fprintf(stream, "%s\n      {\"jump\": \"" HEX "\", \"table\": \"" HEX "\", \"elements\": %u}",
                    first ? "" : ",", jump->address, jump->value.number, jump->n);
        first &= jump->leaves;
    }
}

static void json_function(const Report *report, const HieraFlow *flow)
{
    FILE *stream = report->stream;
    HieraLines lines = report_find_lines(report->places, flow, NULL);
    fprintf(stream, "%s\n  {\"function\": ", report->n_functions ? "," : "");
    g_autofree char *name = hiera_readable_name(flow->function->name, lines.file);
    json_text(stream, name);
    fputs(", \"symbol\": ", stream);
    json_text(stream, flow->function->name);
    json_lines(stream, &lines);
    fputs(", \"ranges\": [", stream);
    for (guint i = 0; i < flow->function->ranges->len; i++) {
        const HieraCodeRange *range = &g_array_index(flow->function->ranges, HieraCodeRange, i);
        fprintf(stream, "%s[\"" HEX "\", \"" HEX "\"]", i ? ", " : "", range->begin, range->end);
    }
    fprintf(stream, "], \"returns\": %s, \"lsda\": %s, \"doubts\": [", flow->function->stays ? "false" : "true",
            flow->function->has_lsda ? "true" : "false");
    for (guint i = 0; i < flow->doubts->len; i++) {
        fputs(i ? ", " : "", stream);
        json_text(stream, flow->doubts->pdata[i]);
    }
    fputs("],\n    \"jump_tables\": [", stream);
    json_tables(stream, flow);
    fputs("],\n    \"calls\": [", stream);
    for (guint i = 0; i < flow->calls->len; i++)
        json_call(stream, &g_array_index(flow->calls, HieraCall, i), i == 0);
    fputs("],\n    \"loops\": [", stream);
    for (guint i = 0; i < flow->loops->len; i++)
        json_loop(report, flow, i);
    fputs("]}", stream);
}

void report_begin(Report *report)
{
    if (report->format == FORMAT_CSV)
        fputs("function,loop,parent,depth,kind,file,first_line,last_line,begin,end,blocks,entries,exits,calls,doubts,"
              "symbol\n",
              report->stream);
    if (report->format != FORMAT_JSON)
        return;
    fputs("{\"file\": ", report->stream);
    json_text(report->stream, report->object->path);
    fprintf(report->stream, ", \"machine\": \"%s\", \"build_id\": ",
            report->object->machine == HIERA_MACHINE_X86_64 ? "x86-64" : "aarch64");
    if (report->object->build_id)
        json_text(report->stream, report->object->build_id);
    else
        fputs("null", report->stream);
    fputs(", \"functions\": [", report->stream);
}

void report_function(Report *report, const HieraFlow *flow)
{
    static void (*const writers[])(const Report *, const HieraFlow *) = {tree_function, csv_function, json_function};
    writers[report->format](report, flow);
    report->n_functions++;
}

void report_end(Report *report)
{
    if (report->format == FORMAT_JSON)
        fputs("]}\n", report->stream);
}
