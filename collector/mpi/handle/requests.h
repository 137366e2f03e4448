/* Numbers of requests. The call that starts a request and the call that completes it have the same number in the trace,
 * even if another thread completes it, or if MPI has used the handle again meanwhile. */
#pragma once

#include "mpi/call/call_record.h"
#include "pending.h"
#include "request_scratch.h"

#include <mpi.h>

typedef enum HieraRequestSort {
    HIERA_REQUEST_PLAIN = 0,
    HIERA_REQUEST_RECEIVES = 1, /* a receive: the status of the request has source, tag and size of a message */
    HIERA_REQUEST_OWN =
        2 /* no other request has the same handle: MPI shares handles only among requests that are complete at once */
} HieraRequestSort;

/* Whether only one thread at a time is in MPI, as the program asked for and MPI granted. Then numbers are exchanged
 * without locked instructions, one of which takes as long as storing a record. */
extern bool hiera_requests_by_one_thread;

/* Return a new number for a request that was started, and store it with the request's handle. */
uint32_t hiera_request_new(MPI_Request request, HieraRequestSort sort);

/* Whether the status of MPI_Isendrecv describes the received message. MPICH does not set this status,
 * and may be what has the ABI. */
#if defined(MPICH_VERSION) || defined(HIERA_ABI)
#define HIERA_STATUS_OF_ISENDRECV false
#else
#define HIERA_STATUS_OF_ISENDRECV true
#endif

/* A call that is not recorded started a request: the handle must not keep the number of an earlier request. */
void hiera_request_unrecorded(MPI_Request request, HieraRequestSort sort);

/* Return the number of the active request with this handle; 0: it has none. */
uint32_t hiera_request_find(MPI_Request request);

/* Save what is known about a request before a call that may free its handle. */
void hiera_request_note(HieraPendingRequest *pending, MPI_Request request);

/* Put the request's number into `pending`, after the call. `gone`: the call has set the handle to MPI_REQUEST_NULL. */
void hiera_request_settle(HieraPendingRequest *pending, bool gone);

/* Requests of a call that is not recorded, without scratch memory: hiera_requests_note() saves them before the call,
 * and hiera_requests_done() forgets the numbers of those that the call has completed. If only one thread at a time is
 * in MPI, the first saves the handles, and the second looks up those that are gone. */
enum { HIERA_PENDING_FEW = 16 };
typedef struct HieraPendingList {
    int64_t count;
    bool later; /* whether only the handles are saved; decided once, as another thread may begin to use MPI during the
                   call */
    HieraPendingRequest *all;
    HieraPendingRequest few[HIERA_PENDING_FEW];
} HieraPendingList;

void hiera_requests_note(HieraPendingList *list, int64_t count, const MPI_Request *all);
void hiera_requests_done(HieraPendingList *list, const MPI_Request *all);
/* Move the number of a request to its new handle, after a call that starts persistent requests: Open MPI may replace
 * the handle of a request whose last buffered message is still in transit. Before the call: hiera_requests_note(). */
void hiera_request_moved(HieraPendingRequest *pending, MPI_Request request);
void hiera_requests_moved(HieraPendingList *list, const MPI_Request *all);
/* Make the list of requests of a call in progress (listed.h). `all` NULL: scratch memory has the handles already. */
void hiera_requests_list(HieraMpiRecord *, const HieraPendingList *list, const MPI_Request *all);
/* Allocate, and free, a list of `count` requests (none without memory); the others do each step for one request. */
void hiera_requests_open(HieraPendingList *list, int64_t count);
void hiera_requests_close(HieraPendingList *list);
void hiera_requests_note_one(HieraPendingList *list, int64_t i, MPI_Request request);
void hiera_requests_done_one(HieraPendingList *list, int64_t i, bool gone);
void hiera_requests_moved_one(HieraPendingList *list, int64_t i, MPI_Request request);

/* The requests of a call that completes some of them. The cost depends on the number of completed requests,
 * not on the length of the list: the list is compared with that of the last call, and only the completed requests
 * are looked up after the call, by their old handles. If several threads may be in MPI, another thread may get such a
 * handle in between; then the value of each request is also read before the call, from its known slot. A callback of
 * the call may get one as well; so it reads the values first (hiera_scratch_note()). */
typedef struct HieraCompletion {
    int64_t count;
    const MPI_Request *requests; /* the program's array of C handles; NULL: see `fortran` */
    const MPI_Fint *fortran;     /* the program's array of Fortran handles, if `requests` is NULL */
    MPI_Fint null;               /* MPI_REQUEST_NULL as a Fortran handle */
    HieraScratch *scratch;
    MPI_Status *statuses; /* the program's array; scratch memory if the program passed MPI_STATUSES_IGNORE */
} HieraCompletion;

/* Save `count` requests, list them after the record, and choose an array for their statuses: pass completion->statuses
 * to MPI. The list may be the scratch memory's own (hiera_scratch_keep()). */
void hiera_requests_before(HieraMpiRecord *, HieraCompletion *completion, int64_t count, const MPI_Request *requests,
                           MPI_Status *statuses);

/* Find the number of the call's only request, after the call has returned, with or without success. For requests of a
 * list, the functions below do that. */
void hiera_requests_settle(const HieraCompletion *completion);

/* Add to the record the n requests that are complete: those at `indices`; or if NULL, the one at `only`; or if that is
 * -1, the first n. n = 0: a test without success; add the requests that it tested. n < 0: none of them was active. */
void hiera_requests_after(HieraThread *, HieraMpiRecord *, const HieraCompletion *completion, int64_t n,
                          const int *indices, int only);

/* Add to the record the requests that a failed call has freed nevertheless. Their statuses are unknown. */
void hiera_requests_failed(HieraThread *, HieraMpiRecord *, const HieraCompletion *completion);

/* --- reading an MPI_Status (status.c) --- */

/* Read the status of a received message: set *peer and *tag, return the number of bytes; -1: not known. */
int64_t hiera_status_read(const MPI_Status *status, int32_t *peer, int32_t *tag);

/* Read the status of a completed receive likewise; HIERA_NO_STATUS if the receive was cancelled. */
int64_t hiera_status_read_completed(const MPI_Status *status, int32_t *peer, int32_t *tag);
