/* The identities between measures (analyses/search/identities.h) as findings of --validate. */
#pragma once

#include "hiera_measure.h"

/* Add a finding for each identity that does not hold. */
void identity_check(const HieraMatch *match, HieraFindings *findings);

/* Whether all identities hold, as far as this process can tell. If there are several processes, all call it. */
gboolean identity_check_holds(const HieraMatch *match, const HieraScope *scope);
