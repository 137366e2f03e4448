/* The identities between measures (analyses/search/identities.h) as findings of --validate. */
#pragma once

#include "hiera_measure.h"

/* Add a finding for each identity that does not hold. */
void identity_check(const HieraMatch *match, HieraFindings *findings);

/* Several processes, which all call it: whether this one finds that all hold. */
gboolean identity_check_holds(const HieraMatch *match, const HieraScope *scope);
