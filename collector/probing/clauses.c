/* See clauses.h. */
#include "clauses.h"

#include "base/message.h"
#include "base/settings.h"
#include "script_file.h"

#include <string.h>

static HieraProbeScript *script;
static char report[HIERA_PROBE_REPORT];

const HieraProbeScript *hiera_clauses_script(void)
{
    return script;
}

void hiera_clauses_load(void)
{
    if (!hiera_settings.enabled || !hiera_settings.probe[0])
        return;
    script = hiera_probe_file_read(hiera_settings.probe, report);
    if (script && hiera_probe_script_count(script) > HIERA_MOST_CLAUSES) {
        hiera_probe_script_free(script);
        script = NULL;
        strcpy(report, "a script in a running program can have 63 clauses");
    }
}

void hiera_clauses_complain(void)
{
    if (hiera_settings.enabled && hiera_settings.probe[0] && !script)
        hiera_message_lines("HIERA_PROBE: ", report);
}

bool hiera_clauses_ask(HieraProbeVariableId variable)
{
    return script && hiera_probe_script_asks(script, variable);
}

HieraClauseSet hiera_clauses_find(HieraProbeKind kind, const char *operation)
{
    HieraClauseSet set = 0;
    for (unsigned i = 0; script && i < hiera_probe_script_count(script); i++)
        if (hiera_probe_clause_kind(script, i) == kind &&
            (!operation || hiera_probe_clause_fits(script, i, operation)))
            set |= UINT64_C(1) << i;
    return set;
}
