#include "request_scratch.h"

#include "memory/kept_heap.h"
#include "mpi/call/callbacks.h"

#include <stdlib.h>

__thread HieraScratch hiera_scratch_now __attribute__((tls_model("initial-exec")));

/* A block of scratch memory. Another thread may read it (listed.h). So a block that is too short is kept until the
 * thread ends. It survives a kill, if it is not long. Behind the saved requests come their handles. */
typedef struct Block {
    struct Block *shorter;
    HieraPendingRequest pending[];
} Block;

static __thread Block *block __attribute__((tls_model("initial-exec")));

static void free_rest(HieraScratch *scratch)
{
    free(scratch->statuses);
    free(scratch->slots);
    free(scratch->tested);
    free(scratch->indices);
    free(scratch->fortran_statuses);
    *scratch = (HieraScratch){0};
}

/* Scratch memory for a call inside a callback, while the outer call uses the usual memory. Meanwhile the usual memory
 * has `count` 0, so that each call asks for scratch memory by hiera_scratch_other(). */
static __thread HieraScratch inner __attribute__((tls_model("initial-exec")));
static __thread int64_t outer_count __attribute__((tls_model("initial-exec")));

void hiera_scratch_end_thread(void)
{
    free_rest(&hiera_scratch_now);
    free_rest(&inner);
    while (block) {
        Block *shorter = block->shorter;
        hiera_kept_give(block);
        block = shorter;
    }
}

static bool grow(HieraScratch *made, int64_t count)
{
    size_t room = count > 4 ? 2 * (size_t)count : 8;
    free_rest(made);
    Block *longer = hiera_kept_take_small(sizeof *longer + room * (sizeof *longer->pending + sizeof *made->requests));
    made->statuses = malloc(room * sizeof *made->statuses);
    made->slots = malloc(room * sizeof(HieraHandleSlot *));
    made->tested = calloc(1, sizeof *made->tested);
    made->indices = malloc(room * sizeof *made->indices);
    made->fortran_statuses = malloc(room * HIERA_FORTRAN_STATUS * sizeof *made->fortran_statuses);
    if (!longer || !made->statuses || !made->slots || !made->tested || !made->indices || !made->fortran_statuses) {
        hiera_kept_give(longer);
        return false;
    }
    longer->shorter = block;
    block = longer;
    made->pending = block->pending;
    made->requests = (MPI_Request *)(void *)(block->pending + room);
    made->count = (int64_t)room;
    return true;
}

static void note_listed(HieraScratch *scratch)
{
    if (scratch->listed > 0 && !scratch->noted)
        hiera_requests_note_listed(scratch);
}

void hiera_scratch_note(void)
{
    note_listed(&hiera_scratch_now);
    note_listed(&inner);
}

void hiera_scratch_left(void)
{
    hiera_scratch_now.listed = inner.listed = 0;
}

void hiera_scratch_hold(void)
{
    hiera_scratch_note();
    if (hiera_scratch_now.count == 0)
        return;
    outer_count = hiera_scratch_now.count;
    hiera_scratch_now.count = 0;
}

/* The slow path of hiera_scratch(). NULL in a callback inside a callback: its requests are not in the trace. */
HieraScratch *hiera_scratch_other(int64_t count)
{
    unsigned depth = outer_count != 0 ? hiera_callback_depth() : 0;
    HieraScratch *scratch = depth > 0 ? &inner : &hiera_scratch_now;
    if (depth == 0 && outer_count != 0) {
        hiera_scratch_now.count = outer_count;
        outer_count = 0;
    }
    if (depth > 1)
        return NULL;
    return count <= scratch->count || grow(scratch, count) ? scratch : NULL;
}
