#include "collector_notices.h"
#include "base/findings.h"
#include "dtd/kept.h"
#include "dtd/lost.h"
#include "ending.h"
#include "samples.h"
#include <string.h>

void hiera_notice_read_lost(HieraReadContext *context, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *reason = attributes->at[HIERA_ATTRIBUTE_REASON];
    gint64 n = hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_COUNT, 0, G_MAXINT64, 0);
    const char *why = hiera_attribute_is_empty(reason) ? "no reason given" : hiera_read_context_intern(context, reason);
    gboolean is_unwatched = g_str_has_prefix(why, HIERA_LOST_UNWATCHED);
    if (strcmp(why, HIERA_LOST_UNSEEN) == 0 || is_unwatched) {
        hiera_findings_add(context->place.findings, is_unwatched ? HIERA_FINDING_UNWATCHED : HIERA_FINDING_LOST,
                           context->place.path, context->place.line, NULL, "%s", why);
        return;
    }
    /* If n is 0, the number is not known, so 1 is added. */
    context->processor->lost_calls = hiera_plus(context->processor->lost_calls, MAX(n, 1));
    if (n == 0 && !*context->processor->past)
        context->processor->past = why;
    g_autofree char *text =
        n > 0 ? g_strdup_printf("the collector lost %" G_GINT64_FORMAT " operations: %s", n, why)
              : g_strdup_printf("%s: how many is not known; these count as computation, and waits in them are not seen",
                                why);
    hiera_findings_add(context->place.findings, HIERA_FINDING_LOST, context->place.path, context->place.line, NULL,
                       "%s", text);
}

static const char *text_of(HieraReadContext *context, const HieraAttributes *attributes, HieraAttribute attribute)
{
    const HieraXmlAttribute *value = attributes->at[attribute];
    return hiera_attribute_is_empty(value) ? "?" : hiera_read_context_intern(context, value);
}

void hiera_notice_read_object(HieraReadContext *context, const HieraAttributes *attributes)
{
    const char *name = text_of(context, attributes, HIERA_ATTRIBUTE_NAME);
    const char *build = text_of(context, attributes, HIERA_ATTRIBUTE_BUILD);
    const char *path = text_of(context, attributes, HIERA_ATTRIBUTE_PATH);
    hiera_samples_note_object(context, name, build, path);
    g_autofree char *place = g_path_is_absolute(path) ? g_strconcat("at ", path, " or ", NULL) : g_strdup("");
    if (!hiera_objects_declare(context->objects, name, build, path, context->place.path))
        hiera_findings_add(context->place.findings, HIERA_FINDING_OBJECT, context->place.path, context->place.line,
                           build, "calls in '%s' have no source line: no file with build id %s %sbeside the trace",
                           name, build, place);
}

void hiera_notice_read_pause(HieraReadContext *context, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *start = attributes->at[HIERA_ATTRIBUTE_START_TIME];
    const HieraXmlAttribute *finish = attributes->at[HIERA_ATTRIBUTE_FINISH_TIME];
    gint64 n = hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_COUNT, 0, G_MAXINT64, 0);
    gint64 pauses = hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_PAUSES, 1, G_MAXINT64, 1);
    g_autofree char *times = pauses > 1 ? g_strdup_printf("%" G_GINT64_FORMAT " times ", pauses) : g_strdup("");
    g_autofree char *until = hiera_attribute_is_empty(finish)
                                 ? g_strdup("the end")
                                 : g_strdup_printf("%s s", hiera_read_context_intern(context, finish));
    context->processor->paused_calls =
        MIN(n, G_MAXINT64 - context->processor->paused_calls) + context->processor->paused_calls;
    hiera_findings_add(context->place.findings, HIERA_FINDING_PAUSED, context->place.path, context->place.line, NULL,
                       "recording was paused %sfrom %s s to %s (MPI_Pcontrol, hiera_pause, --attach): %" G_GINT64_FORMAT
                       " MPI calls are missing",
                       times, hiera_attribute_is_empty(start) ? "?" : hiera_read_context_intern(context, start), until,
                       n);
}

static gint64 read_time(HieraReadContext *context, const HieraAttributes *attributes, HieraAttribute attribute)
{
    if (hiera_attribute_is_empty(attributes->at[attribute]))
        return 0;
    return MAX(hiera_argument_time(&context->place, attributes, attribute, 0, "it is ignored"), 0);
}

void hiera_notice_read_usage(HieraReadContext *context, const HieraAttributes *attributes)
{
    const HieraPlace *place = &context->place;
    context->processor->usage = (HieraThreadUse){
        .time_ns = read_time(context, attributes, HIERA_ATTRIBUTE_TIME),
        .recorded_ns = read_time(context, attributes, HIERA_ATTRIBUTE_RECORDED_TIME),
        .n_threads = hiera_argument_number(place, attributes, HIERA_ATTRIBUTE_THREADS, 0, G_MAXINT32, 0),
        .n_unrecorded = hiera_argument_number(place, attributes, HIERA_ATTRIBUTE_UNRECORDED, 0, G_MAXINT32, 0),
        .n_cpus = hiera_argument_number(place, attributes, HIERA_ATTRIBUTE_CPUS, 0, G_MAXINT32, 0),
        .queued_ns = read_time(context, attributes, HIERA_ATTRIBUTE_QUEUED),
        .has_openmp = !hiera_attribute_is_empty(attributes->at[HIERA_ATTRIBUTE_OPENMP])};
}

/* Return a call site as "app.c:31"; if the trace has only object and offset, the source line is looked up. */
static char *place_of(HieraReadContext *context, const HieraAttributes *attributes)
{
    const char *file = text_of(context, attributes, HIERA_ATTRIBUTE_FILE), *found;
    const char *line = text_of(context, attributes, HIERA_ATTRIBUTE_LINE);
    guint32 number;
    if (strcmp(line, "0") == 0 && context->objects && hiera_objects_find_line(context->objects, file, &found, &number))
        return g_strdup_printf("%s:%u", found, number);
    return g_strdup_printf("%s:%s", file, line);
}

void hiera_notice_read_unbalanced(HieraReadContext *context, const HieraAttributes *attributes)
{
    static const struct {
        const char *reason, *text;
    } texts[] = {
        {"left", "it had no end; it ended with the region around it"},
        {"never_ended", "it was still open when its thread or the program ended"},
        {"crossed", "its end came inside a region that began in it; it took effect where that region ended"},
    };
    const char *reason = text_of(context, attributes, HIERA_ATTRIBUTE_REASON);
    g_autofree char *place = place_of(context, attributes);
    const char *explanation = reason;
    gint64 count = hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_COUNT, 1, G_MAXINT64, 1);
    g_autofree char *times = count > 1 ? g_strdup_printf(", %" G_GINT64_FORMAT " times", count) : g_strdup("");
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        explanation = strcmp(reason, texts[i].reason) == 0 ? texts[i].text : explanation;
    const char *level = text_of(context, attributes, HIERA_ATTRIBUTE_LEVEL);
    const char *name = hiera_read_context_name(context, level, attributes->at[HIERA_ATTRIBUTE_NAME]);
    /* The subject contains no rank, so that the same region on all ranks makes one finding. */
    g_autofree char *subject = g_strdup_printf("%s %s %s %s", reason, level, name, place);
    g_autofree char *text =
        strcmp(reason, "other") == 0
            ? g_strdup_printf("%" G_GINT64_FORMAT
                              " more begins and ends of regions do not match; only the first places are told",
                              count)
        : attributes->at[HIERA_ATTRIBUTE_NAME]
            ? g_strdup_printf("region '%s' of level %s (%s)%s: %s", name, level, place, times, explanation)
            : g_strdup_printf("end of a region (%s)%s: no open region belongs to it", place, times);
    hiera_findings_add(context->place.findings, HIERA_FINDING_UNBALANCED, context->place.path, context->place.line,
                       subject, "%s", text);
}

/* Use the end of the process as the last time seen, so that operations which were open then last until it. */
static void see_time_of_end(HieraReadContext *context, const HieraAttributes *attributes)
{
    if (!attributes->at[HIERA_ATTRIBUTE_TIME])
        return;
    gint64 ns = hiera_argument_time(&context->place, attributes, HIERA_ATTRIBUTE_TIME, 0, "it is ignored");
    context->processor->end_ns = MIN(hiera_clock_correct(&context->clock, &context->place, ns), context->until_ns);
    hiera_read_context_see_time(context, context->processor->end_ns);
}

/* Read a `hieraEnd`. The finding calls the cause "signal 11 (SIGSEGV)", "MPI_Abort (7)" or "exit (0)". */
void hiera_notice_read_end(HieraReadContext *context, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *cause = attributes->at[HIERA_ATTRIBUTE_CAUSE];
    const HieraXmlAttribute *value = attributes->at[HIERA_ATTRIBUTE_VALUE];
    const HieraXmlAttribute *name = attributes->at[HIERA_ATTRIBUTE_NAME];
    GString *text =
        g_string_new(hiera_attribute_is_empty(cause) ? "an unknown cause" : hiera_read_context_intern(context, cause));
    if (!hiera_attribute_is_empty(value))
        g_string_append_printf(text, hiera_attribute_is_empty(name) ? " (%s)" : " %s",
                               hiera_read_context_intern(context, value));
    if (!hiera_attribute_is_empty(name))
        g_string_append_printf(text, " (%s)", hiera_read_context_intern(context, name));
    gboolean is_far = strcmp(text->str, HIERA_END_FAR) == 0;
    context->processor->alive = is_far || g_str_has_prefix(text->str, HIERA_END_RUNS);
    if (context->processor->alive) {
        context->processor->end = name ? hiera_read_context_intern(context, name) : "";
        context->processor->stack = hiera_read_context_intern(context, attributes->at[HIERA_ATTRIBUTE_STACK]);
    } else {
        hiera_findings_add(context->place.findings, HIERA_FINDING_END, context->place.path, context->place.line, NULL,
                           "the program was ended by %s", text->str);
        context->processor->end = hiera_cache_intern(context->cache, text->str, text->len);
    }
    if (g_str_has_prefix(text->str, "signal ") && !hiera_attribute_is_empty(value))
        context->processor->end_signal =
            (gint32)hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_VALUE, 0, G_MAXINT32, 0);
    g_string_free(text, TRUE);
    see_time_of_end(context, attributes);
    context->processor->ended = !is_far;
    if (!context->processor->alive)
        hiera_ending_report(context);
}
