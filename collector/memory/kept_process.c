/* Reads identity and state of processes from /proc; safe in a signal handler. */
#include "kept_process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t read_file(const char *path, char *to, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, to, room - 1) : 0;
    if (fd >= 0)
        close(fd);
    to[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

/* Return the start time, 22nd field of a stat file, and set *state to the 3rd; the 2nd field may contain blanks. */
static uint64_t start_of(const char *path, char *state)
{
    char text[1024];
    *state = '\0';
    read_file(path, text, sizeof text);
    char *at = strrchr(text, ')');
    if (at && at[1] == ' ')
        *state = at[2];
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at, NULL, 10) : 0;
}

void hiera_kept_process_read(HieraKeptProcess *process)
{
    char state;
    struct stat space;
    process->pid = getpid();
    process->start = start_of("/proc/self/stat", &state);
    process->space = stat("/proc/self/ns/pid", &space) == 0 ? (uint64_t)space.st_ino : 0;
    read_file("/proc/sys/kernel/random/boot_id", process->boot, sizeof process->boot);
}

bool hiera_kept_process_is_known(const HieraKeptProcess *process)
{
    HieraKeptProcess own;
    hiera_kept_process_read(&own);
    return strcmp(own.boot, process->boot) != 0 || own.space == process->space;
}

void hiera_kept_process_name(char text[HIERA_PROCESS_TEXT], const HieraKeptProcess *process)
{
    text[0] = '\0';
    if (process->boot[0] && process->space != 0 && process->start != 0)
        snprintf(text, HIERA_PROCESS_TEXT, "%.*s/%llu/%llu", (int)strcspn(process->boot, "\n"), process->boot,
                 (unsigned long long)process->space, (unsigned long long)process->start);
}

bool hiera_kept_process_ask(const char *text, long long pid, bool *lives)
{
    char name[HIERA_PROCESS_TEXT], path[64], state;
    HieraKeptProcess process;
    hiera_kept_process_read(&process);
    snprintf(path, sizeof path, "/proc/%lld/stat", pid);
    hiera_kept_process_name(name, &process);
    const char *start = strrchr(name, '/');
    size_t n = start ? (size_t)(start - name) + 1 : 0;
    if (n == 0 || strncmp(text, name, n) != 0)
        return false;
    *lives = start_of(path, &state) == strtoull(text + n, NULL, 10) && state != 'Z' && state != 'X';
    return true;
}

bool hiera_kept_process_is_stopped(const HieraKeptProcess *process)
{
    char path[64], state;
    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)process->pid);
    return start_of(path, &state) == process->start && (state == 'T' || state == 't');
}

/* A zombie does not count as alive. */
bool hiera_kept_process_lives(const HieraKeptProcess *process)
{
    HieraKeptProcess own;
    char path[64], state;
    hiera_kept_process_read(&own);
    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)process->pid);
    if (strcmp(own.boot, process->boot) != 0 || own.space != process->space)
        return false;
    return start_of(path, &state) == process->start && state != 'Z' && state != 'X';
}
