/* See complete.h. The process loads the same libhiera as the killed one. If an address of the killed process's memory
 * is in use in this process, another process is tried, which has other addresses. */
#include "complete.h"

#include "dtd/container.h"
#include "dtd/kept.h"
#include "process/recover.h"
#include "stack.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { TRIES = 20, STATUS_AGAIN = 75 };

/* --- the child process that completes the trace --- */

static HieraKeptHeader header;

/* Return the name of the trace to print: its file name, or for a trace in a container the name that hiera-transform
 * uses. */
static const char *name_of(const HieraKeptHeader *of)
{
    static char text[PATH_MAX + 16];
    const char *slash = strrchr(of->trace, '/'), *name = slash ? slash + 1 : of->trace;
    size_t n = strlen(name), suffix = sizeof HIERA_CONTAINER_SUFFIX - 1;
    bool contains = n > suffix && strcmp(name + n - suffix, HIERA_CONTAINER_SUFFIX) == 0;
    snprintf(text, sizeof text, contains ? "%s#%d" : "%s", name, of->rank);
    return text;
}

static int say(const char *problem)
{
    fprintf(stderr, "hiera-recover: %s: %s\n", header.trace[0] ? header.trace : "a process", problem);
    return 1;
}

/* Print what has come of it. */
static void tell(const HieraRecovered *recovered, const char *copies)
{
    if (recovered->size > 0)
        printf(HIERA_LOOK_LINE, header.rank, recovered->size, (unsigned long long)recovered->until_ns,
               (unsigned long long)recovered->mpi_ns, (unsigned long long)recovered->longest_ns, recovered->is_partial,
               recovered->name[0] ? recovered->name : "-", recovered->site);
    else if (copies)
        printf(HIERA_LIVE_LINE, header.rank, (unsigned long long)recovered->until_ns);
    else
        printf("%s: complete, %llu operations more\n", name_of(&header), (unsigned long long)recovered->operations);
    fflush(stdout);
}

int hiera_complete_here(const char *how, const char *path, const char *copies)
{
    static char stack[8 << 10];
    bool lives = strcmp(how, "--copy") == 0, is_far = strcmp(how, "--far") == 0;
    HieraRecovered recovered;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0 || pread(file, &header, sizeof header, 0) != (ssize_t)sizeof header)
        return say(file < 0 ? strerror(errno) : "its file is damaged");
    if (!copies && flock(file, LOCK_EX | LOCK_NB) != 0)
        return say("another hiera-recover is at work on it");
    bool is_look = copies && strncmp(copies, HIERA_LOOK, strlen(HIERA_LOOK)) == 0;
    unsigned looks = is_look ? (unsigned)strtoul(copies + strlen(HIERA_LOOK), NULL, 10) + 1 : 0;
    if (lives && looks == 0)
        hiera_stack_describe((pid_t)header.process.pid, stack, sizeof stack);
    void *library = dlopen(header.library, RTLD_NOW | RTLD_GLOBAL);
    HieraRecoverStatus (*recover)(const HieraRecoverOrder *, HieraRecovered *) =
        library ? (HieraRecoverStatus(*)(const HieraRecoverOrder *, HieraRecovered *))(intptr_t)dlsym(library,
                                                                                                      "hiera_recover")
                : NULL;
    if (!recover)
        return say(dlerror());
    HieraRecoverStatus status = recover(&(HieraRecoverOrder){file, lives, is_far, copies, looks, stack}, &recovered);
    if (status == HIERA_RECOVER_AGAIN)
        _exit(STATUS_AGAIN);
    if (status == HIERA_RECOVER_FAILED)
        return say(recovered.report);
    tell(&recovered, copies);
    _exit(0); /* without exit handlers: the destructors of the loaded libraries have nothing to do */
}

/* --- the process that starts the child process --- */

static bool is_setting(const char *variable)
{
    return strncmp(variable, "HIERA_", 6) == 0 || strncmp(variable, "LD_PRELOAD=", 11) == 0 ||
           strncmp(variable, "LD_LIBRARY_PATH=", 16) == 0;
}

/* Set the environment variables that the killed process had. This process itself records nothing. */
static void set_environment(const HieraKeptHeader *of)
{
    char **to = environ;
    for (char **variable = environ; *variable; variable++)
        if (!is_setting(*variable))
            *to++ = *variable;
    *to = NULL;
    for (const char *at = of->settings; *at; at += strlen(at) + 1)
        putenv((char *)at);
    if (of->search[0])
        setenv("LD_LIBRARY_PATH", of->search, 1);
    setenv("HIERA_ENABLED", "0", 1);
    setenv("HIERA_QUIET", "1", 1);
}

static int run_once(const HieraKeptFound *found, const char *copies)
{
    bool is_far = copies && (!found->is_here || !found->is_known);
    const char *how = found->lives ? "--copy" : is_far ? "--far" : "--file";
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        set_environment(found->header);
        execl("/proc/self/exe", "hiera-recover", how, found->path, copies, (char *)NULL);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child < 0)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool hiera_complete(const HieraKeptFound *found, const char *copies)
{
    int status = STATUS_AGAIN;
    for (int i = 0; i < TRIES && (status == STATUS_AGAIN || (copies && status > 1)); i++)
        status = run_once(found, copies);
    if (status == STATUS_AGAIN || status > 1)
        fprintf(stderr, "hiera-recover: %s: %s\n", found->header->trace,
                status == STATUS_AGAIN ? "no process has room where its memory was"
                                       : "the process that completes it has failed");
    return status == 0;
}
