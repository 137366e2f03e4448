#include "needs.h"

const HieraMeasure *needs_peek_measure(const Options *options, guint index)
{
    return g_ptr_array_index(options->measures, index);
}

static gboolean export_needs(const Options *options, HieraExportNeed need)
{
    return options->export && options->export->need >= need;
}

gboolean needs_graph(const Options *options)
{
    for (guint i = 0; i < options->measures->len; i++) {
        if (needs_peek_measure(options, i)->graph)
            return TRUE;
    }
    return FALSE;
}

static gboolean measures_need_match(const Options *options)
{
    for (guint i = 0; i < options->measures->len; i++) {
        if (needs_peek_measure(options, i)->find && !needs_peek_measure(options, i)->graph)
            return TRUE;
    }
    return FALSE;
}

gboolean needs_match(const Options *options)
{
    return options->validate || options->html || options->serve || options->probe ||
           (options->where && where_needs_match(options->where)) || export_needs(options, HIERA_EXPORT_OF_SUMS) ||
           measures_need_match(options);
}

gboolean needs_trace(const Options *options)
{
    return needs_graph(options) || needs_match(options);
}

gboolean needs_has_parts(const HieraMeasure *measure)
{
    const HieraReadOps *read = hiera_measure_peek_read(measure);
    return hiera_measure_is(measure, HIERA_MEASURE_TOGETHER) || (read && read->pack);
}

gboolean needs_measures_in_parts(const Options *options)
{
    for (guint i = 0; i < options->measures->len; i++) {
        if (!needs_has_parts(needs_peek_measure(options, i)))
            return FALSE;
    }
    return TRUE;
}

/* Whether --serve or --export needs all operations in one process. */
static gboolean needs_all_in_one(const Options *options)
{
    return options->serve || (options->export && !options->export->together);
}

gboolean needs_parts_alone(const Options *options)
{
    return !options->html && !needs_all_in_one(options) && needs_measures_in_parts(options);
}

gboolean needs_page_in_parts(const Options *options)
{
    return options->html && !needs_all_in_one(options);
}

HieraSharingWants needs_of_sharing(const Options *options)
{
    gboolean page = options->html != NULL;
    gboolean asks = options->where && where_is_of_own(options->where);
    gboolean names = export_needs(options, HIERA_EXPORT_OF_MATCH); /* whether the export writes numbers of operations */
    HieraSharingWants wants = {options->validate || page || asks || names, page};
    for (guint i = 0; i < options->measures->len; i++) {
        wants.rows = wants.rows || hiera_measure_is(needs_peek_measure(options, i), HIERA_MEASURE_TOGETHER);
        wants.ended = wants.ended || hiera_measure_is(needs_peek_measure(options, i), HIERA_MEASURE_ENDED);
    }
    return wants;
}

gboolean needs_where_stream(const Options *options)
{
    return options->where && !where_asks_counters(options->where) && !needs_trace(options);
}
