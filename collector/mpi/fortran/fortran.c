/* See fortran.h. Converts Fortran arguments to C arguments. */
#include "fortran.h"

#include "base/message.h"
#include "mpi/call/array_arguments.h"
#include "mpi/call/mpi_level.h"
#include "mpi/call/own_calls.h"
#include "mpi/handle/handles.h"
#include "mpi/handle/request_scratch.h"
#include "mpi/handle/types.h"
#include "mpi/life/other_doors.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Weak: an MPI without Fortran does not have this function; then the code that calls it does not run. */
#pragma weak PMPI_Status_f2c

__thread HieraForwarded hiera_forwarded __attribute__((tls_model("initial-exec")));

/* The constants of MPI that Fortran recognizes by their address, in Open MPI, in MPICH's mpif.h and mpi (common
 * blocks), and in MPICH's mpi_f08. Because of these references, a program exports its own copies, and MPI uses the same
 * addresses. */
typedef enum Sentinel { IN_PLACE, STATUS_IGNORE, NO_ARRAY } Sentinel;

#define SENTINELS(X)                                                                                                   \
    X(mpi_fortran_in_place_, IN_PLACE, 0)                                                                              \
    X(mpi_fortran_status_ignore_, STATUS_IGNORE, 0)                                                                    \
    X(mpi_fortran_statuses_ignore_, STATUS_IGNORE, 0)                                                                  \
    X(mpi_fortran_errcodes_ignore_, NO_ARRAY, 0)                                                                       \
    X(mpi_fortran_unweighted_, NO_ARRAY, 0)                                                                            \
    X(mpi_fortran_weights_empty_, NO_ARRAY, 0)                                                                         \
    X(mpipriv1_, IN_PLACE, 4)                                                                                          \
    X(mpipriv1_, STATUS_IGNORE, 8)                                                                                     \
    X(mpipriv2_, STATUS_IGNORE, 0)                                                                                     \
    X(mpipriv2_, NO_ARRAY, 20)                                                                                         \
    X(mpifcmb5_, NO_ARRAY, 0)                                                                                          \
    X(mpifcmb9_, NO_ARRAY, 0)                                                                                          \
    X(MPIR_F08_MPI_IN_PLACE, IN_PLACE, 0)                                                                              \
    X(MPIR_F08_MPI_STATUS_IGNORE_OBJ, STATUS_IGNORE, 0)                                                                \
    X(MPIR_F08_MPI_STATUSES_IGNORE_OBJ, STATUS_IGNORE, 0)                                                              \
    X(__mpi_f08_link_constants_MOD_mpi_errcodes_ignore, NO_ARRAY, 0)                                                   \
    X(__mpi_f08_link_constants_MOD_mpi_unweighted, NO_ARRAY, 0)                                                        \
    X(__mpi_f08_link_constants_MOD_mpi_weights_empty, NO_ARRAY, 0)

#define X(symbol, sentinel, offset) extern char at_##symbol[] __asm__(#symbol) __attribute__((weak));
SENTINELS(X)
#undef X

static struct {
    const char *symbol;
    const char *base; /* address of the symbol; NULL: the symbol is not in this process */
    Sentinel sentinel;
    unsigned offset;
} sentinels[] = {
#define X(symbol, sentinel, offset) {#symbol, at_##symbol, sentinel, offset},
    SENTINELS(X)
#undef X
};

static bool is_sentinel(Sentinel sentinel, const void *address)
{
    for (size_t i = 0; i < sizeof sentinels / sizeof sentinels[0]; i++)
        if (sentinels[i].sentinel == sentinel && sentinels[i].base &&
            sentinels[i].base + sentinels[i].offset == address)
            return true;
    return false;
}

static void find_sentinels(void *scope)
{
    for (size_t i = 0; i < sizeof sentinels / sizeof sentinels[0]; i++)
        if (!sentinels[i].base && scope)
            sentinels[i].base = dlsym(scope, sentinels[i].symbol);
}

/* Load MPI's Fortran library, which is beside the C library. A linker with --as-needed leaves it out if Hiera comes
 * before it, since Hiera defines the entry points. If MPI is linked statically, nothing is loaded: the library would be
 * a second MPI in the process. */
static void *load_library(const char *name, const char *twin)
{
    char path[4096];
    Dl_info c;
    const char *end =
        dladdr((const void *)(uintptr_t)hiera_own.Send, &c) && c.dli_fname ? strrchr(c.dli_fname, '/') : NULL;
    if (!end || !strstr(end, ".so"))
        return NULL;
    void *library = NULL;
    if (snprintf(path, sizeof path, "%.*s/%s", (int)(end - c.dli_fname), c.dli_fname, name) < (int)sizeof path)
        library = dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
    if (!library)
        library = dlopen(name, RTLD_LAZY | RTLD_GLOBAL);
    void *forward = library ? dlsym(library, twin) : NULL;
    if (forward) {
        find_sentinels(library);
        hiera_doors_open_again();
    }
    return forward;
}

/* Find MPI's entry point if the dynamic linker has not resolved it: the program has loaded MPI's Fortran library later,
 * perhaps with local scope for the caller only, or the library is not loaded yet. */
HieraFortranCode *hiera_fortran_find(HieraFortranEntry *entry, const void *site)
{
    Dl_info caller;
    void *scope = dladdr(site, &caller) ? dlopen(caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *forward = dlsym(RTLD_DEFAULT, entry->twin);
    if (!forward && scope)
        forward = dlsym(scope, entry->twin);
    find_sentinels(scope);
    for (const char *const *name = hiera_fortran_libraries; !forward && *name; name++)
        forward = load_library(*name, entry->twin);
    if (!forward) {
        /* Without Hiera, the dynamic linker would end the program: the call cannot be made, and a caller that continues
         * would lose data. A program that only looks up the name does not come here. */
        hiera_message("%s: not in this program; is it linked with MPI's Fortran library?", entry->twin);
        _exit(127); /* calls Hiera's wrapper of _exit, which writes the trace */
    }
    __atomic_store_n(&entry->forward, (HieraFortranCode *)forward, __ATOMIC_RELEASE);
    return (HieraFortranCode *)forward;
}

static uint32_t find_number(HieraHandleClass kind, MPI_Fint handle)
{
    uint64_t (*key_of)(MPI_Fint) = hiera_fortran_keys[kind];
    return key_of ? hiera_handle_find(kind, key_of(handle)) : 0;
}

uint32_t hiera_fortran_number(HieraHandleClass kind, MPI_Fint handle)
{
    enum { LAST = 16, OF_A_KIND = 4 }; /* programs alternate between a few datatypes or communicators */
    static __thread struct {
        MPI_Fint handle;
        uint32_t epoch, number, kind;
    } memos[LAST] __attribute__((tls_model("initial-exec")));
    uint32_t epoch = __atomic_load_n(&hiera_handle_epoch, __ATOMIC_ACQUIRE);
    __typeof__(memos[0]) *memo = &memos[((uint32_t)handle + OF_A_KIND * (uint32_t)kind) % LAST];
    if (memo->epoch != epoch || memo->handle != handle || memo->kind != (uint32_t)kind) {
        memo->kind = (uint32_t)kind;
        memo->number = find_number(kind, handle);
        memo->handle = handle;
        memo->epoch = epoch;
    }
    return memo->number;
}

const void *hiera_fortran_buffer(const HieraFortranEntry *entry, const void *buffer)
{
    if (entry->described && buffer)
        memcpy(&buffer, buffer,
               sizeof buffer); /* an array descriptor (CFI_cdesc_t) begins with the buffer's address, base_addr */
    return is_sentinel(IN_PLACE, buffer) ? MPI_IN_PLACE : buffer;
}

void *hiera_fortran_array(void *array)
{
    return is_sentinel(NO_ARRAY, array) ? NULL : array;
}

bool hiera_fortran_ignores_status(const MPI_Fint *status)
{
    return is_sentinel(STATUS_IGNORE, status);
}

const char *hiera_fortran_text(char to[HIERA_FORTRAN_TEXT_ROOM], const char *from, size_t length, bool trim_front)
{
    if (!from)
        length = 0;
    for (; trim_front && length > 0 && *from == ' '; from++)
        length--;
    while (length > 0 && from[length - 1] == ' ')
        length--;
    if (length >= HIERA_FORTRAN_TEXT_ROOM)
        length = HIERA_FORTRAN_TEXT_ROOM - 1;
    if (length > 0)
        memcpy(to, from, length);
    to[length] = '\0';
    return to;
}

void hiera_fortran_put_logicals(HieraThread *thread, HieraMpiRecord *record, unsigned argument, const MPI_Fint *values,
                                int64_t n)
{
    uint32_t stored;
    int32_t *to = hiera_mpi_put_space(thread, record, argument, n, sizeof *to, &stored);
    for (uint32_t i = 0; i < stored; i++)
        to[i] = values[i] != 0;
}

void hiera_fortran_put_wide(HieraThread *thread, HieraMpiRecord *record, unsigned argument, const MPI_Fint *values,
                            int64_t n)
{
    uint32_t stored;
    int64_t *to = hiera_mpi_put_space(thread, record, argument, n, sizeof *to, &stored);
    for (uint32_t i = 0; i < stored; i++)
        to[i] = values[i];
}

static uint32_t number_of_type(const void *types, int64_t i)
{
    return hiera_fortran_number(HIERA_HANDLE_TYPE, ((const MPI_Fint *)types)[i]);
}

int64_t hiera_fortran_sum_typed_ints(const int *counts, const MPI_Fint *types, int64_t n, const uint8_t *there)
{
    return hiera_sum_typed(counts, false, types, number_of_type, n, there);
}

int64_t hiera_fortran_sum_typed_longs(const int64_t *counts, const MPI_Fint *types, int64_t n, const uint8_t *there)
{
    return hiera_sum_typed(counts, true, types, number_of_type, n, there);
}

/* Store the C handles of a list of Fortran requests, converted as by MPI's own entry point. */
static void keep_all(HieraScratch *scratch, const MPI_Fint *requests, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        hiera_scratch_keep(scratch, i, PMPI_Request_f2c(requests[i]));
    hiera_scratch_keep_end(scratch, count);
}

void hiera_fortran_requests_list(HieraMpiRecord *record, const HieraPendingList *list, const MPI_Fint *all)
{
    HieraScratch *scratch = list->count > 1 ? hiera_scratch(list->count) : NULL;
    if (scratch)
        keep_all(scratch, all, list->count);
    if (scratch || list->count == 1)
        hiera_requests_list(record, list, NULL);
}

MPI_Fint *hiera_fortran_requests_before(HieraMpiRecord *record, HieraCompletion *completion, int64_t count,
                                        const MPI_Fint *requests, MPI_Fint *statuses)
{
    HieraScratch *scratch = count > 0 ? hiera_scratch(count) : NULL;
    if (!scratch) {
        *completion = (HieraCompletion){.count = 0};
        return statuses;
    }
    MPI_Request one = PMPI_Request_f2c(requests[0]);
    if (count > 1)
        keep_all(scratch, requests, count);
    hiera_requests_before(record, completion, count, count == 1 ? &one : scratch->requests, MPI_STATUSES_IGNORE);
    completion->requests = NULL;
    completion->fortran = requests;
    completion->null = PMPI_Request_c2f(MPI_REQUEST_NULL);
    return hiera_fortran_ignores_status(statuses) ? scratch->fortran_statuses : statuses;
}

void hiera_fortran_requests_note(HieraPendingList *list, int64_t count, const MPI_Fint *all)
{
    hiera_requests_open(list, count);
    for (int64_t i = 0; i < list->count; i++)
        hiera_requests_note_one(list, i, PMPI_Request_f2c(all[i]));
}

void hiera_fortran_requests_done(HieraPendingList *list, const MPI_Fint *all)
{
    MPI_Fint null = PMPI_Request_c2f(MPI_REQUEST_NULL);
    for (int64_t i = 0; i < list->count; i++)
        hiera_requests_done_one(list, i, all[i] == null);
    hiera_requests_close(list);
}

void hiera_fortran_requests_moved(HieraPendingList *list, const MPI_Fint *all)
{
    for (int64_t i = 0; i < list->count; i++)
        hiera_requests_moved_one(list, i, PMPI_Request_f2c(all[i]));
    hiera_requests_close(list);
}

void hiera_fortran_statuses(HieraCompletion *completion, const MPI_Fint *statuses, int64_t n)
{
    for (int64_t i = 0; i < n && i < completion->count; i++)
        PMPI_Status_f2c(statuses + i * HIERA_FORTRAN_STATUS, &completion->statuses[i]);
}

const int *hiera_fortran_indices(const MPI_Fint *indices, int64_t n, int first)
{
    const HieraScratch *scratch = hiera_scratch(n);
    for (int64_t i = 0; scratch && i < n; i++)
        scratch->indices[i] = indices[i] - first;
    return scratch ? scratch->indices : NULL;
}

/* Find out whether indices count from 0 or 1: call the entry point with two requests, the second to MPI_PROC_NULL. */
void hiera_fortran_ask_first(HieraFortranEntry *entry, HieraFortranShape shape)
{
    typedef MPI_Fint I;
    _Alignas(8) I statuses[2 * HIERA_FORTRAN_STATUS];
    I two = 2, index[2] = {2, 2}, done = 0, error = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    hiera_own.Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
    I requests[2] = {PMPI_Request_c2f(MPI_REQUEST_NULL), PMPI_Request_c2f(request)};
    if (shape == HIERA_FORTRAN_WAIT_ANY)
        ((void (*)(I *, I *, I *, I *, I *))entry->forward)(&two, requests, index, statuses, &error);
    else if (shape == HIERA_FORTRAN_TEST_ANY)
        ((void (*)(I *, I *, I *, I *, I *, I *))entry->forward)(&two, requests, index, &done, statuses, &error);
    else
        ((void (*)(I *, I *, I *, I *, I *, I *))entry->forward)(&two, requests, &done, index, statuses, &error);
    __atomic_store_n(&entry->first, index[0] == 1 ? HIERA_FORTRAN_ZERO : HIERA_FORTRAN_ONE, __ATOMIC_RELAXED);
}
