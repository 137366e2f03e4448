/* --validate of a run that is read in parts (hiera_parts.h).
 *
 * Most runs are clean but for leaks, and for messages that are still on their way at the end. What is found beside
 * these needs all operations to be told: which is the first one, how often, the how many-th collective. So the first
 * part in which something else is found ends it, and the run is read as a whole. */
#ifndef HIERA_CHECK_PARTS_H
#define HIERA_CHECK_PARTS_H

#include "checks.h"

typedef struct HieraCheckParts HieraCheckParts;

HieraCheckParts *hiera_check_parts_new(void);
void hiera_check_parts_free(HieraCheckParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraCheckParts, hiera_check_parts_free)

/* Check a part.
 *
 * @param around    by processor: how many of its first operations were in the part before, too
 * @param last      it is the last part: what is left over is reported
 * @param findings  takes leaks, and what is found in the last part
 * @return FALSE if the run has to be read as a whole; then `findings` is as before */
gboolean hiera_check_parts_add(HieraCheckParts *parts, const HieraMatch *match, const guint32 *around, gboolean last,
                               HieraFindings *findings);
/* The tables of all parts, as hiera_check_make_tables() makes them. @param last  the trace of the last one */
GPtrArray *hiera_check_parts_make_tables(const HieraCheckParts *parts, const HieraTrace *last, HieraFindings *findings);

#endif
