/* What the generated Fortran entry points stand on.
 *
 * An entry point hands all its arguments to MPI's own (pmpi_send_ for mpi_send_) as they came: choice buffers, array
 * descriptors, hidden lengths, absent arguments. Only a status that the program ignores is replaced, where the record
 * needs it. The record is made of the arguments as C would have them. */
#ifndef HIERA_FORTRAN_H
#define HIERA_FORTRAN_H

#include "mpi/handle/handles.h"
#include "mpi/handle/request_scratch.h"
#include "mpi/handle/requests.h"

/* Weak: a program without Fortran does not have MPI's Fortran library. */
#define HIERA_FORTRAN_TWIN __attribute__((weak))

typedef void HieraFortranCode(void);

/* What MPI names the first of several requests. */
typedef enum HieraFortranFirst { HIERA_FORTRAN_UNKNOWN, HIERA_FORTRAN_ZERO, HIERA_FORTRAN_ONE } HieraFortranFirst;

typedef struct HieraFortranEntry {
    const char *twin;          /* the name that it goes on to */
    HieraFortranCode *forward; /* NULL: to be looked for */
    bool described;            /* choice buffers come as array descriptors */
    uint8_t first;             /* HieraFortranFirst */
} HieraFortranEntry;

/* MPI's Fortran libraries, NULL at the end. */
extern const char *const hiera_fortran_libraries[];

HieraFortranCode *hiera_fortran_find(HieraFortranEntry *entry, const void *site);

static inline HieraFortranCode *hiera_fortran_forward(HieraFortranEntry *entry, const void *site)
{
    HieraFortranCode *forward = __atomic_load_n(&entry->forward, __ATOMIC_RELAXED);
    return HIERA_LIKELY(forward != NULL) ? forward : hiera_fortran_find(entry, site);
}

/* Of a call that is not recorded: what lies below it is not recorded either. Gives back what was before. */
static inline uintptr_t hiera_fortran_hush(const void *frame)
{
    uintptr_t before = hiera_thread ? hiera_thread->inside : 0;
    if (hiera_thread && before == 0)
        hiera_thread->inside = (uintptr_t)frame;
    return before;
}

static inline void hiera_fortran_unhush(uintptr_t before)
{
    if (hiera_thread)
        hiera_thread->inside = before;
}

enum { HIERA_FORTRAN_TEXT = 2049 };

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "INTEGER is no int");

/* The number of a handle, without asking MPI where it was asked last. */
uint32_t hiera_fortran_number(HieraHandleClass kind, MPI_Fint handle);

/* MPI_IN_PLACE of C for that of Fortran. */
const void *hiera_fortran_buffer(const HieraFortranEntry *entry, const void *buffer);

/* NULL for the constants that stand for no array. */
void *hiera_fortran_array(void *array);
bool hiera_fortran_ignores_status(const MPI_Fint *status);

/* A text without its padding, and for info without leading blanks. */
const char *hiera_fortran_text(char to[HIERA_FORTRAN_TEXT], const char *from, size_t length, bool trim_front);

void hiera_fortran_put_logicals(HieraThread *, HieraMpiRecord *, unsigned argument, const MPI_Fint *values, int64_t n);
void hiera_fortran_put_wide(HieraThread *, HieraMpiRecord *, unsigned argument, const MPI_Fint *values, int64_t n);
/* n texts (-1: up to a blank one) of `length` each, and n lists of them, where the i-th text of all lists stands
 * together. */
void hiera_fortran_put_words(HieraThread *, HieraMpiRecord *, unsigned argument, const char *texts, size_t length,
                             int64_t n);
void hiera_fortran_put_wordlists(HieraThread *, HieraMpiRecord *, unsigned argument, const char *texts, size_t length,
                                 int64_t n);
int64_t hiera_fortran_sum_typed_ints(const int *counts, const MPI_Fint *types, int64_t n, const uint8_t *there);
int64_t hiera_fortran_sum_typed_longs(const int64_t *counts, const MPI_Fint *types, int64_t n, const uint8_t *there);

/* As hiera_requests_before(); returns the statuses to hand to MPI. */
MPI_Fint *hiera_fortran_requests_before(HieraMpiRecord *, HieraCompletion *completion, int64_t count,
                                        const MPI_Fint *requests, MPI_Fint *statuses);
void hiera_fortran_requests_settle(const HieraCompletion *completion, const MPI_Fint *requests);
/* As hiera_requests_note(), hiera_requests_done(), hiera_requests_moved(). */
void hiera_fortran_requests_note(HieraPendingList *list, int64_t count, const MPI_Fint *all);
void hiera_fortran_requests_done(HieraPendingList *list, const MPI_Fint *all);
void hiera_fortran_requests_moved(HieraPendingList *list, const MPI_Fint *all);
/* The call has returned: the first n statuses as C has them. */
void hiera_fortran_statuses(HieraCompletion *completion, const MPI_Fint *statuses, int64_t n);
/* Indices from 0. */
const int *hiera_fortran_indices(const MPI_Fint *indices, int64_t n, int first);

/* The first index is 1, but for mpi_f08 of MPICH up to 4.0: the record is to name the request that it was. `shape` is
 * that of the entry's arguments. */
typedef enum HieraFortranShape { HIERA_FORTRAN_WAIT_ANY, HIERA_FORTRAN_TEST_ANY, HIERA_FORTRAN_SOME } HieraFortranShape;

void hiera_fortran_ask_first(HieraFortranEntry *entry, HieraFortranShape shape);

static inline int hiera_fortran_first_index(HieraFortranEntry *entry, HieraFortranShape shape)
{
    if (HIERA_UNLIKELY(__atomic_load_n(&entry->first, __ATOMIC_RELAXED) == HIERA_FORTRAN_UNKNOWN))
        hiera_fortran_ask_first(entry, shape);
    return __atomic_load_n(&entry->first, __ATOMIC_RELAXED) == HIERA_FORTRAN_ZERO ? 0 : 1;
}

#endif
