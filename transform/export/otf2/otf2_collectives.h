/* Collective operations in the words of OTF2. */
#ifndef HIERA_OTF2_COLLECTIVES_H
#define HIERA_OTF2_COLLECTIVES_H

#include "hiera_match.h"
#include <otf2/otf2.h>

/* Return TRUE if OTF2 has a word for the collective that an operation is, or starts, or makes a persistent request of:
 * it has none for those of neighbours and of files. */
gboolean hiera_otf2_is_collective(const HieraTrace *trace, guint32 row);
/* Return that word. */
OTF2_CollectiveOp hiera_otf2_collective(const HieraTrace *trace, guint32 row);
/* Return its root. */
guint32 hiera_otf2_root(const HieraTrace *trace, guint32 row);

#endif
