/* Several computers: processes that ask a server, which is killed, stopped, or asked by many. */
#include "shared.h"

#include "job/job.h"
#include "probing/globals_client.h"
#include "probing/globals_server.h"
#include "probing/probed.h"
#include "probing/shared/shared_questions.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static HieraServerPlace place;

/* On another computer a process has a table of its own before. */
static void become_client(void)
{
    hiera_globals_load(true);
    CHECK(hiera_globals_use_server(&place) == 0);
}

static void ask_much(void *argument)
{
    char text[HIERA_SHARED_TEXT];
    (void)argument;
    become_client();
    for (int i = 0; i < 500; i++) {
        CHECK(take_lock("counted"));
        CHECK(hiera_shared_globals.update(NULL, 5, NULL, 0, HIERA_VALUE_INTEGER, '\0',
                                          hiera_value_integer(value_under(5) + 1)) == HIERA_PROBE_DONE);
        give_lock("counted");
        CHECK(add(1, 1) == HIERA_PROBE_DONE);
    }
    memset(text, 'x', sizeof text);
    CHECK(hiera_shared_globals.update(NULL, 6, NULL, 0, HIERA_VALUE_TEXT, '\0', hiera_value_text(text, sizeof text)) ==
          HIERA_PROBE_DONE);
    CHECK(take_lock("kept"));
}

static void locks_of_clients_are_freed(void)
{
    char room[HIERA_SHARED_TEXT];
    HieraValue value;
    int64_t before = value_of(1);
    hiera_shared_globals.update(NULL, 5, NULL, 0, HIERA_VALUE_INTEGER, '\0', hiera_value_integer(0));
    pid_t pids[3];
    for (int i = 0; i < 3; i++)
        if ((pids[i] = fork()) == 0) {
            ask_much(NULL);
            raise(SIGKILL);
        }
    for (int i = 0; i < 3; i++)
        CHECK(waitpid(pids[i], NULL, 0) == pids[i]);
    CHECK(value_under(5) == 1500 && value_of(1) == before + 1500);
    CHECK(hiera_shared_globals.get(NULL, 6, NULL, 0, &value, room, sizeof room) == HIERA_PROBE_DONE &&
          value.length == sizeof room && room[4095] == 'x');
    CHECK(hiera_shared_globals.get(NULL, 6, NULL, 0, &value, room, 10) == HIERA_PROBE_NO_ROOM);
    double begin = seconds();
    CHECK(take_lock("kept") && seconds() - begin < 0.3);
    give_lock("kept");
    n_messages = 0;
    hiera_globals_report(script);
    CHECK(n_messages == 1 && strstr(last_message, "global_lock"));
}

static void ask_with_a_wrong_secret(void *argument)
{
    (void)argument;
    hiera_globals_load(true);
    HieraServerPlace wrong = place;
    wrong.question[3] ^= 1;
    CHECK(hiera_globals_use_server(&wrong) != 0);
    wrong = place;
    wrong.answer[3] ^= 1;
    CHECK(hiera_globals_use_server(&wrong) == EPROTO);
    wrong.port = 1;
    CHECK(hiera_globals_use_server(&wrong) == ECONNREFUSED);
    CHECK(add(77, 1) == HIERA_PROBE_DONE); /* it is its own */
}

/* The program closes all files, and opens others. */
static void close_all(void *argument)
{
    struct stat status;
    int fds[2], high = -1;
    (void)argument;
    become_client();
    for (int fd = 3; fd < 1024; fd++) {
        high = fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode) ? fd : high;
        close(fd);
    }
    CHECK(high >= 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0 && dup2(fds[1], high) == high);
    CHECK(add(1, 1) == HIERA_PROBE_GONE && add(1, 1) == HIERA_PROBE_GONE && !take_lock("a"));
    char byte;
    CHECK(recv(fds[0], &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN && fstat(high, &status) == 0);
}

/* A process that serves, and one that asks it. */
static void with_server(void (*run)(pid_t server))
{
    int from[2];
    CHECK(pipe(from) == 0);
    pid_t server = fork();
    if (server == 0) {
        CHECK(hiera_globals_be_server(1, &place) == 0 && write(from[1], &place, sizeof place) == sizeof place);
        for (;;)
            pause();
    }
    CHECK(read(from[0], &place, sizeof place) == sizeof place);
    pid_t client = fork();
    if (client == 0) {
        become_client();
        CHECK(add(1, 1) == HIERA_PROBE_DONE);
        run(server);
        exit(0);
    }
    int status;
    CHECK(waitpid(client, &status, 0) == client && status == 0);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    close(from[0]);
    close(from[1]);
}

static void kill_it(pid_t server)
{
    kill(server, SIGKILL);
    double begin = seconds();
    HieraProbeAnswer answer;
    while ((answer = add(1, 1)) == HIERA_PROBE_DONE)
        begin = seconds();
    CHECK(answer == HIERA_PROBE_GONE && add(1, 1) == HIERA_PROBE_GONE);
    CHECK(hiera_shared_globals.lock(NULL, "a", 1) == HIERA_PROBE_GONE && seconds() - begin < 0.3);
}

static void stop_it(pid_t server)
{
    kill(server, SIGSTOP);
    double begin = seconds();
    HieraProbeAnswer answer;
    while ((answer = add(1, 1)) == HIERA_PROBE_DONE) /* it takes a moment */
        begin = seconds();
    CHECK(answer == HIERA_PROBE_TIMED_OUT && seconds() - begin > 0.39);
    begin = seconds();
    CHECK(add(1, 1) == HIERA_PROBE_TIMED_OUT && seconds() - begin < 0.3);
    kill(server, SIGCONT);
}

static void *ask_for_a_while(void *n)
{
    for (double begin = seconds(); seconds() - begin < 0.3; ++*(unsigned *)n)
        CHECK(add(1, 1) == HIERA_PROBE_DONE);
    return NULL;
}

static void ask_in_many_threads(void)
{
    enum { MANY = 16 };
    pthread_t threads[MANY];
    unsigned askers[MANY] = {0}, total = 0, fewest = UINT32_MAX;
    become_client();
    for (int i = 0; i < MANY; i++)
        CHECK(pthread_create(&threads[i], NULL, ask_for_a_while, &askers[i]) == 0);
    for (int i = 0; i < MANY; i++) {
        pthread_join(threads[i], NULL);
        total += askers[i];
        fewest = askers[i] < fewest ? askers[i] : fewest;
    }
    if (fewest * MANY * 4 < total)
        exit(1);
}

/* Threads of a rank share a connection, and each gets it. Of three times, since they may not run. */
static void threads_ask_in_turn(void)
{
    int status = 1;
    for (int i = 0; i < 3 && status != 0; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            ask_in_many_threads();
            _exit(0);
        }
        CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    }
    CHECK(status == 0);
}

/* Linux before 5.9 has no close_range(). A process may be allowed as many descriptors as it likes. */
static void serve_without_close_range(void *argument)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    struct rlimit most;
    int to[2];
    char byte;
    (void)argument;
    CHECK(getrlimit(RLIMIT_NOFILE, &most) == 0 && pipe(to) == 0 && dup2(to[1], 900) == 900);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return;
    most.rlim_cur = most.rlim_max;
    CHECK(setrlimit(RLIMIT_NOFILE, &most) == 0);
    hiera_globals_load(true);
    double begin = seconds();
    CHECK(hiera_globals_be_server(1, &place) == 0 && seconds() - begin < 1);
    close(to[1]);
    close(900);
    CHECK(read(to[0], &byte, 1) == 0); /* the server does not hold it open */
}

/* A rank may have more clients than it may open files. */
static void serve_many(void *argument)
{
    enum { MANY = 30 };
    struct rlimit few = {16, 64 + MANY}, after;
    pid_t pids[MANY];
    (void)argument;
    hiera_globals_load(true);
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0 && hiera_globals_be_server(MANY, &place) == 0);
    for (int i = 0; i < MANY; i++)
        if ((pids[i] = fork()) == 0) {
            become_client();
            CHECK(add(1, 1) == HIERA_PROBE_DONE);
            while (value_of(1) < MANY) /* until all are there */
                usleep(1000);
            _exit(0);
        }
    for (int i = 0, status; i < MANY; i++)
        CHECK(waitpid(pids[i], &status, 0) == pids[i] && status == 0);
    hiera_globals_settle();
    CHECK(value_of(1) == MANY && getrlimit(RLIMIT_NOFILE, &after) == 0 && after.rlim_cur == few.rlim_cur);
}

/* What others publish: more than a socket takes at once. */
static void publish_much(void *argument)
{
    static char text[2 << 20];
    HieraReplyRoom room = {.grow = hiera_probed_grow};
    become_client();
    memset(text, 'p', sizeof text);
    hiera_job.rank = *(int *)argument;
    CHECK(hiera_globals_publish(NULL, text, 10) && hiera_globals_publish(NULL, text, sizeof text));
    HieraReply reply = hiera_globals_client_ask(
        &(HieraQuestion){.kind = HIERA_ASK_GATHER, .name = (uint32_t)hiera_job.rank}, NULL, NULL, &room);
    CHECK(reply.answer == HIERA_PROBE_DONE && reply.text_bytes == (hiera_job.rank == 2 ? sizeof text : 0));
    CHECK(reply.text_bytes == 0 || (room.text[0] == 'p' && room.text[sizeof text - 1] == 'p'));
}

/* Whoever decides last, all know it: here the server's own process, and before it a client. */
static void decide_for_all(void *nothing)
{
    char text[HIERA_SHARED_TEXT] = "";
    (void)nothing;
    become_client();
    CHECK(hiera_globals_decision(text, sizeof text) && strcmp(text, "first") == 0);
    CHECK(!hiera_globals_decision(text, 5)); /* there is no room for its end */
    CHECK(hiera_globals_decide("1 1 1a4 /a path/of a file") && hiera_globals_decision(text, sizeof text));
    CHECK(strcmp(text, "1 1 1a4 /a path/of a file") == 0);
}

static void decisions_are_known_to_all(void)
{
    char text[HIERA_SHARED_TEXT] = "";
    CHECK(!hiera_globals_decision(text, sizeof text));
    CHECK(hiera_globals_decide("something longer") && hiera_globals_decide("first"));
    in_child(decide_for_all, NULL);
    CHECK(hiera_globals_decision(text, sizeof text) && strcmp(text, "1 1 1a4 /a path/of a file") == 0);
}

void test_server(void)
{
    int one = 1, two = 2;
    with_server(kill_it);
    with_server(stop_it);
    CHECK(hiera_globals_be_server(8, &place) == 0 && place.port > 0 && place.n == 1);
    locks_of_clients_are_freed();
    decisions_are_known_to_all();
    in_child(ask_with_a_wrong_secret, NULL);
    CHECK(value_of(77) == -1);
    in_child(close_all, NULL);
    in_child(serve_many, NULL);
    threads_ask_in_turn();
    in_child(serve_without_close_range, NULL);
    in_child(publish_much, &one);
    in_child(publish_much, &two);
}
