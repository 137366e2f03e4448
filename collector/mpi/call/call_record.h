/* The record of an MPI call, and the generated description of each MPI function. With the descriptions, one writer
 * prints the records of all functions.
 *
 * A handle may be freed before the trace is written, so it is replaced by a small number at once. All other arguments
 * are stored unchanged. After the fixed part of a record comes the tail: arrays and texts. */
#pragma once

#include "record/record.h"

/* How an argument of an MPI function is stored in a record and printed in a trace. */
typedef enum HieraArgumentKind {
    HIERA_ARGUMENT_INT,    /* stored as int32_t, printed as a number */
    HIERA_ARGUMENT_RANK,   /* stored as int32_t; MPI_PROC_NULL, MPI_ANY_SOURCE and MPI_ROOT are printed by name */
    HIERA_ARGUMENT_TAG,    /* stored as int32_t; MPI_ANY_TAG is printed by name */
    HIERA_ARGUMENT_COLOR,  /* stored as int32_t; MPI_UNDEFINED is printed by name */
    HIERA_ARGUMENT_LONG,   /* stored as int64_t, printed as a number */
    HIERA_ARGUMENT_DOUBLE, /* stored and printed as a double */
    HIERA_ARGUMENT_SYMBOL, /* address of a function; printed as the name of the function */
    HIERA_ARGUMENT_TEXT,   /* a text; its bytes are never in the fixed part of a record */
    HIERA_ARGUMENT_NUMBER, /* stored as uint32_t: Hiera's number of a request; 0: none */
    HIERA_ARGUMENT_HANDLE  /* uint32_t: Hiera's number of a handle; the kind minus this constant is the HieraHandleClass
                            */
} HieraArgumentKind;

/* Size in bytes of one value of an argument kind, in the record's fixed part and in a list. */
#define HIERA_ARGUMENT_IS_WIDE(kind)                                                                                   \
    ((kind) == HIERA_ARGUMENT_LONG || (kind) == HIERA_ARGUMENT_SYMBOL || (kind) == HIERA_ARGUMENT_DOUBLE)
#define HIERA_ARGUMENT_BYTES(kind) ((kind) == HIERA_ARGUMENT_TEXT ? 1u : HIERA_ARGUMENT_IS_WIDE(kind) ? 8u : 4u)

typedef struct HieraArgument {
    char begin[28]; /* begin of the attribute, such as ` count="`; all 28 bytes are copied, for speed */
    uint8_t begin_length;
    uint8_t kind;
    uint16_t offset; /* offset of the argument's value in the record; 0: the argument is in the tail */
} HieraArgument;

/* Sets of arguments that are in the fixed part of a record: bit i is the argument with index i. */
typedef struct HieraArgumentSets {
    uint32_t own;      /* arguments with another value in each call: requests, messages */
    uint32_t common;   /* arguments whose values may repeat from call to call: all others */
    uint32_t taken;    /* part of `common`: attributes whose name is taken in compact elements <c> */
    uint32_t declared; /* communicators, datatypes and groups; the trace has an element that describes each of them */
    uint32_t requests; /* part of `own`: the requests */
    uint32_t started;  /* part of `requests`: the request that the call starts */
} HieraArgumentSets;

typedef void HieraWrapper(void);

typedef struct HieraMpiCall {
    char element[60]; /* begin of the element, such as `<hieraMPI operation="send"`; all 60 bytes are copied */
    uint16_t element_length;
    uint16_t n_arguments;
    uint16_t bytes;  /* size of the record's fixed part */
    bool padded;     /* true if four unused bytes follow the last argument */
    bool is_for_all; /* whether the call is a blocking barrier or N x N collective: no member can return before all
                        members have entered */
    HieraArgumentSets sets;
    const char *group;
    const char *operation;
    const char *function; /* name of the function without MPI_ */
    const HieraArgument *arguments;
    void *next; /* address of the variable that says which function the wrapper calls (life/next_functions.h) */
    HieraWrapper *wrapper; /* Hiera's function MPI_X, also where the program has one of this name, too */
} HieraMpiCall;

extern const HieraMpiCall hiera_mpi_calls[];
extern const unsigned hiera_mpi_call_count;

/* HieraMpiRecord.flags. In the low bits, bit i is set if the argument with index i is absent. */
#define HIERA_MPI_POSTED_ANY     (1u << 31)           /* the program passed MPI_ANY_SOURCE */
#define HIERA_MPI_POSTED_ANY_TAG (1u << 30)           /* the program passed MPI_ANY_TAG */
#define HIERA_MPI_ABSENT         (HIERA_MPI_LEFT - 1) /* mask of the bits for absent arguments */
#define HIERA_MPI_LEFT                                                                                                 \
    (1u << 27) /* longjmp or an exception has left the call; it counts as ended at the thread's next event */
#define HIERA_MPI_HOLDS  (1u << 28) /* the calls that callbacks of this call have made follow this record */
#define HIERA_MPI_LISTED (1u << 29) /* the call is in progress, and its requests are listed behind the record */

/* Head of every record of an MPI call. The call's arguments follow, then its tail (arrays and texts). */
typedef struct HieraMpiRecord {
    HieraRecord head;
    uint32_t flags;
    int32_t error; /* return value of the MPI function */
    int64_t sent;  /* bytes of data that are sent, or received if the call only receives; -1: not known, or no data */
    int64_t received;
} HieraMpiRecord;

/* One argument in the tail. Its elements follow: HIERA_ARGUMENT_BYTES each, or sizeof(HieraCompleted). If a list is too
 * long for the buffer, it is in an allocated block, which begins with a second HieraTail. */
typedef struct HieraTail {
    uint32_t argument; /* index of the argument in HieraMpiCall.arguments, or one of the constants below */
    uint32_t stored;   /* number of elements that follow, or HIERA_TAIL_ELSEWHERE: they are in allocated memory */
    int64_t total;     /* number of elements of the argument; with ELSEWHERE: address of the allocated memory */
} HieraTail;

#define HIERA_TAIL_ELSEWHERE UINT32_MAX

/* A completed request: an element in the tail of a call that completes requests. */
typedef struct HieraCompleted {
    int64_t size; /* bytes received; HIERA_NO_STATUS: the request was not a receive, or was cancelled */
    uint32_t number;
    int32_t source;
    int32_t tag;
} HieraCompleted;

#define HIERA_NO_STATUS INT64_MIN

/* A range of consecutive request numbers that a test found incomplete: an element in the tail of a test that completed
 * no request. 0: requests without a number. A tail has few ranges, however many requests were tested. */
typedef struct HieraTested {
    uint32_t first, last;
} HieraTested;

enum { HIERA_TESTED_MOST = 32 };

/* Values of HieraTail.argument for tails that are no arguments of the function: completed requests, requests tested
 * without success, requests of a call in progress (listed.h), waiting times of a collective call, memory that a call
 * uses (mpi/handle/buffers.h). */
enum {
    HIERA_TAIL_COMPLETION = 1000,
    HIERA_TAIL_PENDING = 1001,
    HIERA_TAIL_LISTED = 1002,
    HIERA_TAIL_WAITS = 1003,
    HIERA_TAIL_BUFFERS = 1004
};

/* The elements of a HIERA_TAIL_WAITS, int64_t, in ns: time until the last member entered the call; time at the end of
 * the call after the first member had left; time after the call that it took to find these (life/entry_times.h). */
enum { HIERA_WAITS_MEMBERS, HIERA_WAITS_COMPLETION, HIERA_WAITS_EXCHANGE, HIERA_WAITS_OF_CALL };

/* Memory that a call uses, an element of a HIERA_TAIL_BUFFERS. Words of `use`: r: MPI reads it; w: MPI writes it, or
 * does both; x: it is the memory of a window. p, g, a: the target of a put, a get, an accumulate. f, the last element:
 * no memory, but what tells where variables of the function are that made the call: `address` its stack pointer,
 * `offset` its frame pointer. */
typedef struct HieraBuffer {
    int64_t address;     /* of the first byte; of a target: displacement in its window, in units of the target */
    int64_t bytes;       /* to the last byte; of a window with its own unit of displacement */
    int64_t offset;      /* of a target: bytes from the displacement to the first byte; of a window: its unit */
    int64_t block;       /* where the allocated block begins in which the first byte lies */
    int64_t block_bytes; /* its size; 0: it is not known */
    uint32_t use;
    uint8_t gaps;       /* whether not all bytes in between belong to it */
    uint8_t is_missing; /* whether no memory is mapped there */
    uint8_t may_span;   /* whether it may consist of several variables: its address is MPI_BOTTOM */
    uint8_t is_on_stack;
} HieraBuffer;

/* Return the argument whose elements are in a tail; NULL: the tail has no argument, but requests or waiting times. */
static inline const HieraArgument *hiera_tail_argument(const HieraMpiCall *call, const HieraTail *tail)
{
    return tail->argument < HIERA_TAIL_COMPLETION ? &call->arguments[tail->argument] : NULL;
}

/* Return the arguments of a set, a member of HieraArgumentSets, that are present in the record. */
static inline uint32_t hiera_call_present(uint32_t set, const HieraMpiRecord *record)
{
    return set & ~record->flags;
}

/* Remove the first argument from a set that is not empty, and return this argument. */
static inline const HieraArgument *hiera_call_next(const HieraMpiCall *call, uint32_t *set)
{
    const HieraArgument *argument = &call->arguments[__builtin_ctz(*set)];
    *set &= *set - 1;
    return argument;
}

/* Return the tail that follows `tail` in the record; NULL: there is none. `tail` NULL: return the first one. */
const HieraTail *hiera_mpi_next_tail(const HieraMpiRecord *record, const HieraTail *tail);

/* Return the HieraTail that stands before the elements: `tail` itself, or the one in its allocated memory. */
static inline const HieraTail *hiera_mpi_tail_contents(const HieraTail *tail)
{
    return tail->stored == HIERA_TAIL_ELSEWHERE ? (const HieraTail *)(intptr_t)tail->total : tail;
}
