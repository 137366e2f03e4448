/* See sums_check.h. A trace may have single operations up to a switch-over, and sums from there on. */
#include "sums_check.h"
#include "base/findings.h"
#include "base/misuse.h"
#include "needs.h"
#include <string.h>

#define RECORD  "record single operations with HIERA_MODE=trace"
#define MEASURE ", or profiles with HIERA_SYNC=1, for the waiting at barriers and N x N collectives"

/* What the traces of a run contain. */
typedef struct {
    gboolean sums, singles, waits;
    const HieraProcessor *switch_over; /* first processor that switches from single operations to sums; NULL: none */
} Has;

static Has find_out(const GArray *processors)
{
    Has has = {0};
    for (guint i = 0; i < processors->len; i++) {
        const HieraProcessor *processor = &g_array_index(processors, HieraProcessor, i);
        has.sums = has.sums || processor->n_summed > 0;
        has.waits = has.waits || processor->n_waits > 0;
        has.singles = has.singles || processor->n_operations > 0;
        if (!has.switch_over && *processor->seam)
            has.switch_over = processor;
    }
    return has;
}

/* Refuse what needs single operations, or note that it covers only a part of the run.
 * @param too  further advice, beside recording single operations; may be "" */
static gboolean check_one(const Has *has, const char *what, const char *too, HieraFindings *findings, GError **error)
{
    if (!has->singles)
        return misuse(error, "%s needs single operations, and these traces are profiles, which have sums; " RECORD "%s",
                      what, too);
    if (has->switch_over && strcmp(has->switch_over->seam, HIERA_SEAM_LOOPS) == 0) {
        hiera_findings_add(findings, HIERA_FINDING_SUMS, has->switch_over->path, 0, what,
                           "%s is about the single operations; those in folded loops are only sums", what);
        return TRUE;
    }
    hiera_findings_add(findings, HIERA_FINDING_SUMS, has->switch_over ? has->switch_over->path : "", 0, what,
                       "%s is about the single operations; from the %s on there are only sums", what,
                       has->switch_over ? has->switch_over->seam : "end of these");
    return TRUE;
}

static gboolean check_scope(const HieraScope *scope, gboolean where, GError **error)
{
    const char *option = where                          ? "--where"
                         : scope->from_ns != G_MININT64 ? "--from"
                         : scope->to_ns != G_MAXINT64   ? "--to"
                                                        : NULL;
    return !option ||
           misuse(error, "%s: these traces have sums over many calls, of which that is not known; " RECORD, option);
}

static gboolean check_measure(const Has *has, const Options *options, const HieraMeasure *measure,
                              HieraFindings *findings, GError **error)
{
    const char *by = options->scope.options.by;
    g_autofree char *what = g_strconcat("--measure ", measure->name, by ? " --by " : "", by, NULL);
    return (hiera_measure_is(measure, HIERA_MEASURE_MEASURED_WAITS) ? has->waits : hiera_measure_takes_sums(measure)) ||
           check_one(has, what,
                     measure->refusal                                          ? measure->refusal
                     : hiera_measure_is(measure, HIERA_MEASURE_MEASURED_WAITS) ? MEASURE
                                                                               : "",
                     findings, error);
}

gboolean sums_check_waits(const GArray *processors)
{
    return find_out(processors).waits;
}

gboolean sums_check_run(const Options *options, const HieraMeasure *measure, const GArray *processors,
                        HieraFindings *findings, GError **error)
{
    Has has = find_out(processors);
    return !has.sums || (check_scope(&options->scope, options->where != NULL, error) &&
                         check_measure(&has, options, measure, findings, error));
}

gboolean sums_check(const Options *options, const GArray *processors, HieraFindings *findings, GError **error)
{
    Has has = find_out(processors);
    if (!has.sums)
        return TRUE;
    if (!check_scope(&options->scope, options->where != NULL, error))
        return FALSE;
    for (guint i = 0; i < options->measures->len; i++)
        if (!check_measure(&has, options, needs_peek_measure(options, i), findings, error))
            return FALSE;
    if (options->validate)
        hiera_findings_add(findings, HIERA_FINDING_SUMS, "", 0, "validate",
                           "these traces have sums over calls, of which only the grammar is checked");
    if (options->html || options->serve)
        hiera_findings_add(findings, HIERA_FINDING_SUMS, "", 0, NULL,
                           "these traces have sums over calls; the page leaves out what needs single operations");
    if (options->probe && !check_one(&has, "--probe", "", findings, error))
        return FALSE;
    g_autofree char *export = options->export ? g_strconcat("--export ", options->export->name, NULL) : NULL;
    return !options->export || options->export->need == HIERA_EXPORT_OF_FILES ||
           (options->export->need == HIERA_EXPORT_OF_SUMS && !has.singles) ||
           check_one(&has, export, "", findings, error);
}
