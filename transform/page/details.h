/* Details of single operations on the page: their arguments, and the causes of their waits. */
#pragma once

#include "timeline/lanes.h"
#include "waiting/waiting.h"

/* With several processes, all must call the functions that write.
 *
 * Write the blocks `arguments` and `operations`: details of each operation; if there are many, only of some.
 * @param known  by row: whether the page has all details of it, here and below */
void hiera_operations_write(const HieraScene *scene, const guint8 *known, FILE *stream);
/* Make the block `operation-ROW`: details of one operation, for runs with too many. To be freed with
 * g_byte_array_unref. */
GByteArray *hiera_operation_make(const HieraScene *scene, guint32 row);
/* Write the block `waits`: the longest waits with their causes. @param waits  HieraWait of the whole run */
void hiera_page_waits_write(const HieraScene *scene, const GArray *waits, const guint8 *known, FILE *stream);

/* Make the block `waits-ROW`: all waits of one operation. To be freed with g_byte_array_unref. */
GByteArray *hiera_page_waits_of(const HieraScene *scene, const GArray *waits, guint32 row);
