/* Hiera's collective operations → those of OTF2. */
#pragma once

#include "hiera_match.h"
#include <otf2/otf2.h>

/* Return TRUE if OTF2 has a name for the collective that an operation is, starts, or makes a persistent request for:
 * it has none for neighbourhood and file collectives. */
gboolean hiera_otf2_is_collective(const HieraTrace *trace, guint32 row);
/* Return OTF2's operation for a row for which hiera_otf2_is_collective() is TRUE. */
OTF2_CollectiveOp hiera_otf2_collective(const HieraTrace *trace, guint32 row);
/* Return the root, as OTF2 names it, for a row for which hiera_otf2_is_collective() is TRUE. */
guint32 hiera_otf2_root(const HieraTrace *trace, guint32 row);
