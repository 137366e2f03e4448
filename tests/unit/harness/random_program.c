/* See random_program.h. */
#include "random_program.h"
#include "hiera_graph.h"

#define THREADS 2
#define COMMS   3
#define TAGS    2
#define ANY     (-1)

/* Communicators; `members` are program ranks in the order of their ranks in the communicator. */
static const struct {
    const char *id, *ranks;
    int n, members[RANDOM_RANKS];
} comms[COMMS] = {
    {"MPI_COMM_WORLD", "0-3", 4, {0, 1, 2, 3}}, {"P2_comm1", "2 0 3", 3, {2, 0, 3}}, {"P1_comm1", "1 3", 2, {1, 3}}};

/* A receive, or a message that was sent. Ranks are ranks in the communicator; `call` is the number of the call. */
typedef struct {
    int comm, from, to, tag, call;
    int request;     /* 0: none */
    int partner;     /* of a receive: call of the send; 0: none yet */
    gboolean posted; /* of a receive: no message has arrived yet */
} Envelope;

struct RandomProgram {
    GRand *random;
    gboolean overlap;                        /* calls take so long that those of threads overlap */
    double now, busy[RANDOM_RANKS][THREADS]; /* busy: the end of the last call */
    GString *text[RANDOM_RANKS][THREADS];
    int calls, requests[RANDOM_RANKS];
    GArray *sent, *received; /* Envelope: messages that no receive has; receives that are not completed */
    GHashTable *truth;       /* call of a receive → call of its send */
    GHashTable *alone;       /* call of a receive without a message → expected reason */
};

static int pick(RandomProgram *program, int n)
{
    return g_rand_int_range(program->random, 0, n);
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
static int call(RandomProgram *program, int rank, int thread, const char *operation, const char *arguments)
{
    double length = program->overlap ? 0.1 + 4 * g_rand_double(program->random) : 0.5;
    char begin[G_ASCII_DTOSTR_BUF_SIZE], end[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(begin, sizeof begin, "%.6f", program->now);
    g_ascii_formatd(end, sizeof end, "%.6f", program->now + length);
    program->busy[rank][thread] = program->now + length;
    g_string_append_printf(
        program->text[rank][thread],
        "<hieraMPI operation=\"%s\" file=\"r.c\" line=\"%d\" start_time=\"%s\" finish_time=\"%s\" %s/>\n", operation,
        ++program->calls, begin, end, arguments);
    return program->calls;
}

static gboolean fits(const Envelope *receive, const Envelope *message)
{
    return receive->comm == message->comm && receive->to == message->to &&
           (receive->from == ANY || receive->from == message->from) &&
           (receive->tag == ANY || receive->tag == message->tag);
}

static void meet(RandomProgram *program, Envelope *receive, const Envelope *message)
{
    receive->partner = message->call;
    receive->posted = FALSE;
    receive->from = message->from;
    receive->tag = message->tag;
    g_hash_table_insert(program->truth, GINT_TO_POINTER(receive->call), GINT_TO_POINTER(message->call));
}

static void deliver(RandomProgram *program, Envelope message)
{
    for (guint i = 0; i < program->received->len; i++) {
        Envelope *receive = &g_array_index(program->received, Envelope, i);
        if (receive->posted && fits(receive, &message)) {
            meet(program, receive, &message);
            return;
        }
    }
    g_array_append_val(program->sent, message);
}

/* Remove the first message that the receive accepts. Return FALSE if there is none. */
static gboolean take(RandomProgram *program, const Envelope *receive, Envelope *message)
{
    for (guint i = 0; i < program->sent->len; i++) {
        *message = g_array_index(program->sent, Envelope, i);
        if (fits(receive, message)) {
            g_array_remove_index(program->sent, i);
            return TRUE;
        }
    }
    return FALSE;
}

static void send(RandomProgram *program, int rank, int thread, int comm)
{
    Envelope message = {
        .comm = comm, .from = rank_in(comm, rank), .to = pick(program, comms[comm].n), .tag = pick(program, TAGS)};
    gboolean begins = pick(program, 2);
    g_autofree char *arguments =
        begins ? g_strdup_printf("dest=\"%d\" tag=\"%d\" comm=\"%s\" request=\"%d\" bytes=\"4\"", message.to,
                                 message.tag, comms[comm].id, ++program->requests[rank])
               : g_strdup_printf("dest=\"%d\" tag=\"%d\" comm=\"%s\" bytes=\"4\"", message.to, message.tag,
                                 comms[comm].id);
    message.call = call(program, rank, thread, begins ? "isend" : "send", arguments);
    deliver(program, message);
}

static Envelope make_receive(RandomProgram *program, int rank, int comm)
{
    return (Envelope){.comm = comm,
                      .from = pick(program, comms[comm].n + 1) - 1,
                      .to = rank_in(comm, rank),
                      .tag = pick(program, TAGS + 1) - 1};
}

static void begin_receive(RandomProgram *program, int rank, int thread, int comm)
{
    Envelope receive = make_receive(program, rank, comm), message;
    g_autofree char *from = receive.from == ANY ? g_strdup("MPI_ANY_SOURCE") : g_strdup_printf("%d", receive.from);
    g_autofree char *tag = receive.tag == ANY ? g_strdup("MPI_ANY_TAG") : g_strdup_printf("%d", receive.tag);
    receive.request = ++program->requests[rank];
    g_autofree char *arguments =
        g_strdup_printf("rem=\"%s\" tag=\"%s\" comm=\"%s\" request=\"%d\"", from, tag, comms[comm].id, receive.request);
    receive.call = call(program, rank, thread, "irecv", arguments);
    receive.posted = TRUE;
    if (take(program, &receive, &message))
        meet(program, &receive, &message);
    g_array_append_val(program->received, receive);
}

/* A blocking receive, made only if a message for it is there. */
static void receive_now(RandomProgram *program, int rank, int thread, int comm)
{
    Envelope receive = make_receive(program, rank, comm), message;
    if (!take(program, &receive, &message))
        return;
    g_autofree char *arguments =
        g_strdup_printf("rem=\"%d\" tag=\"%d\" comm=\"%s\" bytes=\"4\"%s", message.from, message.tag, comms[comm].id,
                        receive.from == ANY ? " posted=\"any\"" : "");
    receive.call = call(program, rank, thread, "receive", arguments);
    meet(program, &receive, &message);
}

/* A matched probe. end_receive() receives its message later. */
static void probe(RandomProgram *program, int rank, int thread, int comm)
{
    Envelope receive = make_receive(program, rank, comm), message;
    if (!take(program, &receive, &message))
        return;
    receive.request = -++program->requests[rank];
    g_autofree char *arguments = g_strdup_printf("rem=\"%d\" tag=\"%d\" comm=\"%s\" message=\"P%d_message%d\"",
                                                 message.from, message.tag, comms[comm].id, rank, -receive.request);
    call(program, rank, thread, "mprobe", arguments);
    receive.partner = message.call;
    g_array_append_val(program->received, receive);
}

static void cancel(RandomProgram *program, int rank, int thread, const Envelope *receive)
{
    g_autofree char *one = g_strdup_printf("request=\"%d\"", receive->request);
    g_autofree char *all = g_strdup_printf("requests=\"%d\" sources=\"-\" tags=\"-\" sizes=\"-\"", receive->request);
    call(program, rank, thread, "cancel", one);
    program->now += 5;
    call(program, rank, thread, "wait", all);
    g_hash_table_insert(program->alone, GINT_TO_POINTER(receive->call), GINT_TO_POINTER(HIERA_REASON_CANCELLED));
}

/* Complete one receive of a rank. A receive without a message is sometimes cancelled.
 *
 * @param all  take the first receive of the rank; FALSE: a random one, perhaps none */
static void end_receive(RandomProgram *program, int rank, int thread, gboolean all)
{
    for (guint i = 0; i < program->received->len; i++) {
        Envelope receive = g_array_index(program->received, Envelope, i);
        if (comms[receive.comm].members[receive.to] != rank || (!all && pick(program, 3)))
            continue;
        if (receive.posted && !all && pick(program, 8))
            continue;
        if (receive.request < 0) {
            g_autofree char *arguments =
                g_strdup_printf("message=\"P%d_message%d\" bytes=\"4\"", rank, -receive.request);
            receive.call = call(program, rank, thread, "mrecv", arguments);
            g_hash_table_insert(program->truth, GINT_TO_POINTER(receive.call), GINT_TO_POINTER(receive.partner));
        } else if (receive.posted) {
            cancel(program, rank, thread, &receive);
        } else {
            g_autofree char *arguments = g_strdup_printf("requests=\"%d\" sources=\"%d\" tags=\"%d\" sizes=\"4\"",
                                                         receive.request, receive.from, receive.tag);
            call(program, rank, thread, "wait", arguments);
        }
        g_array_remove_index(program->received, i);
        return;
    }
}

/* A collective operation: the members call it one after the other. */
static void collect(RandomProgram *program, int comm)
{
    static const char *const operations[] = {"barrier", "allreduce", "broadcast", "gather"};
    const char *operation = operations[pick(program, G_N_ELEMENTS(operations))];
    int root = pick(program, comms[comm].n);
    for (int i = 0; i < comms[comm].n; i++) {
        program->now += 5;
        g_autofree char *arguments = g_strdup_printf("root=\"%d\" comm=\"%s\"", root, comms[comm].id);
        call(program, comms[comm].members[i], 0, operation, arguments);
    }
}

static void step(RandomProgram *program)
{
    typedef void (*Do)(RandomProgram *, int, int, int);
    static const Do what[] = {send, send, send, begin_receive, begin_receive, receive_now, probe};
    int rank = pick(program, RANDOM_RANKS), thread = pick(program, THREADS), comm = pick(program, COMMS),
        action = pick(program, 10);
    program->now += 1;
    if (rank_in(comm, rank) < 0 || program->busy[rank][thread] > program->now)
        return;
    if (action < (int)G_N_ELEMENTS(what))
        what[action](program, rank, thread, comm);
    else if (action < 9)
        end_receive(program, rank, thread, FALSE);
    else if (pick(program, 10) == 0)
        collect(program, comm);
}

RandomProgram *random_program_run(guint32 seed, gboolean overlap)
{
    RandomProgram *program = g_new0(RandomProgram, 1);
    program->random = g_rand_new_with_seed(seed);
    program->overlap = overlap;
    program->sent = g_array_new(FALSE, FALSE, sizeof(Envelope));
    program->received = g_array_new(FALSE, FALSE, sizeof(Envelope));
    program->truth = g_hash_table_new(NULL, NULL);
    program->alone = g_hash_table_new(NULL, NULL);
    for (int i = 0; i < RANDOM_RANKS * THREADS; i++)
        program->text[i / THREADS][i % THREADS] = g_string_new(NULL);
    for (int i = 0; i < RANDOM_STEPS; i++)
        step(program);
    for (int rank = 0; rank < RANDOM_RANKS; rank++) {
        for (guint before = G_MAXUINT; before != program->received->len;) {
            before = program->received->len;
            program->now += 10;
            end_receive(program, rank, 0, TRUE);
        }
    }
    return program;
}

void random_program_free(RandomProgram *program)
{
    for (int i = 0; i < RANDOM_RANKS * THREADS; i++)
        g_string_free(program->text[i / THREADS][i % THREADS], TRUE);
    g_array_unref(program->sent);
    g_array_unref(program->received);
    g_hash_table_unref(program->truth);
    g_hash_table_unref(program->alone);
    g_rand_free(program->random);
    g_free(program);
}

char *random_program_trace(const RandomProgram *program, int rank)
{
    GString *body = g_string_new(NULL);
    for (int comm = 1; comm < COMMS; comm++) {
        if (rank_in(comm, rank) >= 0)
            g_string_append_printf(body, "<hieraComm id=\"%s\" ranks=\"%s\"/>\n", comms[comm].id, comms[comm].ranks);
    }
    g_string_append(body, program->text[rank][0]->str);
    for (int thread = 1; thread < THREADS; thread++)
        g_string_append_printf(body, "<hieraThread id=\"%d\">%s</hieraThread>\n", thread,
                               program->text[rank][thread]->str);
    return g_string_free(body, FALSE);
}

guint random_program_count_messages(const RandomProgram *program)
{
    return g_hash_table_size(program->truth);
}

int random_program_find_send(const RandomProgram *program, int receive)
{
    return GPOINTER_TO_INT(g_hash_table_lookup(program->truth, GINT_TO_POINTER(receive)));
}

int random_program_find_reason(const RandomProgram *program, int receive)
{
    return GPOINTER_TO_INT(g_hash_table_lookup(program->alone, GINT_TO_POINTER(receive)));
}
