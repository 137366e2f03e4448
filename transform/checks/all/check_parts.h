/* --validate of a run that is read in parts (hiera_parts.h).
 *
 * Most runs have no errors but leaks, and messages that are still on their way at the end. Any other finding
 * needs all operations: which is the first one, how often, the number of a collective. So the first
 * part with another finding stops this check, and the run is read as a whole. */
#pragma once

#include "checks/checks.h"

typedef struct HieraCheckParts HieraCheckParts;

HieraCheckParts *hiera_check_parts_new(void);
void hiera_check_parts_free(HieraCheckParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraCheckParts, hiera_check_parts_free)

/* Check a part.
 *
 * @param around    by processor: number of its first operations that were in the part before, too
 * @param last      it is the last part: unmatched operations and leaks are reported
 * @param findings  takes leaks, and findings in the last part
 * @return FALSE if the run has to be read as a whole; then `findings` is as before */
gboolean hiera_check_parts_add(HieraCheckParts *parts, const HieraMatch *match, const guint32 *around, gboolean last,
                               HieraFindings *findings);
/* Return the tables of the whole run, like hiera_check_make_tables(). @param last  the trace of the run's last part */
GPtrArray *hiera_check_parts_make_tables(const HieraCheckParts *parts, const HieraTrace *last, HieraFindings *findings);
