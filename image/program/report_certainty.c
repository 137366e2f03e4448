/* Counts functions whose flow is certain, and the reasons for the others. See report.h. */
#include "image/move/plan_builder.h"
#include "report.h"
#include <stdlib.h>
#include <string.h>

/* A row: the number of functions with one reason. */
typedef struct {
    char *reason;
    guint functions, with_loops;
} Row;

struct Certainty {
    GPtrArray *rows;           /* Row; the first one, which always exists, counts functions of which all is certain */
    HieraPlanBuilder *builder; /* tries to move functions; NULL: functions of this machine are never moved */
};

static void free_row(gpointer data)
{
    Row *row = data;
    g_free(row->reason);
    g_free(row);
}

static Row *find_row(Certainty *certainty, const char *reason)
{
    for (guint i = 0; i < certainty->rows->len; i++) {
        Row *row = certainty->rows->pdata[i];
        if (strcmp(row->reason, reason) == 0)
            return row;
    }
    Row *row = g_new0(Row, 1);
    row->reason = g_strdup(reason);
    g_ptr_array_add(certainty->rows, row);
    return row;
}

#define CERTAIN "all is certain"

Certainty *certainty_new(const HieraFunctions *functions, HieraDecoder *decoder)
{
    Certainty *certainty = g_new0(Certainty, 1);
    certainty->rows = g_ptr_array_new_with_free_func(free_row);
    if (functions->object->machine == HIERA_MACHINE_X86_64)
        certainty->builder = hiera_plan_builder_new(functions, decoder, NULL);
    find_row(certainty, CERTAIN);
    return certainty;
}

void certainty_free(Certainty *certainty)
{
    if (!certainty)
        return;
    hiera_plan_builder_free(certainty->builder);
    g_ptr_array_unref(certainty->rows);
    g_free(certainty);
}

/* Return the text of a doubt without its addresses and bytes, so that doubts of one kind are counted together. */
static char *kind_of(const char *doubt)
{
    g_autoptr(GRegex) address = g_regex_new(" (at )?0x[0-9a-f]+| \\(bytes[^)]*\\)", 0, 0, NULL);
    return g_regex_replace_literal(address, doubt, -1, 0, "", 0, NULL);
}

/* Return why loops of a function cannot be timed exactly although its flow is certain. */
static char *reason_of(const Certainty *certainty, const HieraFlow *flow)
{
    g_autofree char *reason = certainty->builder ? hiera_plan_builder_reason(certainty->builder, flow) : NULL;
    g_autofree char *kind = reason ? kind_of(reason) : NULL;
    return kind ? g_strdup_printf("it cannot be timed: %s", kind) : NULL;
}

void certainty_add(Certainty *certainty, const HieraFlow *flow)
{
    g_autofree char *kind = flow->doubts->len > 0 ? kind_of(flow->doubts->pdata[0]) : reason_of(certainty, flow);
    Row *row = find_row(certainty, kind ? kind : CERTAIN);
    row->functions++;
    row->with_loops += flow->loops->len > 0;
}

/* Order rows by their number of functions, the largest first. */
static int compare(gconstpointer a, gconstpointer b)
{
    const Row *x = *(Row *const *)a, *y = *(Row *const *)b;
    if (x->functions != y->functions)
        return x->functions > y->functions ? -1 : 1;
    return strcmp(x->reason, y->reason);
}

static double percent(guint part, guint whole)
{
    return whole > 0 ? 100.0 * part / whole : 0;
}

static void write_row(const Report *report, const Row *row, const Row *all, gboolean first)
{
    switch (report->format) {
    case FORMAT_TABLE:
        fprintf(report->stream, "%9u %6.1f %%  %10u %6.1f %%  %s\n", row->functions,
                percent(row->functions, all->functions), row->with_loops, percent(row->with_loops, all->with_loops),
                row->reason);
        return;
    case FORMAT_CSV:
        fprintf(report->stream, "\"%s\",%u,%u\n", row->reason, row->functions, row->with_loops);
        return;
    case FORMAT_JSON:
        fprintf(report->stream, "%s\n  {\"reason\": \"%s\", \"functions\": %u, \"with_loops\": %u}", first ? "" : ",",
                row->reason, row->functions, row->with_loops);
        return;
    }
}

void certainty_write(Certainty *certainty, const Report *report)
{
    static const char *const begins[] = {"functions           with loops\n", "reason,functions,with_loops\n",
                                         "{\"certainty\": ["};
    Row all = {(char *)"all functions", 0, 0};
    for (guint i = 0; i < certainty->rows->len; i++) {
        const Row *row = certainty->rows->pdata[i];
        all.functions += row->functions;
        all.with_loops += row->with_loops;
    }
    qsort(certainty->rows->pdata + 1, certainty->rows->len - 1, sizeof(gpointer), compare);
    fputs(begins[report->format], report->stream);
    for (guint i = 0; i < certainty->rows->len; i++)
        write_row(report, certainty->rows->pdata[i], &all, i == 0);
    if (report->format == FORMAT_TABLE)
        write_row(report, &all, &all, FALSE);
    if (report->format == FORMAT_JSON)
        fputs("]}\n", report->stream);
}
