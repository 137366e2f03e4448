/* What a meter of assertions asks for of each MPI function that its thread has called, found once. */
#ifndef HIERA_CALL_ASKED_H
#define HIERA_CALL_ASKED_H

#include "assertions/meter/meter.h"
#include "mpi/call/peer_arguments.h"
#include "write/level_ops.h"

/* An argument that is in the fixed part of a record. */
typedef struct HieraPlacedArgument {
    uint16_t number; /* HIERA_NO_ARGUMENT: there is none */
    uint16_t offset; /* in the record */
} HieraPlacedArgument;

typedef struct HieraAsked {
    uint32_t site;        /* its number in the meter */
    uint8_t need;         /* HieraMeterNeed */
    bool times : 1;       /* durations matter */
    bool posts : 1;       /* … the sizes of receives, as they are posted */
    bool plain : 1;       /* … but neither communicators nor peers */
    bool remembers : 1;   /* receives are remembered until they are completed */
    bool who_matters : 1; /* `who` does, and there is one */
    bool is_wide : 1;     /* `count` has 8 bytes */
    bool is_simple : 1;   /* it has 4, and there are no partitions */
    uint16_t bytes;       /* fixed part of a record */
    HieraPlacedArgument comm, peer, source;
    HieraPlacedArgument who;                     /* that of `peer` and `source` which the calls are counted by */
    HieraPlacedArgument count, type, partitions; /* for what a receive is posted */
    HieraPlacedArgument request;                 /* that it starts */
    int64_t last_who;                            /* the peer and communicator of the call reported last, */
    uint32_t last_comm;
    uint32_t last_part; /* and its part of the site; 0: none */
} HieraAsked;

/* A communicator, and its number in the meter. */
typedef struct HieraSeenComm {
    uint32_t comm, number; /* 0: none */
} HieraSeenComm;

enum { HIERA_SEEN_COMMS = 8 };

/* Calls whose callbacks make calls, which are told inside; those deeper end with the last of these. */
enum { HIERA_CALLS_AROUND = 8 };

struct HieraCallMeter {
    uint16_t *places;  /* by function: its item in `asked`; 0: nothing is found out yet */
    HieraAsked *asked; /* of item 0 everything has to be told */
    uint32_t n, room;
    HieraSeenComm comms[HIERA_SEEN_COMMS]; /* found last, by the low bits of their numbers */
    uint32_t type;                         /* the datatype found last; 0: none */
    int64_t type_bytes;
    uint32_t n_around;                         /* calls that are open, since those in their callbacks are told, */
    int64_t around_finish[HIERA_CALLS_AROUND]; /* and when they end */
};

/* What a meter asks for of the functions that its thread has called. NULL: there is no memory. For HieraLevelOps. */
HieraCallMeter *hiera_call_meter_new(void);
void hiera_call_meter_free(HieraCallMeter *known); /* NULL is allowed */
/* The numbers that the meter has given to operations are not valid any more. */
void hiera_call_meter_forget(HieraCallMeter *known);

/* Find out what the meter asks for of a function; NULL if there is no memory. */
HieraAsked *hiera_asked_add(HieraMeter *meter, HieraCallMeter *known, unsigned number);

/* What was found out of a function; before that, item 0. */
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

#endif
