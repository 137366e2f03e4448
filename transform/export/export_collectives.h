/* Collectives in an order that does not depend on how matching was shared among processes: each belongs to the
 * processor of its first member. */
#pragma once

#include "hiera_measure.h"

typedef struct {
    GArray *indices; /* guint32, indices in hiera_match_peek_collectives: collectives of own processors, by rows of
                        their members */
    guint32 *first;  /* by processor: index in `indices` of its first collective; one more entry: length of `indices` */
    guint32 *first_number; /* by processor: number in the whole job of its first collective, from 0 */
} HieraExportCollectives;
/* Number the collectives of the whole job, processor after processor. All processes call this. */
void hiera_export_collectives_init(HieraExportCollectives *collectives, const HieraMatch *match,
                                   const HieraScope *scope);
void hiera_export_collectives_clear(HieraExportCollectives *collectives);

/* Callback for a collective. @param number  in the whole job. @param index  in hiera_match_peek_collectives */
typedef void (*HieraCollectiveVisit)(guint32 number, guint32 index, gpointer user);
/* Visit the collectives of one of this process's processors, in the order of their numbers. */
void hiera_export_collectives_visit(const HieraExportCollectives *collectives, guint32 processor,
                                    HieraCollectiveVisit visit, gpointer user);
