#include "attach_message.h"

#include "base/clock.h"
#include "base/safe_file.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

HieraAttachEnd hiera_attach_own(int fd)
{
    struct stat status;
    HieraAttachEnd end = {hiera_file_move_up(fd), 0};
    end.inode = fstat(end.fd, &status) == 0 ? status.st_ino : 0;
    return end;
}

bool hiera_attach_is_ours(const HieraAttachEnd *end)
{
    struct stat status;
    return end->fd >= 0 && fstat(end->fd, &status) == 0 && S_ISSOCK(status.st_mode) && status.st_ino == end->inode;
}

void hiera_attach_close(HieraAttachEnd *end)
{
    if (hiera_attach_is_ours(end))
        close(end->fd);
    end->fd = -1;
}

void hiera_attach_hang_up(const HieraAttachEnd *end)
{
    if (hiera_attach_is_ours(end))
        shutdown(end->fd, SHUT_RDWR);
}

bool hiera_attach_is_of_user(const HieraAttachEnd *end)
{
    struct ucred who;
    socklen_t length = sizeof who;
    return getsockopt(end->fd, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0 && (who.uid == geteuid() || who.uid == 0);
}

bool hiera_attach_send(const HieraAttachEnd *end, const char *text)
{
    size_t n = strlen(text);
    return hiera_attach_is_ours(end) && send(end->fd, text, n, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)n;
}

static int64_t now_ms(void)
{
    return (int64_t)(hiera_clock_monotonic_ns() / 1000000u);
}

ssize_t hiera_attach_receive(const HieraAttachEnd *end, char text[HIERA_ATTACH_TEXT], int64_t ms)
{
    int64_t until = now_ms() + ms;
    while (hiera_attach_is_ours(end)) {
        int64_t left = ms < 0 ? -1 : until - now_ms();
        struct pollfd wait = {end->fd, POLLIN, 0};
        int found = poll(&wait, 1, ms < 0 ? -1 : left > 0 ? (int)left : 0);
        if (found == 0 || (found < 0 && errno != EINTR))
            return -1;
        ssize_t n =
            found < 0 || !hiera_attach_is_ours(end) ? -1 : recv(end->fd, text, HIERA_ATTACH_TEXT - 1, MSG_DONTWAIT);
        if (n >= 0 || (found > 0 && errno == ECONNRESET)) {
            text[n > 0 ? n : 0] = '\0';
            return n > 0 ? n : 0;
        }
        if (found > 0 && errno != EAGAIN && errno != EINTR)
            return -1;
    }
    return 0;
}
