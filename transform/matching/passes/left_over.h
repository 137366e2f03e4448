/* Operations that may concern ranks that have not ended. Of several processes, process 0 gets these operations of
 * all ranks, and matches them once more. They are operations that have not ended or have no partner, or whose
 * partner has not ended; operations of windows; the last MPI call of each rank; and the operations around all these.
 * Messages that have arrived and collectives that have ended are left out on all sides, so the remaining calls of a
 * channel keep their order. */
#pragma once

#include "hiera_measure.h"

typedef struct HieraLeftOver HieraLeftOver;

/* Gather these operations; all processes call it.
 *
 * @param match  of the operations in this process; scope->share.own are the ranks whose operations it sends,
 * scope->chosen the operations for which --where holds
 * @return to be freed with hiera_left_over_free; NULL in processes other than 0, and if there is an error */
HieraLeftOver *hiera_left_over_gather(const HieraMatch *match, const HieraScope *scope, GError **error);
const HieraMatch *hiera_left_over_peek(const HieraLeftOver *left);
/* Return, by row of hiera_left_over_peek()'s trace: 1 where --where holds; NULL: there is no --where. */
const guint8 *hiera_left_over_peek_chosen(const HieraLeftOver *left);
/* Free what hiera_left_over_gather() returned. NULL is allowed. */
void hiera_left_over_free(HieraLeftOver *left);
