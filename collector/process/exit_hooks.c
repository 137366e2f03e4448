/* Wrappers of exits that bypass destructors: _exit, _Exit, quick_exit. They write the buffers first.
 *
 * The dynamic linker finds these functions before libc's, for calls of the program and of its libraries. They may be
 * called in a signal handler, in a forked child, and in a child of vfork that shares the parent's memory: then the
 * state of the collector must not be touched. libc's functions are looked up when the library is loaded; if libc is
 * linked statically, it has no such functions to find. */
#include "exit_hooks.h"

#include "base/life.h"
#include "base/proc_maps.h"
#include "session.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
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
        hiera_session_end("quick_exit", HIERA_NO_VALUE, NULL, true);
}

/* Called before any code of the program, except constructors with a higher priority; leave() also works for calls of
 * these constructors. */
void hiera_exits_load(void)
{
    next_exit = (__typeof__(next_exit))dlsym(RTLD_NEXT, "_exit");
    at_quick_exit(on_quick_exit);
}

/* Return the name of the library that has the code at `address`; NULL if that is the program. Safe in a signal handler.
 */
static const char *library_of(const void *address)
{
    static HieraMapping mapping; /* static: the library's name in it must stay valid as long as the process lives */
    char *name = hiera_maps_find((uintptr_t)address, &mapping) ? strrchr(mapping.path, '/') : NULL;
    return name && strstr(name, ".so") ? name + 1 : NULL;
}

static _Noreturn void leave(int status, const void *caller)
{
    if (hiera_life.loaded && !is_child())
        hiera_session_end("_exit", status, library_of(caller), true);
    if (next_exit)
        next_exit(status);
    for (;;)
        syscall(SYS_exit_group, status);
}

HIERA_ENTRY _Noreturn void _exit(int status)
{
    leave(status, __builtin_return_address(0));
}

/* An alias of _exit: if it called _exit(), this library would be the caller that the trace names. */
HIERA_ENTRY _Noreturn void _Exit(int status) __attribute__((alias("_exit")));
