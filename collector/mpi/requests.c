/* Requests: from the call that starts one to the call that completes it.
 *
 * A number stays with its handle until the handle is given out again: then the new number replaces it. Nothing has to
 * be removed when a request completes, and so nothing can be removed too late, after another thread got the same
 * handle. */
#include "mpi_level.h"

#include "../writer.h"
#include "handle_map.h"

#include <stdlib.h>

enum { RECEIVES = 1u << 31 };

static HieraHandleMap requests;
static uint32_t last_number;

/* Lists longer than those that fit here are rare; their room is kept by the thread for the next time. */
typedef struct Scratch {
    int64_t room;
    uint32_t *numbers;
    MPI_Status *statuses;
} Scratch;

static __thread Scratch scratch;

uint32_t hiera_request_new(MPI_Request request, bool receives)
{
    if (request == MPI_REQUEST_NULL)
        return 0;
    uint32_t number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED) & ~(uint32_t)RECEIVES;
    hiera_map_put(&requests, HIERA_KEY(request), number | (receives ? RECEIVES : 0));
    return number;
}

uint32_t hiera_request_find(MPI_Request request)
{
    return request == MPI_REQUEST_NULL ? 0 : hiera_map_find(&requests, HIERA_KEY(request)) & ~(uint32_t)RECEIVES;
}

void hiera_request_forget(MPI_Request request)
{
    if (hiera_request_find(request) != 0)
        hiera_map_put(&requests, HIERA_KEY(request), 0);
}

static bool make_room(int64_t n)
{
    if (n <= scratch.room)
        return true;
    int64_t room = 2 * n > 64 ? 2 * n : 64;
    free(scratch.numbers);
    free(scratch.statuses);
    scratch.numbers = malloc((size_t)room * sizeof *scratch.numbers);
    scratch.statuses = malloc((size_t)room * sizeof *scratch.statuses);
    bool good = scratch.numbers && scratch.statuses;
    scratch.room = good ? room : 0;
    return good;
}

void hiera_mpi_thread_end(void)
{
    free(scratch.numbers);
    free(scratch.statuses);
    scratch = (Scratch){0, NULL, NULL};
}

void hiera_requests_before(HieraCompletion *completion, int64_t count, const MPI_Request *list, MPI_Status *statuses)
{
    *completion = (HieraCompletion){.count = count, .requests = list, .statuses = statuses};
    if (count <= 0 || !make_room(count)) {
        completion->count = 0;
        return;
    }
    completion->numbers = scratch.numbers;
    for (int64_t i = 0; i < count; i++)
        completion->numbers[i] = list[i] == MPI_REQUEST_NULL ? 0 : hiera_map_find(&requests, HIERA_KEY(list[i]));
    if (statuses == MPI_STATUS_IGNORE || statuses == MPI_STATUSES_IGNORE)
        completion->statuses = scratch.statuses;
}

/* Which of the requests the i-th completed one is. */
static int64_t place_of(const HieraCompletion *completion, int64_t i, const int *indices, int only)
{
    int64_t place = only >= 0 ? only : indices ? indices[i] : i;
    return place >= 0 && place < completion->count ? place : -1;
}

void hiera_requests_after(HieraThread *thread, HieraMpiRecord *record, const HieraCompletion *completion, int64_t n,
                          const int *indices, int only)
{
    uint32_t stored = 0;
    if (completion->count == 0 || n <= 0)
        return;
    HieraCompleted *completed =
        hiera_mpi_put_space(thread, record, HIERA_TAIL_COMPLETION, n, sizeof *completed, &stored);
    for (int64_t i = 0; i < stored; i++, completed++) {
        int64_t place = place_of(completion, i, indices, only);
        uint32_t number = place < 0 ? 0 : completion->numbers[place];
        completed->number = number & ~(uint32_t)RECEIVES;
        completed->size = HIERA_NO_STATUS;
        if (number & RECEIVES)
            completed->size =
                hiera_status_read_completed(&completion->statuses[i], &completed->source, &completed->tag);
    }
}
