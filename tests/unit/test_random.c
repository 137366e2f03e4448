/* Matching of random programs. The test simulates them, so it knows which receive got which message: a message is
 * delivered at once, and a receive takes the first message that MPI's rules allow. Seeds are fixed. */
#include "graph/graph_private.h"
#include "harness.h"
#include "suites.h"
#include <string.h>

#define RANKS   4
#define THREADS 2
#define COMMS   3
#define TAGS    2
#define STEPS   600
#define ANY     (-1)

/* Communicators; `members` are world ranks in the order of their ranks in the communicator. */
static const struct {
    const char *id, *ranks;
    int n, members[RANKS];
} comms[COMMS] = {
    {"MPI_COMM_WORLD", "0-3", 4, {0, 1, 2, 3}}, {"P2_comm1", "2 0 3", 3, {2, 0, 3}}, {"P1_comm1", "1 3", 2, {1, 3}}};

/* A receive, or a message that was sent. Ranks are ranks in the communicator; `call` is the number of the call. */
typedef struct {
    int comm, from, to, tag, call;
    int request;     /* 0: none */
    int partner;     /* of a receive: call of the send; 0: none yet */
    gboolean posted; /* of a receive: no message has arrived yet */
} Envelope;

typedef struct {
    GRand *random;
    gboolean overlap;                 /* calls take so long that those of threads overlap */
    double now, busy[RANKS][THREADS]; /* busy: the end of the last call */
    GString *text[RANKS][THREADS];
    int calls, requests[RANKS];
    GArray *sent, *received; /* Envelope: messages that no receive has; receives that are not completed */
    GHashTable *truth;       /* call of a receive → call of its send */
    GHashTable *alone;       /* call of a receive without a message → expected reason */
} World;

static int pick(World *world, int n)
{
    return g_rand_int_range(world->random, 0, n);
}

static int rank_in(int comm, int rank)
{
    for (int i = 0; i < comms[comm].n; i++) {
        if (comms[comm].members[i] == rank)
            return i;
    }
    return -1;
}

/* Write a call. Return its number, which is also the line of its call site. */
static int call(World *world, int rank, int thread, const char *operation, const char *arguments)
{
    double length = world->overlap ? 0.1 + 4 * g_rand_double(world->random) : 0.5;
    char begin[G_ASCII_DTOSTR_BUF_SIZE], end[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(begin, sizeof begin, "%.6f", world->now);
    g_ascii_formatd(end, sizeof end, "%.6f", world->now + length);
    world->busy[rank][thread] = world->now + length;
    g_string_append_printf(
        world->text[rank][thread],
        "<hieraMPI operation=\"%s\" file=\"r.c\" line=\"%d\" start_time=\"%s\" finish_time=\"%s\" %s/>\n", operation,
        ++world->calls, begin, end, arguments);
    return world->calls;
}

static gboolean fits(const Envelope *receive, const Envelope *message)
{
    return receive->comm == message->comm && receive->to == message->to &&
           (receive->from == ANY || receive->from == message->from) &&
           (receive->tag == ANY || receive->tag == message->tag);
}

static void meet(World *world, Envelope *receive, const Envelope *message)
{
    receive->partner = message->call;
    receive->posted = FALSE;
    receive->from = message->from;
    receive->tag = message->tag;
    g_hash_table_insert(world->truth, GINT_TO_POINTER(receive->call), GINT_TO_POINTER(message->call));
}

static void deliver(World *world, Envelope message)
{
    for (guint i = 0; i < world->received->len; i++) {
        Envelope *receive = &g_array_index(world->received, Envelope, i);
        if (receive->posted && fits(receive, &message)) {
            meet(world, receive, &message);
            return;
        }
    }
    g_array_append_val(world->sent, message);
}

/* Remove the first message that the receive accepts. Return FALSE if there is none. */
static gboolean take(World *world, const Envelope *receive, Envelope *message)
{
    for (guint i = 0; i < world->sent->len; i++) {
        *message = g_array_index(world->sent, Envelope, i);
        if (fits(receive, message)) {
            g_array_remove_index(world->sent, i);
            return TRUE;
        }
    }
    return FALSE;
}

static void send(World *world, int rank, int thread, int comm)
{
    Envelope message = {
        .comm = comm, .from = rank_in(comm, rank), .to = pick(world, comms[comm].n), .tag = pick(world, TAGS)};
    gboolean begins = pick(world, 2);
    g_autofree char *arguments = begins
                                     ? g_strdup_printf("dest=\"%d\" tag=\"%d\" comm=\"%s\" request=\"%d\" bytes=\"4\"",
                                                       message.to, message.tag, comms[comm].id, ++world->requests[rank])
                                     : g_strdup_printf("dest=\"%d\" tag=\"%d\" comm=\"%s\" bytes=\"4\"", message.to,
                                                       message.tag, comms[comm].id);
    message.call = call(world, rank, thread, begins ? "isend" : "send", arguments);
    deliver(world, message);
}

static Envelope make_receive(World *world, int rank, int comm)
{
    return (Envelope){.comm = comm,
                      .from = pick(world, comms[comm].n + 1) - 1,
                      .to = rank_in(comm, rank),
                      .tag = pick(world, TAGS + 1) - 1};
}

static void begin_receive(World *world, int rank, int thread, int comm)
{
    Envelope receive = make_receive(world, rank, comm), message;
    g_autofree char *from = receive.from == ANY ? g_strdup("MPI_ANY_SOURCE") : g_strdup_printf("%d", receive.from);
    g_autofree char *tag = receive.tag == ANY ? g_strdup("MPI_ANY_TAG") : g_strdup_printf("%d", receive.tag);
    receive.request = ++world->requests[rank];
    g_autofree char *arguments =
        g_strdup_printf("rem=\"%s\" tag=\"%s\" comm=\"%s\" request=\"%d\"", from, tag, comms[comm].id, receive.request);
    receive.call = call(world, rank, thread, "irecv", arguments);
    receive.posted = TRUE;
    if (take(world, &receive, &message))
        meet(world, &receive, &message);
    g_array_append_val(world->received, receive);
}

/* A blocking receive, made only if a message for it is there. */
static void receive_now(World *world, int rank, int thread, int comm)
{
    Envelope receive = make_receive(world, rank, comm), message;
    if (!take(world, &receive, &message))
        return;
    g_autofree char *arguments =
        g_strdup_printf("rem=\"%d\" tag=\"%d\" comm=\"%s\" bytes=\"4\"%s", message.from, message.tag, comms[comm].id,
                        receive.from == ANY ? " posted=\"any\"" : "");
    receive.call = call(world, rank, thread, "receive", arguments);
    meet(world, &receive, &message);
}

/* A matched probe. end_receive() receives its message later. */
static void probe(World *world, int rank, int thread, int comm)
{
    Envelope receive = make_receive(world, rank, comm), message;
    if (!take(world, &receive, &message))
        return;
    receive.request = -++world->requests[rank];
    g_autofree char *arguments = g_strdup_printf("rem=\"%d\" tag=\"%d\" comm=\"%s\" message=\"P%d_message%d\"",
                                                 message.from, message.tag, comms[comm].id, rank, -receive.request);
    call(world, rank, thread, "mprobe", arguments);
    receive.partner = message.call;
    g_array_append_val(world->received, receive);
}

static void cancel(World *world, int rank, int thread, const Envelope *receive)
{
    g_autofree char *one = g_strdup_printf("request=\"%d\"", receive->request);
    g_autofree char *all = g_strdup_printf("requests=\"%d\" sources=\"-\" tags=\"-\" sizes=\"-\"", receive->request);
    call(world, rank, thread, "cancel", one);
    world->now += 5;
    call(world, rank, thread, "wait", all);
    g_hash_table_insert(world->alone, GINT_TO_POINTER(receive->call), GINT_TO_POINTER(HIERA_REASON_CANCELLED));
}

/* Complete one receive of a rank. A receive without a message is sometimes cancelled.
 *
 * @param all  take the first receive of the rank; FALSE: a random one, perhaps none */
static void end_receive(World *world, int rank, int thread, gboolean all)
{
    for (guint i = 0; i < world->received->len; i++) {
        Envelope receive = g_array_index(world->received, Envelope, i);
        if (comms[receive.comm].members[receive.to] != rank || (!all && pick(world, 3)))
            continue;
        if (receive.posted && !all && pick(world, 8))
            continue;
        if (receive.request < 0) {
            g_autofree char *arguments =
                g_strdup_printf("message=\"P%d_message%d\" bytes=\"4\"", rank, -receive.request);
            receive.call = call(world, rank, thread, "mrecv", arguments);
            g_hash_table_insert(world->truth, GINT_TO_POINTER(receive.call), GINT_TO_POINTER(receive.partner));
        } else if (receive.posted) {
            cancel(world, rank, thread, &receive);
        } else {
            g_autofree char *arguments = g_strdup_printf("requests=\"%d\" sources=\"%d\" tags=\"%d\" sizes=\"4\"",
                                                         receive.request, receive.from, receive.tag);
            call(world, rank, thread, "wait", arguments);
        }
        g_array_remove_index(world->received, i);
        return;
    }
}

/* A collective operation: the members call it one after the other. */
static void collect(World *world, int comm)
{
    static const char *const operations[] = {"barrier", "allreduce", "broadcast", "gather"};
    const char *operation = operations[pick(world, G_N_ELEMENTS(operations))];
    int root = pick(world, comms[comm].n);
    for (int i = 0; i < comms[comm].n; i++) {
        world->now += 5;
        g_autofree char *arguments = g_strdup_printf("root=\"%d\" comm=\"%s\"", root, comms[comm].id);
        call(world, comms[comm].members[i], 0, operation, arguments);
    }
}

static void step(World *world)
{
    typedef void (*Do)(World *, int, int, int);
    static const Do what[] = {send, send, send, begin_receive, begin_receive, receive_now, probe};
    int rank = pick(world, RANKS), thread = pick(world, THREADS), comm = pick(world, COMMS), action = pick(world, 10);
    world->now += 1;
    if (rank_in(comm, rank) < 0 || world->busy[rank][thread] > world->now)
        return;
    if (action < (int)G_N_ELEMENTS(what))
        what[action](world, rank, thread, comm);
    else if (action < 9)
        end_receive(world, rank, thread, FALSE);
    else if (pick(world, 10) == 0)
        collect(world, comm);
}

static void world_init(World *world, guint32 seed, gboolean overlap)
{
    *world = (World){.random = g_rand_new_with_seed(seed), .overlap = overlap};
    world->sent = g_array_new(FALSE, FALSE, sizeof(Envelope));
    world->received = g_array_new(FALSE, FALSE, sizeof(Envelope));
    world->truth = g_hash_table_new(NULL, NULL);
    world->alone = g_hash_table_new(NULL, NULL);
    for (int i = 0; i < RANKS * THREADS; i++)
        world->text[i / THREADS][i % THREADS] = g_string_new(NULL);
    for (int i = 0; i < STEPS; i++)
        step(world);
    for (int rank = 0; rank < RANKS; rank++) {
        for (guint before = G_MAXUINT; before != world->received->len;) {
            before = world->received->len;
            world->now += 10;
            end_receive(world, rank, 0, TRUE);
        }
    }
}

static void world_clear(World *world)
{
    for (int i = 0; i < RANKS * THREADS; i++)
        g_string_free(world->text[i / THREADS][i % THREADS], TRUE);
    g_array_unref(world->sent);
    g_array_unref(world->received);
    g_hash_table_unref(world->truth);
    g_hash_table_unref(world->alone);
    g_rand_free(world->random);
}

static Harness load(const World *world)
{
    char *bodies[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
        GString *body = g_string_new(NULL);
        for (int comm = 1; comm < COMMS; comm++) {
            if (rank_in(comm, rank) >= 0)
                g_string_append_printf(body, "<hieraComm id=\"%s\" ranks=\"%s\"/>\n", comms[comm].id,
                                       comms[comm].ranks);
        }
        g_string_append(body, world->text[rank][0]->str);
        for (int thread = 1; thread < THREADS; thread++)
            g_string_append_printf(body, "<hieraThread id=\"%d\">%s</hieraThread>\n", thread,
                                   world->text[rank][thread]->str);
        bodies[rank] = g_string_free(body, FALSE);
    }
    Harness harness = harness_load((const char *const *)bodies, RANKS);
    for (int rank = 0; rank < RANKS; rank++)
        g_free(bodies[rank]);
    return harness;
}

static int call_of(const Harness *h, guint32 row)
{
    return (int)hiera_trace_peek_site(h->trace, row)->line;
}

static void expect_reasons(const HieraTrace *trace, const HieraGraph *graph)
{
    for (guint32 row = 0; row < trace->n_operations; row++) {
        const HieraSite *site = hiera_trace_peek_site(trace, row);
        gboolean communicates = site->kind == HIERA_KIND_SEND || site->kind == HIERA_KIND_RECEIVE ||
                                site->kind == HIERA_KIND_SEND_RECEIVE || site->kind == HIERA_KIND_GROUP ||
                                (site->kind >= HIERA_KIND_ALL_TO_ALL && site->kind <= HIERA_KIND_NEIGHBOR);
        if (communicates)
            ck_assert_msg(hiera_match_reason(hiera_graph_peek_match(graph), row) != HIERA_REASON_NOT_COMMUNICATING,
                          "%s (%s:%u): neither a partner nor a reason", site->operation, site->file, site->line);
    }
}

/* Check that each receive is matched with the message that it got, and that receives without a message have the right
 * reason. */
static void expect_truth(const Harness *h, const World *world)
{
    const GArray *messages = h->graph->match->messages;
    ck_assert_uint_gt(messages->len, STEPS / 20);
    ck_assert_uint_eq(messages->len, g_hash_table_size(world->truth));
    for (guint i = 0; i < messages->len; i++) {
        const HieraMessage *message = &g_array_index(messages, HieraMessage, i);
        int from = call_of(h, message->from), to = call_of(h, message->to);
        ck_assert_int_eq(message->doubt, HIERA_DOUBT_NONE);
        ck_assert_msg(GPOINTER_TO_INT(g_hash_table_lookup(world->truth, GINT_TO_POINTER(to))) == from,
                      "receive %d got the message of call %d", to, from);
    }
    for (guint32 row = 0; row < h->trace->n_operations; row++) {
        int reason = GPOINTER_TO_INT(g_hash_table_lookup(world->alone, GINT_TO_POINTER(call_of(h, row))));
        if (reason)
            ck_assert_int_eq((int)hiera_match_reason(hiera_graph_peek_match(h->graph), row), reason);
    }
}

START_TEST(random_programs_are_matched_as_they_ran)
{
    World world;
    world_init(&world, (guint32)_i, FALSE);
    Harness h = load(&world);
    expect_truth(&h, &world);
    expect_reasons(h.trace, h.graph);
    harness_clear(&h);
    world_clear(&world);
}
END_TEST

/* If calls of threads overlap, pairs may differ from the simulation, but such pairs must be marked as doubtful. The
 * number of pairs must be the same, and no message may be received before it was sent. */
START_TEST(random_threads_are_matched_as_they_may_have_run)
{
    World world;
    world_init(&world, (guint32)_i, TRUE);
    Harness h = load(&world);
    const GArray *messages = h.graph->match->messages;
    ck_assert_uint_eq(messages->len, g_hash_table_size(world.truth));
    for (guint i = 0; i < messages->len; i++) {
        const HieraMessage *message = &g_array_index(messages, HieraMessage, i);
        int from = call_of(&h, message->from), to = call_of(&h, message->to);
        ck_assert_msg(message->doubt || GPOINTER_TO_INT(g_hash_table_lookup(world.truth, GINT_TO_POINTER(to))) == from,
                      "receive %d certainly got the message of call %d", to, from);
        ck_assert_int_ge(hiera_match_end_ns(h.trace, message->ended_by), h.trace->start_ns[message->from]);
    }
    expect_reasons(h.trace, h.graph);
    harness_clear(&h);
    world_clear(&world);
}
END_TEST

static void check_folder(const char *path)
{
    const char *arguments[] = {path, NULL};
    g_autoptr(HieraCatalog) catalog = hiera_catalog_new();
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    g_autoptr(GPtrArray) paths = hiera_trace_paths_expand(arguments, findings);
    g_autoptr(HieraBuilder) builder = hiera_builder_new(catalog, FALSE);
    HieraSink sink = hiera_builder_sink(builder);
    g_autoptr(GArray) processors = hiera_load(paths, NULL, &sink, 1, catalog, findings);
    if (processors->len == 0)
        return;
    g_autoptr(HieraTrace) trace = hiera_builder_take_trace(builder, processors, NULL);
    g_autoptr(HieraGraph) graph = hiera_graph_build(trace, NULL, NULL);
    expect_reasons(trace, graph);
}

/* Check all folders with traces below a path. Return their number. */
static guint check_folders(const char *path)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    const char *name;
    guint n = 0;
    gboolean traces = FALSE;
    while (folder && (name = g_dir_read_name(folder))) {
        g_autofree char *below = g_build_filename(path, name, NULL);
        if (g_file_test(below, G_FILE_TEST_IS_DIR))
            n += check_folders(below);
        traces = traces || strcmp(name, "trace0.xml") == 0;
    }
    if (traces)
        check_folder(path);
    return n + traces;
}

START_TEST(all_golden_traces_have_reasons)
{
    ck_assert_uint_gt(check_folders(GOLDEN), 10);
}
END_TEST

TCase *random_tests(void)
{
    TCase *tests = tcase_create("random");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, random_programs_are_matched_as_they_ran, 1, 21);
    tcase_add_loop_test(tests, random_threads_are_matched_as_they_may_have_run, 1, 21);
    tcase_add_test(tests, all_golden_traces_have_reasons);
    return tests;
}
