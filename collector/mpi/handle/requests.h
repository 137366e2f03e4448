/* Requests: the number under which an operation starts and that under which it is completed, in another call, by
 * another thread, under a handle that MPI may have given to others meanwhile. */
#ifndef HIERA_REQUESTS_H
#define HIERA_REQUESTS_H

#include "mpi/call/call_record.h"
#include "pending.h"

#include <mpi.h>

typedef enum HieraRequestSort {
    HIERA_REQUEST_PLAIN = 0,
    HIERA_REQUEST_RECEIVES = 1, /* its status tells what came */
    HIERA_REQUEST_OWN = 2       /* it has a handle of its own: MPI shares handles of what is complete at once alone */
} HieraRequestSort;

/* A request was started: the number under which it will be completed. */
uint32_t hiera_request_new(MPI_Request request, HieraRequestSort sort);

/* MPICH puts the two halves of MPI_Isendrecv into one schedule, and its status is whatever was there. */
#ifdef MPICH_VERSION
#define HIERA_STATUS_OF_ISENDRECV false
#else
#define HIERA_STATUS_OF_ISENDRECV true
#endif

/* A request was started that is not recorded: its handle must not keep the number of an earlier one. */
void hiera_request_unrecorded(MPI_Request request, HieraRequestSort sort);

/* The number of an active request, 0 if it has none. */
uint32_t hiera_request_find(MPI_Request request);

void hiera_request_note(HieraPending *pending, MPI_Request request);

/* The call has returned; gone: MPI_REQUEST_NULL stands in its place. From now on pending has its number. */
void hiera_request_settle(HieraPending *pending, bool gone);

/* The same for the requests of a call that does not list them in a record. */
enum { HIERA_PENDING_FEW = 16 };
typedef struct HieraPendingList {
    int64_t count;
    HieraPending *all;
    HieraPending few[HIERA_PENDING_FEW];
} HieraPendingList;

void hiera_requests_note(HieraPendingList *list, int64_t count, const MPI_Request *all);
void hiera_requests_done(HieraPendingList *list, const MPI_Request *all);
/* … and of a call that starts persistent requests. Open MPI puts another handle in place of one whose last buffered
 * message is still under way: it is the same request. */
void hiera_request_moved(HieraPending *pending, MPI_Request request);
void hiera_requests_moved(HieraPendingList *list, const MPI_Request *all);
/* List them behind the record of the call. */
void hiera_requests_list(HieraMpiRecord *, const HieraPendingList *list);
/* Their halves: room for `count`, 0 without memory; and that room given back. */
void hiera_requests_open(HieraPendingList *list, int64_t count);
void hiera_requests_close(HieraPendingList *list);

/* What a call that completes requests must remember of them. */
typedef struct HieraCompletion {
    int64_t count;
    const MPI_Request *requests;
    HieraPending *pending; /* of each */
    MPI_Status *statuses;  /* the program's, or ours if it gave none */
} HieraCompletion;

/* Note `count` requests, list them behind the record, and choose where their statuses go (pass completion->statuses to
 * MPI). */
void hiera_requests_before(HieraMpiRecord *, HieraCompletion *completion, int64_t count, const MPI_Request *requests,
                           MPI_Status *statuses);

/* The call has returned, with success or without. */
void hiera_requests_settle(const HieraCompletion *completion);

/* `n` of them are complete, those at indices (NULL: the first n, or `only` if that is not -1): add the lists to the
 * record. */
void hiera_requests_after(HieraThread *, HieraMpiRecord *, const HieraCompletion *completion, int64_t n,
                          const int *indices, int only);

/* The call has failed: those that it freed all the same, of which nothing else is known. */
void hiera_requests_failed(HieraThread *, HieraMpiRecord *, const HieraCompletion *completion);

/* --- statuses (status.c) --- */

/* What a receive really took: sets peer and tag, returns the bytes. */
int64_t hiera_status_read(const MPI_Status *status, int32_t *peer, int32_t *tag);

/* The same of a receive that a completing call completed; HIERA_NO_STATUS if it was cancelled. */
int64_t hiera_status_read_completed(const MPI_Status *status, int32_t *peer, int32_t *tag);

#endif
