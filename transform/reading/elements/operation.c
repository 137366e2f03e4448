#include "operation.h"
#include "base/findings.h"
#include "communicators.h"
#include "types.h"
#include <string.h>

#define NO_TIME (-1) /* an invalid time, as times are never negative */

/* Set file and line of a site, if the trace has only an object and an offset. Without a line name at least the
 * function. */
static void find_line(HieraReadContext *context, HieraSite *key)
{
    const char *file;
    if (key->line != 0 || !context->objects)
        return;
    if (!hiera_objects_find_line(context->objects, key->file, &file, &key->line))
        file = hiera_objects_describe(context->objects, key->file);
    if (file)
        key->file = hiera_cache_intern(context->cache, file, strlen(file));
}

/* Return the call site of an element. An element with a class or a method is a framework method, whatever its name:
 * the paper wrote hieramMPI for both MPI calls and methods. */
static const HieraSite *find_site(HieraReadContext *context, HieraElement element, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *const *at = attributes->at;
    gboolean method = element != HIERA_ELEMENT_REGION && (at[HIERA_ATTRIBUTE_CLASS] || at[HIERA_ATTRIBUTE_METHOD]);
    HieraSite key = {.class_name = hiera_cache_intern(context->cache, "", 0),
                     .file = hiera_read_context_intern(context, at[HIERA_ATTRIBUTE_FILE])};
    key.line = (guint32)hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_LINE, 0, G_MAXINT32, 0);
    find_line(context, &key);
    if (method || element == HIERA_ELEMENT_OOPS) {
        key.level = HIERA_LEVEL_OOPS;
        key.class_name = hiera_read_context_intern(context, at[HIERA_ATTRIBUTE_CLASS]);
        key.operation = hiera_read_context_intern(context, at[HIERA_ATTRIBUTE_METHOD]);
    } else {
        key.operation = hiera_read_context_intern(context, at[HIERA_ATTRIBUTE_OPERATION]);
        key.level = HIERA_LEVEL_MPI;
        if (element == HIERA_ELEMENT_REGION)
            key.level = hiera_attribute_is_empty(at[HIERA_ATTRIBUTE_LEVEL]) ? HIERA_LEVEL_DEFAULT : NULL;
    }
    key.level = key.level ? hiera_cache_intern(context->cache, key.level, strlen(key.level))
                          : hiera_read_context_intern(context, at[HIERA_ATTRIBUTE_LEVEL]);
    if (element == HIERA_ELEMENT_REGION)
        key.operation = hiera_read_context_name(context, key.level, at[HIERA_ATTRIBUTE_OPERATION]);
    return hiera_cache_site(context->cache, &key);
}

static void check_known(HieraReadContext *context, const HieraSite *site)
{
    if (!site->known)
        hiera_findings_add(context->place.findings, HIERA_FINDING_UNKNOWN_OPERATION, context->place.path,
                           context->place.line, site->operation,
                           "unknown MPI operation '%s'; it is counted and timed, but not matched", site->operation);
}

/* Report calls that were left by longjmp or an exception. In a sum of calls, attribute `left` is their number. */
static void check_left(HieraReadContext *context, const HieraAttributes *attributes, const HieraSite *site)
{
    if (!attributes->at[HIERA_ATTRIBUTE_LEFT])
        return;
    gint64 calls = 1;
    if (attributes->at[HIERA_ATTRIBUTE_CALLS])
        calls = hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_LEFT, 0, G_MAXINT64, 1);
    g_autofree char *several = calls > 1 ? g_strdup_printf("%" G_GINT64_FORMAT " calls of ", calls) : g_strdup("");
    g_autofree char *subject = g_strdup_printf("%s%s %s %u", several, site->operation, site->file, site->line);
    if (!hiera_findings_repeat(context->place.findings, HIERA_FINDING_LEFT, subject))
        hiera_findings_add(
            context->place.findings, HIERA_FINDING_LEFT, context->place.path, context->place.line, subject,
            "%s%s (%s:%u) on rank %u did not return, but longjmp or an exception left %s. Such a call ends "
            "with the next event of its thread, so its time is an upper bound",
            several, site->operation, site->file, site->line, context->processor->rank, calls > 1 ? "them" : "it");
}

void hiera_operation_read(HieraReadContext *context, HieraElement element, const HieraAttributes *attributes,
                          HieraOperation *operation)
{
    *operation = (HieraOperation){.site = find_site(context, element, attributes)};
    hiera_communicators_read(context, attributes, operation);
    check_known(context, operation->site);
    check_left(context, attributes, operation->site);
    hiera_arguments_read(&context->place, attributes, operation);
    operation->posted = hiera_types_read_posted(context, attributes, operation->site);
}

/* Return a time attribute on the job's time axis; NO_TIME if it is absent or not valid. */
static gint64 read_time(HieraReadContext *context, const HieraAttributes *attributes, HieraAttribute attribute)
{
    gint64 ns = hiera_argument_time(&context->place, attributes, attribute, NO_TIME,
                                    "the operation is counted with duration 0");
    return ns == NO_TIME ? NO_TIME : hiera_clock_correct(&context->clock, &context->place, ns);
}

void hiera_operation_read_times(HieraReadContext *context, const HieraAttributes *attributes, HieraOperation *operation)
{
    const HieraXmlAttribute *finish = attributes->at[HIERA_ATTRIBUTE_FINISH_TIME];
    gint64 start = read_time(context, attributes, HIERA_ATTRIBUTE_START_TIME);
    operation->start_ns = start == NO_TIME ? context->last_ns : start;
    hiera_read_context_see_time(context, operation->start_ns);
    if (hiera_attribute_is_empty(finish)) {
        operation->finish_ns = HIERA_TIME_OPEN;
        context->open_operation = TRUE;
        return;
    }
    gint64 end = read_time(context, attributes, HIERA_ATTRIBUTE_FINISH_TIME);
    operation->finish_ns = end == NO_TIME ? operation->start_ns : end;
    if (start == NO_TIME) {
        operation->start_ns = operation->finish_ns;
    } else if (operation->finish_ns < operation->start_ns) {
        hiera_argument_complain(&context->place, HIERA_ATTRIBUTE_FINISH_TIME, finish,
                                "it is before start_time; the operation is counted with duration 0");
        operation->finish_ns = operation->start_ns;
    }
    hiera_read_context_see_time(context, operation->finish_ns);
}

void hiera_operation_read_span(HieraReadContext *context, const HieraAttributes *attributes, HieraOperation *operation)
{
    gint64 start = hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_T, 0, G_MAXINT64 / 2, NO_TIME);
    gint64 duration = hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_D, 0, G_MAXINT64 / 2, NO_TIME);
    operation->start_ns =
        start == NO_TIME ? context->last_ns : hiera_clock_correct(&context->clock, &context->place, start);
    hiera_read_context_see_time(context, operation->start_ns);
    if (hiera_attribute_is_empty(attributes->at[HIERA_ATTRIBUTE_D])) {
        operation->finish_ns = HIERA_TIME_OPEN;
        context->open_operation = TRUE;
        return;
    }
    operation->finish_ns = start == NO_TIME || duration == NO_TIME
                               ? operation->start_ns
                               : hiera_clock_correct(&context->clock, &context->place, start + duration);
    hiera_read_context_see_time(context, operation->finish_ns);
}
