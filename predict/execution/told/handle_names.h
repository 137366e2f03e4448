/* Names of handles in the traces of a predicted run (docs/format.md, "Names"), and their declarations. */
#ifndef HIERA_EXECUTION_HANDLE_NAMES_H
#define HIERA_EXECUTION_HANDLE_NAMES_H

#include "execution/mpi/world.h"

typedef struct HieraHandleNames HieraHandleNames;

HieraHandleNames *hiera_handle_names_new(guint32 n_processes);
void hiera_handle_names_free(HieraHandleNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraHandleNames, hiera_handle_names_free)

/* Name the handle that a call of a rank has. What must be declared before it is told to `declare`, once for each rank.
 *
 * @param made  the call makes it: a handle that was there before with this number is another one
 * @return owned by the names; NULL: it has none */
const char *hiera_handle_names_find(HieraHandleNames *names, HieraWorld *world, guint32 rank,
                                    const HieraMpiParameter *parameter, guint64 handle, gboolean made);
/* Name a communicator by its group. */
const char *hiera_handle_names_find_group(HieraHandleNames *names, HieraWorld *world, guint32 rank, guint group);
/* A call of a rank makes a communicator, or would have: each of them counts. Before its result is named. */
void hiera_handle_names_count_constructor(HieraHandleNames *names, HieraWorld *world, guint32 rank);
/* Take the declarations that are to be written before the next call of a rank: elements, in an array that owns them. */
GPtrArray *hiera_handle_names_take_declarations(HieraHandleNames *names, guint32 rank);

#endif
