/* Memory per operation of the columns, of matching and of the graph. All allocations are counted, those of igraph and
 * GLib too, and compared with the sizes that hiera_graph.h and hiera_trace.h promise. */
#include "graph/graph_private.h"
#include "trace/catalog.h"
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <string.h>

/* --- counting: all libraries use the malloc of this program --- */

#define SHOWN __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static size_t live, peak; /* bytes allocated now, and at most; of all threads */

static void take_off(size_t size)
{
    __atomic_sub_fetch(&live, size, __ATOMIC_RELAXED);
}

static void *add(void *memory)
{
    size_t now = __atomic_add_fetch(&live, memory ? malloc_usable_size(memory) : 0, __ATOMIC_RELAXED);
    size_t before = __atomic_load_n(&peak, __ATOMIC_RELAXED);
    while (now > before && !__atomic_compare_exchange_n(&peak, &before, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return memory;
}

SHOWN void *malloc(size_t size)
{
    return add(__libc_malloc(size));
}

SHOWN void *calloc(size_t n, size_t size)
{
    return add(__libc_calloc(n, size));
}

SHOWN void *realloc(void *old, size_t size)
{
    size_t before = old ? malloc_usable_size(old) : 0;
    void *memory = __libc_realloc(old, size);
    if (memory || size == 0)
        take_off(before);
    return add(memory);
}

SHOWN void *memalign(size_t alignment, size_t size)
{
    return add(__libc_memalign(alignment, size));
}

SHOWN void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

SHOWN int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

SHOWN void free(void *memory)
{
    take_off(memory ? malloc_usable_size(memory) : 0);
    __libc_free(memory);
}

/* --- traces without files --- */

#define NS_PER_STEP 1000

typedef struct {
    HieraCatalog *catalog;
    HieraSink sink;
    gpointer state; /* of the sink, for the current processor */
    guint32 comm;
    guint64 n;  /* number of its operations so far */
    gint32 tag; /* of the next operation */
} Maker;

static const HieraSite *find_site(const Maker *maker, const char *operation)
{
    const char *texts[] = {"mpi", operation, "t.c"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        texts[i] = hiera_catalog_intern(maker->catalog, texts[i], strlen(texts[i]));
    const HieraSite key = {.level = texts[0], .operation = texts[1], .class_name = "", .file = texts[2], .line = 1};
    return hiera_catalog_site(maker->catalog, &key);
}

static void call(Maker *maker, const char *operation, gint32 peer, const HieraRequest *requests, guint n_requests)
{
    const HieraOperation made = {.site = find_site(maker, operation),
                                 .index = maker->n,
                                 .parent = HIERA_NO_PARENT,
                                 .start_ns = (gint64)maker->n * NS_PER_STEP,
                                 .finish_ns = (gint64)maker->n * NS_PER_STEP + 1,
                                 .comm = maker->comm,
                                 .other = HIERA_NONE,
                                 .peer = peer,
                                 .source = peer,
                                 .tag = maker->tag,
                                 .rtag = HIERA_ABSENT,
                                 .bytes = 8,
                                 .rbytes = -1,
                                 .requests = requests,
                                 .n_requests = n_requests};
    maker->sink.operation(maker->state, &made);
    maker->n++;
}

/* Ranks send to each other in turn, always on the same channel (communicator, source, destination, tag). */
static void ping_pong(Maker *maker, guint32 rank, guint i)
{
    call(maker, rank == i % 2 ? "send" : "receive", (gint32)(1 - rank), NULL, 0);
}

/* Like ping_pong(), with a new tag, and so a new channel, for each message. */
static void count_tags_up(Maker *maker, guint32 rank, guint i)
{
    maker->tag = (gint32)i;
    ping_pong(maker, rank, i);
}

/* Both ranks send and receive at the same time, wait for both requests, then meet in a barrier. */
static void exchange(Maker *maker, guint32 rank, guint i)
{
    const HieraRequest requests[] = {{2 * i + 1, HIERA_ABSENT, HIERA_ABSENT, -1},
                                     {2 * i + 2, HIERA_ABSENT, HIERA_ABSENT, -1}};
    call(maker, "irecv", (gint32)(1 - rank), &requests[0], 1);
    call(maker, "isend", (gint32)(1 - rank), &requests[1], 1);
    call(maker, "waitall", HIERA_ABSENT, requests, 2);
    call(maker, "barrier", HIERA_ABSENT, NULL, 0);
}

static HieraTrace *make_trace(HieraCatalog *catalog, void (*step)(Maker *, guint32, guint), guint n_steps)
{
    g_autoptr(HieraBuilder) builder = hiera_builder_new(catalog, FALSE);
    g_autoptr(GArray) processors = g_array_new(FALSE, TRUE, sizeof(HieraProcessor));
    Maker maker = {.catalog = catalog, .sink = hiera_builder_sink(builder), .tag = 7};
    const char *ranks = hiera_catalog_intern(catalog, "0-1", 3);
    maker.comm = hiera_catalog_communicator(catalog, "MPI_COMM_WORLD", ranks, "", NULL)->index;
    for (guint32 rank = 0, first = 0; rank < 2; rank++, first += (guint32)maker.n) {
        HieraProcessor processor = {.rank = rank, .first = first, .size = 2, .end = "", .seam = ""};
        maker.n = 0;
        maker.state = maker.sink.begin(maker.sink.user, &processor);
        for (guint i = 0; i < n_steps; i++)
            step(&maker, rank, i);
        processor.n_operations = maker.n;
        maker.sink.end(maker.sink.user, maker.state, &processor, TRUE);
        g_array_append_val(processors, processor);
    }
    return hiera_builder_take_trace(builder, processors, NULL);
}

/* --- the promised sizes --- */

#define SLACK_BYTES 131072 /* for memory that does not grow with the trace, and rounding of large arrays to pages */

static int n_failed;

/* Check that the memory is not larger than promised, and at most 10 % smaller: else the promise is too high. */
static void expect(const char *what, const char *of, size_t bytes, size_t promised)
{
    gboolean good = bytes <= promised + SLACK_BYTES && bytes + promised / 10 + SLACK_BYTES >= promised;
    g_print("%s: %s: %zu bytes, promised %zu%s\n", of, what, bytes, promised, good ? "" : ": WRONG");
    n_failed += !good;
}

static size_t count_rare(const HieraTrace *trace)
{
    size_t n = 0;
    for (guint32 row = 0; row < trace->n_operations; row++) {
        const HieraSparse *sparse = hiera_trace_peek_sparse(trace, row);
        n += sparse->other != HIERA_NONE || sparse->rtag != HIERA_ABSENT || sparse->rbytes >= 0;
    }
    return n;
}

static void check(const char *of, void (*step)(Maker *, guint32, guint), guint n_steps)
{
    HieraCatalog *catalog = hiera_catalog_new();
    size_t before = live;
    HieraTrace *trace = make_trace(catalog, step, n_steps);
    size_t n = trace->n_operations, n_requests = trace->n_requests;
    expect("columns", of, live - before, HIERA_TRACE_BYTES(n, n_requests, count_rare(trace)));
    before = peak = live;
    HieraGraph *graph = hiera_graph_build(trace, NULL, NULL);
    const igraph_t *igraph = hiera_graph_peek_igraph(graph);
    size_t n_edges = (size_t)igraph_ecount(igraph), n_messages = graph->match->messages->len, n_others = 0;
    for (size_t i = 0; i < n_edges; i++)
        n_others += hiera_graph_edge_kind(graph, (igraph_integer_t)i) > HIERA_EDGE_MESSAGE;
    expect("graph, at the peak", of, peak - before,
           HIERA_GRAPH_PEAK_BYTES(igraph_vcount(igraph), n_edges, n_messages, n_others));
    hiera_graph_free(graph);
    hiera_trace_free(trace);
    hiera_catalog_free(catalog);
}

int main(void)
{
    check("ping-pong", ping_pong, 1 << 16);
    check("ping-pong, twice as long", ping_pong, 1 << 17);
    check("ping-pong, tags that count up", count_tags_up, 1 << 16);
    check("exchange", exchange, 1 << 15);
    return n_failed > 0;
}
