/* Checks that the scope of the measures (--ranks, --level, --depth, --from, --to) selects something in the traces. */
#pragma once

#include "hiera_measure.h"

typedef struct ScopeCheck ScopeCheck;

/* Create a check. @param scope  must outlive the check */
ScopeCheck *scope_check_new(const HieraScope *scope);
void scope_check_free(ScopeCheck *check);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ScopeCheck, scope_check_free)
/* True if the scope leaves anything out. */
gboolean scope_check_is_narrow(const HieraScope *scope);
/* Return a sink for hiera_load that feeds the check. */
HieraSink scope_check_sink(ScopeCheck *check);
/* Call this after hiera_load. @return false if the scope selects nothing; the error says what the traces contain */
gboolean scope_check_result(const ScopeCheck *check, GError **error);
/* Call this after hiera_load. @return a note if some of the named ranks have no trace, or if no selected operation
 * starts within the scope's times; else NULL. To be freed with g_free. */
char *scope_check_note(const ScopeCheck *check);
