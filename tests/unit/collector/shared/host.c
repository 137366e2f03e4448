/* The host of what ranks share, and helpers of the tests. */
#include "shared.h"

#include "base/message.h"
#include "base/safe_file.h"
#include "job/job.h"
#include "probing/probed.h"
#include "probing/shared/shared_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

HieraSettings hiera_settings = {
    .probe = "", .probe_shared = 12 << 20, .probe_timeout_ns = 400000000, .probe_address = "127.0.0.1"};

int n_messages;
char last_message[1200];
HieraProbeScript *script;

void check(bool holds, const char *what, int line)
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

HieraProbeAnswer add(unsigned name, int64_t by)
{
    return hiera_shared_globals.update(NULL, name, "key", 3, HIERA_VALUE_INTEGER, '+', hiera_value_integer(by));
}

int64_t value_of(unsigned name)
{
    char room[8];
    HieraValue value;
    HieraProbeAnswer answer = hiera_shared_globals.get(NULL, name, "key", 3, &value, room, sizeof room);
    return answer == HIERA_PROBE_DONE ? value.integer : -1;
}

int64_t value_under(unsigned name)
{
    HieraValue value;
    return hiera_shared_globals.get(NULL, name, NULL, 0, &value, NULL, 0) == HIERA_PROBE_DONE ? value.integer : -1;
}

double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Run this in another process, and let it be killed if it comes back. */
void in_child(void (*run)(void *argument), void *argument)
{
    pid_t pid = fork();
    int status;
    if (pid == 0) {
        run(argument);
        raise(SIGKILL);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
}

bool take_lock(const char *key)
{
    return hiera_shared_globals.lock(NULL, key, strlen(key)) == HIERA_PROBE_DONE;
}

void give_lock(const char *key)
{
    hiera_shared_globals.unlock(NULL, key, strlen(key));
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

HieraSharedTable *map_again(uint64_t number)
{
    int error;
    return hiera_shared_file_map(number, hiera_settings.probe_shared, init, is_not_stale, &error);
}

HieraSharedTable *current_table(void)
{
    static HieraSharedTable *table;
    table = table ? table : map_again(hiera_globals_number());
    return table;
}
