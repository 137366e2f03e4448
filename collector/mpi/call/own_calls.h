/* MPI as Hiera's own code calls it: by pointers. So, where libhiera.a is part of a program, the linker's references by
 * PMPI names are the program's alone, and can lead to Hiera (life/other_doors.h). Not here: conversions of Fortran's
 * handles, which are macros in some MPI. */
#pragma once

#include "base/internal.h"
#include "loaded/loaded_symbols.h"

#include <mpi.h>

/* X(name without PMPI_) */
/* clang-format off */
#define HIERA_OWN_CALLS(X) \
    X(Allreduce) X(Barrier) X(Bcast) X(Cancel) X(Cart_shift) X(Cartdim_get) X(Comm_create_group) \
    X(Comm_create_keyval) X(Comm_dup) X(Comm_free) X(Comm_free_keyval) X(Comm_get_attr) X(Comm_get_errhandler) \
    X(Comm_get_parent) X(Comm_group) X(Comm_rank) X(Comm_remote_group) X(Comm_remote_size) X(Comm_set_attr) \
    X(Comm_set_errhandler) X(Comm_size) X(Comm_split) X(Comm_test_inter) X(Dist_graph_neighbors) \
    X(Dist_graph_neighbors_count) X(Errhandler_free) X(Error_class) X(Finalized) X(Gather) X(Get_count) \
    X(Get_elements_x) X(Graph_neighbors) X(Graph_neighbors_count) X(Group_free) X(Group_incl) X(Group_rank) \
    X(Group_size) X(Group_translate_ranks) X(Init) X(Initialized) X(Irecv) X(Isend) X(Query_thread) X(Recv) \
    X(Reduce) X(Send) X(T_category_get_info) X(T_cvar_get_info) X(T_cvar_get_num) X(T_cvar_handle_alloc) \
    X(T_cvar_read) X(T_init_thread) X(T_pvar_get_info) X(T_pvar_get_num) X(T_pvar_handle_alloc) X(T_pvar_read) \
    X(T_pvar_session_create) X(T_pvar_start) X(Test) X(Test_cancelled) X(Topo_test) X(Type_free) \
    X(Type_get_contents) X(Type_get_envelope) X(Type_get_extent_x) X(Type_get_true_extent_x) X(Type_size_x) X(Wait) X(Win_get_errhandler) \
    HIERA_OWN_CALLS_4(X)
/* clang-format on */

#if MPI_VERSION >= 4
#define HIERA_OWN_CALLS_4(X)                                                                                           \
    X(Group_from_session_pset) X(T_category_get_num_events) X(Type_get_envelope_c) X(Type_get_contents_c)
#else
#define HIERA_OWN_CALLS_4(X)
#endif

#define X(name) __typeof__(PMPI_##name) *name;
typedef struct HieraOwnCalls {
    HIERA_OWN_CALLS(X)
} HieraOwnCalls;
#undef X

/* NULL: this MPI lacks the function. */
extern HieraOwnCalls hiera_own HIERA_INTERNAL;

/* The pointer by which an entry point of Fortran (fortran/) calls MPI's own. A list; `twin` NULL ends it. */
typedef struct HieraOwnFortran {
    const char *twin; /* name of MPI's function */
    void *pointer;
} HieraOwnFortran;

extern const HieraOwnFortran hiera_own_fortran[] HIERA_INTERNAL;

/* Take all functions from MPI's library. */
void hiera_own_take(const HieraSymbols *mpi);
