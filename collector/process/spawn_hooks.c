/* Wrappers of posix_spawn and posix_spawnp: programs that libhiera cannot be loaded into do not inherit the preload
 * (other_loader.h), as with exec (exec_hooks.c). Only in the shared library: libhiera.a is not preloaded, and a static
 * libc offers no way to find its own functions. */
#include "other_loader.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HIERA_ENTRY __attribute__((visibility("default")))

typedef int Spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const *,
                  char *const *);

/* Find the program `file` in the folders of PATH, as libc does. Returns false if it is in none. */
static bool find(const char *file, char path[PATH_MAX + NAME_MAX + 2])
{
    const char *folders = getenv("PATH"), *end;
    for (const char *at = folders ? folders : "/bin:/usr/bin"; !strchr(file, '/') && *at; at = *end ? end + 1 : end) {
        end = strchrnul(at, ':');
        if (end - at < PATH_MAX && strlen(file) <= NAME_MAX) {
            sprintf(path, "%.*s%s%s", (int)(end - at), at, end > at ? "/" : "", file);
            if (access(path, X_OK) == 0)
                return true;
        }
    }
    return false;
}

static int start(const char *name, const char *file, const char *path, pid_t *pid,
                 const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes, char *const *argv,
                 char *const *envp)
{
    int saved_errno = errno; /* restored below: posix_spawn returns its error, and does not set errno */
    Spawn *next = (Spawn *)dlsym(RTLD_NEXT, name);
    size_t bytes = hiera_other_loader_bytes(path, envp);
    errno = saved_errno;
    if (bytes > 0)
        envp = hiera_other_loader_environment(__builtin_alloca(bytes), envp);
    return next ? next(pid, file, actions, attributes, argv, envp) : ENOSYS;
}

HIERA_ENTRY int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                            const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    return start("posix_spawn", path, path, pid, actions, attributes, argv, envp);
}

HIERA_ENTRY int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                             const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    char path[PATH_MAX + NAME_MAX + 2];
    int saved_errno = errno;
    bool is_found = find(file, path);
    errno = saved_errno;
    return start("posix_spawnp", file, is_found ? path : file, pid, actions, attributes, argv, envp);
}
