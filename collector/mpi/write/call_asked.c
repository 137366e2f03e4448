/* See call_asked.h. */
#include "call_asked.h"

#include "base/signal_safe_memory.h"

HieraCallMeter *hiera_call_meter_new(void)
{
    return hiera_memory_new(sizeof(HieraCallMeter));
}

void hiera_call_meter_free(HieraCallMeter *known)
{
    if (known)
        hiera_memory_free(known->asked, known->room * sizeof *known->asked);
    hiera_memory_free(known, sizeof *known);
}

void hiera_call_meter_forget(HieraCallMeter *known)
{
    if (known->asked)
        memset(known->asked, 0, known->room * sizeof *known->asked);
    memset(known->comms, 0, sizeof known->comms);
    known->n = 0;
}

/* Keep at least half of the places empty: most functions are found at once. */
static bool make_place(HieraCallMeter *known)
{
    uint32_t old_room = known->room, room = old_room ? 2 * old_room : 8;
    HieraAsked *old = known->asked;
    if (2 * (known->n + 1) <= old_room)
        return true;
    HieraAsked *asked = hiera_memory_new(room * sizeof *asked);
    if (!asked)
        return false;
    known->asked = asked;
    known->room = room;
    for (uint32_t i = 0; i < old_room; i++)
        if (old[i].number != 0)
            *hiera_asked_place(known, old[i].number - 1u) = old[i];
    hiera_memory_free(old, old_room * sizeof *old);
    return true;
}

static HieraPlacedArgument argument_of(const HieraMpiCall *call, uint16_t number)
{
    return (HieraPlacedArgument){number, number == HIERA_NO_ARGUMENT ? 0 : call->arguments[number].offset};
}

/* Where a receive has for what it is posted. hiera-transform finds the same arguments in traces. */
static void find_posted(HieraAsked *asked, const HieraMpiCall *call)
{
    bool sends_too = hiera_peer_argument(call, "rtype") != HIERA_NO_ARGUMENT;
    uint16_t count = hiera_peer_argument(call, sends_too ? "rcount" : "count");
    asked->count = argument_of(call, count);
    asked->is_wide = count != HIERA_NO_ARGUMENT && HIERA_ARGUMENT_IS_WIDE(call->arguments[count].kind);
    asked->type = argument_of(call, hiera_peer_argument(call, sends_too ? "rtype" : "type"));
    asked->request = argument_of(call, call->sets.started ? (uint16_t)__builtin_ctz(call->sets.started) : HIERA_NO_ARGUMENT);
    asked->partitions = argument_of(call, hiera_peer_argument(call, "partitions"));
}

static HieraAsked ask(HieraMeter *meter, unsigned number)
{
    const HieraMpiCall *call = &hiera_mpi_calls[number];
    uint32_t site = hiera_meter_site(meter, true, "", call->operation);
    HieraPeerArguments places = hiera_peer_arguments(call);
    HieraMeterNeed need = hiera_meter_need(meter, site, call->sets.requests != 0);
    bool receives = need == HIERA_METER_RECEIVES || need == HIERA_METER_POSTS;
    bool plain = hiera_meter_is_plain(meter, site), comms = hiera_meter_has_comms(meter);
    HieraAsked asked = {.site = site,
                        .number = (uint16_t)(number + 1),
                        .need = (uint8_t)need,
                        .times = hiera_meter_needs_times(meter, site),
                        .posts = hiera_meter_needs_posts(meter, site),
                        .plain = plain,
                        .comms = comms,
                        .who_matters = !plain || receives || need == HIERA_METER_SENDS,
                        .bytes = call->bytes,
                        .comm = argument_of(call, comms ? places.comm : HIERA_NO_ARGUMENT),
                        .peer = argument_of(call, places.peer),
                        .source = argument_of(call, places.source),
                        .who = argument_of(call, receives ? places.source : places.peer)};
    find_posted(&asked, call);
    return asked;
}

HieraAsked *hiera_asked_add(HieraMeter *meter, HieraCallMeter *known, unsigned number)
{
    if (!make_place(known)) {
        hiera_meter_lose(meter);
        return NULL;
    }
    HieraAsked *place = hiera_asked_place(known, number);
    *place = ask(meter, number);
    known->n++;
    return place;
}
