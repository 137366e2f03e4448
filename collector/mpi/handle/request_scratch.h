/* Scratch memory of a thread: it has the requests of a list while MPI completes them. It is kept until the thread ends
 * and grows with the longest list, so most calls allocate nothing. Only an outermost call may use it. */
#ifndef HIERA_REQUEST_SCRATCH_H
#define HIERA_REQUEST_SCRATCH_H

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
/* What the last test that completed none has tested; valid while the list is the same and no request was started. */
typedef struct HieraTestedList {
    int64_t count;   /* length of the list; 0: not known */
    uint64_t starts; /* how many requests had been started */
    int64_t n;       /* how many elements it takes, of which there are HIERA_TESTED_MOST at most */
    HieraTested each[HIERA_TESTED_MOST];
} HieraTestedList;

typedef struct HieraScratch {
    int64_t count; /* number of elements of each array */
    HieraPendingRequest *pending;
    MPI_Status *statuses;
    /* The list of the last call that had several requests, as handles of C, and their slots (NULL: not looked up). A
     * call has mostly the list of the last one, but for what this has completed. The first `kept` are valid. */
    MPI_Request *requests;
    HieraHandleSlot **slots;
    int64_t kept;
    int64_t listed; /* length of the list of the call in progress; 0: there is none */
    bool noted;     /* `pending` has the values of that list, and afterwards those of the call that has returned */
    HieraTestedList *tested;
    /* For calls from Fortran: indices as in C, and statuses as in Fortran. */
    int *indices;
    MPI_Fint *fortran_statuses;
} HieraScratch;

extern __thread HieraScratch hiera_scratch_now __attribute__((tls_model("initial-exec")));
HieraScratch *hiera_scratch_other(int64_t count);

/* Scratch memory for `count` requests. Its contents stay, unless it has to grow. NULL if there is no memory. */
static inline HieraScratch *hiera_scratch(int64_t count)
{
    HieraScratch *scratch = &hiera_scratch_now;
    return __builtin_expect(count <= scratch->count, 1) ? scratch : hiera_scratch_other(count);
}

/* The i-th handle of the list of this call. */
static inline void hiera_scratch_keep(HieraScratch *scratch, int64_t i, MPI_Request request)
{
    if (i < scratch->kept && scratch->requests[i] == request)
        return;
    scratch->requests[i] = request;
    scratch->slots[i] = NULL;
    scratch->tested->count = 0;
}

/* Call this when the `count` handles of a list are kept. */
static inline void hiera_scratch_keep_end(HieraScratch *scratch, int64_t count)
{
    if (scratch->kept < count)
        scratch->kept = count;
}

/* A callback may start a request and get a handle that the call in progress has freed: note what this lists, unless it
 * is noted already. */
void hiera_scratch_note(void);
/* Read the values of the requests that a call in progress lists: somebody may start a request before it returns.
 * requests.c has it. */
void hiera_requests_note_listed(HieraScratch *scratch);

/* Free the scratch memory: the thread ends. */
void hiera_scratch_end_thread(void);

#endif
