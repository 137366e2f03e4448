/* What the simulation does at the begin and end of MPI calls: functions for the table in handlers.c. */
#pragma once

#include "world.h"

/* How a call makes a new group of ranks from an old one. */
typedef enum {
    HIERA_SPLIT_DUPLICATE,
    HIERA_SPLIT_COLOR,
    HIERA_SPLIT_KEY,     /* one group with all members, sorted by a key */
    HIERA_SPLIT_GROUP,   /* a group that each member passes; all members of the communicator call */
    HIERA_SPLIT_MEMBERS, /* a group that each member passes; only its members call */
    HIERA_SPLIT_MERGE,   /* all members of both sides of an intercommunicator */
    HIERA_SPLIT_GRID,
    HIERA_SPLIT_SUBGRID,
    HIERA_SPLIT_GRAPH,    /* a graph, of which each member passes all edges */
    HIERA_SPLIT_EDGES,    /* a graph, of which each member passes any edges */
    HIERA_SPLIT_ADJACENT, /* a graph, of which each member passes its own edges */
    HIERA_SPLIT_WINDOW
} HieraSplit;

/* How a call makes a type from other types. */
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
/* Return the name of a parameter, as functions.table and traces have it. */
const char *hiera_mpi_parameter_name(HieraMpiName name);
/* Whether a function affects other processes but is not simulated: the prediction leaves it out. */
gboolean hiera_mpi_is_left_out(const HieraMpiFunction *function);
/* Whether a function reads or writes data of a file (MPI-IO). */
gboolean hiera_mpi_moves_file(const HieraMpiFunction *function);

/* --- messages.c: sends and receives --- */
void hiera_mpi_begin_send(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_receive(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_exchange(HieraWorld *world, guint32 rank);
void hiera_mpi_end_receives(HieraWorld *world, guint32 rank);
/* --- probes.c: probes, and receives of probed messages --- */
void hiera_mpi_begin_probe(HieraWorld *world, guint32 rank);
void hiera_mpi_end_probe(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_matched_receive(HieraWorld *world, guint32 rank);
/* --- requests.c: starts, waits and tests --- */
void hiera_mpi_begin_start(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_ready(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_wait(HieraWorld *world, guint32 rank);
void hiera_mpi_end_wait(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_arrived(HieraWorld *world, guint32 rank);
void hiera_mpi_end_arrived(HieraWorld *world, guint32 rank);
void hiera_mpi_free_request(HieraWorld *world, guint32 rank);
/* --- collectives.c: collectives with data --- */
void hiera_mpi_begin_collective(HieraWorld *world, guint32 rank);
void hiera_mpi_end_collective(HieraWorld *world, guint32 rank);
/* Begin a collective call that only synchronizes all members. */
void hiera_mpi_begin_gathering(HieraWorld *world, guint32 rank);
/* --- predefined.c: names of handles --- */
/* Return the name of a predefined handle; NULL: it is not predefined. To be freed. @param class  as in
 * HieraMpiParameter */
char *hiera_mpi_predefined_name(HieraWorld *world, guint32 rank, const char *class, guint64 handle);
/* --- neighbours.c: neighbourhood collectives --- */
/* Return the neighbours of a member in a grid or graph, in MPI's order; below 0: no neighbour on this side.
 * @return GArray of gint32, to be freed */
GArray *hiera_mpi_neighbours(const HieraGroupOfRanks *group, guint member, gboolean sends);
void hiera_mpi_begin_neighbours(HieraWorld *world, guint32 rank);
void hiera_mpi_tell_neighbours(HieraWorld *world, guint32 rank);
/* --- communicators.c: properties of groups, groups from groups --- */
void hiera_mpi_tell_group(HieraWorld *world, guint32 rank);
void hiera_mpi_compare_groups(HieraWorld *world, guint32 rank);
void hiera_mpi_translate_ranks(HieraWorld *world, guint32 rank);
void hiera_mpi_make_group(HieraWorld *world, guint32 rank);
/* --- splits.c: new communicators, windows and files --- */
void hiera_mpi_begin_split(HieraWorld *world, guint32 rank);
void hiera_mpi_end_split(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_leaders(HieraWorld *world, guint32 rank);
void hiera_mpi_end_leaders(HieraWorld *world, guint32 rank);
/* --- grids.c: Cartesian grids --- */
void hiera_mpi_describe_grid(HieraWorld *world, guint32 rank);
/* Return the number of members of the grid that the call makes; 0: not known. */
gint32 hiera_mpi_grid_members(HieraWorld *world, guint32 rank);
/* Find the subgrid to which a rank goes, as a color, and its position there, as a key, as in MPI_Comm_split. */
void hiera_mpi_find_subgrid(HieraWorld *world, guint32 rank, gint64 *color, gint64 *key);
void hiera_mpi_describe_subgrid(HieraWorld *world, guint32 rank);
void hiera_mpi_shift_in_grid(HieraWorld *world, guint32 rank);
void hiera_mpi_write_coordinates(HieraWorld *world, guint32 rank);
void hiera_mpi_write_member(HieraWorld *world, guint32 rank);
void hiera_mpi_create_dimensions(HieraWorld *world, guint32 rank);
/* Return the member of a grid that is `by` members away in a dimension; -1: there is none. */
gint32 hiera_mpi_grid_neighbour(const HieraGroupOfRanks *group, guint member, gint32 dimension, gint32 by);
/* --- basic_types.c: sizes of predefined types --- */
/* Return the size in bytes of a predefined type; -1: it is not known. */
gint64 hiera_mpi_basic_size(HieraWorld *world, guint32 rank, guint64 handle);
/* Return the size in bytes of the predefined type that a call requests (type_match_size, type_create_f90_real and
 * similar); at most HIERA_MPI_LARGEST_NAMED; -1: not known. */
gint64 hiera_mpi_size_asked_for(HieraWorld *world, guint32 rank);
/* --- types.c: making types --- */
void hiera_mpi_make_type(HieraWorld *world, guint32 rank);
void hiera_mpi_name_type(HieraWorld *world, guint32 rank);
void hiera_mpi_free_type(HieraWorld *world, guint32 rank);
void hiera_mpi_tell_type(HieraWorld *world, guint32 rank);
void hiera_mpi_pack_call(HieraWorld *world, guint32 rank);
void hiera_mpi_unpack_call(HieraWorld *world, guint32 rank);
/* --- windows.c: one-sided communication --- */
void hiera_mpi_begin_access(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_epoch(HieraWorld *world, guint32 rank);
/* --- calls.c: calls that no other file handles --- */
void hiera_mpi_allocate(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_file(HieraWorld *world, guint32 rank);
void hiera_mpi_end_init(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_finalize(HieraWorld *world, guint32 rank);
void hiera_mpi_abort(HieraWorld *world, guint32 rank);
