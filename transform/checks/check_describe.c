/* Properties of an operation that findings name: trace file, line, call site, rank, position. */
#include "checks.h"

gboolean hiera_check_is_own(const HieraCheck *check, guint32 row)
{
    return !check->scope->share.own || hiera_scope_is_own(check->scope, hiera_trace_find_processor(check->trace, row));
}

gboolean hiera_check_is_around(const HieraCheck *check, guint32 processor, guint32 row)
{
    return check->part && row - check->trace->processors[processor].first < check->part->around[processor];
}

guint64 hiera_check_number(const HieraCheck *check, guint32 processor, guint32 row)
{
    enum { PROCESSOR_BIT = 40 };
    if (!check->part)
        return row;
    guint64 number = row - check->trace->processors[processor].first - check->part->around[processor];
    return (guint64)processor << PROCESSOR_BIT | (check->part->before[processor] + number);
}

void hiera_check_stand(const HieraCheck *check, guint phase, guint32 number)
{
    hiera_findings_set_place(check->findings, (guint64)phase << 32 | number);
}

void hiera_check_stand_at(const HieraCheck *check, guint phase, guint32 row)
{
    hiera_check_stand(check, phase, hiera_scope_row_of_all(check->scope, check->trace, row));
}

const char *hiera_check_path(const HieraCheck *check, guint32 row)
{
    return check->trace->processors[hiera_trace_find_processor(check->trace, row)].path;
}

guint32 hiera_check_line(const HieraCheck *check, guint32 row)
{
    return check->trace->element_line ? check->trace->element_line[row] : 0;
}

guint32 hiera_check_rank(const HieraCheck *check, guint32 row)
{
    return check->trace->processors[hiera_trace_find_processor(check->trace, row)].rank;
}

static HieraFindingCall call_of(const HieraCheck *check, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(check->trace, row);
    return (HieraFindingCall){site->file, site->line};
}

void hiera_check_add(const HieraCheck *check, HieraFindingCode code, guint32 row, guint32 other, const char *subject,
                     const char *format, ...)
{
    HieraFindingAt at = {hiera_check_path(check, row), hiera_check_line(check, row), {call_of(check, row)}};
    va_list arguments;
    if (other != HIERA_NONE)
        at.calls[1] = call_of(check, other);
    va_start(arguments, format);
    hiera_findings_add_list(check->findings, code, &at, subject, format, arguments);
    va_end(arguments);
}

char *hiera_check_describe_site(const HieraSite *site)
{
    g_autofree char *place = hiera_site_place(site);
    return *place ? g_strdup_printf("%s (%s)", site->operation, place) : g_strdup(site->operation);
}

char *hiera_check_describe(const HieraCheck *check, guint32 row)
{
    return hiera_check_describe_site(hiera_trace_peek_site(check->trace, row));
}

gboolean hiera_check_asks_any_source(const HieraCheck *check, guint32 row)
{
    gboolean any = hiera_trace_asks_any_source(check->trace, row);
    for (guint32 n = 0, maker; !any && (maker = hiera_match_maker(check->match, row, n)) != HIERA_NONE; n++)
        any = hiera_trace_asks_any_source(check->trace, maker);
    return any;
}
