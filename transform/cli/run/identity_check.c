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
    const HieraScope all = HIERA_SCOPE_ALL;
    hiera_identities_check(match, &all, report, findings);
}

static void note(const char *broken, gpointer hold)
{
    (void)broken;
    *(gboolean *)hold = FALSE;
}

gboolean identity_check_holds(const HieraMatch *match, const HieraScope *scope)
{
    HieraScope all = HIERA_SCOPE_ALL;
    gboolean hold = TRUE;
    all.share.own = scope->share.own;
    all.share.rows = scope->share.rows;
    hiera_identities_check(match, &all, note, &hold);
    return hold;
}
