#include "processor.h"
#include "base/findings.h"
#include "base/parse_numbers.h"
#include "dtd/names.h"

static const char *intern(HieraCache *cache, const HieraXmlAttribute *attribute)
{
    return attribute ? hiera_cache_intern(cache, attribute->value, hiera_attribute_length(attribute)) : "";
}

/* Read init and finalize. A missing or empty finalize means that the program ended without MPI_Finalize. */
static void read_lifetime(const HieraPlace *place, const HieraAttributes *attributes, HieraProcessor *processor)
{
    const HieraXmlAttribute *finalize = attributes->at[HIERA_ATTRIBUTE_FINALIZE];
    processor->init_ns = hiera_argument_time(place, attributes, HIERA_ATTRIBUTE_INIT, 0, "0 is used");
    processor->finalize_ns = processor->init_ns;
    processor->cut = !finalize || hiera_attribute_length(finalize) == 0;
    if (processor->cut)
        return;
    processor->finalize_ns = hiera_argument_time(place, attributes, HIERA_ATTRIBUTE_FINALIZE, processor->init_ns,
                                                 "the value of init is used");
    if (processor->finalize_ns < processor->init_ns) {
        hiera_argument_complain(place, HIERA_ATTRIBUTE_FINALIZE, finalize,
                                "it is before init; the value of init is used");
        processor->finalize_ns = processor->init_ns;
    }
}

/* Say it if the trace is of a later format: an older reader gives wrong answers then (docs/stability.md). */
static void check_format(const HieraPlace *place, const HieraXmlAttribute *format)
{
    gint64 number, known = g_ascii_strtoll(HIERA_TRACE_FORMAT, NULL, 10);
    if (format && hiera_number_parse_between(format->value, hiera_attribute_length(format), 0, G_MAXINT64, &number) &&
        number > known)
        hiera_findings_add(place->findings, HIERA_FINDING_VALUE, place->path, place->line, NULL,
                           "the trace has format %" G_GINT64_FORMAT
                           " and this version of Hiera reads up to " HIERA_TRACE_FORMAT
                           ": answers may be wrong; use the version that recorded it",
                           number);
}

gboolean hiera_processor_read(const HieraPlace *place, const HieraAttributes *attributes, HieraCache *cache,
                              HieraProcessor *processor, HieraClock *clock)
{
    const HieraXmlAttribute *rank = attributes->at[HIERA_ATTRIBUTE_RANK];
    gint64 number;
    if (!rank || !hiera_number_parse_processor(rank->value, hiera_attribute_length(rank), &number))
        return FALSE;
    processor->rank = (guint32)number;
    processor->size = hiera_argument_number(place, attributes, HIERA_ATTRIBUTE_SIZE, 1, G_MAXINT32, 0);
    processor->application = intern(cache, attributes->at[HIERA_ATTRIBUTE_APPLICATION]);
    processor->job = intern(cache, attributes->at[HIERA_ATTRIBUTE_JOB]);
    processor->host = intern(cache, attributes->at[HIERA_ATTRIBUTE_HOST]);
    processor->predicted = intern(cache, attributes->at[HIERA_ATTRIBUTE_PREDICTED]);
    check_format(place, attributes->at[HIERA_ATTRIBUTE_FORMAT]);
    read_lifetime(place, attributes, processor);
    hiera_clock_read(place, attributes, cache, processor, clock);
    processor->init_ns = hiera_clock_correct(clock, place, processor->init_ns);
    processor->finalize_ns = hiera_clock_correct(clock, place, processor->finalize_ns);
    return TRUE;
}
