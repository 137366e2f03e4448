/* See attach_listener.h. Only the thread of attach.c runs this code, except at the end of the process and in children
 * of fork. */
#include "attach_listener.h"

#include "base/clock.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* SETTLED_MS: how long a new listener waits for other processes to connect before it serves commands. */
enum { MEMBERS_MAX = 1024, SETTLED_MS = 300, PROCESS = 24, MOST = HIERA_ATTACH_TEXT - HIERA_ATTACH_FRAME };

typedef struct Member {
    HieraAttachEnd end;
    char process[PROCESS];
} Member;

static Member members[MEMBERS_MAX];
static unsigned n_members;
static unsigned order; /* number of the last order (commands sent to the members); each answer repeats the number */
static int64_t settles_ms;

static int64_t now_ms(void)
{
    return (int64_t)(hiera_clock_monotonic_ns() / 1000000u);
}

/* --- members: the connected processes of the job --- */

static void drop(unsigned i)
{
    hiera_attach_close(&members[i].end);
    members[i] = members[n_members - 1];
    n_members--;
}

static void join(HieraAttachEnd end, const char *process)
{
    if (n_members == MEMBERS_MAX) {
        hiera_attach_close(&end);
        return;
    }
    Member *member = &members[n_members];
    member->end = end;
    snprintf(member->process, sizeof member->process, "%.*s", (int)strcspn(process, "\n"), process);
    n_members++;
}

/* Accept a connection: a member is added to `members`. @return  whether it is hiera-run; then `client` is its
 * connection and `text` its message */
static bool take(const HieraAttachEnd *listening, HieraAttachEnd *client, char text[HIERA_ATTACH_TEXT])
{
    const struct timespec moment = {0, 100000000};
    int fd = accept4(listening->fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) { /* sleep, since accept4() may fail because all descriptors are in use */
        nanosleep(&moment, NULL);
        return false;
    }
    HieraAttachEnd end = hiera_attach_own(fd);
    bool is_good = hiera_attach_is_of_user(&end) && hiera_attach_receive(&end, text, HIERA_ATTACH_PATIENCE_MS) > 0;
    if (is_good && strncmp(text, HIERA_ATTACH_JOIN, strlen(HIERA_ATTACH_JOIN)) == 0) {
        join(end, text + strlen(HIERA_ATTACH_JOIN));
        return false;
    }
    if (is_good && strncmp(text, HIERA_ATTACH_TELL, strlen(HIERA_ATTACH_TELL)) == 0) {
        *client = end;
        return true;
    }
    hiera_attach_close(&end);
    return false;
}

/* Accept connections of new members. That of a second hiera-run is closed without an answer; it will ask again. */
static void take_members(const HieraAttachEnd *listening)
{
    static char text[HIERA_ATTACH_TEXT];
    for (;;) {
        int64_t left = settles_ms - now_ms();
        struct pollfd wait = {listening->fd, POLLIN, 0};
        HieraAttachEnd other = HIERA_ATTACH_NONE;
        if (!hiera_attach_is_ours(listening) || poll(&wait, 1, left > 0 ? (int)left : 0) <= 0 ||
            !(wait.revents & POLLIN))
            return;
        if (take(listening, &other, text))
            hiera_attach_close(&other);
    }
}

/* --- orders: commands of hiera-run, sent to all members --- */

static void pass_on(const HieraAttachEnd *client, const char *process, const char *answer)
{
    static char text[HIERA_ATTACH_TEXT];
    snprintf(text, sizeof text, HIERA_ATTACH_PROCESS "%s\n%.*s", process, MOST, answer);
    hiera_attach_send(client, text);
}

/* Receive a member's answer to the current order, skipping its late answers to earlier orders. */
static const char *receive(const HieraAttachEnd *member, int64_t until_ms, char text[HIERA_ATTACH_TEXT])
{
    for (;;) {
        int64_t left = until_ms - now_ms();
        unsigned number = 0;
        int at = 0;
        ssize_t n = hiera_attach_receive(member, text, left > 0 ? left : 0);
        if (n <= 0)
            return n == 0 ? HIERA_ATTACH_ENDED : HIERA_ATTACH_SILENT;
        if (sscanf(text, HIERA_ATTACH_ORDER "%u\n%n", &number, &at) == 1 && number == order)
            return text + at;
    }
}

static void answer(const HieraAttachEnd *client, const char *commands, HieraAttachObey *obey)
{
    static char text[HIERA_ATTACH_TEXT], reply[HIERA_ATTACH_TEXT];
    char process[PROCESS];
    int64_t until_ms = now_ms() + HIERA_ATTACH_SECONDS * 1000;
    snprintf(text, sizeof text, HIERA_ATTACH_ORDER "%u\n%.*s", ++order, MOST, commands);
    for (unsigned i = 0; i < n_members; i++)
        hiera_attach_send(&members[i].end, text);
    snprintf(text, sizeof text, "%s", commands);
    snprintf(process, sizeof process, "%d", (int)getpid());
    reply[0] = '\0';
    obey(text, reply, sizeof reply - HIERA_ATTACH_FRAME);
    pass_on(client, process, reply);
    for (unsigned i = 0; i < n_members;) {
        const char *said = receive(&members[i].end, until_ms, reply);
        pass_on(client, members[i].process, said);
        if (strcmp(said, HIERA_ATTACH_ENDED) == 0)
            drop(i);
        else
            i++;
    }
    hiera_attach_send(client, HIERA_ATTACH_END);
}

/* --- the listener's loop --- */

static void serve_one(const HieraAttachEnd *listening, HieraAttachObey *obey)
{
    static char text[HIERA_ATTACH_TEXT];
    HieraAttachEnd client = HIERA_ATTACH_NONE;
    if (!take(listening, &client, text))
        return;
    take_members(listening);
    answer(&client, text + strlen(HIERA_ATTACH_TELL), obey);
    hiera_attach_close(&client);
}

/* Read away messages that members send between orders (late answers), and drop members that have ended. */
static void look_at_members(const struct pollfd *waits, unsigned n)
{
    static char text[HIERA_ATTACH_TEXT];
    for (unsigned i = n; i-- > 0;)
        if (waits[i].revents != 0 && hiera_attach_receive(&members[i].end, text, 0) == 0)
            drop(i);
}

void hiera_attach_listen(const HieraAttachEnd *listening, HieraAttachObey *obey, void (*settled)(void))
{
    static struct pollfd waits[1 + MEMBERS_MAX];
    bool is_settled = false;
    settles_ms = now_ms() + SETTLED_MS;
    while (hiera_attach_is_ours(listening)) {
        unsigned n = n_members;
        waits[0] = (struct pollfd){listening->fd, POLLIN, 0};
        for (unsigned i = 0; i < n; i++)
            waits[1 + i] = (struct pollfd){members[i].end.fd, POLLIN, 0};
        int found = poll(waits, 1 + n, is_settled ? -1 : SETTLED_MS);
        if (!is_settled && now_ms() >= settles_ms) {
            settled();
            is_settled = true;
        }
        if (found < 0)
            break;
        if (found > 0)
            look_at_members(waits + 1, n);
        if (found > 0 && (waits[0].revents & (POLLHUP | POLLERR | POLLNVAL)))
            break; /* the socket was shut down */
        if (found > 0 && waits[0].revents != 0)
            serve_one(listening, obey);
    }
    while (n_members > 0)
        drop(n_members - 1);
}

/* Whether the member still has its connection open; it closes the connection before it tries to remove the folder. */
static bool is_there(const Member *member)
{
    struct pollfd look = {member->end.fd, POLLIN, 0};
    return poll(&look, 1, 0) <= 0 || !(look.revents & (POLLHUP | POLLERR | POLLNVAL));
}

bool hiera_attach_listener_hang_up(void)
{
    unsigned n = n_members;
    bool others = false;
    for (unsigned i = 0; i < n; i++) {
        others |= is_there(&members[i]);
        hiera_attach_hang_up(&members[i].end);
    }
    return others;
}

void hiera_attach_listener_in_child(void)
{
    for (unsigned i = 0; i < n_members; i++)
        hiera_attach_close(&members[i].end);
    n_members = 0;
}
