#include "probe_option.h"
#include "export/export_parts.h"
#include "report.h"

/* Print on standard error why the output of a probe script is incomplete, if it is. */
static void remark(const HieraProbingOutcome *probed, gboolean quiet)
{
    g_autofree char *lost =
        g_strdup_printf("--probe: there was no room for %" G_GUINT64_FORMAT " keys and texts", probed->lost);
    if (probed->lost > 0)
        report_message(lost);
    if (probed->hidden && !quiet)
        report_message("--probe: calls that were filtered, paused or lost are no events (see --validate)");
}

gboolean probe_option_run(const HieraMatch *match, const HieraScope *scope, const Options *options, gboolean *whole,
                          GError **error)
{
    HieraOutputFile output;
    HieraProbingOutcome probed;
    if (!hiera_export_open(&output, scope, options->output, error))
        return FALSE;
    gboolean good = hiera_probing_run(match, scope, options->probe, output.stream, report_lines, &probed, error);
    if (!hiera_scope_leads(scope))
        return good;
    if (!hiera_output_file_close(&output, good, error))
        return FALSE;
    remark(&probed, options->quiet);
    *whole = probed.lost == 0 && probed.stopped == 0;
    return good;
}
