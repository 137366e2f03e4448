/* The memory that calls and the program itself use (HIERA_CHECK=buffers): the attribute `buffers` of calls, and the
 * operations of the level `access`, in the order of rows. */
#pragma once

#include "checks/call_data.h"
#include "checks/checks.h"

/* Words of `use`: r, w: memory of the rank, which MPI or the program reads or writes; x: the memory of a window.
 * p, g, a: the target of a put, a get, an accumulate. */
typedef struct {
    guint32 row;    /* of the operation; of a persistent request, of each start */
    guint32 until;  /* row of the call that completes it; the same row: it was over at once */
    gint64 address; /* of the first byte; of a target: the displacement */
    gint64 bytes;
    gint64 offset; /* of a target: bytes behind its displacement; of a window: bytes of a unit of displacement */
    gint64 object, object_bytes; /* the variable or block in which the first byte lies; 0 bytes: it is not known */
    const char *name; /* of the variable, up to a space or `/`, behind which is its basic type; NULL: a block */
    char use;
    gboolean gaps;    /* whether some bytes in between are not used */
    gint64 part;      /* of a vector: bytes of each of its parts, which begin `stride` bytes behind each other */
    gint64 stride;    /* 0: it is none, or not known */
    gboolean missing; /* whether no memory is mapped there */
    gboolean program; /* whether the program itself has used it */
    gboolean changed; /* and nobody knows where: between the begin of a call and its completion, at this row */
    gboolean left;    /* or has left the function whose variable it is */
    gboolean freed;   /* or has freed the block */
} HieraBufferUse;

/* Return the uses of all processors: HieraBufferUse, in a GArray, by row; those of starts come behind all others. Of
 * requests of which it is not known when they were complete there is none. */
GArray *hiera_buffer_uses(const HieraMatch *match);

/* Return the datatype that a call has for a use of memory; NULL: not known, or it is a window. */
const HieraDatatype *hiera_buffer_type(const HieraCallData *data, const HieraBufferUse *use);

/* Return the memory that calls are given, also those of which it is not known when they were complete. By row. */
GArray *hiera_buffer_given(const HieraTrace *trace);

/* Bytes that are used, as in HieraBufferUse. */
typedef struct {
    gint64 address, bytes;
    gboolean gaps;
    gint64 part, stride;
} HieraBufferSpan;

static inline HieraBufferSpan hiera_buffer_span(const HieraBufferUse *use)
{
    return (HieraBufferSpan){use->address, use->bytes, use->gaps, use->part, use->stride};
}

/* Whether two spans have a byte in common for certain: of one with gaps that is no vector, only the first and the last
 * byte are known. */
gboolean hiera_buffers_overlap(const HieraBufferSpan *a, const HieraBufferSpan *b);

/* For tests: how many nodes of trees check_buffers.c has looked at. */
extern guint64 hiera_buffers_visits;

/* Check where buffers lie: check_places.c, a part of hiera_check_buffers(). */
void hiera_check_places(const HieraCheck *check);
