/* See owner.h. In /proc/PID/task/TID/stat, state and start time of a thread are fields behind the thread's name. */
#include "owner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STAT_BYTES = 1024, FIELDS_TO_BIRTH = 20 /* number of fields from the name to the start time */ };

static __thread HieraOwner own __attribute__((tls_model("initial-exec")));

/* Read state and start time of a thread; both stay unchanged if that fails. @return  false: there is no such thread */
static bool read_stat(int32_t process, int32_t thread, char *state, uint64_t *born)
{
    char path[64], text[STAT_BYTES];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)process, (int)thread);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno != ENOENT;
    ssize_t n = read(fd, text, sizeof text - 1);
    bool is_there = n >= 0 || errno != ESRCH; /* ESRCH: the thread has ended since its file was opened */
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strrchr(text, ')');
    if (!at || at[1] != ' ' || at[2] == '\0')
        return is_there;
    *state = at[2];
    for (unsigned i = 0; at && i < FIELDS_TO_BIRTH; i++)
        at = strchr(at + 1, ' ');
    if (at)
        *born = strtoull(at + 1, NULL, 10);
    return is_there;
}

HieraOwner hiera_owner_here(void)
{
    char state = 0;
    if (own.process == 0) {
        own = (HieraOwner){(int32_t)getpid(), (int32_t)syscall(SYS_gettid), 0};
        if (!read_stat(own.process, own.thread, &state, &own.born))
            own.born = 0; /* unknown, since there is no /proc */
    }
    return own;
}

void hiera_owner_in_child(void)
{
    own.process = 0;
}

bool hiera_owner_is(const HieraOwner *owner, const HieraOwner *other)
{
    return owner->process == other->process && owner->thread == other->thread && owner->born == other->born;
}

bool hiera_owner_is_dead(const HieraOwner *owner)
{
    char state = 0;
    uint64_t born = owner->born;
    if (owner->born == 0)
        return kill(owner->process, 0) != 0 && errno == ESRCH;
    return !read_stat(owner->process, owner->thread, &state, &born) || born != owner->born || state == 'Z' ||
           state == 'X';
}
