#include "message_order.h"

#include "item_map.h"

typedef struct Channel {
    HieraItemKey key; /* a: direction and communicator; b: peer and tag */
    uint64_t count;
} Channel;

/* What is known about the messages of one direction (sends or receives) on a communicator. */
typedef struct Comm {
    HieraItemKey key;
    uint32_t wildcards; /* number of posted wildcard receives that are not complete */
    unsigned thread; /* 1 + number of the only thread that has used the communicator in this direction; 0: none yet */
    bool is_lost;
} Comm;

enum { SENDS = 1, RECEIVES = 2 };

static HieraItemMap channels = {.item_bytes = sizeof(Channel)}, comms = {.item_bytes = sizeof(Comm)};

static Comm *comm_of(unsigned direction, uint32_t comm)
{
    return hiera_item_make(&comms, (HieraItemKey){(uint64_t)direction << 32 | comm, 0});
}

static uint64_t count(unsigned direction, uint32_t comm, int32_t peer, int32_t tag)
{
    HieraItemKey key = {(uint64_t)direction << 32 | comm, (uint64_t)(uint32_t)peer << 32 | (uint32_t)tag};
    Channel *channel = hiera_item_make(&channels, key);
    Comm *lost = channel ? NULL : comm_of(direction, comm);
    if (lost)
        lost->is_lost = true;
    return channel ? ++channel->count : 0;
}

static Comm *use(unsigned direction, uint32_t number, unsigned thread)
{
    Comm *comm = comm_of(direction, number);
    if (!comm)
        return NULL;
    comm->is_lost = comm->is_lost || (comm->thread != 0 && comm->thread != thread + 1);
    comm->thread = thread + 1;
    return comm->is_lost ? NULL : comm;
}

uint64_t hiera_order_send(uint32_t comm, int32_t target, int32_t tag, unsigned thread)
{
    return use(SENDS, comm, thread) ? count(SENDS, comm, target, tag) : 0;
}

/* Note a posted receive; return its communicator. NULL: order unknown, as an earlier wildcard receive is incomplete. */
static Comm *post(uint32_t number, unsigned thread)
{
    Comm *comm = use(RECEIVES, number, thread);
    if (comm && comm->wildcards > 0)
        comm->is_lost = true;
    return comm && !comm->is_lost ? comm : NULL;
}

uint64_t hiera_order_receive(uint32_t comm, int32_t source, int32_t tag, unsigned thread)
{
    return post(comm, thread) ? count(RECEIVES, comm, source, tag) : 0;
}

void hiera_order_post_wildcard(uint32_t number, unsigned thread)
{
    Comm *comm = post(number, thread);
    if (comm)
        comm->wildcards++;
}

uint64_t hiera_order_end_wildcard(uint32_t number, int32_t source, int32_t tag)
{
    Comm *comm = comm_of(RECEIVES, number);
    if (!comm || comm->is_lost)
        return 0;
    comm->wildcards -= comm->wildcards > 0;
    return count(RECEIVES, number, source, tag);
}

void hiera_order_lose(uint32_t number)
{
    Comm *comm = comm_of(RECEIVES, number);
    if (comm)
        comm->is_lost = true;
}
