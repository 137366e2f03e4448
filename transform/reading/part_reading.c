#include "part_reading.h"
#include "base/vocabulary.h"
#include "trace/catalog.h"
#include <string.h>

/* Entry of the stack of open operations, which contain those that follow. */
typedef struct {
    HieraOperation operation; /* the operation without its requests */
    guint32 row;              /* row of the operation in the current part */
} Around;

/* A request that no call has completed so far. */
typedef struct {
    gint64 number;     /* number of the request; the table's key points here, so it must be the first field */
    guint32 from;      /* of a receive: 1 + index of its communicator; else 0 */
    gboolean again;    /* whether a part has ended since the request was started */
    HieraOperation by; /* operation that started the request, without its requests */
} OpenRequest;

struct PartReading {
    const PartReaders *readers;
    const HieraProcessor *processor;
    guint32 rank;
    gint64 size;                /* number of ranks of the job; 0: not in the trace */
    gpointer state;             /* the sink's state for the current part; NULL: the part has ended */
    GArray *around;             /* stack of Around: the open operations */
    GArray *values;             /* HieraAttributeValue of the operation that comes next */
    guint32 n;                  /* number of rows in the current part */
    guint32 n_around, n_before; /* rows that the part before had, too: in this part; in the one that ended last */
    guint in_mpi;               /* 1 + depth of the MPI call that is open; 0: none is */
    guint64 n_all;              /* number of collectives of all ranks that this rank has made */
    gboolean at_stop;
    guint stop_depth;        /* depth of the last collective of all ranks */
    gint64 begin_ns, end_ns; /* begin and end of the current part */
    gint64 last_ns;          /* end of the last MPI call */
    gint64 latest_ns;        /* latest end of an operation so far */
    PartCounts counts, needs;
    GHashTable *open; /* request number → OpenRequest */
    guint n_needed;   /* number of open requests that must be completed in the current part: all but those of sends */
    GHashTable *sent; /* index of a communicator → number of messages sent minus those received */
    guint32 all_comm, few_comm; /* cache: the last communicators found to have all ranks; to have fewer */
};

PartReading *part_reading_new(const PartReaders *readers, const HieraProcessor *processor)
{
    PartReading *reading = g_new0(PartReading, 1);
    reading->readers = readers;
    reading->processor = processor;
    reading->rank = processor->rank;
    reading->size = processor->size;
    reading->around = g_array_new(FALSE, FALSE, sizeof(Around));
    reading->values = g_array_new(FALSE, FALSE, sizeof(HieraAttributeValue));
    reading->open = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    reading->sent = g_hash_table_new(NULL, NULL);
    part_counts_init(&reading->counts);
    part_counts_init(&reading->needs);
    reading->begin_ns = processor->init_ns;
    /* Without `together`, calls before init_ns are allowed, too. */
    reading->last_ns = readers->together ? processor->init_ns : G_MININT64;
    reading->all_comm = reading->few_comm = HIERA_NONE;
    reading->state = readers->to.begin(readers->to.user, processor);
    return reading;
}

void part_reading_free(PartReading *reading)
{
    const HieraProcessor none = {0};
    if (reading->state)
        reading->readers->to.end(reading->readers->to.user, reading->state, &none, FALSE);
    g_array_unref(reading->around);
    g_array_unref(reading->values);
    g_hash_table_unref(reading->open);
    g_hash_table_unref(reading->sent);
    part_counts_clear(&reading->counts);
    part_counts_clear(&reading->needs);
    g_free(reading);
}

void part_reading_give_up(const PartReading *reading)
{
    reading->readers->give_up(reading->readers->user);
}

/* --- rows of the current part --- */

static HieraOperation without_requests(const HieraOperation *operation)
{
    HieraOperation alone = *operation;
    alone.requests = NULL;
    alone.pending = NULL;
    alone.n_requests = alone.n_pending = 0;
    return alone;
}

static void add_row(PartReading *reading, const HieraOperation *operation)
{
    HieraOperation own = *operation;
    Around around = {.row = reading->n};
    g_array_set_size(reading->around, own.depth);
    own.index = reading->n++;
    own.parent = own.depth > 0 ? g_array_index(reading->around, Around, own.depth - 1).row : HIERA_NO_PARENT;
    for (guint i = 0; i < reading->values->len; i++) {
        g_array_index(reading->values, HieraAttributeValue, i).index = own.index;
        reading->readers->to.attribute(reading->state, &g_array_index(reading->values, HieraAttributeValue, i));
    }
    g_array_set_size(reading->values, 0);
    reading->readers->to.operation(reading->state, &own);
    around.operation = without_requests(&own);
    g_array_append_val(reading->around, around);
}

/* --- requests that no call has completed --- */

/* Count a message with rank `peer` of a communicator under the peer's world rank. */
static void count_message(PartReading *reading, PartCountSort sort, guint32 comm, gint32 peer)
{
    gint32 world = comm == HIERA_NONE || peer < 0 ? HIERA_ABSENT
                                                  : hiera_catalog_find_member(reading->readers->catalog, comm, peer);
    if (world < 0)
        part_reading_give_up(reading);
    else
        part_counts_add(&reading->counts, sort, (guint32)world);
}

static void note_message(PartReading *reading, guint32 comm, gint32 peer, gint by)
{
    gpointer key = GUINT_TO_POINTER(comm);
    if (peer == HIERA_PROC_NULL)
        return;
    if (!reading->readers->together) {
        count_message(reading, by > 0 ? PART_COUNT_SENT : PART_COUNT_GOT, comm, peer);
        return;
    }
    gint64 sum = (gint64)GPOINTER_TO_SIZE(g_hash_table_lookup(reading->sent, key)) + by;
    if (sum == 0)
        g_hash_table_remove(reading->sent, key);
    else
        g_hash_table_insert(reading->sent, key, GSIZE_TO_POINTER((gsize)sum));
}

static gboolean receives(const HieraOperation *operation)
{
    return operation->site->kind == HIERA_KIND_RECEIVE || operation->site->kind == HIERA_KIND_SEND_RECEIVE;
}

/* Whether a request must be completed in this part. A send has its partner earlier: only its completion may be in a
 * later part. */
static gboolean is_needed(const PartReading *reading, const OpenRequest *open)
{
    return reading->readers->together || open->by.site->kind != HIERA_KIND_SEND;
}

static void begin_request(PartReading *reading, const HieraOperation *operation, gint64 number)
{
    if (g_hash_table_contains(reading->open, &number))
        return;
    const OpenRequest open = {number, receives(operation) ? operation->comm + 1 : 0, FALSE,
                              without_requests(operation)};
    reading->n_needed += is_needed(reading, &open);
    g_hash_table_add(reading->open, g_memdup2(&open, sizeof open));
}

static void end_request(PartReading *reading, const OpenRequest *open)
{
    reading->n_needed -= is_needed(reading, open);
    g_hash_table_remove(reading->open, &open->number);
}

/* Complete a request. Of a receive only now the message's sender is known, so the message is counted here. */
static void complete_request(PartReading *reading, const HieraRequest *request)
{
    const OpenRequest *open = g_hash_table_lookup(reading->open, &request->number);
    if (!open)
        return;
    if (open->from > 0 && !reading->readers->together && request->source != HIERA_PROC_NULL)
        count_message(reading, PART_COUNT_GOT, open->from - 1, request->source);
    end_request(reading, open);
}

static void note_requests(PartReading *reading, const HieraOperation *operation, gboolean completes)
{
    for (guint i = 0; i < operation->n_requests; i++) {
        const gint64 number = operation->requests[i].number;
        if (number > 0 && completes)
            complete_request(reading, &operation->requests[i]);
        else if (number > 0) /* negative numbers are messages of matched probes */
            begin_request(reading, operation, number);
    }
}

/* Note a call that frees or cancels requests. After MPI_Request_free, a receive gets its message at an unknown time. */
static void note_local(PartReading *reading, const HieraOperation *operation)
{
    const char *name = operation->site->operation;
    for (guint i = 0; i < operation->n_requests && !reading->readers->together; i++) {
        const OpenRequest *open = g_hash_table_lookup(reading->open, &operation->requests[i].number);
        if (open && open->again && strcmp(name, HIERA_OPERATION_CANCEL) == 0)
            part_reading_give_up(reading);
        else if (open && !is_needed(reading, open) && strcmp(name, HIERA_OPERATION_REQUEST_FREE) == 0)
            end_request(reading, open);
    }
}

/* Whether a call names a request that it starts and that another call completes. */
static gboolean is_pending(const HieraOperation *operation)
{
    gboolean pending = FALSE;
    for (guint i = 0; i < operation->n_requests; i++)
        pending = pending || operation->requests[i].number > 0;
    return pending;
}

static gboolean has_all_ranks(PartReading *reading, guint32 comm)
{
    if (comm == HIERA_NONE || comm == reading->few_comm || reading->size == 0)
        return FALSE;
    if (comm == reading->all_comm)
        return TRUE;
    gboolean all = hiera_catalog_count_members(reading->readers->catalog, comm) == reading->size;
    *(all ? &reading->all_comm : &reading->few_comm) = comm;
    return all;
}

static void note_collective(PartReading *reading, const HieraOperation *operation)
{
    note_requests(reading, operation, FALSE);
    if (!reading->readers->together) {
        if (operation->comm == HIERA_NONE || operation->site->kind == HIERA_KIND_GROUP)
            part_reading_give_up(reading);
        else
            part_counts_add(&reading->counts, PART_COUNT_CALLS, operation->comm);
        return;
    }
    if (operation->site->kind != HIERA_KIND_ALL_TO_ALL || operation->n_requests > 0 ||
        !has_all_ranks(reading, operation->comm))
        return;
    reading->at_stop = ++reading->n_all == reading->readers->stop;
    reading->stop_depth = operation->depth;
    reading->end_ns = operation->finish_ns;
}

static void note_call(PartReading *reading, const HieraOperation *operation)
{
    switch (operation->site->kind) {
    case HIERA_KIND_LOCAL:
        note_local(reading, operation);
        break;
    case HIERA_KIND_SEND:
        note_message(reading, operation->comm, operation->peer, 1);
        note_requests(reading, operation, FALSE);
        break;
    case HIERA_KIND_RECEIVE:
        if (reading->readers->together || !is_pending(operation))
            note_message(reading, operation->comm, operation->source, -1);
        note_requests(reading, operation, FALSE);
        break;
    case HIERA_KIND_SEND_RECEIVE:
        note_message(reading, operation->comm, operation->peer, 1);
        if (reading->readers->together || !is_pending(operation))
            note_message(reading, operation->comm, operation->source, -1);
        note_requests(reading, operation, FALSE);
        break;
    case HIERA_KIND_PROBE:
        break;
    case HIERA_KIND_COMPLETE:
        note_requests(reading, operation, TRUE);
        break;
    case HIERA_KIND_ALL_TO_ALL:
    case HIERA_KIND_ONE_TO_ALL:
    case HIERA_KIND_ALL_TO_ONE:
    case HIERA_KIND_PREFIX:
    case HIERA_KIND_GROUP:
    case HIERA_KIND_NEIGHBOR:
        note_collective(reading, operation);
        break;
    /* Windows and files are made in one part and used in another one, so the run is not read in parts. */
    default:
        part_reading_give_up(reading);
    }
}

/* Whether an operation is possible in a run that is read in parts. Persistent requests are used long after they are
 * made. The order of threads' calls is not that of the trace. An operation without an end lasts until the end of the
 * trace, which is not known yet; and whether a failed call had a partner depends on the rest of the run. */
static gboolean is_for_parts(const PartReading *reading, const HieraOperation *operation)
{
    return operation->thread == 0 && operation->site->starts == HIERA_KIND_LOCAL &&
           operation->finish_ns != HIERA_TIME_OPEN && (reading->readers->together || !operation->failed);
}

static gboolean is_ready(const PartReading *reading, const HieraOperation *next)
{
    return (reading->in_mpi == 0 || next->depth < reading->in_mpi) && next->depth <= reading->around->len &&
           reading->n_needed == 0 && g_hash_table_size(reading->open) <= reading->n - reading->n_around &&
           reading->n - reading->n_around >= reading->readers->goal &&
           part_counts_suffice(&reading->counts, &reading->needs) && !g_atomic_int_get(&reading->readers->given_up);
}

/* Before an operation, let the thread wait once for each part that ends before it. */
static void wait_before(PartReading *reading, const HieraOperation *next)
{
    if (reading->readers->together && reading->at_stop && next->depth <= reading->stop_depth) {
        reading->readers->wait(reading->readers->user);
        reading->at_stop = FALSE;
    }
    while (!reading->readers->together && is_ready(reading, next)) {
        reading->at_stop = TRUE;
        reading->stop_depth = next->depth;
        reading->end_ns = next->start_ns;
        reading->readers->wait(reading->readers->user);
        reading->at_stop = FALSE;
        reading->stop_depth = 0; /* stays 0 if no operation follows */
    }
}

void part_reading_add_attribute(PartReading *reading, const HieraAttributeValue *value)
{
    g_array_append_val(reading->values, *value);
}

void part_reading_add(PartReading *reading, const HieraOperation *operation)
{
    wait_before(reading, operation);
    if (g_atomic_int_get(&reading->readers->given_up)) {
        g_array_set_size(reading->values, 0);
        return;
    }
    if (operation->depth < reading->in_mpi)
        reading->in_mpi = 0;
    gboolean outside = reading->in_mpi == 0;
    if (operation->depth > reading->around->len || !is_for_parts(reading, operation)) {
        part_reading_give_up(reading);
        return;
    }
    add_row(reading, operation);
    reading->latest_ns = MAX(reading->latest_ns, operation->finish_ns);
    if (!operation->site->mpi || !outside)
        return;
    if (operation->start_ns < reading->last_ns || operation->finish_ns < operation->start_ns) {
        part_reading_give_up(reading);
        return;
    }
    reading->last_ns = operation->finish_ns;
    reading->in_mpi = operation->depth + 1;
    note_call(reading, operation);
}

void part_reading_add_filtered(PartReading *reading, const HieraFiltered *filtered)
{
    if (!g_atomic_int_get(&reading->readers->given_up))
        reading->readers->to.filtered(reading->state, filtered);
}

void part_reading_add_timed(PartReading *reading, const HieraTimed *timed)
{
    if (!g_atomic_int_get(&reading->readers->given_up))
        reading->readers->to.timed(reading->state, timed);
}

/* --- begin and end of parts --- */

guint32 part_reading_rank(const PartReading *reading)
{
    return reading->rank;
}

gboolean part_reading_is_at_stop(const PartReading *reading)
{
    return reading->at_stop;
}

gboolean part_reading_is_done(const PartReading *reading, GHashTable *sent)
{
    GHashTableIter iterator;
    gpointer comm, sum;
    g_hash_table_iter_init(&iterator, reading->sent);
    while (g_hash_table_iter_next(&iterator, &comm, &sum)) {
        gsize both = GPOINTER_TO_SIZE(g_hash_table_lookup(sent, comm)) + GPOINTER_TO_SIZE(sum);
        g_hash_table_insert(sent, comm, GSIZE_TO_POINTER(both));
    }
    return g_hash_table_size(reading->open) == 0;
}

guint32 part_reading_count(const PartReading *reading)
{
    return reading->n - reading->n_around;
}

const PartCounts *part_reading_peek_counts(const PartReading *reading)
{
    return &reading->counts;
}

PartCounts *part_reading_needs(PartReading *reading)
{
    return &reading->needs;
}

guint32 part_reading_count_around(const PartReading *reading)
{
    return reading->n_before;
}

HieraProcessor part_reading_end(PartReading *reading, const HieraProcessor *last)
{
    HieraProcessor as = last ? *last : *reading->processor;
    if (reading->readers->together && last && last->finalize_ns < reading->last_ns)
        part_reading_give_up(reading);
    /* The rank was read to its end, so that no stop has set end_ns. */
    if (!reading->readers->together && !reading->at_stop)
        reading->end_ns = MAX(reading->latest_ns, reading->begin_ns);
    as.init_ns = reading->begin_ns;
    as.n_operations = reading->n;
    if (!last)
        as.finalize_ns = reading->end_ns;
    reading->begin_ns = reading->end_ns;
    reading->readers->to.end(reading->readers->to.user, g_steal_pointer(&reading->state), &as, TRUE);
    g_hash_table_remove_all(reading->sent);
    reading->n_before = reading->n_around;
    return as;
}

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
    const OpenRequest *left = a, *right = b;
    return (left->number > right->number) - (left->number < right->number);
}

/* Add calls whose requests are still open to the next part, where they send nothing again and take no time. */
static void carry_requests(PartReading *reading)
{
    g_autoptr(GList) all = g_list_sort(g_hash_table_get_keys(reading->open), compare_numbers);
    for (const GList *at = all; at; at = at->next) {
        OpenRequest *open = at->data;
        const HieraRequest request = {open->number, HIERA_ABSENT, HIERA_ABSENT, -1};
        HieraOperation carried = open->by;
        carried.depth = 0;
        carried.start_ns = carried.finish_ns = reading->begin_ns;
        carried.peer = HIERA_PROC_NULL;
        carried.bytes = -1;
        carried.requests = &request;
        carried.n_requests = 1;
        open->again = TRUE;
        add_row(reading, &carried);
    }
}

void part_reading_begin(PartReading *reading)
{
    const HieraProcessor none = {0}; /* a builder's sink ignores the processor */
    reading->n = 0;
    reading->state = reading->readers->to.begin(reading->readers->to.user, &none);
    g_autoptr(GArray) around = reading->around;
    reading->around = g_array_new(FALSE, FALSE, sizeof(Around));
    GArray *next = reading->values; /* of the operation behind what the part carries on */
    reading->values = g_array_new(FALSE, FALSE, sizeof(HieraAttributeValue));
    carry_requests(reading);
    for (guint i = 0; i < MIN(reading->stop_depth, around->len); i++)
        add_row(reading, &g_array_index(around, Around, i).operation);
    g_array_unref(reading->values);
    reading->values = next;
    reading->n_around = reading->n;
}
