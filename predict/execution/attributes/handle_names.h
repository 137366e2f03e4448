/* Names of MPI handles in the traces of a predicted run (docs/format.md, "Names"), and their declarations. */
#pragma once

#include "execution/mpi/world.h"

typedef struct HieraHandleNames HieraHandleNames;

HieraHandleNames *hiera_handle_names_new(guint32 n_processes);
void hiera_handle_names_free(HieraHandleNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraHandleNames, hiera_handle_names_free)

/* Return the name of a handle in a call of a rank. A declaration that must precede its use is queued, once for each
 * rank.
 *
 * @param made  the call makes the handle: an earlier handle with the same number is another one
 * @return owned by the names; NULL: it has none */
const char *hiera_handle_names_find(HieraHandleNames *names, HieraWorld *world, guint32 rank,
                                    const HieraMpiParameter *parameter, guint64 handle, gboolean made);
/* Return the name of a communicator. @param group  number of its group of ranks */
const char *hiera_handle_names_find_group(HieraHandleNames *names, HieraWorld *world, guint32 rank, guint group);
/* Count a call of a rank that makes a communicator, also if it returns none. To be called before its result is named.
 */
void hiera_handle_names_count_constructor(HieraHandleNames *names, HieraWorld *world, guint32 rank);
/* Return and clear the declarations that belong before a rank's next call: char *, owned by the array. */
GPtrArray *hiera_handle_names_take_declarations(HieraHandleNames *names, guint32 rank);
