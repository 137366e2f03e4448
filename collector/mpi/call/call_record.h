/* The record of an MPI call, and the generated description of each MPI function. With the descriptions, one writer
 * prints the records of all functions.
 *
 * A handle may be freed before the trace is written, so it is replaced by a small number at once. All other arguments
 * are stored unchanged. After the fixed part of a record comes the tail: arrays and texts. */
#pragma once

#include "record/record.h"

/* How an argument is stored and printed. */
typedef enum HieraArgumentKind {
    HIERA_ARGUMENT_INT,    /* int32_t */
    HIERA_ARGUMENT_RANK,   /* int32_t with MPI_PROC_NULL, MPI_ANY_SOURCE, MPI_ROOT */
    HIERA_ARGUMENT_TAG,    /* int32_t with MPI_ANY_TAG */
    HIERA_ARGUMENT_COLOR,  /* int32_t with MPI_UNDEFINED */
    HIERA_ARGUMENT_LONG,   /* int64_t */
    HIERA_ARGUMENT_DOUBLE, /* double */
    HIERA_ARGUMENT_SYMBOL, /* the address of a function */
    HIERA_ARGUMENT_TEXT,   /* bytes; only as a tail */
    HIERA_ARGUMENT_NUMBER, /* uint32_t, number of a request; 0: none */
    HIERA_ARGUMENT_HANDLE  /* uint32_t, number of a handle; the class is kind - HIERA_ARGUMENT_HANDLE */
} HieraArgumentKind;

/* Size in bytes of a value of that kind, in the fixed part and in a list. */
#define HIERA_ARGUMENT_IS_WIDE(kind)                                                                                   \
    ((kind) == HIERA_ARGUMENT_LONG || (kind) == HIERA_ARGUMENT_SYMBOL || (kind) == HIERA_ARGUMENT_DOUBLE)
#define HIERA_ARGUMENT_BYTES(kind) ((kind) == HIERA_ARGUMENT_TEXT ? 1u : HIERA_ARGUMENT_IS_WIDE(kind) ? 8u : 4u)

typedef struct HieraArgument {
    char begin[28]; /* ` count="`. All 28 bytes are copied: faster than a copy of variable length */
    uint8_t begin_length;
    uint8_t kind;
    uint16_t offset; /* offset in the record; 0: the argument is in the tail */
} HieraArgument;

/* Sets of arguments that are in the fixed part of a record: bit i is the argument with index i. */
typedef struct HieraArgumentSets {
    uint32_t own;      /* arguments that differ in each call: requests, messages */
    uint32_t common;   /* arguments that may repeat: all others */
    uint32_t taken;    /* part of `common`: arguments whose attribute name has another meaning in <c> */
    uint32_t declared; /* communicators, datatypes and groups, which the trace declares */
    uint32_t requests; /* requests among `own` */
    uint32_t started;  /* part of `requests`: the request that the call starts */
} HieraArgumentSets;

typedef struct HieraMpiCall {
    char element[60]; /* `<hieraMPI operation="send"`; all 60 bytes are copied, as for HieraArgument.begin */
    uint16_t element_length;
    uint16_t n_arguments;
    uint16_t bytes;  /* size of the record's fixed part */
    bool padded;     /* true if four unused bytes follow the last argument */
    bool is_for_all; /* true for a blocking barrier or N x N collective: no member can return before all members have
                        entered */
    HieraArgumentSets sets;
    const char *group;
    const char *operation;
    const char *function; /* name of the function without MPI_ */
    const HieraArgument *arguments;
    void *next; /* points to the variable with the function that the wrapper calls (life/next_functions.h) */
} HieraMpiCall;

extern const HieraMpiCall hiera_mpi_calls[];
extern const unsigned hiera_mpi_call_count;

/* Flags of a record. Low bits: bit i is set if the argument with index i is absent. */
#define HIERA_MPI_POSTED_ANY     (1u << 31)           /* the program passed MPI_ANY_SOURCE */
#define HIERA_MPI_POSTED_ANY_TAG (1u << 30)           /* the program passed MPI_ANY_TAG */
#define HIERA_MPI_ABSENT         (HIERA_MPI_LEFT - 1) /* mask of the bits for absent arguments */
#define HIERA_MPI_LEFT           (1u << 27) /* longjmp or an exception has left the call: the call ends at the next event */
#define HIERA_MPI_HOLDS          (1u << 28) /* records of calls in its callbacks follow, as if inside a filtered region */
#define HIERA_MPI_LISTED         (1u << 29) /* the call is in progress: its requests are listed (listed.h) */

/* Head of every record of an MPI call. The arguments of the function follow, then the tail. */
typedef struct HieraMpiRecord {
    HieraRecord head;
    uint32_t flags;
    int32_t error; /* return value of the call */
    int64_t sent;  /* bytes of data; -1: not known, or the call moves no data */
    int64_t received;
} HieraMpiRecord;

/* One argument in the tail. Its elements follow: HIERA_ARGUMENT_BYTES each, or sizeof(HieraCompleted). If a list is too
 * long for the buffer, it is in an allocated block, which begins with a second HieraTail. */
typedef struct HieraTail {
    uint32_t argument; /* index in the call's description, or one of the constants below */
    uint32_t stored;   /* number of elements that follow, or HIERA_TAIL_ELSEWHERE */
    int64_t total;     /* number of elements of the argument; ELSEWHERE: address of the block */
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

/* Requests with consecutive numbers that a test found incomplete: an element in the tail of a test that completed none.
 * 0: requests without a number. A tail has few of these, however many requests were tested. */
typedef struct HieraTested {
    uint32_t first, last;
} HieraTested;

enum { HIERA_TESTED_MOST = 32 };

/* Contents of tails that are no arguments: completed requests, requests tested without success, requests of a call in
 * progress (listed.h), waiting times of a collective call. */
enum { HIERA_TAIL_COMPLETION = 1000, HIERA_TAIL_PENDING = 1001, HIERA_TAIL_LISTED = 1002, HIERA_TAIL_WAITS = 1003 };

/* The elements of HIERA_TAIL_WAITS, int64_t, in ns: time until the last member came; time at the end of the call after
 * the first member had left; time after the call that it took to find this out (life/entry_times.h). */
enum { HIERA_WAITS_MEMBERS, HIERA_WAITS_COMPLETION, HIERA_WAITS_EXCHANGE, HIERA_WAITS_OF_CALL };

/* Return the argument that is in a tail; NULL if the tail has requests that the call completed or tested. */
static inline const HieraArgument *hiera_tail_argument(const HieraMpiCall *call, const HieraTail *tail)
{
    return tail->argument < HIERA_TAIL_COMPLETION ? &call->arguments[tail->argument] : NULL;
}

/* Return the arguments of a set (HieraArgumentSets) that are present in the record. */
static inline uint32_t hiera_call_present(uint32_t set, const HieraMpiRecord *record)
{
    return set & ~record->flags;
}

/* Remove the first argument from a set that is not empty, and return it. */
static inline const HieraArgument *hiera_call_next(const HieraMpiCall *call, uint32_t *set)
{
    const HieraArgument *argument = &call->arguments[__builtin_ctz(*set)];
    *set &= *set - 1;
    return argument;
}

/* Return the tail after `tail`; NULL at the end of the record. If `tail` is NULL: the first tail. */
const HieraTail *hiera_mpi_next_tail(const HieraMpiRecord *record, const HieraTail *tail);

/* Return the tail that the elements follow: `tail` itself, or the one in its block. */
static inline const HieraTail *hiera_mpi_tail_contents(const HieraTail *tail)
{
    return tail->stored == HIERA_TAIL_ELSEWHERE ? (const HieraTail *)(intptr_t)tail->total : tail;
}
