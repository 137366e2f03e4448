/* What the collector says about the run itself → findings. */
#ifndef HIERA_NOTICES_H
#define HIERA_NOTICES_H

#include "read_context.h"

/* What it could not record. */
void hiera_notice_read_lost(HieraScene *scene, const HieraAttributes *attributes);
/* A `hieraObject`: its places get their lines, if its file is there. */
void hiera_notice_read_object(HieraScene *scene, const HieraAttributes *attributes);
/* Begins and ends of regions that do not fit. */
/* hieraPause: recording was off. */
void hiera_notice_read_pause(HieraScene *scene, const HieraAttributes *attributes);
void hiera_notice_read_unbalanced(HieraScene *scene, const HieraAttributes *attributes);
/* How the program ended, if not as it should. */
void hiera_notice_read_end(HieraScene *scene, const HieraAttributes *attributes);

#endif
