/* Tables of what a trace has: operations, ranks, and what counters have counted. See tables.h. */
#include "export/export_labels.h"
#include "matching/match_common.h"
#include "tables.h"
#include <string.h>

#define NEVER  HIERA_ARROW_NEVER_NONE
#define NUMBER HIERA_ARROW_NUMBER
#define TEXT   HIERA_ARROW_TEXT

/* --- operations --- */

#define BORROWED(column)                                                                                               \
    static const void *borrow_##column(const HieraArrowRows *rows)                                                     \
    {                                                                                                                  \
        return rows->trace->column;                                                                                    \
    }
BORROWED(thread)
BORROWED(parent)
BORROWED(depth)
BORROWED(start_ns)
BORROWED(finish_ns)
BORROWED(tag)
BORROWED(bytes)

static gsize count_operations(const HieraArrowRows *rows)
{
    return rows->trace->n_operations;
}

static gint64 find_rank(HieraArrowRows *rows, gsize row)
{
    const HieraProcessor *processors = rows->trace->processors;
    while (row >= processors[rows->at].first + processors[rows->at].n_operations)
        rows->at++;
    return processors[rows->at].rank;
}

static gboolean is_open(const HieraArrowRows *rows, gsize row)
{
    return hiera_trace_is_open(rows->trace, (guint32)row);
}

gint64 hiera_arrow_finish_ns(const HieraArrowRows *rows, guint32 row)
{
    return row == HIERA_NONE || is_open(rows, row) ? HIERA_TIME_OPEN : rows->trace->finish_ns[row];
}

static gint64 duration_of(HieraArrowRows *rows, gsize row)
{
    gint64 finish_ns = hiera_arrow_finish_ns(rows, (guint32)row);
    return finish_ns == HIERA_TIME_OPEN ? HIERA_TIME_OPEN : hiera_minus(finish_ns, rows->trace->start_ns[row]);
}

/* World rank of a rank in the communicator of a row. */
static gint64 find_world_rank(const HieraTrace *trace, gsize row, gint32 rank)
{
    const HieraCommunicator *communicator = rank < 0 ? NULL : hiera_match_communicator(trace, trace->comm[row]);
    return communicator ? hiera_match_translate(communicator, rank) : HIERA_ABSENT;
}

NUMBER(site_of, rows->trace->site[row])
NUMBER(comm_of, rows->trace->comm[row])
NUMBER(line_of, hiera_trace_peek_site(rows->trace, (guint32)row)->line)
NUMBER(peer_of, find_world_rank(rows->trace, row, rows->trace->peer[row]))
NUMBER(source_of, find_world_rank(rows->trace, row, rows->trace->source[row]))
NUMBER(received_of, hiera_trace_peek_sparse(rows->trace, (guint32)row)->rbytes)
TEXT(site_level, rows->trace->sites[key]->level)
TEXT(site_file, rows->trace->sites[key]->file)

char *hiera_arrow_site_name(const HieraArrowRows *rows, gsize site)
{
    return hiera_export_name(rows->trace->sites[site]);
}

char *hiera_arrow_comm_id(const HieraArrowRows *rows, gsize comm)
{
    return g_strdup(hiera_catalog_peek_communicator(rows->trace->catalog, (guint32)comm)->id);
}

static const HieraArrowColumn of_operations[] = {
    {"rank", "I", NEVER, .number = find_rank},
    {"thread", "I", NEVER, .borrow = borrow_thread},
    {"parent", "I", HIERA_NONE, .borrow = borrow_parent},
    {"depth", "I", NEVER, .borrow = borrow_depth},
    {"level", "u", NEVER, .number = site_of, .text = site_level},
    {"name", "u", NEVER, .number = site_of, .text = hiera_arrow_site_name},
    {"file", "u", NEVER, .number = site_of, .text = site_file},
    {"line", "I", 0, .number = line_of},
    {"start_ns", "l", NEVER, .borrow = borrow_start_ns},
    {"finish_ns", "l", HIERA_TIME_OPEN, .borrow = borrow_finish_ns, .is_none = is_open},
    {"duration_ns", "l", HIERA_TIME_OPEN, .number = duration_of},
    {"comm", "u", HIERA_NONE, .number = comm_of, .text = hiera_arrow_comm_id},
    {"peer", "i", HIERA_ABSENT, .number = peer_of},
    {"source", "i", HIERA_ABSENT, .number = source_of},
    {"tag", "i", HIERA_ABSENT, .borrow = borrow_tag},
    {"bytes", "l", -1, .borrow = borrow_bytes},
    {"rbytes", "l", -1, .number = received_of},
};
const HieraArrowTable hiera_arrow_operations = {HIERA_ARROW_OF_TRACE, count_operations, of_operations,
                                                G_N_ELEMENTS(of_operations)};

/* --- ranks --- */

static gsize count_ranks(const HieraArrowRows *rows)
{
    return rows->trace->n_processors;
}

NUMBER(row_itself, row)
NUMBER(rank_of, rows->trace->processors[row].rank)
NUMBER(init_of, rows->trace->processors[row].init_ns)
NUMBER(finalize_of, rows->trace->processors[row].cut ? HIERA_TIME_OPEN : rows->trace->processors[row].finalize_ns)
NUMBER(first_of, rows->trace->processors[row].first)
NUMBER(n_operations_of, rows->trace->processors[row].n_operations)
NUMBER(is_cut, rows->trace->processors[row].cut)
TEXT(application_of, rows->trace->processors[key].application)
TEXT(host_of, rows->trace->processors[key].host)
TEXT(path_of, rows->trace->processors[key].path)

static const HieraArrowColumn of_ranks[] = {
    {"rank", "I", NEVER, .number = rank_of},
    {"application", "u", NEVER, .number = row_itself, .text = application_of},
    {"host", "u", NEVER, .number = row_itself, .text = host_of},
    {"init_ns", "l", NEVER, .number = init_of},
    {"finalize_ns", "l", HIERA_TIME_OPEN, .number = finalize_of},
    {"first_operation", "l", NEVER, .number = first_of},
    {"operations", "l", NEVER, .number = n_operations_of},
    {"cut", "b", NEVER, .number = is_cut},
    {"file", "u", NEVER, .number = row_itself, .text = path_of},
};
const HieraArrowTable hiera_arrow_ranks = {HIERA_ARROW_OF_TRACE, count_ranks, of_ranks, G_N_ELEMENTS(of_ranks)};

/* --- counters --- */

static gsize count_counted(const HieraArrowRows *rows)
{
    return rows->trace->counted->len;
}

static const HieraCounted *counted_at(const HieraArrowRows *rows, gsize row)
{
    return &g_array_index(rows->trace->counted, HieraCounted, row);
}

static gint64 find_value(HieraArrowRows *rows, gsize row)
{
    gint64 bits;
    memcpy(&bits, &counted_at(rows, row)->value, sizeof bits);
    return bits;
}

NUMBER(counted_by, counted_at(rows, row)->row)
TEXT(counter_name, counted_at(rows, key)->counter->name)
TEXT(counter_unit, counted_at(rows, key)->counter->unit)

static const HieraArrowColumn of_counters[] = {
    {"operation", "I", NEVER, .number = counted_by},
    {"counter", "u", NEVER, .number = row_itself, .text = counter_name},
    {"value", "g", NEVER, .number = find_value},
    {"unit", "u", NEVER, .number = row_itself, .text = counter_unit},
};
const HieraArrowTable hiera_arrow_counters = {HIERA_ARROW_OF_TRACE, count_counted, of_counters,
                                              G_N_ELEMENTS(of_counters)};
