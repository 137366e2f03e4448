/* Actions of ranks at the begin and end of MPI functions: the columns of the table in handlers.c. */
#pragma once

#include "world.h"

/* Relation of a new group to its old group. */
typedef enum {
    HIERA_SPLIT_DUPLICATE,
    HIERA_SPLIT_COLOR,
    HIERA_SPLIT_KEY,     /* all members, sorted by a key */
    HIERA_SPLIT_GROUP,   /* the members of a group */
    HIERA_SPLIT_MEMBERS, /* the members of a group, and only they take part */
    HIERA_SPLIT_MERGE,   /* merges both sides of an intercommunicator */
    HIERA_SPLIT_GRID,
    HIERA_SPLIT_SUBGRID,
    HIERA_SPLIT_GRAPH,    /* a graph: each member passes all edges */
    HIERA_SPLIT_EDGES,    /* a graph: each member passes some edges */
    HIERA_SPLIT_ADJACENT, /* a graph: each member passes its own edges */
    HIERA_SPLIT_WINDOW
} HieraSplit;

/* Rule by which a type is made from others. */
typedef enum {
    HIERA_TYPE_VECTOR,
    HIERA_TYPE_VECTOR_IN_BYTES,
    HIERA_TYPE_INDEXED,
    HIERA_TYPE_INDEXED_IN_BYTES,
    HIERA_TYPE_SUBARRAY,
    HIERA_TYPE_RESIZED,
    HIERA_TYPE_UNKNOWN
} HieraTypeRule;

/* Return a function; NULL: MPI has none with this name. Large forms (MPI_Send_c) are functions like others.
 * @param name     name in the call: MPI_Send, PMPI_Send, mpi_send_, mpi_send_f08_
 * @param fortran  set if all arguments are passed by reference */
const HieraMpiFunction *hiera_mpi_function(HieraMpiFunctions *functions, const char *name, gboolean *fortran);
/* Return the name of a parameter in functions.table and in traces. */
const char *hiera_mpi_parameter_name(HieraMpiName name);
/* Whether a function is not simulated although it affects other processes, so that the prediction leaves it out. */
gboolean hiera_mpi_is_left_out(const HieraMpiFunction *function);
/* Whether a function reads or writes data of a file (MPI-IO). */
gboolean hiera_mpi_moves_file(const HieraMpiFunction *function);

/* --- messages.c --- */
void hiera_mpi_begin_send(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_receive(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_exchange(HieraWorld *world, guint32 rank);
void hiera_mpi_end_receives(HieraWorld *world, guint32 rank);
/* --- probes.c --- */
void hiera_mpi_begin_probe(HieraWorld *world, guint32 rank);
void hiera_mpi_end_probe(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_matched_receive(HieraWorld *world, guint32 rank);
/* --- requests.c --- */
void hiera_mpi_begin_start(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_ready(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_wait(HieraWorld *world, guint32 rank);
void hiera_mpi_end_wait(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_arrived(HieraWorld *world, guint32 rank);
void hiera_mpi_end_arrived(HieraWorld *world, guint32 rank);
void hiera_mpi_free_request(HieraWorld *world, guint32 rank);
/* --- collectives.c --- */
void hiera_mpi_begin_collective(HieraWorld *world, guint32 rank);
void hiera_mpi_end_collective(HieraWorld *world, guint32 rank);
/* Begin a synchronisation of all members. */
void hiera_mpi_begin_gathering(HieraWorld *world, guint32 rank);
/* --- predefined.c --- */
/* Return the name of a predefined handle; NULL: it is not predefined. To be freed. @param class  as in
 * HieraMpiParameter */
char *hiera_mpi_predefined_name(HieraWorld *world, guint32 rank, const char *class, guint64 handle);
/* --- neighbours.c --- */
/* Return the neighbours of a member in a grid or graph, in MPI's order; below 0: no neighbour on this side.
 * @return GArray of gint32, to be freed */
GArray *hiera_mpi_neighbours(const HieraGroupOfRanks *group, guint member, gboolean sends);
void hiera_mpi_begin_neighbours(HieraWorld *world, guint32 rank);
void hiera_mpi_tell_neighbours(HieraWorld *world, guint32 rank);
/* --- communicators.c --- */
void hiera_mpi_tell_group(HieraWorld *world, guint32 rank);
void hiera_mpi_compare_groups(HieraWorld *world, guint32 rank);
void hiera_mpi_translate_ranks(HieraWorld *world, guint32 rank);
void hiera_mpi_make_group(HieraWorld *world, guint32 rank);
/* --- splits.c --- */
void hiera_mpi_begin_split(HieraWorld *world, guint32 rank);
void hiera_mpi_end_split(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_leaders(HieraWorld *world, guint32 rank);
void hiera_mpi_end_leaders(HieraWorld *world, guint32 rank);
/* --- grids.c --- */
void hiera_mpi_describe_grid(HieraWorld *world, guint32 rank);
/* Return the number of members of the grid that is made; 0: not known. */
gint32 hiera_mpi_grid_members(HieraWorld *world, guint32 rank);
/* Find color and key of a rank for the subgrids of its grid. */
void hiera_mpi_find_subgrid(HieraWorld *world, guint32 rank, gint64 *color, gint64 *key);
void hiera_mpi_describe_subgrid(HieraWorld *world, guint32 rank);
void hiera_mpi_shift_in_grid(HieraWorld *world, guint32 rank);
void hiera_mpi_write_coordinates(HieraWorld *world, guint32 rank);
void hiera_mpi_write_member(HieraWorld *world, guint32 rank);
void hiera_mpi_create_dimensions(HieraWorld *world, guint32 rank);
/* Return the neighbour of a member in a grid, -1: there is none. */
gint32 hiera_mpi_grid_neighbour(const HieraGroupOfRanks *group, guint member, gint32 dimension, gint32 by);
/* --- basic_types.c --- */
/* Return the size in bytes of a predefined type; -1: it is not known. */
gint64 hiera_mpi_basic_size(HieraWorld *world, guint32 rank, guint64 handle);
/* Return the size in bytes of the predefined type that a call requests (type_match_size, type_create_f90_real and
 * similar); at most HIERA_MPI_LARGEST_NAMED; -1: not known. */
gint64 hiera_mpi_size_asked_for(HieraWorld *world, guint32 rank);
/* --- types.c --- */
void hiera_mpi_make_type(HieraWorld *world, guint32 rank);
void hiera_mpi_name_type(HieraWorld *world, guint32 rank);
void hiera_mpi_free_type(HieraWorld *world, guint32 rank);
void hiera_mpi_tell_type(HieraWorld *world, guint32 rank);
void hiera_mpi_pack_call(HieraWorld *world, guint32 rank);
void hiera_mpi_unpack_call(HieraWorld *world, guint32 rank);
/* --- windows.c --- */
void hiera_mpi_begin_access(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_epoch(HieraWorld *world, guint32 rank);
/* --- calls.c --- */
void hiera_mpi_allocate(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_file(HieraWorld *world, guint32 rank);
void hiera_mpi_end_init(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_finalize(HieraWorld *world, guint32 rank);
void hiera_mpi_abort(HieraWorld *world, guint32 rank);
