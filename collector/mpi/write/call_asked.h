/* Facts that a meter of assertions needs about each MPI function that its thread has called, found once. */
#pragma once

#include "assertions/meter/meter.h"
#include "mpi/call/peer_arguments.h"
#include "write/level_ops.h"

/* An argument that is in the fixed part of a record. */
typedef struct HieraPlacedArgument {
    uint16_t number; /* index of the argument; HIERA_NO_ARGUMENT: there is none */
    uint16_t offset; /* offset in the record */
} HieraPlacedArgument;

typedef struct HieraAsked {
    uint32_t site;        /* number of the function in the meter */
    uint8_t need;         /* HieraMeterNeed */
    bool times : 1;       /* durations are needed */
    bool posts : 1;       /* the sizes of receives, as they are posted, are needed */
    bool plain : 1;       /* neither communicators nor peers are needed */
    bool remembers : 1;   /* receives are remembered until they are completed */
    bool who_matters : 1; /* `who` is needed, and there is one */
    bool is_wide : 1;     /* `count` has 8 bytes */
    bool is_simple : 1;   /* `count` has 4 bytes, and there are no partitions */
    uint16_t bytes;       /* size of the fixed part of a record */
    HieraPlacedArgument comm, peer, source;
    HieraPlacedArgument who;                     /* the one of `peer` and `source` by which the calls are counted */
    HieraPlacedArgument count, type, partitions; /* size for which a receive is posted */
    HieraPlacedArgument request;                 /* request that the call starts */
    int64_t last_who;                            /* the peer and communicator of the call reported last, */
    uint32_t last_comm;
    uint32_t last_part; /* part of the site in the meter for the last call; 0: none */
} HieraAsked;

/* A communicator, and its number in the meter. */
typedef struct HieraSeenComm {
    uint32_t comm, number; /* number of the communicator and its number in the meter; 0: none */
} HieraSeenComm;

enum { HIERA_SEEN_COMMS = 8 };

/* Maximum number of nested calls whose callbacks make calls; deeper ones end with the last of these. */
enum { HIERA_CALLS_AROUND = 8 };

struct HieraCallMeter {
    uint16_t *places;  /* index in `asked` by function; 0: nothing is known yet */
    HieraAsked *asked; /* item 0 asks for everything */
    uint32_t n, room;
    HieraSeenComm comms[HIERA_SEEN_COMMS]; /* cache of communicators, by the low bits of their numbers */
    uint32_t type;                         /* the datatype looked up last; 0: none */
    int64_t type_bytes;
    uint32_t n_around; /* number of calls that are open while the calls in their callbacks are reported, */
    int64_t around_finish[HIERA_CALLS_AROUND]; /* times at which these open calls end */
};

/* Make the facts of a meter about the functions that its thread has called. NULL: there is no memory. For
 * HieraLevelOps. */
HieraCallMeter *hiera_call_meter_new(void);
void hiera_call_meter_free(HieraCallMeter *known); /* NULL is allowed */
/* The numbers that the meter has given to operations become invalid. */
void hiera_call_meter_forget(HieraCallMeter *known);

/* Find what the meter needs of a function; NULL if there is no memory. */
HieraAsked *hiera_asked_add(HieraMeter *meter, HieraCallMeter *known, unsigned number);

/* Return the facts about a function; if there are none yet, item 0. */
static inline HieraAsked *hiera_asked_known(const HieraCallMeter *known, unsigned number)
{
    return &known->asked[known->places[number]];
}

static inline HieraAsked *hiera_asked_find(HieraMeter *meter, HieraCallMeter *known, unsigned number)
{
    return HIERA_LIKELY(known->places[number] != 0) ? hiera_asked_known(known, number)
                                                    : hiera_asked_add(meter, known, number);
}

static inline bool hiera_asked_has(const HieraMpiRecord *record, HieraPlacedArgument argument)
{
    return hiera_peer_has(record, argument.number);
}

static inline uint32_t hiera_asked_value(const HieraMpiRecord *record, HieraPlacedArgument argument)
{
    uint32_t value;
    memcpy(&value, (const char *)record + argument.offset, sizeof value);
    return value;
}
