/* Objects that ranks make and do not free. A run is added as a whole, or part after part. */
#pragma once

#include "checks.h"

typedef struct HieraLeaks HieraLeaks;

/* Begin with no objects. @param scope  only operations of the scope's own processors are looked at */
HieraLeaks *hiera_leaks_new(const HieraScope *scope);
void hiera_leaks_free(HieraLeaks *leaks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraLeaks, hiera_leaks_free)

void hiera_leaks_add(HieraLeaks *leaks, const HieraCheck *check);
/* Report the objects that are left at the end, and the requests that are open there. @param check  the last check that
 * was added */
void hiera_leaks_report(HieraLeaks *leaks, const HieraCheck *check);
