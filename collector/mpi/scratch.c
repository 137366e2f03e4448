/* Room for lists of requests. See scratch.h. */
#include "scratch.h"

#include "../writer.h"
#include "fortran.h"

#include <stdlib.h>

static __thread HieraScratch scratch __attribute__((tls_model("initial-exec")));

void hiera_mpi_thread_end(void)
{
    free(scratch.pending);
    free(scratch.statuses);
    free(scratch.requests);
    free(scratch.indices);
    free(scratch.fortran_statuses);
    scratch = (HieraScratch){0};
}

static bool make_room(int64_t count)
{
    size_t room = count > 32 ? 2 * (size_t)count : 64;
    hiera_mpi_thread_end();
    scratch.pending = malloc(room * sizeof *scratch.pending);
    scratch.statuses = malloc(room * sizeof *scratch.statuses);
    scratch.requests = malloc(room * sizeof *scratch.requests);
    scratch.indices = malloc(room * sizeof *scratch.indices);
    scratch.fortran_statuses = malloc(room * HIERA_FORTRAN_STATUS * sizeof *scratch.fortran_statuses);
    if (!scratch.pending || !scratch.statuses || !scratch.requests || !scratch.indices || !scratch.fortran_statuses)
        return false;
    scratch.count = (int64_t)room;
    return true;
}

const HieraScratch *hiera_scratch(int64_t count)
{
    return HIERA_LIKELY(count <= scratch.count) || make_room(count) ? &scratch : NULL;
}
