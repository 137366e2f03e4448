/* Writes what a trace has as tables for pandas, R or a spreadsheet: processors, operations, messages, collectives, the
 * members of collectives, and what counters counted, a file each. An operation is named by its number, from 0, as all tables use it. Cells of
 * which the trace says nothing are empty. Times are seconds with nine digits. */
#include "base/output_file.h"
#include "export_labels.h"
#include "exports.h"
#include "report/table.h"
#include <errno.h>
#include <glib/gstdio.h>

static void write_time(FILE *stream, gint64 ns)
{
    char number[HIERA_NUMBER_BYTES];
    hiera_seconds_format(number, ns);
    fprintf(stream, ",%s", number);
}

static void write_text(FILE *stream, const char *text)
{
    g_autofree char *cell = hiera_text_csv(text);
    fprintf(stream, ",%s", cell);
}

static void write_number(FILE *stream, gint64 number, gint64 none)
{
    if (number == none)
        fputc(',', stream);
    else
        fprintf(stream, ",%" G_GINT64_FORMAT, number);
}

static void write_processors(const HieraMatch *match, FILE *stream)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    fputs("processor,application,host,init,finalize,first_operation,operations,file\n", stream);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        fprintf(stream, "%u", processor->rank);
        write_text(stream, processor->application);
        write_text(stream, processor->host);
        write_time(stream, processor->init_ns);
        write_time(stream, processor->finalize_ns);
        write_number(stream, (gint64)processor->first, -1);
        write_number(stream, (gint64)processor->n_operations, -1);
        write_text(stream, processor->path);
        fputc('\n', stream);
    }
}

/* Ranks are those of the job; what the trace does not say is HIERA_ABSENT. */
static gint64 find_rank(const HieraMatch *match, guint32 row, gint32 rank)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    return rank == HIERA_ABSENT ? HIERA_ABSENT : hiera_match_world_rank(match, trace->comm[row], rank);
}

static void write_operation(const HieraMatch *match, guint32 processor, guint32 row, FILE *stream)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    const HieraSparse *sparse = hiera_trace_peek_sparse(trace, row);
    g_autofree char *name = hiera_export_name(site);
    fprintf(stream, "%u,%u,%u", row, trace->processors[processor].rank, trace->thread[row]);
    write_number(stream, trace->parent[row], HIERA_NONE);
    write_number(stream, trace->depth[row], -1);
    write_text(stream, site->level);
    write_text(stream, name);
    write_text(stream, site->file);
    write_number(stream, site->line, 0);
    write_time(stream, trace->start_ns[row]);
    write_time(stream, trace->finish_ns[row]);
    write_text(stream, hiera_match_comm_id(match, trace->comm[row]));
    write_number(stream, find_rank(match, row, trace->peer[row]), HIERA_ABSENT);
    write_number(stream, find_rank(match, row, trace->source[row]), HIERA_ABSENT);
    write_number(stream, trace->tag[row], HIERA_ABSENT);
    write_number(stream, trace->bytes[row], -1);
    write_number(stream, sparse->rbytes, -1);
    write_text(stream, hiera_reason_text(hiera_match_reason(match, row)));
    fputc('\n', stream);
}

static void write_operations(const HieraMatch *match, FILE *stream)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    fputs("operation,processor,thread,parent,depth,level,name,file,line,start,finish,comm,peer,source,tag,bytes,rbytes,"
          "unmatched\n",
          stream);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        for (guint32 row = (guint32)processor->first; row < processor->first + processor->n_operations; row++)
            write_operation(match, i, row, stream);
    }
}

static void write_messages(const HieraMatch *match, FILE *stream)
{
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(match, &n);
    fputs("message,send,receive,ended_by,comm,bytes,ambiguous\n", stream);
    for (guint i = 0; i < n; i++) {
        fprintf(stream, "%u,%u,%u", i, messages[i].from, messages[i].to);
        write_number(stream, messages[i].ended_by, HIERA_NONE);
        write_text(stream, hiera_match_comm_id(match, messages[i].comm));
        write_number(stream, hiera_match_message_bytes(match, i), -1);
        write_text(stream, messages[i].doubt == HIERA_DOUBT_NONE ? "" : "yes");
        fputc('\n', stream);
    }
}

static void write_collectives(const HieraMatch *match, FILE *stream)
{
    guint n;
    const HieraCollective *collectives = hiera_match_peek_collectives(match, &n);
    fputs("collective,comm,root,whole\n", stream);
    for (guint i = 0; i < n; i++) {
        fprintf(stream, "%u", i);
        write_text(stream, hiera_match_comm_id(match, collectives[i].comm));
        write_number(stream, collectives[i].root, HIERA_NONE);
        write_text(stream, collectives[i].whole ? "yes" : "no");
        fputc('\n', stream);
    }
}

static void write_members(const HieraMatch *match, FILE *stream)
{
    guint n;
    hiera_match_peek_collectives(match, &n);
    fputs("collective,operation\n", stream);
    for (guint i = 0; i < n; i++) {
        guint n_members;
        const guint32 *members = hiera_match_peek_members(match, i, &n_members);
        for (guint member = 0; member < n_members; member++)
            fprintf(stream, "%u,%u\n", i, members[member]);
    }
}

static void write_counted(const HieraMatch *match, FILE *stream)
{
    const GArray *counted = hiera_match_peek_trace(match)->counted;
    fputs("operation,counter,value,unit\n", stream);
    for (guint i = 0; i < counted->len; i++) {
        const HieraCounted *one = &g_array_index(counted, HieraCounted, i);
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        fprintf(stream, "%u", one->row);
        write_text(stream, one->counter->name);
        fprintf(stream, ",%s", g_ascii_dtostr(number, sizeof number, one->value));
        write_text(stream, one->counter->unit);
        fputc('\n', stream);
    }
}

/* The tables: a file in the folder each. */
static const struct {
    const char *name;
    void (*write)(const HieraMatch *match, FILE *stream);
} tables[] = {
    {"processors.csv", write_processors},   {"operations.csv", write_operations}, {"messages.csv", write_messages},
    {"collectives.csv", write_collectives}, {"members.csv", write_members},       {"counted.csv", write_counted},
};

static gboolean write_table(const HieraMatch *match, guint table, const char *folder, GError **error)
{
    g_autofree char *path = g_build_filename(folder, tables[table].name, NULL);
    HieraOutputFile output;
    if (!hiera_output_file_open(&output, path, error))
        return FALSE;
    tables[table].write(match, output.stream);
    return hiera_output_file_close(&output, TRUE, error);
}

gboolean hiera_export_csv(const HieraExportInput *input, const char *target, GError **error)
{
    if (g_mkdir_with_parents(target, 0777) != 0) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_OUTPUT, "%s: the folder cannot be made: %s", target,
                    g_strerror(errno));
        return FALSE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(tables); i++) {
        if (!write_table(input->match, i, target, error))
            return FALSE;
    }
    return TRUE;
}
