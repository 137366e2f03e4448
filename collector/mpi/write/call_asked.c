#include "call_asked.h"

#include "memory/signal_safe_memory.h"

static size_t places_bytes(void)
{
    return hiera_mpi_call_count * sizeof(uint16_t);
}

/* Make sure that `asked` has room for one more element; false: there is no memory. */
static bool make_room(HieraCallMeter *known)
{
    uint32_t room = known->room ? 2 * known->room : 4;
    if (known->n < known->room)
        return true;
    HieraAsked *asked = hiera_memory_grow(known->asked, known->room * sizeof *asked, room * sizeof *asked);
    if (!asked)
        return false;
    known->asked = asked;
    known->room = room;
    return true;
}

static void begin(HieraCallMeter *known)
{
    known->asked[0] = (HieraAsked){.need = HIERA_METER_ALL};
    known->n = 1;
}

HieraCallMeter *hiera_call_meter_new(void)
{
    HieraCallMeter *known = hiera_memory_new(sizeof *known);
    if (!known)
        return NULL;
    known->places = hiera_memory_new(places_bytes());
    if (!known->places || !make_room(known)) {
        hiera_call_meter_free(known);
        return NULL;
    }
    begin(known);
    return known;
}

void hiera_call_meter_free(HieraCallMeter *known)
{
    if (!known)
        return;
    hiera_memory_free(known->places, places_bytes());
    hiera_memory_free(known->asked, known->room * sizeof *known->asked);
    hiera_memory_free(known, sizeof *known);
}

void hiera_call_meter_forget(HieraCallMeter *known)
{
    memset(known->places, 0, places_bytes());
    memset(known->comms, 0, sizeof known->comms);
    begin(known);
}

static HieraPlacedArgument argument_of(const HieraMpiCall *call, uint16_t number)
{
    return (HieraPlacedArgument){number, number == HIERA_NO_ARGUMENT ? 0 : call->arguments[number].offset};
}

/* Find the arguments that say how many bytes a receive is posted for, as hiera-transform finds them in traces. */
static void find_posted(HieraAsked *asked, const HieraMpiCall *call)
{
    bool sends_too = hiera_peer_argument(call, "rtype") != HIERA_NO_ARGUMENT;
    uint16_t count = hiera_peer_argument(call, sends_too ? "rcount" : "count");
    asked->count = argument_of(call, count);
    asked->is_wide = count != HIERA_NO_ARGUMENT && HIERA_ARGUMENT_IS_WIDE(call->arguments[count].kind);
    asked->type = argument_of(call, hiera_peer_argument(call, sends_too ? "rtype" : "type"));
    asked->request =
        argument_of(call, call->sets.started ? (uint16_t)__builtin_ctz(call->sets.started) : HIERA_NO_ARGUMENT);
    asked->partitions = argument_of(call, hiera_peer_argument(call, "partitions"));
    asked->is_simple =
        asked->count.offset != 0 && !asked->is_wide && asked->type.offset != 0 && asked->partitions.offset == 0;
}

static HieraAsked ask(HieraMeter *meter, unsigned number)
{
    const HieraMpiCall *call = &hiera_mpi_calls[number];
    uint32_t site = hiera_meter_site(meter, true, "", call->operation);
    HieraPeerArguments places = hiera_peer_arguments(call);
    HieraMeterNeed need = hiera_meter_need(meter, site, call->sets.requests != 0);
    bool receives = need == HIERA_METER_RECEIVES || need == HIERA_METER_POSTS;
    bool plain = hiera_meter_is_plain(meter, site);
    HieraAsked asked = {.site = site,
                        .need = (uint8_t)need,
                        .times = hiera_meter_needs_times(meter, site),
                        .posts = receives && hiera_meter_needs_posts(meter, site),
                        .plain = plain,
                        .remembers = hiera_meter_remembers(meter),
                        .who_matters = !plain || receives || need == HIERA_METER_SENDS,
                        .bytes = call->bytes,
                        .comm = argument_of(call, hiera_meter_has_comms(meter) ? places.comm : HIERA_NO_ARGUMENT),
                        .peer = argument_of(call, places.peer),
                        .source = argument_of(call, places.source),
                        .who = argument_of(call, receives ? places.source : places.peer)};
    asked.who_matters = asked.who_matters && asked.who.offset != 0;
    find_posted(&asked, call);
    return asked;
}

HieraAsked *hiera_asked_add(HieraMeter *meter, HieraCallMeter *known, unsigned number)
{
    if (!make_room(known)) {
        hiera_meter_lose(meter);
        return NULL;
    }
    known->asked[known->n] = ask(meter, number);
    known->places[number] = (uint16_t)known->n++;
    return hiera_asked_known(known, number);
}
