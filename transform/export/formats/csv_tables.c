/* Writes a trace as tables for pandas, R or a spreadsheet: processors, operations, messages, collectives, the
 * members of collectives, and counter values, one file each. An operation is identified by its number, from 0, in all
 * tables. Cells are empty where the trace has no value. Times are seconds with nine digits.
 *
 * Each table goes through the processors, so that several processes can write it together: a message belongs to its
 * sender, a collective to its first member. */
#include "export/export_collectives.h"
#include "export/export_flows.h"
#include "export/export_labels.h"
#include "export/export_parts.h"
#include "export/exports.h"
#include "report/table.h"
#include <glib/gstdio.h>

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraFlows flows;
    HieraExportCollectives collectives;
} Csv;

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

/* Return the number that the tables give an operation: its row if one process had all operations. */
static guint32 number_of(const Csv *csv, guint32 row)
{
    return hiera_scope_row_of_all(csv->scope, csv->trace, row);
}

static void write_operation_number(const Csv *csv, FILE *stream, guint32 row)
{
    write_number(stream, row == HIERA_NONE ? HIERA_NONE : number_of(csv, row), HIERA_NONE);
}

static void write_processor(const Csv *csv, guint32 number, FILE *stream)
{
    const HieraProcessor *processor = &csv->trace->processors[number];
    fprintf(stream, "%u", processor->rank);
    write_text(stream, processor->application);
    write_text(stream, processor->host);
    write_time(stream, processor->init_ns);
    write_time(stream, processor->finalize_ns);
    write_number(stream, csv->scope->share.first ? csv->scope->share.first[number] : (gint64)processor->first, -1);
    write_number(stream, (gint64)processor->n_operations, -1);
    write_text(stream, processor->path);
    fputc('\n', stream);
}

/* Convert a rank in the row's communicator to a world rank; HIERA_ABSENT: the trace does not say it. */
static gint64 find_rank(const HieraMatch *match, guint32 row, gint32 rank)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    return rank == HIERA_ABSENT ? HIERA_ABSENT : hiera_match_world_rank(match, trace->comm[row], rank);
}

static void write_operation(const Csv *csv, guint32 processor, guint32 row, FILE *stream)
{
    const HieraMatch *match = csv->match;
    const HieraTrace *trace = csv->trace;
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    const HieraSparse *sparse = hiera_trace_peek_sparse(trace, row);
    g_autofree char *name = hiera_export_name(site);
    fprintf(stream, "%u,%u,%u", number_of(csv, row), trace->processors[processor].rank, trace->thread[row]);
    write_operation_number(csv, stream, trace->parent[row]);
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

static void write_operations(const Csv *csv, guint32 number, FILE *stream)
{
    const HieraProcessor *processor = &csv->trace->processors[number];
    for (guint32 row = (guint32)processor->first; row < processor->first + processor->n_operations; row++)
        write_operation(csv, number, row, stream);
}

static void write_message(const Csv *csv, const HieraExportFlow *flow, FILE *stream)
{
    guint n;
    const HieraMessage *message = &hiera_match_peek_messages(csv->match, &n)[flow->message];
    fprintf(stream, "%u,%u,%u", flow->number, number_of(csv, message->from), number_of(csv, message->to));
    write_operation_number(csv, stream, message->ended_by);
    write_text(stream, hiera_match_comm_id(csv->match, message->comm));
    write_number(stream, hiera_match_message_bytes(csv->match, flow->message), -1);
    write_text(stream, message->doubt == HIERA_DOUBT_NONE ? "" : "yes");
    fputc('\n', stream);
}

/* Write the messages that one processor sends. */
static void write_messages(const Csv *csv, guint32 number, FILE *stream)
{
    const HieraProcessor *processor = &csv->trace->processors[number];
    const GArray *leaving = csv->flows.leaving;
    for (guint i = hiera_flows_find(leaving, (guint32)processor->first); i < leaving->len; i++) {
        const HieraExportFlow *flow = &g_array_index(leaving, HieraExportFlow, i);
        if (flow->row >= processor->first + processor->n_operations)
            return;
        write_message(csv, flow, stream);
    }
}

/* --- tables of collectives and their members --- */

/* Where rows of collectives are written. */
typedef struct {
    const Csv *csv;
    FILE *stream;
} Row;

static void write_collective(guint32 number, guint32 index, gpointer user)
{
    guint n;
    const Row *row = user;
    const HieraCollective *collective = &hiera_match_peek_collectives(row->csv->match, &n)[index];
    fprintf(row->stream, "%u", number);
    write_text(row->stream, hiera_match_comm_id(row->csv->match, collective->comm));
    write_operation_number(row->csv, row->stream, collective->root);
    write_text(row->stream, collective->whole ? "yes" : "no");
    fputc('\n', row->stream);
}

static void write_members_of(guint32 number, guint32 index, gpointer user)
{
    guint n;
    const Row *row = user;
    const guint32 *members = hiera_match_peek_members(row->csv->match, index, &n);
    for (guint i = 0; i < n; i++)
        fprintf(row->stream, "%u,%u\n", number, number_of(row->csv, members[i]));
}

static void write_collectives(const Csv *csv, guint32 processor, FILE *stream)
{
    hiera_export_collectives_visit(&csv->collectives, processor, write_collective, &(Row){csv, stream});
}

static void write_members(const Csv *csv, guint32 processor, FILE *stream)
{
    hiera_export_collectives_visit(&csv->collectives, processor, write_members_of, &(Row){csv, stream});
}

/* --- table of counter values --- */

static void write_counted_of(const Csv *csv, guint32 row, FILE *stream)
{
    const HieraCounted *counted;
    guint n = hiera_trace_peek_counted(csv->trace, row, &counted);
    for (guint i = 0; i < n; i++) {
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        fprintf(stream, "%u", number_of(csv, row));
        write_text(stream, counted[i].counter->name);
        fprintf(stream, ",%s", g_ascii_dtostr(number, sizeof number, counted[i].value));
        write_text(stream, counted[i].counter->unit);
        fputc('\n', stream);
    }
}

static void write_counted(const Csv *csv, guint32 number, FILE *stream)
{
    const HieraProcessor *processor = &csv->trace->processors[number];
    for (guint32 row = (guint32)processor->first; row < processor->first + processor->n_operations; row++)
        write_counted_of(csv, row, stream);
}

/* --- writing the CSV files --- */

/* The tables: file name, first line, and the function that writes the rows of one processor. */
static const struct {
    const char *name, *head;
    void (*write)(const Csv *csv, guint32 processor, FILE *stream);
} tables[] = {
    {"processors.csv", "processor,application,host,init,finalize,first_operation,operations,file\n", write_processor},
    {"operations.csv",
     "operation,processor,thread,parent,depth,level,name,file,line,start,finish,comm,peer,source,tag,bytes,rbytes,"
     "unmatched\n",
     write_operations},
    {"messages.csv", "message,send,receive,ended_by,comm,bytes,ambiguous\n", write_messages},
    {"collectives.csv", "collective,comm,root,whole\n", write_collectives},
    {"members.csv", "collective,operation\n", write_members},
    {"counted.csv", "operation,counter,value,unit\n", write_counted},
};

typedef struct {
    const Csv *csv;
    guint table;
} Part;

static void write_part(guint32 processor, FILE *stream, gpointer user)
{
    const Part *part = user;
    tables[part->table].write(part->csv, processor, stream);
}

static gboolean write_table(const Csv *csv, guint table, const char *folder, GError **error)
{
    g_autofree char *path = g_build_filename(folder, tables[table].name, NULL);
    Part part = {csv, table};
    HieraOutputFile output;
    if (!hiera_export_open(&output, csv->scope, path, error))
        return FALSE;
    if (output.stream)
        fputs(tables[table].head, output.stream);
    hiera_export_write_parts(csv->scope, csv->trace, write_part, output.stream, &part);
    return hiera_export_close(&output, error);
}

static gboolean write_all(const HieraExportInput *input, const char *folder, GError **error)
{
    Csv csv = {.match = input->match, .trace = hiera_match_peek_trace(input->match), .scope = input->scope};
    gboolean good = TRUE;
    hiera_flows_init(&csv.flows, csv.match, csv.scope);
    hiera_export_collectives_init(&csv.collectives, csv.match, csv.scope);
    for (guint i = 0; good && i < G_N_ELEMENTS(tables); i++)
        good = write_table(&csv, i, folder, error);
    hiera_flows_clear(&csv.flows);
    hiera_export_collectives_clear(&csv.collectives);
    return good;
}

gboolean hiera_export_csv(const HieraExportInput *input, const char *target, GError **error)
{
    gboolean there = !hiera_scope_leads(input->scope) || hiera_output_folder_make(target, error);
    return hiera_scope_agree(input->scope, there) && write_all(input, target, error);
}
