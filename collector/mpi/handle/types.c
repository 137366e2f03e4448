#include "types.h"

#include "base/kept.h"
#include "base/settings.h"
#include "handles.h"
#include "memory/kept_heap.h"
#include "memory/stable_array.h"
#include "mpi/call/call_record.h"
#include "mpi/call/own_calls.h"
#include "predefined.h"
#include "signatures.h"
#include "write/call_dictionary.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static HieraStableArray all_types HIERA_KEPT = {.item_bytes = sizeof(HieraType), .memory = hiera_kept_take};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const HieraType *hiera_type_facts(uint32_t number)
{
    static const HieraType unknown = {.size = -1, .extent = -1};
    const HieraType *type = number ? hiera_stable_at(&all_types, number) : NULL;
    return type && type->version != 0 ? type : &unknown;
}

static bool take_signature(HieraSignature *signature, MPI_Datatype type)
{
    uint32_t number = hiera_handle_find(HIERA_HANDLE_TYPE, HIERA_KEY(type));
    const HieraType *known = hiera_type_facts(number);
    MPI_Count size = -1;
    if (number != 0 && number <= hiera_predefined_count[HIERA_HANDLE_TYPE] &&
        hiera_own.Type_size_x(type, &size) == MPI_SUCCESS) {
        hiera_signature_of_predefined(signature, hiera_predefined_names_TYPE[number - 1], size);
        return true;
    }
    if (!known->signature)
        return false;
    signature->n = known->n_basics;
    signature->hash = known->hash;
    snprintf(signature->text, sizeof signature->text, "%s", known->signature);
    return true;
}

static void measure(uint32_t number, MPI_Datatype type)
{
    MPI_Count size = -1, lower, extent = -1;
    if (hiera_own.Type_size_x(type, &size) != MPI_SUCCESS)
        size = -1;
    if (hiera_own.Type_get_extent_x(type, &lower, &extent) != MPI_SUCCESS)
        extent = -1;
    MPI_Count true_lower = 0, true_extent = -1;
    if (*hiera_settings.check && hiera_own.Type_get_true_extent_x &&
        hiera_own.Type_get_true_extent_x(type, &true_lower, &true_extent) != MPI_SUCCESS)
        true_extent = -1;
    HieraSignature signature;
    hiera_signature_of(&signature, type, take_signature);
    char *text = signature.n >= 0 ? hiera_kept_copy(signature.text) : NULL;
    pthread_mutex_lock(&lock);
    HieraType *facts = hiera_stable_make(&all_types, number);
    if (facts) {
        facts->size = size;
        facts->extent = extent;
        facts->true_lower = true_lower;
        facts->true_upper = true_lower + true_extent;
        facts->signature = text;
        facts->n_basics = signature.n;
        facts->hash = signature.hash;
        __atomic_store_n(&facts->version, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    if (!facts)
        hiera_kept_give(text);
}

static uint32_t measured(uint32_t number, MPI_Datatype type)
{
    if (type != MPI_DATATYPE_NULL && hiera_type_facts(number)->version == 0)
        measure(number, type);
    return number;
}

uint32_t hiera_type_new(MPI_Datatype type)
{
    return measured(hiera_handle_new(HIERA_HANDLE_TYPE, HIERA_KEY(type)), type);
}

uint32_t hiera_type_reference(MPI_Datatype type)
{
    return measured(hiera_handle_reference(HIERA_HANDLE_TYPE, HIERA_KEY(type)), type);
}

int64_t hiera_type_contents(MPI_Datatype type, HieraContents what)
{
#if MPI_VERSION >= 4
    MPI_Count n[4] = {0, 0, 0, 0};
    int combiner;
    int error = hiera_own.Type_get_envelope_c(type, &n[0], &n[1], &n[2], &n[3], &combiner);
#else
    int n[4] = {0, 0, 0, 0}, combiner;
    int error = hiera_own.Type_get_envelope(type, &n[0], &n[1], &n[3], &combiner);
#endif
    return error == MPI_SUCCESS ? n[what] : 0;
}

void hiera_type_set_name(uint32_t number, const char *name)
{
    pthread_mutex_lock(&lock);
    HieraType *facts = number ? hiera_stable_at(&all_types, number) : NULL;
    char *old = NULL;
    if (facts && facts->version != 0) {
        old = facts->name; /* the old name is freed later: another thread may be writing it to the trace */
        facts->name = hiera_kept_copy(name);
        __atomic_add_fetch(&facts->version, 1, __ATOMIC_ACQ_REL);
        hiera_declared_invalidate();
    }
    pthread_mutex_unlock(&lock);
    hiera_text_released(old);
}

void hiera_type_forget(uint32_t number)
{
    pthread_mutex_lock(&lock);
    HieraType *facts = hiera_stable_at(&all_types, number);
    if (facts) {
        hiera_kept_give(facts->name);
        hiera_kept_give(facts->signature);
        hiera_stable_drop(&all_types, number);
    }
    pthread_mutex_unlock(&lock);
}

/* Whether each MPI has this predefined datatype. One without Fortran or C++ may have handles of their datatypes which
 * are no datatypes: MPICH 5, and each MPI with the ABI of MPI 5.0. */
static bool is_everywhere(const char *name)
{
    static const char *const elsewhere[] = {"LOGICAL",   "INTEGER", "REAL",     "COMPLEX",       "DOUBLE_PRECISION",
                                            "CHARACTER", "2REAL",   "2INTEGER", "2COMPLEX",      "2DOUBLE_",
                                            "CXX_",      "LB",      "UB",       "DOUBLE_COMPLEX"};
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (strncmp(name + strlen("MPI_"), elsewhere[i], strlen(elsewhere[i])) == 0)
            return false;
    return true;
}

static void start(bool everywhere)
{
    for (uint32_t i = 0; i < hiera_predefined_count[HIERA_HANDLE_TYPE]; i++)
        if (is_everywhere(hiera_predefined_names_TYPE[i]) == everywhere)
            hiera_type_new(hiera_predefined_TYPE[i]);
}

/* Ask for the datatypes that may be missing. That must not end the program, so errors return meanwhile. */
static void start_quietly(void)
{
    const MPI_Comm comms[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
    MPI_Errhandler handlers[] = {MPI_ERRHANDLER_NULL, MPI_ERRHANDLER_NULL};
    for (int i = 0; i < 2; i++) {
        hiera_own.Comm_get_errhandler(comms[i], &handlers[i]);
        hiera_own.Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN);
    }
    start(false);
    for (int i = 0; i < 2; i++) {
        hiera_own.Comm_set_errhandler(comms[i], handlers[i]);
        hiera_own.Errhandler_free(&handlers[i]);
    }
}

/* Whether the program has a function of MPI: a static MPI may lack those that the program does not call. */
static __attribute__((noinline)) bool is_linked(void (*function)(void))
{
    return function != NULL;
}

/* Up to MPI 4 each handle is one of a datatype. Later ones are asked for only if errors can return: not with sessions
 * alone, which have no communicator, and not if a static MPI was linked without the functions for it. */
void hiera_types_start(void)
{
    int has_world = 0;
    bool may_lack = MPI_VERSION >= 5;
    start(true);
    if (may_lack)
        hiera_own.Initialized(&has_world);
    if (!may_lack)
        start(false);
    else if (has_world && is_linked((void (*)(void))hiera_own.Comm_get_errhandler) &&
             is_linked((void (*)(void))hiera_own.Comm_set_errhandler) &&
             is_linked((void (*)(void))hiera_own.Errhandler_free))
        start_quietly();
}

static uint32_t number_of(const void *types, int64_t i)
{
    return hiera_handle_find(HIERA_HANDLE_TYPE, HIERA_KEY(((const MPI_Datatype *)types)[i]));
}

int64_t hiera_sum_typed_ints(const int *counts, const MPI_Datatype *types, int64_t n, const uint8_t *there)
{
    return hiera_sum_typed(counts, false, types, number_of, n, there);
}

int64_t hiera_sum_typed_longs(const int64_t *counts, const MPI_Datatype *types, int64_t n, const uint8_t *there)
{
    return hiera_sum_typed(counts, true, types, number_of, n, there);
}
