#include "totals_format.h"

#include "level_ops.h"
#include "region_format.h"

void hiera_totals_put_region(HieraTraceFile *stream, const char *level, const char *name)
{
    const char *colons = strcmp(level, "oops") == 0 ? hiera_region_last_colons(name) : NULL;
    HIERA_TEXT_LITERAL(stream->text, " level=\"");
    hiera_text_escaped(stream->text, level, strlen(level));
    if (colons) {
        HIERA_TEXT_LITERAL(stream->text, "\" class=\"");
        hiera_text_escaped(stream->text, name, (size_t)(colons - name));
    }
    HIERA_TEXT_LITERAL(stream->text, "\" operation=\"");
    name = colons ? colons + 2 : name;
    hiera_text_escaped(stream->text, name, strlen(name));
    HIERA_TEXT_LITERAL(stream->text, "\"");
}

static void put_bytes_of_sum(HieraText *text, const HieraSum *sum)
{
    if (sum->sent >= 0) {
        HIERA_TEXT_LITERAL(text, "\" bytes=\"");
        hiera_text_unsigned(text, (uint64_t)sum->sent);
    }
    if (sum->received >= 0) {
        HIERA_TEXT_LITERAL(text, "\" rbytes=\"");
        hiera_text_unsigned(text, (uint64_t)sum->received);
    }
}

static void put_sum(HieraTraceFile *stream, const HieraSumRow *row)
{
    HIERA_TEXT_LITERAL(stream->text, "\n  <hieraFiltered");
    if (row->level)
        hiera_totals_put_region(stream, row->level, row->level + strlen(row->level) + 1);
    else if (row->call >= HIERA_RECORD_CALLS)
        hiera_level.put_sum(stream, row);
    else
        HIERA_TEXT_LITERAL(stream->text, " level=\"(other)\" operation=\"(other)\"");
    HIERA_TEXT_LITERAL(stream->text, " count=\"");
    hiera_text_unsigned(stream->text, row->sum.count);
    put_bytes_of_sum(stream->text, &row->sum);
    HIERA_TEXT_LITERAL(stream->text, "\" time=\"");
    hiera_text_seconds(stream->text, row->sum.time_ns);
    HIERA_TEXT_LITERAL(stream->text, "\"/>");
}

/* Whether no earlier row has the communicator of this row. */
static bool is_first_of_comm(const HieraSums *sums, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (sums->rows[i].comm == sums->rows[row].comm && sums->rows[i].sum.count > 0)
            return false;
    return true;
}

void hiera_totals_put_sums(HieraTraceFile *stream, const HieraSums *sums)
{
    for (size_t i = 0; i < sums->n; i++) {
        const HieraSumRow *row = &sums->rows[i];
        if (row->sum.count == 0)
            continue;
        if (row->comm != HIERA_SUM_NO_COMM && is_first_of_comm(sums, i))
            hiera_level.declare_comm(stream, row->comm, false);
        put_sum(stream, row);
    }
}

void hiera_totals_put(HieraTraceFile *stream)
{
    hiera_totals_put_sums(stream, &stream->sums);
}
