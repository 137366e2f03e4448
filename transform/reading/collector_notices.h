/* What the collector says about the run itself → findings. */
#ifndef HIERA_COLLECTOR_NOTICES_H
#define HIERA_COLLECTOR_NOTICES_H

#include "read_context.h"

/* What it could not record. */
void hiera_notice_read_lost(HieraReadContext *context, const HieraAttributes *attributes);
/* A `hieraObject`: its places get their lines, if its file is there. */
void hiera_notice_read_object(HieraReadContext *context, const HieraAttributes *attributes);
/* Begins and ends of regions that do not fit. */
/* hieraPause: recording was off. */
void hiera_notice_read_pause(HieraReadContext *context, const HieraAttributes *attributes);
void hiera_notice_read_unbalanced(HieraReadContext *context, const HieraAttributes *attributes);
/* How the program ended, if not as it should. */
void hiera_notice_read_end(HieraReadContext *context, const HieraAttributes *attributes);

#endif
