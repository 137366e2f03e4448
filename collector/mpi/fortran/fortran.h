/* Functions for the generated Fortran entry points.
 *
 * An entry point (mpi_send_) passes all arguments unchanged to MPI's own (pmpi_send_): choice buffers, array
 * descriptors, hidden lengths, absent arguments. One exception: if the program ignores a status that the record needs,
 * another status is passed. The record has the arguments as in C. */
#pragma once

#include "mpi/handle/handles.h"
#include "mpi/handle/request_scratch.h"
#include "mpi/handle/requests.h"

/* For the declaration of MPI's own entry point: weak, since a C program does not have MPI's Fortran library. */
#define HIERA_FORTRAN_TWIN __attribute__((weak))

typedef void HieraFortranCode(void);

/* Whether the indices that MPI returns for requests begin with 0 or 1. */
typedef enum HieraFortranFirst { HIERA_FORTRAN_UNKNOWN, HIERA_FORTRAN_ZERO, HIERA_FORTRAN_ONE } HieraFortranFirst;

typedef struct HieraFortranEntry {
    const char *twin;          /* name of MPI's own entry point */
    HieraFortranCode *forward; /* address of MPI's own entry point; NULL: not found yet */
    bool described;            /* true if choice buffers are array descriptors */
    uint8_t first;             /* a HieraFortranFirst: where indices of requests begin */
} HieraFortranEntry;

/* Names of MPI's Fortran libraries; NULL ends the list. */
extern const char *const hiera_fortran_libraries[];

/* Find MPI's own entry point; ends the program if there is none. `site`: return address of the caller. */
HieraFortranCode *hiera_fortran_find(HieraFortranEntry *entry, const void *site);

static inline HieraFortranCode *hiera_fortran_forward(HieraFortranEntry *entry, const void *site)
{
    HieraFortranCode *forward = __atomic_load_n(&entry->forward, __ATOMIC_RELAXED);
    return HIERA_LIKELY(forward != NULL) ? forward : hiera_fortran_find(entry, site);
}

/* Begin a call that is not recorded: MPI calls inside it are not recorded either. Returns the state that
 * hiera_fortran_unmute() restores after the call. */
static inline uintptr_t hiera_fortran_mute(const void *frame)
{
    uintptr_t before = hiera_thread ? hiera_thread->inside : 0;
    if (hiera_thread && before == 0)
        hiera_thread->inside = (uintptr_t)frame;
    return before;
}

static inline void hiera_fortran_unmute(uintptr_t before)
{
    if (hiera_thread)
        hiera_thread->inside = before;
}

enum { HIERA_FORTRAN_TEXT_ROOM = 2049 };

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "INTEGER is no int");

/* By handle class: a generated function that returns the key of a Fortran handle; NULL: Fortran or this MPI has no such
 * handles. */
extern uint64_t (*const hiera_fortran_keys[HIERA_HANDLE_CLASS_COUNT])(MPI_Fint handle);

/* Return the number that Hiera has given to a handle. A cache makes MPI's conversion to C rare. */
uint32_t hiera_fortran_number(HieraHandleClass kind, MPI_Fint handle);

/* Return the C address of a buffer; Fortran's MPI_IN_PLACE becomes C's MPI_IN_PLACE. */
const void *hiera_fortran_buffer(const HieraFortranEntry *entry, const void *buffer);

/* Return `array`; NULL if it is one of the Fortran constants that mean "no array", such as MPI_UNWEIGHTED. */
void *hiera_fortran_array(void *array);
bool hiera_fortran_ignores_status(const MPI_Fint *status);

/* Copy a text to `to` without trailing blanks; `trim_front`: nor leading ones, as MPI does with info keys. */
const char *hiera_fortran_text(char to[HIERA_FORTRAN_TEXT_ROOM], const char *from, size_t length, bool trim_front);

void hiera_fortran_put_logicals(HieraThread *, HieraMpiRecord *, unsigned argument, const MPI_Fint *values, int64_t n);
void hiera_fortran_put_wide(HieraThread *, HieraMpiRecord *, unsigned argument, const MPI_Fint *values, int64_t n);
/* Append an array of n texts of `length` bytes each; n = -1: a blank text ends it. The second function takes n such
 * lists, in Fortran's order: first the first texts of all lists. */
void hiera_fortran_put_words(HieraThread *, HieraMpiRecord *, unsigned argument, const char *texts, size_t length,
                             int64_t n);
void hiera_fortran_put_wordlists(HieraThread *, HieraMpiRecord *, unsigned argument, const char *texts, size_t length,
                                 int64_t n);
int64_t hiera_fortran_sum_typed_ints(const int *counts, const MPI_Fint *types, int64_t n, const uint8_t *there);
int64_t hiera_fortran_sum_typed_longs(const int64_t *counts, const MPI_Fint *types, int64_t n, const uint8_t *there);

/* Like hiera_requests_before(), for Fortran requests; returns the status array to pass to MPI. */
MPI_Fint *hiera_fortran_requests_before(HieraMpiRecord *, HieraCompletion *completion, int64_t count,
                                        const MPI_Fint *requests, MPI_Fint *statuses);
/* Like hiera_requests_list(), hiera_requests_note() and so on, for Fortran requests. */
void hiera_fortran_requests_list(HieraMpiRecord *record, const HieraPendingList *list, const MPI_Fint *all);
void hiera_fortran_requests_note(HieraPendingList *list, int64_t count, const MPI_Fint *all);
void hiera_fortran_requests_done(HieraPendingList *list, const MPI_Fint *all);
void hiera_fortran_requests_moved(HieraPendingList *list, const MPI_Fint *all);
/* Convert the first n Fortran statuses to C, into completion->statuses. Call this after the MPI call. */
void hiera_fortran_statuses(HieraCompletion *completion, const MPI_Fint *statuses, int64_t n);
/* Convert n Fortran indices, which count from `first`, to C indices, which count from 0. */
const int *hiera_fortran_indices(const MPI_Fint *indices, int64_t n, int first);

/* Whether indices of requests begin with 1, or with 0 as in mpi_f08 of MPICH up to 4.0, is found by a trial call.
 * HieraFortranShape: which arguments the entry point has. */
typedef enum HieraFortranShape { HIERA_FORTRAN_WAIT_ANY, HIERA_FORTRAN_TEST_ANY, HIERA_FORTRAN_SOME } HieraFortranShape;

void hiera_fortran_ask_first(HieraFortranEntry *entry, HieraFortranShape shape);

static inline int hiera_fortran_first_index(HieraFortranEntry *entry, HieraFortranShape shape)
{
    if (HIERA_UNLIKELY(__atomic_load_n(&entry->first, __ATOMIC_RELAXED) == HIERA_FORTRAN_UNKNOWN))
        hiera_fortran_ask_first(entry, shape);
    return __atomic_load_n(&entry->first, __ATOMIC_RELAXED) == HIERA_FORTRAN_ZERO ? 0 : 1;
}
