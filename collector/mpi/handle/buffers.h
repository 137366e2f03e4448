/* HIERA_CHECK=buffers: the record of a call says which memory the call uses. Off, no call takes a step more: calls that
 * are checked are among those with additional steps (mpi/call/observed_call.h). */
#pragma once

#include "mpi/call/call_record.h"

#include <stdbool.h>

/* A call has four buffers at most; one element more says whose frame they are in. */
enum { HIERA_BUFFERS_MOST = 5, HIERA_BUFFERS_ROOM = 16 + 56 * HIERA_BUFFERS_MOST };
_Static_assert(sizeof(HieraBuffer) <= 56, "HIERA_BUFFERS_ROOM");

typedef struct HieraBuffers {
    HieraBuffer list[HIERA_BUFFERS_MOST];
    uint32_t n;
} HieraBuffers;

/* One count for each peer, and where its elements begin, in elements; NULL: one behind the other. `_bytes`: of a
 * number: those of int, or of the large form. */
typedef struct HieraBufferParts {
    const void *counts, *displacements;
    size_t count_bytes, displacement_bytes;
    int64_t n;
} HieraBufferParts;

/* Whether the memory of calls is recorded. */
bool hiera_buffers_are_wanted(void);
/* Let calls be checked if HIERA_CHECK asks for it. Called when the MPI level is loaded. */
void hiera_buffers_load(void);

/* Add memory that a call uses. `use` as in HieraBuffer; `type`: number of the datatype. Nothing is added for no bytes,
 * and if the datatype is not known. MPI_IN_PLACE is misplaced there. */
void hiera_buffers_add(HieraBuffers *, char use, const void *address, int64_t count, uint32_t type);
void hiera_buffers_add_parts(HieraBuffers *, char use, const void *address, HieraBufferParts parts, uint32_t type);
/* Add MPI_IN_PLACE for a buffer that must not be it: it is no memory. */
void hiera_buffers_add_misplaced(HieraBuffers *, char use);
void hiera_buffers_add_target(HieraBuffers *, char use, int64_t displacement, int64_t count, uint32_t type);
void hiera_buffers_add_window(HieraBuffers *, const void *base, int64_t bytes, int64_t unit);

/* Append the list to the record of a call that begins, or has returned; the record must be the last one in its buffer.
 * @param frame  of the call's wrapper */
void hiera_buffers_put(HieraThread *, HieraMpiRecord *, HieraBuffers *, const void *frame);

/* Before a checked call: record what the program did since the last one with memory that MPI still has, and which
 * functions with such memory it has left. @param frame  of the call's wrapper */
void hiera_buffers_before(const void *site, const void *frame);
/* At the end of a checked call: watch the memory of what it has begun, and no longer that of what it has completed. */
void hiera_buffers_after(const HieraMpiRecord *);
