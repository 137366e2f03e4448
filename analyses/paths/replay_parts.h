/* What takes as long on an ideal network when it does not wait any more. */
#ifndef HIERA_REPLAY_PARTS_H
#define HIERA_REPLAY_PARTS_H

#include "dependences.h"

/* Return by call site whether its calls do. NULL: none do; otherwise to be freed with g_free */
guint8 *hiera_replay_find_keeping(const HieraTrace *trace);
/* Return how long a call takes there. @param keeps  of hiera_replay_find_keeping() */
gint64 hiera_replay_kept(const HieraDependences *of, const guint8 *keeps, guint32 call);

#endif
