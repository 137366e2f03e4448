/* OTF2's names for collective operations. */
#pragma once

#include "hiera_match.h"
#include <otf2/otf2.h>

/* Return TRUE if OTF2 has a name for the collective that an operation is, starts, or makes a persistent request for:
 * it has none for neighbourhood and file collectives. */
gboolean hiera_otf2_is_collective(const HieraTrace *trace, guint32 row);
/* Return the OTF2 operation of that collective. */
OTF2_CollectiveOp hiera_otf2_collective(const HieraTrace *trace, guint32 row);
/* Return the root of that collective. */
guint32 hiera_otf2_root(const HieraTrace *trace, guint32 row);
