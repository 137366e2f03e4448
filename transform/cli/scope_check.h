/* Whether what narrows the measures (--ranks, --level, --depth, --from, --to) meets anything in the traces. */
#ifndef HIERA_CLI_SCOPE_CHECK_H
#define HIERA_CLI_SCOPE_CHECK_H

#include "hiera_measure.h"

typedef struct ScopeCheck ScopeCheck;

/* @param scope  must outlive the check */
ScopeCheck *scope_check_new(const HieraScope *scope);
void scope_check_free(ScopeCheck *check);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ScopeCheck, scope_check_free)
/* Whether the scope leaves anything out. */
gboolean scope_check_is_narrow(const HieraScope *scope);
/* A sink for hiera_load. */
HieraSink scope_check_sink(ScopeCheck *check);
/* After hiera_load: false, with what there is instead, if the scope meets nothing. */
gboolean scope_check_result(const ScopeCheck *check, GError **error);
/* What to tell of a scope that meets only a part of what it names, or no start of an operation; NULL: nothing. To be
 * freed. */
char *scope_check_note(const ScopeCheck *check);

#endif
