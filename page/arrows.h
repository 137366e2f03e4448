/* Messages by level of detail: the page draws those that take longest, and knows how many there are. */
#ifndef HIERA_ARROWS_H
#define HIERA_ARROWS_H

#include "tiles.h"

/* Write the messages of each level, with its tiles.
 * @param details  of hiera_tiles_write() */
void hiera_arrows_write(const HieraScene *scene, const GArray *details, FILE *stream);

#endif
