#include "peer_arguments.h"

uint16_t hiera_peer_argument(const HieraMpiCall *call, const char *name)
{
    size_t n = strlen(name);
    for (uint16_t i = 0; i < call->n_arguments; i++) {
        const HieraArgument *argument =
            &call->arguments[i]; /* HieraArgument.begin is ` name="`: three bytes longer than the name */
        if (argument->offset != 0 && argument->begin_length == n + 3 && memcmp(argument->begin + 1, name, n) == 0)
            return i;
    }
    return HIERA_NO_ARGUMENT;
}

/* Return the index of the first of these names that is an argument of the call; HIERA_NO_ARGUMENT: none is. */
static uint16_t find_of(const HieraMpiCall *call, const char *const *names)
{
    uint16_t place = HIERA_NO_ARGUMENT;
    for (; *names && place == HIERA_NO_ARGUMENT; names++)
        place = hiera_peer_argument(call, *names);
    return place;
}

/* The argument `rank` is a peer only in calls on a window; the argument `tag` is a message tag only in other calls. */
HieraPeerArguments hiera_peer_arguments(const HieraMpiCall *call)
{
    static const char *const peers[] = {"dest", "root", "target_rank", NULL}, *const tags[] = {"stag", "tag", NULL},
                             *const objects[] = {"win", "fh", NULL};
    uint16_t window = hiera_peer_argument(call, "win");
    bool has_window = window != HIERA_NO_ARGUMENT;
    HieraPeerArguments found = {find_of(call, peers), hiera_peer_argument(call, "rem"),
                                hiera_peer_argument(call, "comm"), has_window ? HIERA_NO_ARGUMENT : find_of(call, tags),
                                find_of(call, objects)};
    if (found.peer == HIERA_NO_ARGUMENT && has_window)
        found.peer = hiera_peer_argument(call, "rank");
    return found;
}
