/* Ends of the process that no destructor sees: _exit, _Exit, quick_exit, and another program in its place.
 *
 * Ours stand before libc's for the program's calls and those of its libraries. They may be called in a signal handler,
 * in a forked child, and in a child of vfork that shares the parent's memory: there nothing of ours may be touched, so
 * what comes next is looked up when the library is loaded. execl and its like, and fexecve, are libc's own. */
#include "session.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HIERA_ENTRY __attribute__((visibility("default")))

static struct {
    void (*exit)(int);
    int (*execve)(const char *, char *const[], char *const[]);
    int (*execv)(const char *, char *const[]);
    int (*execvp)(const char *, char *const[]);
    int (*execvpe)(const char *, char *const[], char *const[]);
} next;

static bool is_child(void)
{
    return getpid() != hiera_session.pid;
}

static void on_quick_exit(void)
{
    if (!is_child())
        hiera_session_end("quick_exit", HIERA_NO_VALUE, true);
}

/* Before anything of the program runs; a constructor that is earlier still finds what it needs by itself. */
void hiera_exits_load(void)
{
    next.exit = (__typeof__(next.exit))dlsym(RTLD_NEXT, "_exit");
    next.execve = (__typeof__(next.execve))dlsym(RTLD_NEXT, "execve");
    next.execv = (__typeof__(next.execv))dlsym(RTLD_NEXT, "execv");
    next.execvp = (__typeof__(next.execvp))dlsym(RTLD_NEXT, "execvp");
    next.execvpe = (__typeof__(next.execvpe))dlsym(RTLD_NEXT, "execvpe");
    at_quick_exit(on_quick_exit);
}

static _Noreturn void leave(int status)
{
    if (hiera_session.loaded && !is_child())
        hiera_session_end("_exit", status, true);
    if (next.exit)
        next.exit(status);
    for (;;)
        syscall(SYS_exit_group, status);
}

HIERA_ENTRY _Noreturn void _exit(int status)
{
    leave(status);
}

HIERA_ENTRY _Noreturn void _Exit(int status)
{
    leave(status);
}

/* The other program may not be there: then this one goes on. */
static bool before_exec(void)
{
    hiera_session_load();
    if (is_child())
        return false;
    int saved_errno = errno;
    bool noted = hiera_session_note_end("exec", HIERA_NO_VALUE, NULL);
    hiera_session_write_carefully();
    errno = saved_errno;
    return noted;
}

static int after_exec(bool noted, int result)
{
    if (noted)
        hiera_session.end.cause = NULL;
    return result;
}

HIERA_ENTRY int execve(const char *path, char *const argv[], char *const envp[])
{
    bool noted = before_exec();
    return after_exec(noted, next.execve(path, argv, envp));
}

HIERA_ENTRY int execv(const char *path, char *const argv[])
{
    bool noted = before_exec();
    return after_exec(noted, next.execv(path, argv));
}

HIERA_ENTRY int execvp(const char *file, char *const argv[])
{
    bool noted = before_exec();
    return after_exec(noted, next.execvp(file, argv));
}

HIERA_ENTRY int execvpe(const char *file, char *const argv[], char *const envp[])
{
    bool noted = before_exec();
    return after_exec(noted, next.execvpe(file, argv, envp));
}
