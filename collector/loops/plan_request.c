#include "plan_request.h"

#include "base/message.h"
#include "text/nesting.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 4096, PATIENCE_MS = 60000 };

extern char **environ;

/* Path of hiera-image: beside libhiera in the build folder, or where it is installed; else its name, for PATH. */
static const char *find_program_of_plans(char *path, size_t room)
{
    static const char *const places[] = {"/../image/hiera-image", "/../bin/hiera-image", "/../../bin/hiera-image"};
    Dl_info self;
    if (dladdr((void *)(uintptr_t)hiera_plan_request, &self) != 0 && self.dli_fname) {
        const char *slash = strrchr(self.dli_fname, '/');
        int length = slash ? (int)(slash - self.dli_fname) : 0;
        for (size_t i = 0; slash && i < sizeof places / sizeof places[0]; i++)
            if (snprintf(path, room, "%.*s%s", length, self.dli_fname, places[i]) < (int)room &&
                access(path, X_OK) == 0)
                return path;
    }
    return "hiera-image";
}

static char **copy_environment(void)
{
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **copy = calloc(n + 1, sizeof *copy);
    for (size_t i = 0; copy && i < n; i++)
        /* hiera-image must neither be recorded by Hiera nor load libraries that are preloaded here. */
        if (strncmp(environ[i], "HIERA_", 6) != 0 && strncmp(environ[i], "LD_PRELOAD=", 11) != 0)
            copy[kept++] = environ[i];
    return copy;
}

/* Split the list into arguments "--plan", NAME. Commas in brackets belong to names of C++. @return  number of arguments
 */
static size_t add_functions(char *functions, const char **arguments, size_t n)
{
    int depth = 0;
    char *begin = functions;
    for (char *at = functions;; at++) {
        bool is_end = *at == '\0', is_cut = is_end || (*at == ',' && depth == 0);
        depth += hiera_nesting(*at, "()<>");
        if (!is_cut)
            continue;
        *at = '\0';
        if (*begin && n + 4 < ARGUMENTS_MAX) {
            arguments[n++] = "--plan";
            arguments[n++] = begin;
        }
        begin = at + 1;
        if (is_end)
            return n;
    }
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Read the plans until end of file. @return  false if that takes too long, on an error, or without memory */
static bool read_all(int from, HieraPlans *plans)
{
    size_t room = 0;
    int64_t until = now_ms() + PATIENCE_MS;
    for (;;) {
        struct pollfd wait = {.fd = from, .events = POLLIN};
        int64_t left = until - now_ms();
        if (room - plans->n < 65536) {
            char *more = realloc(plans->bytes, room = 2 * room + 65536);
            if (!more)
                return false;
            plans->bytes = more;
        }
        if (left <= 0 || (poll(&wait, 1, (int)left) == 0))
            return false;
        ssize_t n = read(from, plans->bytes + plans->n, room - plans->n);
        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
        plans->n += n > 0 ? (size_t)n : 0;
    }
}

typedef struct Start {
    const char *program;
    char *const *arguments, *const *environment;
    int to;        /* pipe's write end, for the program's standard output */
    pid_t process; /* pid of the started process; 0: it could not be started */
} Start;

static int spawn(void *data)
{
    Start *start = data;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, start->to, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK); /* callers may block all signals */
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    if (posix_spawnp(&start->process, start->program, &actions, &attributes, start->arguments, start->environment) != 0)
        start->process = 0;
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return 0;
}

/* Start the process so that the program does not notice it, neither by SIGCHLD nor by its own wait(): another process
 * starts it, ends at once and raises no signal; then init waits for it. */
static void spawn_aside(Start *start)
{
    enum { STACK = 256 << 10 };
    char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        return;
    pid_t aside = clone(spawn, stack + STACK, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_UNTRACED, start);
    while (aside > 0 && waitpid(aside, NULL, __WALL) < 0 && errno == EINTR)
        continue;
    munmap(stack, STACK);
}

/* Start hiera-image with a pipe as standard output; *from: its read end. @return  the pid; 0: failure */
static pid_t start(char *const *arguments, char *const *environment, int *from)
{
    char path[PATH_MAX];
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    Start start = {find_program_of_plans(path, sizeof path), arguments, environment, ends[1], 0};
    spawn_aside(&start);
    close(ends[1]);
    *from = ends[0];
    if (start.process == 0)
        close(ends[0]);
    return start.process;
}

HieraPlans hiera_plan_request(const char *functions, char *const *files)
{
    HieraPlans plans = {.bytes = NULL};
    const char **arguments = calloc(ARGUMENTS_MAX + 1, sizeof *arguments);
    char **environment = copy_environment(), *names = strdup(functions);
    int from = -1;
    pid_t process = 0;
    if (arguments && environment && names) {
        size_t n = 0;
        arguments[n++] = "hiera-image";
        n = add_functions(names, arguments, n);
        for (size_t i = 0; files[i] && n < ARGUMENTS_MAX; i++)
            arguments[n++] = files[i];
        process = start((char *const *)(uintptr_t)arguments, environment, &from);
    }
    if (process == 0) {
        plans.problem = "hiera-image cannot be started; it must be beside libhiera or in PATH (meson setup "
                        "-Dimage=enabled builds it)";
    } else {
        bool good = read_all(from, &plans);
        close(from);
        if (!good)
            kill(process, SIGKILL);
        if (!good)
            plans.problem = "hiera-image takes more than a minute";
        else if (plans.n == 0)
            plans.problem = "hiera-image could not read the program";
    }
    free(arguments);
    free(environment);
    free(names);
    return plans;
}
