#include "attach.h"

#include "attach_listener.h"
#include "attach_message.h"
#include "base/safe_file.h"
#include "helper/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOMENT_NS = 10000000, MOMENTS_MAX = 100 };

static char folder[HIERA_ATTACH_PATH];
static char file[4096]; /* path of a file in the traces' folder; its content is the path of `folder` */
static struct sockaddr_un address;
static HieraAttachObey *obey;
/* This process's listening socket, or its connection to the process that listens; at most one is open. */
static HieraAttachEnd listening = HIERA_ATTACH_NONE, joined = HIERA_ATTACH_NONE;
static bool is_over, is_binding;

/* --- the folder with the socket, and the file that names it --- */

static int make_folder(void)
{
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return errno;
    return hiera_attach_is_private(folder) ? 0 : EACCES;
}

/* Write the path of `folder` into `file`. If `file` exists, another process of this host wrote the same path. */
static int name_folder(void)
{
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno == EEXIST ? 0 : errno;
    char line[HIERA_ATTACH_PATH + 1];
    int n = snprintf(line, sizeof line, "%s\n", folder);
    int error = hiera_file_write(fd, line, (size_t)n);
    close(fd);
    return error;
}

/* Write `file` again: a process that ended may have removed it just when this process began to listen. */
static void name_again(void)
{
    if (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST))
        name_folder();
}

/* Lock the folder for this process for a moment. @return  descriptor of the folder; -1 if another process has locked or
 * removed it */
static int lock_folder(void)
{
    struct stat locked, there;
    int fd = make_folder() == 0 ? open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (fd < 0)
        return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &locked) == 0 && stat(folder, &there) == 0 &&
        locked.st_ino == there.st_ino)
        return fd;
    close(fd);
    return -1;
}

/* --- one process listens, the others connect to it --- */

static int connect_to_listener(void)
{
    const struct timeval patience = {HIERA_ATTACH_PATIENCE_MS / 1000, 0};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Create the listening socket. An existing socket file is removed: nobody listens there, since its process was killed.
 */
static int bind_socket(void)
{
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    unlink(address.sun_path);
    if (fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
        chmod(address.sun_path, 0600) == 0 && listen(fd, SOMAXCONN) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static void begin_to_listen(void)
{
    int lock = lock_folder(), other = lock >= 0 ? connect_to_listener() : -1;
    int fd = lock >= 0 && other < 0 ? bind_socket() : -1;
    if (fd >= 0) {
        listening = hiera_attach_own(fd);
        name_folder();
    }
    if (other >= 0)
        close(other);
    if (lock >= 0)
        close(lock);
}

/* Try to become the listener. @return  whether this process listens now */
static bool try_to_listen(void)
{
    __atomic_store_n(&is_binding, true, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST))
        begin_to_listen();
    __atomic_store_n(&is_binding, false, __ATOMIC_SEQ_CST);
    return listening.fd >= 0;
}

static void follow_orders(void)
{
    static char text[HIERA_ATTACH_TEXT], reply[HIERA_ATTACH_TEXT];
    snprintf(text, sizeof text, HIERA_ATTACH_JOIN "%d\n", (int)getpid());
    if (!hiera_attach_is_of_user(&joined) || !hiera_attach_send(&joined, text))
        return;
    while (hiera_attach_receive(&joined, text, -1) > 0) {
        unsigned number;
        int at = 0;
        if (sscanf(text, HIERA_ATTACH_ORDER "%u%n", &number, &at) != 1 || text[at] != '\n')
            continue;
        int n = snprintf(reply, sizeof reply, HIERA_ATTACH_ORDER "%u\n", number);
        obey(text + at + 1, reply + n, sizeof reply - HIERA_ATTACH_FRAME);
        if (!hiera_attach_send(&joined, reply))
            return;
    }
}

/* Thread: join the listener, or become it if there is none. The listener may end at any time; then another process
 * takes over. */
static void *attend(void *nothing)
{
    for (unsigned moments = 1; !__atomic_load_n(&is_over, __ATOMIC_SEQ_CST);) {
        int fd = connect_to_listener();
        bool is_good = fd >= 0 || try_to_listen();
        if (fd >= 0) {
            joined = hiera_attach_own(fd);
            follow_orders();
            hiera_attach_close(&joined);
        } else if (is_good) {
            hiera_attach_listen(&listening, obey, name_again);
            hiera_attach_close(&listening);
        }
        moments = is_good ? 1 : moments < MOMENTS_MAX ? moments + 1 : moments;
        nanosleep(&(struct timespec){moments / 100, (long)(moments % 100) * MOMENT_NS}, NULL);
    }
    return nothing;
}

/* --- begin and end, called by the process --- */

int hiera_attach_begin(const char *traces, HieraAttachObey *by)
{
    obey = by;
    is_over = false; /* reset, since a child of fork inherits the value true from its parent */
    hiera_attach_folder(traces, folder);
    address.sun_family = AF_UNIX;
    snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", folder, HIERA_ATTACH_SOCKET);
    int error = hiera_attach_file(traces, file, sizeof file) ? make_folder() : ENAMETOOLONG;
    if (error == 0)
        error = name_folder();
    if (error == 0 && !hiera_helper_begin_thread(attend, NULL))
        error = EAGAIN;
    if (error != 0)
        hiera_attach_end();
    return error;
}

/* If try_to_listen() is just binding a socket, wait until the socket exists and can be removed; at most 200 ms. */
static void wait_for_binding(void)
{
    enum { MOMENTS = 200 };
    for (int i = 0; i < MOMENTS && __atomic_load_n(&is_binding, __ATOMIC_SEQ_CST); i++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
}

void hiera_attach_end(void)
{
    int saved_errno = errno;
    __atomic_store_n(&is_over, true, __ATOMIC_SEQ_CST);
    wait_for_binding();
    bool is_last = true;
    if (hiera_attach_is_ours(&listening)) {
        unlink(address.sun_path);
        hiera_attach_hang_up(&listening);
        is_last = !hiera_attach_listener_hang_up();
    }
    hiera_attach_hang_up(&joined);
    if (is_last && folder[0] && rmdir(folder) == 0 && file[0])
        unlink(file);
    errno = saved_errno;
}

void hiera_attach_in_child(void)
{
    is_over = true;
    folder[0] = '\0';
    hiera_attach_close(&listening);
    hiera_attach_close(&joined);
    hiera_attach_listener_in_child();
}
