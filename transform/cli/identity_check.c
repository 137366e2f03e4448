/* See identity_check.h. */
#include "identity_check.h"
#include "base/findings.h"
#include "search/identities.h"

static void report(const char *broken, gpointer findings)
{
    hiera_findings_add(findings, HIERA_FINDING_IDENTITY, "", 0, NULL,
                       "%s: a fault of hiera-transform; please report it", broken);
}

void identity_check(const HieraMatch *match, HieraFindings *findings)
{
    hiera_identities_check(match, report, findings);
}
