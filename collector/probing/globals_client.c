/* See globals_client.h. One thread at a time owns the connection, from its question to the reply. Meanwhile it receives
 * no signals: a handler of the program might never return. The program may have closed the descriptor, and its number
 * may now belong to another file: so it is checked before each use. */
#include "globals_client.h"

#include "base/clock.h"
#include "base/safe_file.h"
#include "base/settings.h"
#include "globals_server.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static struct {
    int fd;
    dev_t device;
    ino_t inode; /* inode of the socket: tells whether `fd` is still the socket */
    bool taken;
    int64_t oldest_ns;     /* when the longest waiting thread began to wait, if it has waited long; 0: none */
    bool is_over, is_gone; /* is_over: no more questions are sent; is_gone: this is because the connection has ended */
} client = {.fd = -1};

static uint64_t end_of(uint64_t patience_ns)
{
    return hiera_clock_monotonic_ns() + patience_ns;
}

/* --- sending and receiving --- */

static bool is_own(void)
{
    struct stat status;
    return fstat(client.fd, &status) == 0 && status.st_dev == client.device && status.st_ino == client.inode;
}

/* Wait until the descriptor is ready. @return  0, ETIMEDOUT or another errno */
static int wait_for(int fd, short events, uint64_t end_ns)
{
    for (;;) {
        uint64_t now = hiera_clock_monotonic_ns();
        struct pollfd what = {.fd = fd, .events = events};
        int n = now < end_ns ? poll(&what, 1, (int)((end_ns - now) / 1000000) + 1) : 0;
        if (n > 0)
            return what.revents & POLLNVAL ? EBADF : 0;
        if (n == 0 || errno != EINTR)
            return n == 0 ? ETIMEDOUT : errno;
    }
}

/* Remove the bytes that were sent from the front of a message. */
static void step(struct msghdr *message, size_t sent)
{
    while (message->msg_iovlen > 0) {
        struct iovec *part = message->msg_iov;
        if (sent < part->iov_len) {
            part->iov_base = (char *)part->iov_base + sent;
            part->iov_len -= sent;
            return;
        }
        sent -= part->iov_len;
        message->msg_iov++;
        message->msg_iovlen--;
    }
}

/* Send all parts of a question. @return  0 or an errno */
static int send_parts(struct iovec *parts, unsigned n, uint64_t end_ns)
{
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = n};
    while (message.msg_iovlen > 0) {
        ssize_t sent = is_own() ? sendmsg(client.fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) : (errno = EBADF, -1);
        if (sent < 0 && errno != EINTR && errno != EAGAIN)
            return errno;
        int error = sent < 0 ? wait_for(client.fd, POLLOUT, end_ns) : 0;
        if (error != 0)
            return error;
        step(&message, sent > 0 ? (size_t)sent : 0);
    }
    return 0;
}

/* Receive exactly `bytes` bytes. @return  0 or an errno */
static int receive(void *to, size_t bytes, uint64_t end_ns)
{
    for (size_t n = 0; n < bytes;) {
        int error = wait_for(client.fd, POLLIN, end_ns);
        if (error != 0)
            return error;
        ssize_t got = is_own() ? recv(client.fd, (char *)to + n, bytes - n, MSG_DONTWAIT) : (errno = EBADF, -1);
        if (got == 0)
            return ECONNRESET;
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return errno;
        n += got > 0 ? (size_t)got : 0;
    }
    return 0;
}

/* --- connecting to the server --- */

/* Connect to one address of the server. @return  0 or an errno */
static int connect_to(const struct sockaddr_storage *address, socklen_t length, uint64_t end_ns)
{
    struct stat status;
    const int on = 1;
    int error = 0, fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t size = sizeof error;
    if (fd < 0)
        return errno;
    client.fd = hiera_file_move_up(fd);
    if (connect(client.fd, (const struct sockaddr *)address, length) != 0)
        error = errno == EINPROGRESS ? wait_for(client.fd, POLLOUT, end_ns) : errno;
    if (error == 0 && getsockopt(client.fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
        error = errno;
    if (error == 0 && fstat(client.fd, &status) != 0)
        error = errno;
    if (error == 0) {
        client.device = status.st_dev;
        client.inode = status.st_ino;
        setsockopt(client.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    return error;
}

static int greet(const HieraServerPlace *place, uint64_t end_ns)
{
    HieraServerHello hello = {.version = HIERA_SERVER_VERSION};
    uint8_t answer[HIERA_PLACE_SECRET];
    memcpy(hello.question, place->question, sizeof hello.question);
    struct iovec part = {&hello, sizeof hello};
    int error = send_parts(&part, 1, end_ns);
    if (error == 0)
        error = receive(answer, sizeof answer, end_ns);
    if (error != 0)
        return error;
    return memcmp(answer, place->answer, sizeof answer) == 0 ? 0 : EPROTO;
}

static void drop(void)
{
    if (client.fd >= 0 && is_own())
        close(client.fd);
    client.fd = -1;
}

int hiera_globals_connect(const HieraServerPlace *place)
{
    int error = EADDRNOTAVAIL;
    uint64_t patience_ns = HIERA_SERVER_PATIENCE_S * UINT64_C(1000000000);
    for (unsigned i = 0; i < place->n && i < HIERA_PLACE_ADDRESSES && error != 0; i++) {
        struct sockaddr_storage address;
        socklen_t length = hiera_place_to_connect(place, i, &address);
        uint64_t end_ns = end_of(patience_ns / place->n);
        error = connect_to(&address, length, end_ns);
        if (error == 0)
            error = greet(place, end_ns);
        if (error != 0 && client.fd >= 0)
            close(client.fd);
        if (error != 0)
            client.fd = -1;
    }
    return error;
}

void hiera_globals_client_in_child(void)
{
    drop();
}

/* --- questions to the server --- */

/* Let a thread that has waited long come first. Otherwise threads do not wait in turn, as the connection would be idle
 * while the next one wakes up. */
static void insist(int64_t begin_ns)
{
    enum { LONG_NS = 2000000 };
    int64_t oldest_ns = __atomic_load_n(&client.oldest_ns, __ATOMIC_RELAXED);
    if ((int64_t)hiera_clock_monotonic_ns() - begin_ns < LONG_NS)
        return;
    while (
        (oldest_ns == 0 || begin_ns < oldest_ns) &&
        !__atomic_compare_exchange_n(&client.oldest_ns, &oldest_ns, begin_ns, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void insist_no_more(int64_t begin_ns)
{
    __atomic_compare_exchange_n(&client.oldest_ns, &begin_ns, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Try to take the connection for this thread. @param begin_ns  since when this thread waits; 0: not yet */
static bool try_to_take(int64_t begin_ns)
{
    int64_t oldest_ns = __atomic_load_n(&client.oldest_ns, __ATOMIC_RELAXED);
    bool good =
        (oldest_ns == 0 || oldest_ns == begin_ns) && !__atomic_exchange_n(&client.taken, true, __ATOMIC_ACQUIRE);
    if (begin_ns != 0 && good)
        insist_no_more(begin_ns);
    else if (begin_ns != 0)
        insist(begin_ns);
    return good;
}

static bool take(void)
{
    int64_t begin_ns = 0;
    for (unsigned turn = 0; !try_to_take(begin_ns); turn++)
        if (!hiera_shared_wait(turn, &begin_ns)) {
            insist_no_more(begin_ns);
            return false;
        }
    return true;
}

static int exchange(const HieraQuestion *question, const char *key, const char *text, HieraReply *reply,
                    HieraReplyRoom *room)
{
    HieraQuestion head = *question;
    struct iovec parts[] = {
        {&head, sizeof head}, {(void *)(uintptr_t)key, head.key_bytes}, {(void *)(uintptr_t)text, head.text_bytes}};
    uint64_t end_ns = end_of(hiera_settings.probe_timeout_ns);
    int error = send_parts(parts, 3, end_ns);
    if (error == 0)
        error = receive(reply, sizeof *reply, end_ns);
    if (error != 0 || reply->text_bytes == 0)
        return error;
    char *to = hiera_reply_room(room, reply->text_bytes), dropped[256];
    for (size_t left = to ? 0 : reply->text_bytes; left > 0 && error == 0;) {
        size_t part = left < sizeof dropped ? left : sizeof dropped;
        error = receive(dropped, part, end_ns);
        left -= part;
    }
    if (!to)
        reply->answer = HIERA_PROBE_NO_ROOM;
    reply->value.text = to;
    return error != 0 || !to ? error : receive(to, reply->text_bytes, end_ns);
}

static HieraReply none(void)
{
    return (HieraReply){.answer = __atomic_load_n(&client.is_gone, __ATOMIC_RELAXED) ? HIERA_PROBE_GONE
                                                                                     : HIERA_PROBE_TIMED_OUT};
}

/* Send a question to the server and receive the reply. This thread owns the connection, and signals are blocked. */
static HieraReply ask(const HieraQuestion *question, const char *key, const char *text, HieraReplyRoom *room)
{
    HieraReply reply;
    int error = client.is_over ? 0 : exchange(question, key, text, &reply, room);
    if (client.is_over)
        return none();
    if (error == 0)
        return reply;
    __atomic_store_n(&client.is_gone, error != ETIMEDOUT, __ATOMIC_RELAXED);
    client.is_over = true;
    drop();
    return none();
}

HieraReply hiera_globals_client_ask(const HieraQuestion *question, const char *key, const char *text,
                                    HieraReplyRoom *room)
{
    int saved_errno = errno, cancel;
    sigset_t all, before;
    HieraReply reply = none();
    sigfillset(&all);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (take()) {
        reply = ask(question, key, text, room);
        __atomic_store_n(&client.taken, false, __ATOMIC_RELEASE);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_setcancelstate(cancel, NULL);
    errno = saved_errno;
    return reply;
}
