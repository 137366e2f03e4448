/* Collectives in an order that does not depend on how matching was shared among processes: each belongs to the
 * processor of its first member. */
#pragma once

#include "hiera_measure.h"

typedef struct {
    GArray *indices; /* guint32, index in hiera_match_peek_collectives: collectives of own processors, in their order */
    guint32 *first;  /* by processor: position in `indices` of its first collective; at the end the total */
    guint32 *first_number; /* by processor: number of its first collective, from 0 */
} HieraExportCollectives;
/* All processes call this. */
void hiera_export_collectives_init(HieraExportCollectives *collectives, const HieraMatch *match,
                                   const HieraScope *scope);
void hiera_export_collectives_clear(HieraExportCollectives *collectives);

/* Called with the number of a collective and its index in the match. */
typedef void (*HieraCollectiveVisit)(guint32 number, guint32 index, gpointer user);
/* Visit the collectives of an own processor, in the order of their numbers. */
void hiera_export_collectives_visit(const HieraExportCollectives *collectives, guint32 processor,
                                    HieraCollectiveVisit visit, gpointer user);
