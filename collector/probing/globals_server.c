#include "globals_server.h"

#include "base/clock.h"
#include "base/settings.h"
#include "helper/helper.h"
#include "probed.h"
#include "probing/shared/shared_locks.h"
#include "probing/shared/shared_questions.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EVENTS = 64, PART = 64 << 10, MOST_UNKNOWN = 64 };

typedef struct Connection {
    int fd;
    int32_t number;   /* number that stands for the connection as an owner of locks; negative */
    bool is_known;    /* whether the client has sent the secret */
    unsigned n_locks; /* number of locks that the client holds */
    size_t n_in, room_in;
    char *in;           /* a message of the client, as far as it has been received */
    HieraReplyRoom out; /* the part of the reply that could not be written at once */
    size_t written;
    bool is_waiting; /* whether the thread waits until it can write more of the reply */
} Connection;

static struct {
    HieraSharedTable *table;
    HieraServerPlace place;
    unsigned awaited, n_unknown;
    int epoll, listener;
    int32_t last_number;
    uint64_t closes_ns;
    struct rlimit limit; /* the program's limit of open files, before it was raised */
    bool is_raised;
    int error;
    uint32_t state; /* 0: the thread is starting; 1: it is running; 2: its start has failed */
} server;

/* --- descriptors of the server's thread --- */

/* Close all descriptors of this thread's own table. Without /proc the highest number is unknown, and it may be a
 * billion: then only the first ones are closed. */
static void close_all(void)
{
    enum { MANY = 1 << 16 };
    DIR *folder = opendir("/proc/thread-self/fd");
    for (const struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder))
        if (isdigit((unsigned char)entry->d_name[0]) && atoi(entry->d_name) != dirfd(folder))
            close(atoi(entry->d_name));
    for (int fd = 0; !folder && fd < MANY; fd++)
        close(fd);
    if (folder)
        closedir(folder);
}

/* Give this thread a table of descriptors with none of the program's. The first three are placeholders: text that is
 * written to them by mistake must not reach a connection. */
static int leave_descriptors(void)
{
    enum { UNSHARE = 2 /* value of CLOSE_RANGE_UNSHARE */ };
#ifdef SYS_close_range
    bool alone = syscall(SYS_close_range, 0, ~0u, UNSHARE) == 0;
#else
    bool alone = false;
#endif
    if (!alone && unshare(CLONE_FILES) == 0) {
        alone = true;
        close_all();
    }
    if (!alone)
        return errno;
    for (int i = 0; i < 3; i++)
        if (open("/dev/null", O_RDWR | O_CLOEXEC) < 0)
            return errno;
    return 0;
}

static int watch(int fd, void *what, uint32_t events, int how)
{
    struct epoll_event event = {.events = events, .data = {.ptr = what}};
    return epoll_ctl(server.epoll, how, fd, &event) == 0 ? 0 : errno;
}

/* Open the listening socket. If the server has IPv4 and IPv6 addresses, this one socket accepts both. */
static int listen_at(void)
{
    struct sockaddr_storage address;
    const int off = 0;
    socklen_t length = hiera_place_to_bind(&server.place, hiera_settings.probe_address, &address);
    server.listener = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (address.ss_family == AF_INET6)
        setsockopt(server.listener, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (server.listener < 0 || bind(server.listener, (struct sockaddr *)&address, length) != 0 ||
        listen(server.listener, SOMAXCONN) != 0)
        return errno;
    length = sizeof address;
    if (getsockname(server.listener, (struct sockaddr *)&address, &length) != 0)
        return errno;
    server.place.port = ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                                            : ((struct sockaddr_in *)&address)->sin_port);
    server.epoll = epoll_create1(EPOLL_CLOEXEC);
    return server.epoll < 0 ? errno : watch(server.listener, NULL, EPOLLIN, EPOLL_CTL_ADD);
}

static void stop_listening(void)
{
    if (server.listener >= 0)
        close(server.listener);
    server.listener = -1;
}

/* --- connections of clients --- */

static void end(Connection *connection)
{
    if (connection->n_locks > 0 && hiera_shared_table_lock(server.table)) {
        hiera_shared_locks_forget(server.table, connection->number);
        hiera_shared_table_unlock(server.table);
    }
    server.n_unknown -= !connection->is_known;
    server.awaited +=
        connection->is_known && server.listener >= 0; /* wait for the client again: it may try another address */
    close(connection->fd);
    hiera_probed_release(connection->in, connection->room_in);
    hiera_probed_release(connection->out.text, connection->out.room);
    hiera_probed_release(connection, sizeof *connection);
}

/* Let the kernel detect a computer that was switched off, and so did not close its connections. */
static void tune(int fd)
{
    const int on = 1, idle_s = 5, interval_s = 2, times = 3;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
}

static void accept_one(void)
{
    int fd = accept4(server.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    bool good = fd >= 0 && server.n_unknown < MOST_UNKNOWN + server.awaited;
    Connection *connection = good ? hiera_probed_grow(NULL, 0, sizeof *connection) : NULL;
    if (fd < 0 && (errno == EMFILE || errno == ENFILE))
        stop_listening(); /* no descriptors are left: clients that wait see that the listening socket is closed */
    if (!connection) {
        if (fd >= 0)
            close(fd);
        return;
    }
    tune(fd);
    *connection = (Connection){.fd = fd, .number = --server.last_number, .out = {.grow = hiera_probed_grow}};
    server.n_unknown++;
    if (watch(fd, connection, EPOLLIN, EPOLL_CTL_ADD) != 0)
        end(connection);
}

static bool wait_to_write(Connection *connection, bool waits)
{
    if (connection->is_waiting == waits)
        return true;
    connection->is_waiting = waits;
    return watch(connection->fd, connection, waits ? EPOLLOUT : EPOLLIN, EPOLL_CTL_MOD) == 0;
}

/* Write as much of the reply as can be written now. @return  false if the connection has ended */
static bool write_out(Connection *connection)
{
    while (connection->written < connection->out.n) {
        ssize_t n = send(connection->fd, connection->out.text + connection->written,
                         connection->out.n - connection->written, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EAGAIN)
            return wait_to_write(connection, true);
        if (n < 0)
            return false;
        connection->written += (size_t)n;
    }
    connection->out.n = connection->written = 0;
    return wait_to_write(connection, false);
}

/* --- questions of clients --- */

static bool is_same(const uint8_t *a, const uint8_t *b)
{
    unsigned different = 0;
    for (unsigned i = 0; i < HIERA_PLACE_SECRET; i++)
        different |= a[i] ^ b[i];
    return different == 0;
}

static bool greet(Connection *connection, const HieraServerHello *hello)
{
    if (hello->version != HIERA_SERVER_VERSION || !is_same(hello->question, server.place.question))
        return false;
    char *to = hiera_reply_room(&connection->out, HIERA_PLACE_SECRET);
    if (!to)
        return false;
    memcpy(to, server.place.answer, HIERA_PLACE_SECRET);
    connection->is_known = true;
    server.n_unknown--;
    if (--server.awaited == 0)
        stop_listening();
    return true;
}

static HieraReply answer(Connection *connection, HieraQuestion *question, const char *key)
{
    HieraReply reply = {.answer = HIERA_PROBE_TIMED_OUT};
    question->asker = (HieraOwner){connection->number, question->asker.thread, 0};
    if (!hiera_shared_table_lock(server.table))
        return reply;
    reply = hiera_shared_answer(server.table, question, key, key + question->key_bytes, &connection->out);
    hiera_shared_table_unlock(server.table);
    connection->n_locks += question->kind == HIERA_ASK_LOCK && reply.answer == HIERA_PROBE_DONE;
    connection->n_locks -= question->kind == HIERA_ASK_UNLOCK && reply.answer == HIERA_PROBE_DONE;
    return reply;
}

/* Answer a question. The head of the reply is made last but sent first, before the reply's text. */
static bool take_question(Connection *connection, HieraQuestion *question, const char *key)
{
    size_t at = connection->out.n;
    if (!hiera_reply_room(&connection->out, sizeof(HieraReply)))
        return false;
    HieraReply reply = answer(connection, question, key);
    memcpy(connection->out.text + at, &reply, sizeof reply);
    connection->out.n = at + sizeof reply + reply.text_bytes;
    return true;
}

/* Return the size of the message that is arriving, as far as it is known; 0: no client of ours sends this. */
static size_t wanted_bytes(const Connection *connection)
{
    HieraQuestion question;
    if (!connection->is_known)
        return sizeof(HieraServerHello);
    if (connection->n_in < sizeof question)
        return sizeof question;
    memcpy(&question, connection->in, sizeof question);
    bool good = question.kind < HIERA_N_ASK && question.key_bytes <= HIERA_PROBE_KEY_BYTES &&
                question.text_bytes <= server.table->most_bytes;
    return good ? sizeof question + question.key_bytes + question.text_bytes : 0;
}

/* Handle the message that has arrived, if it is complete. @return  false if the connection has ended */
static bool take_in(Connection *connection)
{
    size_t wanted = wanted_bytes(connection);
    bool known = connection->is_known;
    if (wanted == 0 || connection->n_in < wanted)
        return wanted != 0;
    HieraServerHello hello;
    HieraQuestion question;
    memcpy(&hello, connection->in, sizeof hello);
    if (known)
        memcpy(&question, connection->in, sizeof question);
    bool good =
        known ? take_question(connection, &question, connection->in + sizeof question) : greet(connection, &hello);
    connection->n_in = 0; /* nothing follows: a client sends its next question only after the reply */
    return good && write_out(connection);
}

/* Receive more of a message, and handle it when it is complete. @return  false if the connection has ended */
static bool read_in(Connection *connection)
{
    size_t wanted = wanted_bytes(connection);
    if (wanted == 0)
        return false;
    if (wanted > connection->room_in) {
        size_t room = wanted > PART ? wanted + PART : PART;
        char *grown = hiera_probed_grow(connection->in, connection->room_in, room);
        if (!grown)
            return false;
        connection->in = grown;
        connection->room_in = room;
    }
    ssize_t n = recv(connection->fd, connection->in + connection->n_in, wanted - connection->n_in, MSG_DONTWAIT);
    if (n <= 0)
        return n < 0 && (errno == EAGAIN || errno == EINTR);
    connection->n_in += (size_t)n;
    size_t more = wanted_bytes(connection);
    return more > wanted ? read_in(connection) : take_in(connection);
}

static void handle(const struct epoll_event *event)
{
    Connection *connection = event->data.ptr;
    if (!connection) {
        if (server.listener >= 0)
            accept_one();
        return;
    }
    bool good = connection->out.n > 0 ? write_out(connection) : read_in(connection);
    if (!good)
        end(connection);
}

/* --- the server's thread --- */

static void *serve(void *nothing)
{
    struct epoll_event events[EVENTS];
    prctl(PR_SET_NAME, "hiera-server");
    server.error = leave_descriptors();
    if (server.error == 0)
        server.error = listen_at();
    server.table->server = hiera_owner_here(); /* owner of the connections; stored before there are any */
    __atomic_store_n(&server.state, server.error == 0 ? 1 : 2, __ATOMIC_RELEASE);
    if (server.error != 0)
        return nothing;
    for (;;) {
        int n = epoll_wait(server.epoll, events, EVENTS, server.listener >= 0 ? 1000 : -1);
        for (int i = 0; i < n; i++)
            handle(&events[i]);
        if (server.listener >= 0 && hiera_clock_monotonic_ns() > __atomic_load_n(&server.closes_ns, __ATOMIC_RELAXED))
            stop_listening();
    }
}

/* Raise the limit of open files while the job is in MPI_Init: each client needs a descriptor, and all clients connect
 * then. Descriptors that are open when the limit is lowered again stay open. */
static void raise_limit(unsigned clients)
{
    enum { OTHERS = 64 };
    if (getrlimit(RLIMIT_NOFILE, &server.limit) != 0 || server.limit.rlim_cur >= clients + OTHERS)
        return;
    struct rlimit more = server.limit;
    more.rlim_cur = more.rlim_max < clients + OTHERS ? more.rlim_max : clients + OTHERS;
    server.is_raised = setrlimit(RLIMIT_NOFILE, &more) == 0;
}

void hiera_globals_server_settle(void)
{
    if (server.is_raised)
        setrlimit(RLIMIT_NOFILE, &server.limit);
    server.is_raised = false;
    __atomic_store_n(&server.closes_ns, 0, __ATOMIC_RELAXED);
}

int hiera_globals_serve(HieraSharedTable *table, unsigned clients, HieraServerPlace *place)
{
    const struct timespec nap = {.tv_nsec = 100000};
    uint64_t patience_ns = HIERA_SERVER_PATIENCE_S * UINT64_C(1000000000),
             end_ns = hiera_clock_monotonic_ns() + patience_ns;
    if (!hiera_place_find(place, hiera_settings.probe_address))
        return EADDRNOTAVAIL;
    if (getrandom(place->question, sizeof place->question, GRND_NONBLOCK) != sizeof place->question ||
        getrandom(place->answer, sizeof place->answer, GRND_NONBLOCK) != sizeof place->answer)
        return EAGAIN;
    server = (__typeof__(server)){.table = table,
                                  .place = *place,
                                  .awaited = clients,
                                  .epoll = -1,
                                  .listener = -1,
                                  .closes_ns = end_ns + 2 * patience_ns};
    raise_limit(clients);
    if (!hiera_helper_begin_thread(serve, NULL))
        return EAGAIN;
    while (__atomic_load_n(&server.state, __ATOMIC_ACQUIRE) == 0 && hiera_clock_monotonic_ns() < end_ns)
        nanosleep(&nap, NULL);
    *place = server.place;
    if (__atomic_load_n(&server.state, __ATOMIC_ACQUIRE) == 1)
        return 0;
    return server.error ? server.error : ETIMEDOUT;
}
