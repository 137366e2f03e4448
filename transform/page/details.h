/* What is known of single operations: their arguments, and why they wait. */
#ifndef HIERA_DETAILS_H
#define HIERA_DETAILS_H

#include "timeline/lanes.h"
#include "waiting/waiting.h"

/* Of several processes all call what writes.
 *
 * Write the blocks `arguments` and `operations`: what is known of each operation; of many only those of some.
 * @param known  by row: whether the page has all of it, here and below */
void hiera_operations_write(const HieraScene *scene, const guint8 *known, FILE *stream);
/* Make the block `operation-ROW`: what is known of one operation, for runs with too many. To be freed with
 * g_byte_array_unref. */
GByteArray *hiera_operation_make(const HieraScene *scene, guint32 row);
/* Write the block `waits`: the longest waits, with what they wait for. @param waits  of the whole run */
void hiera_page_waits_write(const HieraScene *scene, const GArray *waits, const guint8 *known, FILE *stream);

/* Make the block `waits-ROW`: those of one operation. To be freed with g_byte_array_unref. */
GByteArray *hiera_page_waits_of(const HieraScene *scene, const GArray *waits, guint32 row);

#endif
