/* Scratch memory of a thread for the requests of a list while MPI completes them. It is kept until the thread ends
 * and grows with the longest list, so most calls allocate nothing. Only an outermost call may use it. */
#pragma once

#include "handle_map.h"
#include "mpi/call/call_record.h"
#include "pending.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Number of Fortran INTEGERs in a status. */
#ifdef MPI_F_STATUS_SIZE
enum { HIERA_FORTRAN_STATUS = MPI_F_STATUS_SIZE };
#else
enum { HIERA_FORTRAN_STATUS = sizeof(MPI_Status) / sizeof(MPI_Fint) };
#endif
/* What the last test that completed no request found; valid until the list changes or a request is started. */
typedef struct HieraTestedList {
    int64_t count;   /* number of requests in the tested list; 0: nothing is stored */
    uint64_t starts; /* count of the requests that the process had started then (starts() in requests.c) */
    int64_t n;       /* number of ranges of request numbers that were found; at most HIERA_TESTED_MOST are stored */
    HieraTested each[HIERA_TESTED_MOST];
} HieraTestedList;

typedef struct HieraScratch {
    int64_t count; /* capacity of each array, in elements */
    HieraPendingRequest *pending;
    MPI_Status *statuses;
    /* List of the last call with several requests: C handles, and their slots (NULL: not looked up). A
     * call usually has the list of the last one, except for completed requests. The first `kept` entries are valid. */
    MPI_Request *requests;
    HieraHandleSlot **slots;
    int64_t kept;
    int64_t listed; /* number of requests of the call in progress that `requests` has; 0: there is no such call */
    bool noted;     /* whether `pending` has the values of these requests; also after the call has returned */
    HieraTestedList *tested;
    /* for calls from Fortran: indices as in C, and statuses as in Fortran */
    int *indices;
    MPI_Fint *fortran_statuses;
} HieraScratch;

extern __thread HieraScratch hiera_scratch_now __attribute__((tls_model("initial-exec")));
HieraScratch *hiera_scratch_other(int64_t count);

/* Return scratch memory for `count` requests; its contents are kept unless it has to grow. NULL: out of memory. */
static inline HieraScratch *hiera_scratch(int64_t count)
{
    HieraScratch *scratch = &hiera_scratch_now;
    return __builtin_expect(count <= scratch->count, 1) ? scratch : hiera_scratch_other(count);
}

/* Store a handle as the i-th request of this call's list. */
static inline void hiera_scratch_keep(HieraScratch *scratch, int64_t i, MPI_Request request)
{
    if (i < scratch->kept && scratch->requests[i] == request)
        return;
    scratch->requests[i] = request;
    scratch->slots[i] = NULL;
    scratch->tested->count = 0;
}

/* End the list of this call: `count` handles are stored. */
static inline void hiera_scratch_keep_end(HieraScratch *scratch, int64_t count)
{
    if (scratch->kept < count)
        scratch->kept = count;
}

/* A callback may start a request and get a handle that the call in progress has freed: save the values of the requests
 * in that call's list, unless this was done. */
void hiera_scratch_note(void);
/* Read the values of the requests that a call in progress lists, because a request may be started before it returns
 * (requests.c). */
void hiera_requests_note_listed(HieraScratch *scratch);

/* Free the scratch memory of this thread, which ends. */
void hiera_scratch_end_thread(void);
