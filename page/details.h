/* What is known of single operations: their arguments, and why they wait. */
#ifndef HIERA_DETAILS_H
#define HIERA_DETAILS_H

#include "lanes.h"
#include "waiting/waiting.h"

/* Write the blocks `arguments` and `operations`: what is known of each operation, if there are not too many. */
void hiera_operations_write(const HieraScene *scene, FILE *stream);
/* Write the block `waits`: the longest waits, with what they wait for. @param waits  of the whole run */
void hiera_page_waits_write(const HieraScene *scene, const GArray *waits, FILE *stream);

#endif
