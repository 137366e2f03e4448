/* See request_scratch.h. */
#include "request_scratch.h"

#include <stdlib.h>

__thread HieraScratch hiera_scratch_now __attribute__((tls_model("initial-exec")));

/* Another thread may read a block (listed.h). So a block that is too short is freed when the thread ends. After the
 * saved requests come their handles. */
typedef struct Block {
    struct Block *shorter;
    HieraPending pending[];
} Block;

static __thread Block *block __attribute__((tls_model("initial-exec")));

static void free_rest(void)
{
    free(hiera_scratch_now.statuses);
    free(hiera_scratch_now.slots);
    free(hiera_scratch_now.tested);
    free(hiera_scratch_now.indices);
    free(hiera_scratch_now.fortran_statuses);
    hiera_scratch_now = (HieraScratch){0};
}

void hiera_scratch_end_thread(void)
{
    free_rest();
    while (block) {
        Block *shorter = block->shorter;
        free(block);
        block = shorter;
    }
}

bool hiera_scratch_grow(int64_t count)
{
    size_t room = count > 4 ? 2 * (size_t)count : 8;
    HieraScratch *made = &hiera_scratch_now;
    free_rest();
    Block *longer = malloc(sizeof *longer + room * (sizeof *longer->pending + sizeof *made->requests));
    made->statuses = malloc(room * sizeof *made->statuses);
    made->slots = malloc(room * sizeof(HieraSlot *));
    made->tested = calloc(1, sizeof *made->tested);
    made->indices = malloc(room * sizeof *made->indices);
    made->fortran_statuses = malloc(room * HIERA_FORTRAN_STATUS * sizeof *made->fortran_statuses);
    if (!longer || !made->statuses || !made->slots || !made->tested || !made->indices || !made->fortran_statuses) {
        free(longer);
        return false;
    }
    longer->shorter = block;
    block = longer;
    made->pending = block->pending;
    made->requests = (MPI_Request *)(void *)(block->pending + room);
    made->count = (int64_t)room;
    return true;
}
