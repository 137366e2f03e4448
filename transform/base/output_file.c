#include "output_file.h"
#include "hiera_trace.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODE_NEW    0666 /* permissions of new files, before the umask */
#define MODE_FOLDER 0777
#define MODE_BITS   07777

#define OPEN_FILES "/proc/self/fd"

static gboolean fail(const char *path, int reason, GError **error)
{
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_OUTPUT, "%s: cannot be written: %s",
                path ? path : "standard output", g_strerror(reason));
    return FALSE;
}

/* Follow symbolic links: the file that they point to is replaced, and the links stay. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);
    char *copy = g_strdup(real ? real : path);
    free(real);
    return copy;
}

/* Open a file without a name, so that a kill leaves no file behind. @return  -1: the file system has no such files */
static int open_nameless(const char *beside)
{
    g_autofree char *folder = g_path_get_dirname(beside);
    return access(OPEN_FILES, X_OK) == 0 ? open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, MODE_NEW) : -1;
}

static gboolean copy(int from, int to)
{
    char bytes[64 << 10];
    ssize_t n, written = 0;
    while ((n = read(from, bytes, sizeof bytes)) > 0 && written >= 0)
        for (ssize_t at = 0; at < n && written >= 0; at += written)
            written = write(to, bytes + at, (gsize)(n - at));
    return n == 0 && written >= 0;
}

/* Copy an open file to a new file. @return  0 or an errno */
static int copy_to_name(int fd, const char *name)
{
    struct stat status;
    int to = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, MODE_NEW);
    gboolean good = to >= 0 && fstat(fd, &status) == 0 && fchmod(to, status.st_mode & MODE_BITS) == 0 &&
                    lseek(fd, 0, SEEK_SET) == 0 && copy(fd, to);
    int reason = good ? 0 : errno;
    return to >= 0 && close(to) != 0 && good ? errno : reason;
}

/* Name a file that has none. A file system may support nameless files but not naming them later: then a copy is made.
 * @return  0 or an errno */
static int give_name(int fd, const char *name)
{
    g_autofree char *own = g_strdup_printf(OPEN_FILES "/%d", fd);
    unlink(name); /* remove the file that a killed process with the same process id has left */
    return linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : copy_to_name(fd, name);
}

static FILE *open_beside(HieraOutputFile *output, mode_t mode)
{
    output->beside = g_strdup_printf("%s.%d.tmp", output->path, (int)getpid());
    int fd = open_nameless(output->beside);
    output->nameless = fd >= 0;
    if (fd < 0)
        fd = open(output->beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, MODE_NEW);
    if (fd >= 0 && mode && fchmod(fd, mode) != 0) {
        close(fd);
        return NULL;
    }
    return fd >= 0 ? fdopen(fd, "w") : NULL;
}

static gboolean is_folder_closed(int reason)
{
    return reason == EACCES || reason == EPERM || reason == EROFS;
}

gboolean hiera_output_is_standard(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

gboolean hiera_output_folder_make(const char *path, GError **error)
{
    if (!hiera_output_is_standard(path))
        return g_mkdir_with_parents(path, MODE_FOLDER) == 0 || fail(path, errno, error);
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                "several files cannot go to standard output; name a folder for them");
    return FALSE;
}

gboolean hiera_output_file_open(HieraOutputFile *output, const char *path, GError **error)
{
    struct stat status;
    *output = (HieraOutputFile){.stream = stdout};
    if (hiera_output_is_standard(path))
        return TRUE;
    output->path = resolve(path);
    gboolean there = stat(output->path, &status) == 0;
    if (there && !S_ISREG(status.st_mode))
        output->stream = fopen(output->path, "we");
    else if (there && access(output->path, W_OK) != 0)
        output->stream = NULL;
    else
        output->stream = open_beside(output, there ? status.st_mode & MODE_BITS : 0);
    if (!output->stream && there && output->beside && is_folder_closed(errno)) {
        g_clear_pointer(&output->beside, g_free);
        output->stream = fopen(output->path, "we");
    }
    if (output->stream)
        return TRUE;
    fail(path, errno, error);
    g_clear_pointer(&output->path, g_free);
    g_clear_pointer(&output->beside, g_free);
    return FALSE;
}

/* Move the temporary file to the path. A file that is itself a mount point (as containers have them) cannot be
 * replaced by rename(), which then fails with EBUSY: its contents are overwritten instead. */
static gboolean put_in_place(const HieraOutputFile *output)
{
    if (rename(output->beside, output->path) == 0)
        return TRUE;
    if (errno != EBUSY)
        return FALSE;
    int from = open(output->beside, O_RDONLY | O_CLOEXEC), to = open(output->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    gboolean good = from >= 0 && to >= 0 && copy(from, to);
    int reason = errno;
    if (from >= 0)
        close(from);
    if (to >= 0 && close(to) != 0)
        good = FALSE;
    else
        errno = reason;
    unlink(output->beside);
    return good;
}

gboolean hiera_output_file_close(HieraOutputFile *output, gboolean good, GError **error)
{
    gboolean written = fflush(output->stream) == 0 && !ferror(output->stream);
    int reason = errno;
    if (good && written && output->nameless) {
        reason = give_name(fileno(output->stream), output->beside);
        written = reason == 0;
    }
    if (output->stream != stdout)
        written = fclose(output->stream) == 0 && written;
    if (good && written && output->beside && !put_in_place(output)) {
        reason = errno;
        written = FALSE;
    }
    if (good && !written)
        fail(output->path, reason, error);
    if (output->beside && !(good && written))
        unlink(output->beside);
    g_clear_pointer(&output->path, g_free);
    g_clear_pointer(&output->beside, g_free);
    return good && written;
}
