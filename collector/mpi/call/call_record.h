/* The record of an MPI call, and the description by which one writer prints the records of all functions.
 *
 * The arguments are stored as numbers: handles become small numbers at once (a handle may be gone when the trace is
 * written), everything else stays raw. Behind the fixed part stands the tail: arrays and texts. */
#ifndef HIERA_CALL_RECORD_H
#define HIERA_CALL_RECORD_H

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
    HIERA_ARGUMENT_NUMBER, /* uint32_t: a request; 0: none */
    HIERA_ARGUMENT_HANDLE  /* uint32_t, number of a handle; the class is kind - HIERA_ARGUMENT_HANDLE */
} HieraArgumentKind;

/* Bytes of a value of that kind, in a record and in a list. */
#define HIERA_ARGUMENT_IS_WIDE(kind)                                                                                   \
    ((kind) == HIERA_ARGUMENT_LONG || (kind) == HIERA_ARGUMENT_SYMBOL || (kind) == HIERA_ARGUMENT_DOUBLE)
#define HIERA_ARGUMENT_BYTES(kind) ((kind) == HIERA_ARGUMENT_TEXT ? 1u : HIERA_ARGUMENT_IS_WIDE(kind) ? 8u : 4u)

typedef struct HieraArgument {
    char begin[28]; /* ` count="`, in place and always copied whole: faster than as many bytes as it has */
    uint8_t begin_length;
    uint8_t kind;
    uint16_t offset; /* in the record; 0 for one that is stored in the tail */
} HieraArgument;

/* Arguments of a function that have a place in its record, as bits by their index. */
typedef struct HieraArgumentSets {
    uint32_t own;      /* by nature: requests, messages */
    uint32_t common;   /* the others */
    uint32_t taken;    /* of these, those whose name means something else in a `c` */
    uint32_t declared; /* communicators, datatypes and groups, which the trace declares */
    uint32_t requests; /* of its own: requests … */
    uint32_t started;  /* … and of these the one that the call makes */
} HieraArgumentSets;

typedef struct HieraMpiCall {
    char element[60]; /* `<hieraMPI operation="send"`, copied whole like HieraArgument.begin */
    uint16_t element_length;
    uint16_t n_arguments;
    uint16_t bytes; /* of the record's fixed part */
    bool padded;    /* four bytes behind its last argument are nobody's */
    HieraArgumentSets sets;
    const char *group;
    const char *operation;
    const char *function; /* without MPI_ */
    const HieraArgument *arguments;
} HieraMpiCall;

extern const HieraMpiCall hiera_mpi_calls[];
extern const unsigned hiera_mpi_call_count;

/* Flags of a record; the low bits say which arguments are absent, by their index. */
#define HIERA_MPI_POSTED_ANY     (1u << 31) /* the program asked for MPI_ANY_SOURCE */
#define HIERA_MPI_POSTED_ANY_TAG (1u << 30) /* … for MPI_ANY_TAG */
#define HIERA_MPI_LISTED         (1u << 29) /* the call is in progress; its requests follow the record (listed.h) */

/* Begin of the record of every MPI call. Behind it the function's own arguments, then the tail: arrays and texts. */
typedef struct HieraMpiRecord {
    HieraRecord head;
    uint32_t flags;
    int32_t error; /* what the call returned, if not MPI_SUCCESS */
    int64_t sent;  /* bytes; -1: does not apply or is not known */
    int64_t received;
} HieraMpiRecord;

/* One argument in the tail. The elements follow: 4 bytes each, 8 for LONG and SYMBOL, 1 for TEXT; or HieraCompleted. A
 * list that is too long for the buffer stands in a block of its own, as a HieraTail with its elements. */
typedef struct HieraTail {
    uint32_t argument; /* index in the call's description, or HIERA_TAIL_COMPLETION, HIERA_TAIL_LISTED */
    uint32_t stored;   /* elements here, or HIERA_TAIL_ELSEWHERE */
    int64_t total;     /* elements that the argument had; or the block's address */
} HieraTail;

#define HIERA_TAIL_ELSEWHERE UINT32_MAX

/* A completed request: an element of the tail of a call that completes some. */
typedef struct HieraCompleted {
    int64_t size; /* HIERA_NO_STATUS: there is none, the request was no receive or was cancelled */
    uint32_t number;
    int32_t source;
    int32_t tag;
} HieraCompleted;

#define HIERA_NO_STATUS INT64_MIN

enum { HIERA_TAIL_COMPLETION = 1000, HIERA_TAIL_LISTED = 1001 };

/* The arguments of a set (HieraArgumentSets) that the record has. */
static inline uint32_t hiera_call_present(uint32_t set, const HieraMpiRecord *record)
{
    return set & ~record->flags;
}

/* The first of a set that is not empty, which is taken out of it. */
static inline const HieraArgument *hiera_call_next(const HieraMpiCall *call, uint32_t *set)
{
    const HieraArgument *argument = &call->arguments[__builtin_ctz(*set)];
    *set &= *set - 1;
    return argument;
}

/* The tail behind this one, NULL at the end of the record. `tail` NULL asks for the first. */
const HieraTail *hiera_mpi_next_tail(const HieraMpiRecord *record, const HieraTail *tail);

/* Where the elements of a tail stand. */
static inline const HieraTail *hiera_mpi_tail_contents(const HieraTail *tail)
{
    return tail->stored == HIERA_TAIL_ELSEWHERE ? (const HieraTail *)(intptr_t)tail->total : tail;
}

#endif
