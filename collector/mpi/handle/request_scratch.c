/* See request_scratch.h. */
#include "request_scratch.h"

#include "record/record.h"

#include <stdlib.h>

static __thread HieraScratch scratch __attribute__((tls_model("initial-exec")));

/* Another thread may read a block (listed.h). So a block that is too short is freed when the thread ends. */
typedef struct Block {
    struct Block *shorter;
    HieraPending pending[];
} Block;

static __thread Block *block __attribute__((tls_model("initial-exec")));

static void free_rest(void)
{
    free(scratch.statuses);
    free(scratch.requests);
    free(scratch.indices);
    free(scratch.fortran_statuses);
    scratch = (HieraScratch){0};
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

static bool make_room(int64_t count)
{
    size_t room = count > 4 ? 2 * (size_t)count : 8;
    free_rest();
    Block *longer = malloc(sizeof *longer + room * sizeof *longer->pending);
    scratch.statuses = malloc(room * sizeof *scratch.statuses);
    scratch.requests = malloc(room * sizeof *scratch.requests);
    scratch.indices = malloc(room * sizeof *scratch.indices);
    scratch.fortran_statuses = malloc(room * HIERA_FORTRAN_STATUS * sizeof *scratch.fortran_statuses);
    if (!longer || !scratch.statuses || !scratch.requests || !scratch.indices || !scratch.fortran_statuses) {
        free(longer);
        return false;
    }
    longer->shorter = block;
    block = longer;
    scratch.pending = block->pending;
    scratch.count = (int64_t)room;
    return true;
}

const HieraScratch *hiera_scratch(int64_t count)
{
    return HIERA_LIKELY(count <= scratch.count) || make_room(count) ? &scratch : NULL;
}
