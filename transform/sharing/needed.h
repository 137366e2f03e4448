/* Finds which operations of a rank other processes need, to match their own: its sends to their ranks, its
 * receives from them, its collectives on communicators that have members there; the calls that name requests of
 * these; and the callers of all of them. */
#pragma once

#include "trace/catalog.h"
#include "trace/piece.h"

/* Number of groups of processes: with more than 64 processes a group has several, and gets what any of them needs. */
enum { HIERA_NEEDED_GROUPS = 64 };
#define HIERA_NEEDED_GROUP(process) ((process) % HIERA_NEEDED_GROUPS)

typedef struct HieraNeeded HieraNeeded;

/* @param processes  by processor: number of the process that has its trace; all parameters must outlive the result
 * @return free it with hiera_needed_free() */
HieraNeeded *hiera_needed_new(const HieraCatalog *catalog, const GArray *processors, const guint *processes);
void hiera_needed_free(HieraNeeded *needed);

/* Return, by HIERA_NEEDED_GROUP, the rows of a piece that the group needs, rising, GArray of guint32; to be freed with
 * g_ptr_array_unref. */
GPtrArray *hiera_needed_find(const HieraNeeded *needed, const HieraPiece *piece);
