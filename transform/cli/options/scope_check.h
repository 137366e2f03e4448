/* Checks that the scope of the measures (--ranks, --level, --depth, --from, --to) selects something in the traces. */
#pragma once

#include "hiera_measure.h"

typedef struct ScopeCheck ScopeCheck;

/* Make a check of a scope. @param scope  must outlive the check */
ScopeCheck *scope_check_new(const HieraScope *scope);
void scope_check_free(ScopeCheck *check);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ScopeCheck, scope_check_free)
/* Whether the scope leaves any operation of the traces out. */
gboolean scope_check_is_narrow(const HieraScope *scope);
/* Return a sink: hiera_load passes the operations through it to the check. */
HieraSink scope_check_sink(ScopeCheck *check);
/* After hiera_load: @return FALSE if the scope selects nothing, with an error that says what the traces contain */
gboolean scope_check_result(const ScopeCheck *check, GError **error);
/* Call this after hiera_load. @return a note if some of the named ranks have no trace, or if no selected operation
 * starts within the scope's times; else NULL. To be freed with g_free. */
char *scope_check_note(const ScopeCheck *check);
