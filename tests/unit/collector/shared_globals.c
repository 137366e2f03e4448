/* What ranks share stays usable when one of them is killed, and nobody waits for ever. */
#include "probing/shared_globals.h"

#include "base/message.h"
#include "base/safe_file.h"
#include "base/settings.h"
#include "job/job.h"
#include "probing/globals_client.h"
#include "probing/globals_server.h"
#include "probing/probed.h"
#include "probing/shared_file.h"
#include "probing/shared_questions.h"
#include "probing/stale_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHECK(what) check(what, #what, __LINE__)

HieraSettings hiera_settings = {.probe = "", .probe_shared = 12 << 20, .probe_timeout_ns = 400000000, .probe_address = "127.0.0.1"};

static int n_messages;
static char last_message[1200];
static HieraProbeScript *script;
static HieraSharedTable *current_table(void);

static void check(bool holds, const char *what, int line)
{
    if (holds)
        return;
    fprintf(stderr, "line %d: %s\n", line, what);
    exit(1);
}

void hiera_message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_message, sizeof last_message, format, arguments);
    va_end(arguments);
    n_messages++;
}

const char *hiera_message_of(int error)
{
    return strerror(error);
}


void *hiera_probed_grow(void *memory, size_t old_bytes, size_t bytes)
{
    void *grown = calloc(1, bytes);
    if (grown && memory)
        memcpy(grown, memory, old_bytes);
    free(memory);
    return grown;
}

void hiera_probed_release(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

int hiera_file_move_up(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, 500);
    if (high >= 0)
        close(fd);
    return high >= 0 ? high : fd;
}

/* Linux before 6.10 gives up as soon as a signal comes, as a timer of the program may send them. */
int posix_fallocate(int fd, off_t from, off_t bytes)
{
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    return sigismember(&blocked, SIGALRM) == 1 ? ftruncate(fd, from + bytes) : EINTR;
}

static HieraProbeAnswer add(unsigned name, int64_t by)
{
    return hiera_shared_globals.update(NULL, name, "key", 3, HIERA_VALUE_INTEGER, '+', hiera_value_integer(by));
}

static int64_t value_of(unsigned name)
{
    char room[8];
    HieraValue value;
    HieraProbeAnswer answer = hiera_shared_globals.get(NULL, name, "key", 3, &value, room, sizeof room);
    return answer == HIERA_PROBE_DONE ? value.integer : -1;
}

static int64_t value_under(unsigned name)
{
    HieraValue value;
    return hiera_shared_globals.get(NULL, name, NULL, 0, &value, NULL, 0) == HIERA_PROBE_DONE ? value.integer : -1;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Run this in another process, and let it be killed if it comes back. */
static void in_child(void (*run)(void *argument), void *argument)
{
    pid_t pid = fork();
    int status;
    if (pid == 0) {
        run(argument);
        raise(SIGKILL);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
}

static void lock_table(void *table)
{
    hiera_shared_table_lock(table);
}

static void lock_key(void *key)
{
    CHECK(hiera_shared_globals.lock(NULL, key, strlen(key)) == HIERA_PROBE_DONE);
}

static void add_many(void *argument)
{
    (void)argument;
    for (int i = 0; i < 1000; i++)
        CHECK(add(1, 1) == HIERA_PROBE_DONE);
}

static void lock_in_vain(void *key)
{
    double begin = seconds();
    CHECK(hiera_shared_globals.lock(NULL, key, strlen(key)) == HIERA_PROBE_TIMED_OUT);
    hiera_shared_globals.unlock(NULL, key, strlen(key)); /* is not its own */
    CHECK(seconds() - begin > 0.39 && seconds() - begin < 4);
}

static bool init(void *table, size_t bytes)
{
    return hiera_shared_table_init(table, bytes);
}

static bool is_not_stale(const void *table, size_t bytes)
{
    (void)table;
    (void)bytes;
    return false;
}

static HieraSharedTable *map_again(uint64_t number)
{
    int error;
    return hiera_shared_file_map(number, hiera_settings.probe_shared, init, is_not_stale, &error);
}

/* --- one computer --- */

static void change_in_part(void *data)
{
    HieraSharedTable *table = data;
    hiera_shared_table_lock(table);
    table->changing = (uint32_t)(hiera_shared_table_find(table, 1, "a", 1, true) - table->entries) + 1;
}

static void a_dead_process_frees_the_table(void)
{
    uint64_t number = (uint64_t)getpid() << 32 | 7;
    HieraSharedTable *table = map_again(number), *other = map_again(number);
    hiera_shared_file_hide(number);
    CHECK(table && other && table != other && table->nonce == other->nonce);
    in_child(lock_table, other);
    CHECK(hiera_shared_table_lock(table) && hiera_shared_table_find(table, 1, "b", 1, true));
    hiera_shared_table_unlock(table);
    in_child(change_in_part, other);
    CHECK(hiera_shared_table_lock(table));
    CHECK(hiera_shared_table_find(other, 1, "a", 1, false)->is_incomplete && !hiera_shared_table_find(other, 1, "b", 1, false)->is_incomplete);
    hiera_shared_table_unlock(table);
    HieraSharedTable *later = map_again(number);
    hiera_shared_file_hide(number);
    CHECK(later && later->nonce != table->nonce && !hiera_shared_table_find(later, 1, "a", 1, false));
}

static bool take_lock(const char *key)
{
    return hiera_shared_globals.lock(NULL, key, strlen(key)) == HIERA_PROBE_DONE;
}

static void give_lock(const char *key)
{
    hiera_shared_globals.unlock(NULL, key, strlen(key));
}

static void a_dead_process_frees_its_locks(void)
{
    char key[] = "key";
    in_child(lock_key, key);
    CHECK(take_lock(key));
    in_child(lock_in_vain, key);
    give_lock(key);
    in_child(lock_key, key);
    CHECK(take_lock(key));
    give_lock(key);
    n_messages = 0;
    hiera_globals_report(script);
    hiera_globals_report(script);
    CHECK(n_messages == 1 && strstr(last_message, "global_lock"));
}

/* A zombie has its number still, and another thread may have that of one that has ended. */
static void a_zombie_frees_its_locks(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        CHECK(take_lock("zombie"));
        raise(SIGKILL);
    }
    siginfo_t info;
    CHECK(pid > 0 && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0 && kill(pid, 0) == 0);
    double begin = seconds();
    CHECK(take_lock("zombie") && seconds() - begin < 0.3);
    give_lock("zombie");
    waitpid(pid, NULL, 0);
    HieraOwner here = hiera_owner_here(), before = {here.process, here.thread, here.born - 1}, nobody = {here.process, 1 << 30, 1};
    CHECK(here.born > 0 && !hiera_owner_is_dead(&here) && hiera_owner_is_dead(&before) && hiera_owner_is_dead(&nobody));
}

static void map_another(void *number)
{
    hiera_job.id = *(uint64_t *)number;
    CHECK(hiera_globals_map() != 0);
}

static bool is_there(uint64_t number)
{
    uint64_t job = hiera_job.id;
    DIR *folder = opendir(hiera_shared_file_folder);
    char part[32];
    bool found = false;
    hiera_job.id = number;
    snprintf(part, sizeof part, "-%016llx-", (unsigned long long)hiera_globals_number());
    hiera_job.id = job;
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        found = found || (hiera_shared_file_is_of_here(entry->d_name) && strstr(entry->d_name, part));
    closedir(folder);
    return found;
}

/* A file that a job left that was killed in MPI_Init, and one that processes have. */
static void files_of_ended_jobs_are_removed(void)
{
    uint64_t number = hiera_job.id ^ 0x77;
    in_child(map_another, &number);
    CHECK(is_there(number));
    hiera_stale_files_remove();
    CHECK(!is_there(number));
    hiera_job.id ^= 0x99;
    CHECK(hiera_globals_map() != 0 && is_there(hiera_job.id));
    hiera_stale_files_remove();
    CHECK(is_there(hiera_job.id));
    hiera_shared_file_hide(hiera_globals_number());
}

static void map_and_set(void *number)
{
    hiera_globals_load();
    map_another(number);
    CHECK(hiera_globals_use_file() == 0 && add(1, 70) == HIERA_PROBE_DONE && value_of(1) == 70);
}

/* The launcher of the next job may have the same number. All its ranks come at once. */
static void a_job_does_not_take_the_file_of_one_before(void)
{
    enum { RANKS = 8 };
    uint64_t number = hiera_job.id ^ 0x55;
    pid_t pids[RANKS];
    int status;
    in_child(map_and_set, &number);
    CHECK(is_there(number));
    for (int i = 0; i < RANKS; i++)
        if ((pids[i] = fork()) == 0) {
            hiera_globals_load();
            map_another(&number);
            CHECK(hiera_globals_use_file() == 0 && add(1, 1) == HIERA_PROBE_DONE);
            for (double begin = seconds(); value_of(1) != RANKS && seconds() - begin < 3;)
                usleep(1000);
            _exit(value_of(1) != RANKS);
        }
    for (int i = 0; i < RANKS; i++)
        CHECK(waitpid(pids[i], &status, 0) == pids[i] && status == 0);
    hiera_stale_files_remove();
    CHECK(!is_there(number));
}

/* Who gives a lock back and wants it again comes behind who waits. Of twenty times, since who waits may not run just then. */
static void who_waits_is_next(void)
{
    unsigned n = 0;
    for (int i = 0; i < 20; i++) {
        int to[2];
        char byte;
        CHECK(pipe2(to, O_NONBLOCK) == 0 && take_lock("turn"));
        pid_t pid = fork();
        if (pid == 0) {
            CHECK(write(to[1], "a", 1) == 1 && take_lock("turn") && write(to[1], "b", 1) == 1);
            give_lock("turn");
            _exit(0);
        }
        while (read(to[0], &byte, 1) != 1)
            usleep(100);
        usleep(2000);
        give_lock("turn");
        CHECK(take_lock("turn"));
        n += read(to[0], &byte, 1) == 1;
        give_lock("turn");
        waitpid(pid, NULL, 0);
        close(to[0]);
        close(to[1]);
    }
    CHECK(n >= 5);
}

static void incomplete_values_are_named(void)
{
    const uint64_t one[] = {HIERA_VALUE_INTEGER, 1}, text[] = {HIERA_VALUE_TEXT | 1 << 8, 'a'};
    hiera_shared_globals.spoil(NULL, 0);
    hiera_shared_globals.spoil(NULL, 0);
    hiera_shared_globals.update(NULL, 1, text, sizeof text, HIERA_VALUE_INTEGER, '+', hiera_value_integer(1));
    HieraSharedTable *table = current_table();
    hiera_shared_table_find(table, 1, text, sizeof text, false)->is_incomplete = true;
    hiera_shared_table_find(table, HIERA_SHARED_LOCKS, one, sizeof one, true)->is_incomplete = true;
    n_messages = 0;
    hiera_globals_report(script);
    CHECK(n_messages == 1 && strstr(last_message, "#n") && strstr(last_message, "#d[\"a\"]") && strstr(last_message, "what global_lock(1) protects"));
    hiera_globals_report(script);
    CHECK(n_messages == 1);
}

/* Keys are refused when there is no room, and what is there stays. */
static void there_is_an_end_of_room(void)
{
    unsigned n = 0, most = current_table()->most_entries;
    while (n < 2 * most && hiera_shared_globals.update(NULL, 9, &n, sizeof n, HIERA_VALUE_INTEGER, '+', hiera_value_integer(1)) == HIERA_PROBE_DONE)
        n++;
    CHECK(n > most / 2 && n < most);
    CHECK(hiera_shared_globals.lock(NULL, "new", 3) == HIERA_PROBE_NO_ROOM);
    CHECK(add(1, 1) == HIERA_PROBE_DONE);
    for (size_t bytes = 1; bytes < SIZE_MAX / 2; bytes *= 3) {
        size_t good = hiera_shared_table_clamp(bytes);
        CHECK(good >= 65536 && good <= 1 << 30 && (bytes < 65536 || bytes > 1 << 30 || good == bytes));
    }
}

/* --- several computers: processes that ask a server --- */

static HieraServerPlace place;

/* On another computer a process has a table of its own before. */
static void become_client(void)
{
    hiera_globals_load();
    CHECK(hiera_globals_use_server(&place) == 0);
}

static void ask_much(void *argument)
{
    char text[HIERA_SHARED_TEXT];
    (void)argument;
    become_client();
    for (int i = 0; i < 500; i++) {
        CHECK(take_lock("counted"));
        CHECK(hiera_shared_globals.update(NULL, 5, NULL, 0, HIERA_VALUE_INTEGER, '\0', hiera_value_integer(value_under(5) + 1)) == HIERA_PROBE_DONE);
        give_lock("counted");
        CHECK(add(1, 1) == HIERA_PROBE_DONE);
    }
    memset(text, 'x', sizeof text);
    CHECK(hiera_shared_globals.update(NULL, 6, NULL, 0, HIERA_VALUE_TEXT, '\0', hiera_value_text(text, sizeof text)) == HIERA_PROBE_DONE);
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
    CHECK(hiera_shared_globals.get(NULL, 6, NULL, 0, &value, room, sizeof room) == HIERA_PROBE_DONE && value.length == sizeof room && room[4095] == 'x');
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
    hiera_globals_load();
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
    struct sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
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
    hiera_globals_load();
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
    hiera_globals_load();
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
    HieraReply reply = hiera_globals_client_ask(&(HieraQuestion){.kind = HIERA_ASK_GATHER, .name = (uint32_t)hiera_job.rank}, NULL, NULL, &room);
    CHECK(reply.answer == HIERA_PROBE_DONE && reply.text_bytes == (hiera_job.rank == 2 ? sizeof text : 0));
    CHECK(reply.text_bytes == 0 || (room.text[0] == 'p' && room.text[sizeof text - 1] == 'p'));
}

static HieraSharedTable *current_table(void)
{
    static HieraSharedTable *table;
    table = table ? table : map_again(hiera_globals_number());
    return table;
}

int main(void)
{
    static const char text[] = "BEGIN { #n = 1; #d['a'] = 1; }";
    char report[HIERA_PROBE_REPORT];
    int one = 1, two = 2;
    script = hiera_probe_script_parse("s", true, text, strlen(text), report);
    pthread_atfork(NULL, NULL, hiera_globals_in_child);
    hiera_globals_load();
    hiera_job = (HieraJob){.size = 2, .traced = 2, .id = (uint64_t)getpid()};
    CHECK(script && value_of(1) == -1 && add(1, 5) == HIERA_PROBE_DONE && value_of(1) == 5);
    CHECK(hiera_globals_map() == current_table()->nonce && hiera_globals_use_file() == 0);
    CHECK(value_of(1) == 5 && n_messages == 0);
    hiera_globals_settle();
    in_child(add_many, NULL);
    in_child(add_many, NULL);
    CHECK(value_of(1) == 2005);
    a_dead_process_frees_the_table();
    a_dead_process_frees_its_locks();
    a_zombie_frees_its_locks();
    who_waits_is_next();
    incomplete_values_are_named();
    with_server(kill_it);
    with_server(stop_it);
    CHECK(hiera_globals_be_server(8, &place) == 0 && place.port > 0 && place.n == 1);
    locks_of_clients_are_freed();
    in_child(ask_with_a_wrong_secret, NULL);
    CHECK(value_of(77) == -1);
    in_child(close_all, NULL);
    in_child(serve_many, NULL);
    threads_ask_in_turn();
    in_child(serve_without_close_range, NULL);
    in_child(publish_much, &one);
    in_child(publish_much, &two);
    there_is_an_end_of_room();
    files_of_ended_jobs_are_removed();
    a_job_does_not_take_the_file_of_one_before();
    return 0;
}
