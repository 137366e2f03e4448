/* What a meter of assertions needs to know about each MPI function that its thread has called, found once. */
#pragma once

#include "assertions/meter/meter.h"
#include "mpi/call/peer_arguments.h"
#include "write/level_ops.h"

/* Where an argument is in the fixed part of a record. */
typedef struct HieraPlacedArgument {
    uint16_t number; /* index of the argument in HieraMpiCall; HIERA_NO_ARGUMENT: there is none */
    uint16_t offset; /* offset of the argument's value in the record */
} HieraPlacedArgument;

typedef struct HieraAsked {
    uint32_t site;        /* number that the meter has given to this function */
    uint8_t need;         /* a HieraMeterNeed: what the meter needs of these calls */
    bool times : 1;       /* the meter needs durations */
    bool posts : 1;       /* the meter needs the bytes for which receives are posted */
    bool plain : 1;       /* the meter needs neither communicators nor peers */
    bool remembers : 1;   /* the meter remembers posted receives until they are complete */
    bool who_matters : 1; /* the meter needs `who`, and the function has this argument */
    bool is_wide : 1;     /* the argument `count` has 8 bytes */
    bool is_simple : 1;   /* the argument `count` has 4 bytes, and there is no argument `partitions` */
    uint16_t bytes;       /* size of the fixed part of this function's records */
    HieraPlacedArgument comm, peer, source;
    HieraPlacedArgument who; /* `peer` or `source`: the argument by which the meter counts these calls */
    HieraPlacedArgument count, type, partitions; /* arguments that say how many bytes a receive is posted for */
    HieraPlacedArgument request;                 /* the request that the call starts */
    int64_t last_who;                            /* peer of the call reported last; `last_comm`: its communicator */
    uint32_t last_comm;
    uint32_t last_part; /* number of the meter's sums for the last call (by communicator and peer); 0: none */
} HieraAsked;

/* Entry of a cache: a communicator, and the number that the meter has given to it. */
typedef struct HieraSeenComm {
    uint32_t comm, number; /* number in records, and number in the meter; 0: the entry is empty */
} HieraSeenComm;

enum { HIERA_SEEN_COMMS = 8 };

/* Maximum nesting of calls whose end is kept while calls in their callbacks are reported; deeper ones share one end. */
enum { HIERA_CALLS_AROUND = 8 };

struct HieraCallMeter {
    uint16_t *places;  /* by MPI function: index in `asked`; 0: nothing is known about the function yet */
    HieraAsked *asked; /* asked[0] stands for functions not yet known, and needs everything */
    uint32_t n, room;
    HieraSeenComm comms[HIERA_SEEN_COMMS]; /* cache, indexed by the low bits of a communicator's number */
    uint32_t type;                         /* number of the datatype whose size was looked up last; 0: none */
    int64_t type_bytes;
    uint32_t n_around; /* number of MPI calls around the ones being reported, which callbacks have made */
    int64_t around_finish[HIERA_CALLS_AROUND]; /* times at which the calls around end */
};

/* Make the memory of what a meter needs to know about the functions that its thread has called. NULL: there is none.
 * For HieraLevelOps. */
HieraCallMeter *hiera_call_meter_new(void);
void hiera_call_meter_free(HieraCallMeter *known); /* `known` may be NULL */
/* Forget all that is known, because the numbers that the meter has given to MPI functions become invalid. */
void hiera_call_meter_forget(HieraCallMeter *known);

/* Find and store what the meter needs to know about an MPI function; NULL: there is no memory. */
HieraAsked *hiera_asked_add(HieraMeter *meter, HieraCallMeter *known, unsigned number);

/* Return what is known about an MPI function; asked[0] if nothing is known yet. */
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
