/* See alive.h. A process is identified by its start time, which the kernel gives in clock ticks since boot. */
#include "alive.h"
#include "xml/container.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIELDS_BEFORE_START 20 /* blanks in /proc/PID/stat from ')' behind the name to the start time */
#define BOOT_ID             "/proc/sys/kernel/random/boot_id"

gboolean hiera_alive_is_here(const char *host)
{
    char name[256] = "";
    return *host && gethostname(name, sizeof name - 1) == 0 && strcmp(name, host) == 0;
}

/* Return the start time of a process in clock ticks since boot; 0 if there is no such process, or it is a zombie. */
static guint64 find_start(gint64 pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%" G_GINT64_FORMAT "/stat", pid), *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return 0;
    char *at = strrchr(text, ')'); /* end of the process's name, which may contain spaces and parentheses */
    if (!at || strlen(at) < 4 || at[2] == 'Z')
        return 0;
    for (guint i = 0; at && i < FIELDS_BEFORE_START; i++)
        at = strchr(at + 1, ' ');
    return at ? g_ascii_strtoull(at, NULL, 10) : 0;
}

/* Return the prefix "BOOT/SPACE/" of identities of processes whose ids are valid here; NULL: there is no /proc. */
static char *name_space(void)
{
    g_autofree char *boot = NULL;
    struct stat space;
    if (!g_file_get_contents(BOOT_ID, &boot, NULL, NULL) || stat("/proc/self/ns/pid", &space) != 0)
        return NULL;
    return g_strdup_printf("%s/%" G_GUINT64_FORMAT "/", g_strstrip(boot), (guint64)space.st_ino);
}

/* Whether a process locks a trace file, or the container in which the trace is. */
static gboolean is_locked(const char *path)
{
    guint32 rank;
    g_autofree char *container = hiera_container_find(path, &rank);
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open(container ? container : path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    gboolean locked = fd >= 0 && fcntl(fd, F_OFD_GETLK, &all) == 0 && all.l_type != F_UNLCK;
    if (fd >= 0)
        close(fd);
    return locked;
}

gboolean hiera_alive_check(const char *process, gint64 pid, const char *path)
{
    g_autofree char *space = name_space();
    if (pid <= 0)
        return FALSE;
    if (!space || !g_str_has_prefix(process, space))
        return is_locked(path);
    guint64 start = find_start(pid);
    return start != 0 && start == g_ascii_strtoull(process + strlen(space), NULL, 10);
}
