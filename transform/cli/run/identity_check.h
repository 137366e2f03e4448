/* Checks that measures do not contradict each other (analyses/search/identities.h), as part of --validate. */
#pragma once

#include "hiera_measure.h"

/* Add a finding for each identity between measures that does not hold. */
void identity_check(const HieraMatch *match, HieraFindings *findings);

/* Whether all identities hold, as far as this process can tell from its ranks. All processes call it together. */
gboolean identity_check_holds(const HieraMatch *match, const HieraScope *scope);
