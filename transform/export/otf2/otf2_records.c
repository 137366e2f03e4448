/* See otf2_records.h. A request is identified by the operation that made it, for example MPI_Send_init. There is no
 * record where MPI does nothing (MPI_PROC_NULL), or where OTF2 cannot express it (unknown communicators, processes of
 * another job). */
#include "otf2_records.h"
#include "otf2_collectives.h"

struct HieraOtf2Requests {
    GHashTable *makers; /* number of a request (gint64) → row of the operation that made it, plus 1 */
};

typedef struct {
    const HieraOtf2Writer *writer;
    const HieraTrace *trace;
    HieraOtf2Requests *requests;
    OTF2_EvtWriter *events;
    OTF2_TimeStamp time;
    guint32 row;
} Record;

HieraOtf2Requests *hiera_otf2_requests_new(void)
{
    HieraOtf2Requests *requests = g_new(HieraOtf2Requests, 1);
    requests->makers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    return requests;
}

void hiera_otf2_requests_free(HieraOtf2Requests *requests)
{
    g_hash_table_unref(requests->makers);
    g_free(requests);
}

/* --- requests and their operations --- */

/* Return the row that made a request: the first one that names it, which may be the current row. */
static guint32 find_maker(const Record *record, gint64 number)
{
    guint row = GPOINTER_TO_UINT(g_hash_table_lookup(record->requests->makers, &number));
    if (row)
        return row - 1;
    gint64 *key = g_new(gint64, 1);
    *key = number;
    g_hash_table_insert(record->requests->makers, key, GUINT_TO_POINTER(record->row + 1));
    return record->row;
}

/* Return what each start of a request does (send, receive, …). @param maker  row that made the request */
static HieraKind started_kind(const HieraTrace *trace, guint32 maker)
{
    const HieraSite *site = hiera_trace_peek_site(trace, maker);
    return site->starts != HIERA_KIND_LOCAL ? site->starts : site->kind;
}

static OTF2_CommRef comm_of(const Record *record, guint32 row)
{
    return record->writer->comms[record->trace->comm[row]];
}

static guint64 size_of(gint64 bytes)
{
    return (guint64)MAX(bytes, 0);
}

/* --- records of point-to-point messages --- */

static void write_send(const Record *record, guint32 row, gint64 request)
{
    const HieraTrace *trace = record->trace;
    if (trace->peer[row] < 0 || trace->comm[row] == HIERA_NONE)
        return;
    guint32 receiver = (guint32)trace->peer[row], tag = (guint32)trace->tag[row];
    if (request)
        OTF2_EvtWriter_MpiIsend(record->events, NULL, record->time, receiver, comm_of(record, row), tag,
                                size_of(trace->bytes[row]), (guint64)request);
    else
        OTF2_EvtWriter_MpiSend(record->events, NULL, record->time, receiver, comm_of(record, row), tag,
                               size_of(trace->bytes[row]));
}

/* Write the record of the start of a request. @param maker  row that made the request */
static void write_start(const Record *record, guint32 maker, gint64 request)
{
    HieraKind kind = started_kind(record->trace, maker);
    if (kind == HIERA_KIND_SEND)
        write_send(record, maker, request);
    else if (kind == HIERA_KIND_RECEIVE && record->trace->source[maker] != HIERA_PROC_NULL)
        OTF2_EvtWriter_MpiIrecvRequest(record->events, NULL, record->time, (guint64)request);
    else if (hiera_otf2_is_collective(record->trace, maker))
        OTF2_EvtWriter_NonBlockingCollectiveRequest(record->events, NULL, record->time, (guint64)request);
}

static void write_received(const Record *record, guint32 maker, const HieraRequest *request)
{
    if (record->trace->source[maker] == HIERA_PROC_NULL || request->source == HIERA_PROC_NULL)
        return;
    if (request->source < 0 || record->trace->comm[maker] == HIERA_NONE)
        OTF2_EvtWriter_MpiRequestCancelled(record->events, NULL, record->time, (guint64)request->number);
    else
        OTF2_EvtWriter_MpiIrecv(record->events, NULL, record->time, (guint32)request->source, comm_of(record, maker),
                                (guint32)request->tag, size_of(request->bytes), (guint64)request->number);
}

/* Write the record of the completion of a request. */
static void write_completion(const Record *record, const HieraRequest *request)
{
    guint32 maker = find_maker(record, request->number);
    HieraKind kind = started_kind(record->trace, maker);
    if (maker == record->row)
        return; /* no record, because the call that made the request was not recorded */
    if (kind == HIERA_KIND_SEND && record->trace->peer[maker] >= 0)
        OTF2_EvtWriter_MpiIsendComplete(record->events, NULL, record->time, (guint64)request->number);
    else if (kind == HIERA_KIND_RECEIVE)
        write_received(record, maker, request);
    else if (hiera_otf2_is_collective(record->trace, maker))
        OTF2_EvtWriter_NonBlockingCollectiveComplete(
            record->events, NULL, record->time, hiera_otf2_collective(record->trace, maker), comm_of(record, maker),
            hiera_otf2_root(record->trace, maker), size_of(record->trace->bytes[maker]),
            size_of(hiera_trace_peek_sparse(record->trace, maker)->rbytes), (guint64)request->number);
}

static void write_tests(const Record *record)
{
    const HieraPending *pending;
    guint n = hiera_trace_peek_pending(record->trace, record->row, &pending);
    for (guint i = 0; i < n; i++) {
        for (guint k = 0; pending[i].first > 0 && k < pending[i].n; k++)
            OTF2_EvtWriter_MpiRequestTest(record->events, NULL, record->time, (guint64)pending[i].first + k);
    }
}

static void write_blocking_receive(const Record *record, gint32 tag, gint64 bytes)
{
    const HieraTrace *trace = record->trace;
    guint32 row = record->row;
    if (trace->source[row] >= 0 && trace->comm[row] != HIERA_NONE && !hiera_trace_is_failed(trace, row) &&
        !hiera_trace_is_open(trace, row))
        OTF2_EvtWriter_MpiRecv(record->events, NULL, record->time, (guint32)trace->source[row], comm_of(record, row),
                               (guint32)tag, size_of(bytes));
}

/* --- records of one-sided transfers --- */

static void write_transfer(const Record *record, HieraKind kind)
{
    const HieraTrace *trace = record->trace;
    guint32 row = record->row;
    if (trace->peer[row] < 0 || trace->comm[row] == HIERA_NONE)
        return;
    OTF2_RmaWinRef window = record->writer->windows[trace->comm[row]];
    guint32 target = (guint32)trace->peer[row], number = hiera_scope_row_of_all(record->writer->scope, trace, row);
    guint64 bytes = size_of(trace->bytes[row]);
    if (kind == HIERA_KIND_PUT)
        OTF2_EvtWriter_RmaPut(record->events, NULL, record->time, window, target, bytes, number);
    else if (kind == HIERA_KIND_GET)
        OTF2_EvtWriter_RmaGet(record->events, NULL, record->time, window, target,
                              MAX(bytes, size_of(hiera_trace_peek_sparse(trace, row)->rbytes)), number);
}

/* --- all records of an operation --- */

void hiera_otf2_write_begin(const HieraOtf2Writer *writer, HieraOtf2Requests *requests, OTF2_EvtWriter *events,
                            OTF2_TimeStamp time, guint32 row)
{
    const HieraTrace *trace = writer->trace;
    const Record record = {writer, trace, requests, events, time, row};
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    const HieraRequest *of;
    guint n = hiera_trace_peek_requests(trace, row, &of);
    if (!site->mpi || hiera_trace_is_failed(trace, row))
        return;
    if (n == 0 && (site->kind == HIERA_KIND_SEND || site->kind == HIERA_KIND_SEND_RECEIVE))
        write_send(&record, row, 0);
    else if (n == 0 && hiera_otf2_is_collective(trace, row))
        OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, time);
    else if (site->kind == HIERA_KIND_PUT || site->kind == HIERA_KIND_GET)
        write_transfer(&record, site->kind);
    for (guint i = 0; i < n && site->kind != HIERA_KIND_COMPLETE; i++) {
        guint32 maker = of[i].number > 0 ? find_maker(&record, of[i].number) : HIERA_NONE;
        if (maker != HIERA_NONE && (site->kind == HIERA_KIND_START || site->starts == HIERA_KIND_LOCAL))
            write_start(&record, maker, of[i].number);
    }
}

void hiera_otf2_write_end(const HieraOtf2Writer *writer, HieraOtf2Requests *requests, OTF2_EvtWriter *events,
                          OTF2_TimeStamp time, guint32 row)
{
    const HieraTrace *trace = writer->trace;
    const Record record = {writer, trace, requests, events, time, row};
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    const HieraSparse *sparse = hiera_trace_peek_sparse(trace, row);
    const HieraRequest *of;
    guint n = hiera_trace_peek_requests(trace, row, &of);
    if (!site->mpi)
        return;
    write_tests(&record);
    if (site->kind == HIERA_KIND_RECEIVE && (n == 0 || of[0].number < 0))
        write_blocking_receive(&record, trace->tag[row], trace->bytes[row]);
    else if (site->kind == HIERA_KIND_SEND_RECEIVE && n == 0)
        write_blocking_receive(&record, sparse->rtag, sparse->rbytes);
    else if (n == 0 && hiera_otf2_is_collective(trace, row) && !hiera_trace_is_failed(trace, row))
        OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, time, hiera_otf2_collective(trace, row), comm_of(&record, row),
                                        hiera_otf2_root(trace, row), size_of(trace->bytes[row]),
                                        size_of(sparse->rbytes));
    for (guint i = 0; i < n && site->kind == HIERA_KIND_COMPLETE && !hiera_trace_is_open(trace, row); i++) {
        if (of[i].number > 0)
            write_completion(&record, &of[i]);
    }
}
