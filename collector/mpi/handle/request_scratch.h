/* Scratch memory of a thread for the requests of a list while MPI completes them. It is kept until the thread ends
 * and grows with the longest list, so most calls allocate nothing. Only an outermost call may use it. */
#pragma once

#include "handle_map.h"
#include "mpi/call/call_record.h"
#include "pending.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Number of INTEGERs in a Fortran status. */
#ifdef MPI_F_STATUS_SIZE
enum { HIERA_FORTRAN_STATUS = MPI_F_STATUS_SIZE };
#else
enum { HIERA_FORTRAN_STATUS = sizeof(MPI_Status) / sizeof(MPI_Fint) };
#endif
/* Requests of the last test that completed none; valid while the list is the same and no request was started. */
typedef struct HieraTestedList {
    int64_t count;   /* length of the list; 0: not known */
    uint64_t starts; /* number of requests started until then */
    int64_t n;       /* number of elements that it takes, of which at most HIERA_TESTED_MOST are stored */
    HieraTested each[HIERA_TESTED_MOST];
} HieraTestedList;

typedef struct HieraScratch {
    int64_t count; /* number of elements of each array */
    HieraPendingRequest *pending;
    MPI_Status *statuses;
    /* List of the last call with several requests: C handles, and their slots (NULL: not looked up). A
     * call usually has the list of the last one, except for completed requests. The first `kept` entries are valid. */
    MPI_Request *requests;
    HieraHandleSlot **slots;
    int64_t kept;
    int64_t listed; /* length of the list of the call in progress; 0: there is none */
    bool noted;     /* true if `pending` has the values of that list, and later those of the call that has returned */
    HieraTestedList *tested;
    /* for calls from Fortran: indices as in C, and statuses as in Fortran */
    int *indices;
    MPI_Fint *fortran_statuses;
} HieraScratch;

extern __thread HieraScratch hiera_scratch_now __attribute__((tls_model("initial-exec")));
HieraScratch *hiera_scratch_other(int64_t count);

/* Return scratch memory for `count` requests. Its contents stay, unless it has to grow. NULL if there is no memory. */
static inline HieraScratch *hiera_scratch(int64_t count)
{
    HieraScratch *scratch = &hiera_scratch_now;
    return __builtin_expect(count <= scratch->count, 1) ? scratch : hiera_scratch_other(count);
}

/* Store the i-th handle of the list of this call. */
static inline void hiera_scratch_keep(HieraScratch *scratch, int64_t i, MPI_Request request)
{
    if (i < scratch->kept && scratch->requests[i] == request)
        return;
    scratch->requests[i] = request;
    scratch->slots[i] = NULL;
    scratch->tested->count = 0;
}

/* Call this when the `count` handles of a list are stored. */
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

/* Free the scratch memory when the thread ends. */
void hiera_scratch_end_thread(void);
