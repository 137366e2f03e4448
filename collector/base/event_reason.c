/* Errors of perf_event_open() in words for users. */
#include "event_group.h"
#include "message.h"

#include <errno.h>

const char *hiera_events_reason(int error)
{
    switch (error) {
    case EACCES:
    case EPERM:
        return "not allowed here (see /proc/sys/kernel/perf_event_paranoid; containers may forbid it too)";
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        return "this machine has no such counter (virtual machines often have none)";
    case EINVAL:
    case ENOSPC:
        return "the processor cannot count so many events together";
    case ENOSYS:
        return "this kernel counts no events";
    case EMFILE:
    case ENFILE:
        return "too few descriptors are left";
    default:
        return hiera_message_of(error);
    }
}
