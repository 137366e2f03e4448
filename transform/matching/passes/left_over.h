/* What ranks that have not ended may have to do with: of several processes, the one that leads gets these operations of
 * all ranks, and finds their partners once more. They are those that have not ended or have no partner, or whose
 * partner has not; those of windows; the last MPI call of each rank; and what is around them. Messages that have
 * arrived and collectives that have ended are left out on all sides, so the calls of a channel that are left keep their
 * order. */
#ifndef HIERA_LEFT_OVER_H
#define HIERA_LEFT_OVER_H

#include "hiera_measure.h"

typedef struct HieraLeftOver HieraLeftOver;

/* Of several processes all call it.
 *
 * @param match  of what this process knows; scope->own are the ranks that it tells about, scope->chosen the operations
 * for which --where holds
 * @return to be freed with hiera_left_over_free; NULL in those that do not lead, and if there is an error */
HieraLeftOver *hiera_left_over_gather(const HieraMatch *match, const HieraScope *scope, GError **error);
const HieraMatch *hiera_left_over_peek(const HieraLeftOver *left);
/* Return by row of that match: 1 where --where holds; NULL: there is none. */
const guint8 *hiera_left_over_peek_chosen(const HieraLeftOver *left);
/* NULL is allowed. */
void hiera_left_over_free(HieraLeftOver *left);

#endif
