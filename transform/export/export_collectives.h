/* Collectives in an order that does not depend on what one process has matched: each belongs to the processor of its
 * first member. */
#ifndef HIERA_EXPORT_COLLECTIVES_H
#define HIERA_EXPORT_COLLECTIVES_H

#include "hiera_measure.h"

typedef struct {
    GArray *indices;       /* guint32, in hiera_match_peek_collectives: those of the own processors, in their order */
    guint32 *first;        /* by processor: place there of its first one; behind the last processor that of all */
    guint32 *first_number; /* by processor: the number of its first one, from 0 */
} HieraExportCollectives;
/* Of several processes all call this. */
void hiera_export_collectives_init(HieraExportCollectives *collectives, const HieraMatch *match,
                                   const HieraScope *scope);
void hiera_export_collectives_clear(HieraExportCollectives *collectives);

/* Called with the number of a collective and its index in the match. */
typedef void (*HieraCollectiveVisit)(guint32 number, guint32 index, gpointer user);
/* Visit those that belong to an own processor, in the order of their numbers. */
void hiera_export_collectives_visit(const HieraExportCollectives *collectives, guint32 processor,
                                    HieraCollectiveVisit visit, gpointer user);

#endif
