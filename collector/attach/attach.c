/* See attach.h. One connection at a time: a text of lines that an empty one ends, and a reply that ends likewise. */
#include "attach.h"

#include "attach_place.h"
#include "base/safe_file.h"
#include "helper/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int listening = -1;
static ino_t inode; /* of it: the program may close descriptors that it did not open */
static char folder[HIERA_ATTACH_PATH];
static char file[4096]; /* that names the folder */
static struct sockaddr_un address;
static HieraAttachObey *obey;

static bool is_ours(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode) && status.st_ino == inode;
}

/* --- one connection --- */

static bool is_of_user(int fd)
{
    struct ucred who;
    socklen_t length = sizeof who;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0 && (who.uid == geteuid() || who.uid == 0);
}

/* @return  whether the text is complete */
static bool read_lines(int fd, char text[HIERA_ATTACH_TEXT])
{
    size_t n = 0;
    while (n < HIERA_ATTACH_TEXT - 1) {
        ssize_t got = recv(fd, text + n, HIERA_ATTACH_TEXT - 1 - n, 0);
        if (got <= 0)
            return false;
        n += (size_t)got;
        text[n] = '\0';
        if (strcmp(text, "\n") == 0 || (n > 1 && strcmp(text + n - 2, "\n\n") == 0))
            return true;
    }
    return false;
}

static void answer(int fd)
{
    static char text[HIERA_ATTACH_TEXT], reply[HIERA_ATTACH_TEXT];
    const struct timeval patience = {2, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (!is_of_user(fd) || !read_lines(fd, text))
        return;
    reply[0] = '\0';
    obey(text, reply, sizeof reply - 1);
    strcat(reply, "\n"); /* a child of fork may hold the connection open, so its end would not be seen */
    for (size_t sent = 0, n = strlen(reply); sent < n;) {
        ssize_t put = send(fd, reply + sent, n - sent, MSG_NOSIGNAL);
        if (put <= 0)
            return;
        sent += (size_t)put;
    }
}

static void *wait_for_others(void *nothing)
{
    struct pollfd one = {listening, POLLIN, 0};
    while (poll(&one, 1, -1) > 0 && is_ours(listening)) {
        int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0) { /* perhaps the program has as many descriptors as it may */
            nanosleep(&(struct timespec){0, 100000000}, NULL);
            continue;
        }
        fd = hiera_file_move_up(fd);
        answer(fd);
        if (is_ours(listening)) /* else it may be that the program has closed both, and has others of these numbers */
            close(fd);
    }
    return nothing;
}

/* --- from begin to end --- */

static int open_socket(void)
{
    struct stat status;
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return -1;
    if (!hiera_attach_is_private(folder)) {
        errno = EACCES;
        return -1;
    }
    address.sun_family = AF_UNIX;
    snprintf(address.sun_path, sizeof address.sun_path, "%s/%d%s", folder, (int)getpid(), HIERA_ATTACH_SOCKET);
    unlink(address.sun_path); /* of an earlier process with this number */
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (bind(fd, (const struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 8) != 0) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    fd = hiera_file_move_up(fd);
    inode = fstat(fd, &status) == 0 ? status.st_ino : 0;
    return fd;
}

/* All processes of a host would write the same. */
static int name_folder(const char *traces)
{
    int error = 0;
    if (!hiera_attach_file(traces, file, sizeof file))
        return ENAMETOOLONG;
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno == EEXIST ? 0 : errno;
    char line[HIERA_ATTACH_PATH + 1];
    int n = snprintf(line, sizeof line, "%s\n", folder);
    error = hiera_file_write(fd, line, (size_t)n);
    close(fd);
    return error;
}

static void close_socket(void)
{
    if (listening >= 0 && is_ours(listening))
        close(listening);
    listening = -1;
}

int hiera_attach_begin(const char *traces, HieraAttachObey *by)
{
    obey = by;
    hiera_attach_folder(traces, folder);
    listening = open_socket();
    int error = listening < 0 ? errno : name_folder(traces);
    if (error == 0 && !hiera_helper_begin_thread(wait_for_others, NULL))
        error = EAGAIN;
    if (error != 0) {
        hiera_attach_end();
        close_socket();
    }
    return error;
}

void hiera_attach_end(void)
{
    int saved_errno = errno;
    if (listening >= 0) {
        unlink(address.sun_path);
        if (rmdir(folder) == 0 && file[0])
            unlink(file);
    }
    errno = saved_errno;
}

void hiera_attach_in_child(void)
{
    close_socket();
}
