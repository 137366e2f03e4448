/* See request_scratch.h. */
#include "request_scratch.h"

#include <stdlib.h>

__thread HieraScratch hiera_scratch_now __attribute__((tls_model("initial-exec")));

/* Another thread may read a block (listed.h). So a block that is too short is freed when the thread ends. */
typedef struct Block {
    struct Block *shorter;
    HieraPending pending[];
} Block;

static __thread Block *block __attribute__((tls_model("initial-exec")));

static void free_rest(void)
{
    free(hiera_scratch_now.statuses);
    free(hiera_scratch_now.requests);
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
    free_rest();
    Block *longer = malloc(sizeof *longer + room * sizeof *longer->pending);
    hiera_scratch_now.statuses = malloc(room * sizeof *hiera_scratch_now.statuses);
    hiera_scratch_now.requests = malloc(room * sizeof *hiera_scratch_now.requests);
    hiera_scratch_now.indices = malloc(room * sizeof *hiera_scratch_now.indices);
    hiera_scratch_now.fortran_statuses =
        malloc(room * HIERA_FORTRAN_STATUS * sizeof *hiera_scratch_now.fortran_statuses);
    if (!longer || !hiera_scratch_now.statuses || !hiera_scratch_now.requests || !hiera_scratch_now.indices ||
        !hiera_scratch_now.fortran_statuses) {
        free(longer);
        return false;
    }
    longer->shorter = block;
    block = longer;
    hiera_scratch_now.pending = block->pending;
    hiera_scratch_now.count = (int64_t)room;
    return true;
}
