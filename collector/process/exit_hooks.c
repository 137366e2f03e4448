/* Wrappers of exits that bypass destructors: _exit, _Exit, quick_exit. They write the buffers first.
 *
 * The dynamic linker finds these functions before libc's, for calls of the program and of its libraries. They may be
 * called in a signal handler, in a forked child, and in a child of vfork that shares the parent's memory: then the
 * state of the collector must not be touched. libc's functions are looked up when the library is loaded; if libc is
 * linked statically, there are none. */
#include "exit_hooks.h"

#include "base/life.h"
#include "session.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HIERA_ENTRY __attribute__((visibility("default")))

static void (*next_exit)(int);

static bool is_child(void)
{
    return getpid() != hiera_life.pid;
}

static void on_quick_exit(void)
{
    if (!is_child())
        hiera_session_end("quick_exit", HIERA_NO_VALUE, true);
}

/* Called before any code of the program, except constructors with a higher priority; leave() works for those too. */
void hiera_exits_load(void)
{
    next_exit = (__typeof__(next_exit))dlsym(RTLD_NEXT, "_exit");
    at_quick_exit(on_quick_exit);
}

static _Noreturn void leave(int status)
{
    if (hiera_life.loaded && !is_child())
        hiera_session_end("_exit", status, true);
    if (next_exit)
        next_exit(status);
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
