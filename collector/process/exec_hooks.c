/* Wrappers of execve and its family: they write the buffers before another program replaces this one.
 *
 * The dynamic linker finds these functions before libc's, for calls of the program and of its libraries; posix_spawn,
 * system and popen use libc's own. They may be called in a signal handler, and in a child of vfork that shares the
 * parent's memory: then the state of the collector must not be touched. libc's functions are looked up when the library
 * is loaded. If libc is linked statically there are none: then the wrapper makes the system call. PATH is searched
 * here: what a program inherits depends on its file (other_loader.h). */
#include "exec_hooks.h"

#include "base/life.h"
#include "other_loader.h"
#include "session.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HIERA_ENTRY __attribute__((visibility("default")))

typedef char *const *Texts; /* arguments or environment; NULL ends the list */

static struct {
    int (*execve)(const char *, Texts, Texts);
    int (*execveat)(int, const char *, Texts, Texts, int);
    int (*fexecve)(int, Texts, Texts);
} next;

void hiera_exec_load(void)
{
    next.execve = (__typeof__(next.execve))dlsym(RTLD_NEXT, "execve");
    next.execveat = (__typeof__(next.execveat))dlsym(RTLD_NEXT, "execveat");
    next.fexecve = (__typeof__(next.fexecve))dlsym(RTLD_NEXT, "fexecve");
}

/* --- writing the trace before this program is replaced --- */

/* Write the buffers. Returns whether the trace now says that the process ends here; fail() undoes this if the other
 * program cannot be started. */
static bool begin(void)
{
    if (!hiera_life.loaded || getpid() != hiera_life.pid)
        return false;
    int saved_errno = errno;
    bool noted = hiera_session_note_end("exec", HIERA_NO_VALUE, NULL);
    hiera_session_write_carefully();
    errno = saved_errno;
    return noted;
}

static int fail(bool noted, int result)
{
    if (noted)
        hiera_session.end.cause = NULL;
    return result;
}

/* --- calling libc's functions, or the system calls --- */

/* If needed, replace `envp` by an environment on the caller's stack that fits the program at this path. */
#define FIT(envp, path)                                                                                                \
    size_t bytes = hiera_other_loader_bytes(path, envp);                                                               \
    if (bytes > 0)                                                                                                     \
    envp = hiera_other_loader_environment(__builtin_alloca(bytes), envp)

/* Return a path of the file that execveat() would find by `fd` and `path`. */
static const char *path_at(char to[PATH_MAX], int fd, const char *path)
{
    if (!path || path[0] == '/' || (fd == AT_FDCWD && path[0]))
        return path;
    return snprintf(to, PATH_MAX, "/proc/self/fd/%d%s%s", fd, path[0] ? "/" : "", path) < PATH_MAX ? to : "";
}

static int replace(const char *path, Texts argv, Texts envp)
{
    FIT(envp, path);
    return next.execve ? next.execve(path, argv, envp) : (int)syscall(SYS_execve, path, argv, envp);
}

static int replace_at(int fd, const char *path, Texts argv, Texts envp, int flags)
{
    char file[PATH_MAX];
    FIT(envp, path_at(file, fd, path));
    return next.execveat ? next.execveat(fd, path, argv, envp, flags)
                         : (int)syscall(SYS_execveat, fd, path, argv, envp, flags);
}

static int replace_by(int fd, Texts argv, Texts envp)
{
    char file[PATH_MAX];
    FIT(envp, path_at(file, fd, ""));
    if (next.fexecve)
        return next.fexecve(fd, argv, envp);
    errno = EINVAL;
    return fd < 0 || !argv || !envp ? -1 : (int)syscall(SYS_execveat, fd, "", argv, envp, AT_EMPTY_PATH);
}

/* Run the program at `path`. If the kernel does not accept the file as a program, run it as a shell script. */
static void try_path(const char *path, Texts argv, Texts envp)
{
    static char shell[] = "/bin/sh";
    size_t n = 0;
    replace(path, argv, envp);
    if (errno != ENOEXEC)
        return;
    while (argv[n])
        n++;
    char **script = __builtin_alloca((n + 3) * sizeof *script);
    script[0] = shell;
    script[1] = (char *)path;
    script[2] = NULL;
    for (size_t i = 1; i <= n; i++)
        script[i + 1] = argv[i];
    replace(shell, script, envp);
}

/* Whether after this error the search for a program goes on in the next folder of PATH. */
static bool is_elsewhere(int error)
{
    return error == EACCES || error == ENOENT || error == ENOTDIR || error == ESTALE || error == ENODEV ||
           error == ETIMEDOUT;
}

static int search(const char *file, Texts argv, Texts envp)
{
    char path[PATH_MAX + NAME_MAX + 2];
    const char *folders = getenv("PATH"), *end;
    size_t name_length = strlen(file);
    bool denied = false;
    errno = name_length == 0 ? ENOENT : ENAMETOOLONG;
    if (name_length == 0 || (!strchr(file, '/') && name_length > NAME_MAX))
        return -1;
    if (strchr(file, '/')) {
        try_path(file, argv, envp);
        return -1;
    }
    errno = ENOENT;
    for (const char *at = folders ? folders : "/bin:/usr/bin"; at; at = *end ? end + 1 : NULL) {
        end = strchrnul(at, ':');
        size_t n = (size_t)(end - at);
        if (n >= PATH_MAX)
            continue;
        memcpy(path, at, n);
        path[n] = '/';
        strcpy(path + n + (n > 0), file);
        try_path(path, argv, envp);
        denied = denied || errno == EACCES;
        if (!is_elsewhere(errno))
            return -1;
    }
    if (denied)
        errno = EACCES;
    return -1;
}

/* --- the wrappers of libc's functions --- */

HIERA_ENTRY int execve(const char *path, char *const argv[], char *const envp[])
{
    bool noted = begin();
    return fail(noted, replace(path, argv, envp));
}

HIERA_ENTRY int execv(const char *path, char *const argv[])
{
    bool noted = begin();
    return fail(noted, replace(path, argv, environ));
}

HIERA_ENTRY int execvp(const char *file, char *const argv[])
{
    bool noted = begin();
    return fail(noted, search(file, argv, environ));
}

HIERA_ENTRY int execvpe(const char *file, char *const argv[], char *const envp[])
{
    bool noted = begin();
    return fail(noted, search(file, argv, envp));
}

HIERA_ENTRY int fexecve(int fd, char *const argv[], char *const envp[])
{
    bool noted = begin();
    return fail(noted, replace_by(fd, argv, envp));
}

/* Declared here because older versions of libc do not declare it. */
int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags);

HIERA_ENTRY int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags)
{
    bool noted = begin();
    return fail(noted, replace_at(fd, path, argv, envp, flags));
}

/* Return the size in bytes of an array of `first`, the texts in `list`, and NULL. */
static size_t bytes_of(const char *first, va_list *list)
{
    size_t n = 1;
    for (const char *text = first; text; text = va_arg(*list, const char *))
        n++;
    return n * sizeof first;
}

/* Fill the array with `first`, the texts in `list`, and NULL. */
static void fill(char **argv, const char *first, va_list *list)
{
    *argv = (char *)first;
    while (*argv)
        *++argv = va_arg(*list, char *);
}

/* Make the array `argv` on the stack, not by malloc. Afterwards `list` is at the argument behind NULL. */
#define COLLECT(argv, first, list)                                                                                     \
    va_list list;                                                                                                      \
    va_start(list, first);                                                                                             \
    char **argv = __builtin_alloca(bytes_of(first, &list));                                                            \
    va_end(list);                                                                                                      \
    va_start(list, first);                                                                                             \
    fill(argv, first, &list)

HIERA_ENTRY int execl(const char *path, const char *first, ...)
{
    COLLECT(argv, first, list);
    va_end(list);
    bool noted = begin();
    return fail(noted, replace(path, argv, environ));
}

HIERA_ENTRY int execle(const char *path, const char *first, ...)
{
    COLLECT(argv, first, list);
    Texts envp = va_arg(list, Texts);
    va_end(list);
    bool noted = begin();
    return fail(noted, replace(path, argv, envp));
}

HIERA_ENTRY int execlp(const char *file, const char *first, ...)
{
    COLLECT(argv, first, list);
    va_end(list);
    bool noted = begin();
    return fail(noted, search(file, argv, environ));
}
