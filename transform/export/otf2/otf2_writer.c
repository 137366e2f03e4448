/* See otf2_writer.h. An attribute of OTF2 has one type. Since values of one name are mostly numbers, and sometimes
 * words (`dest="MPI_PROC_NULL"`), one name may belong to two attributes. Each counter is a class of one metric. */
#include "otf2_writer.h"
#include "base/parse_numbers.h"
#include "otf2/otf2_names.h"
#include <string.h>

OTF2_LocationRef hiera_otf2_location(guint32 rank, guint32 thread)
{
    return (guint64)thread << 32 | rank;
}

/* --- numbers of names in the archive --- */

static guint32 define_string(HieraOtf2Writer *writer, const char *text)
{
    OTF2_GlobalDefWriter_WriteString(writer->definitions, writer->n_strings, text);
    return writer->n_strings++;
}

static guint32 define_attribute(HieraOtf2Writer *writer, const HieraOtf2Name *name)
{
    OTF2_Type type = name->kind == HIERA_OTF2_NUMBER ? OTF2_TYPE_INT64 : OTF2_TYPE_STRING;
    g_autofree char *full_name = g_strconcat(HIERA_OTF2_PREFIX, name->text, NULL);
    OTF2_GlobalDefWriter_WriteAttribute(writer->definitions, writer->n_attributes, hiera_otf2_string(writer, full_name),
                                        hiera_otf2_string(writer, ""), type);
    return writer->n_attributes++;
}

static guint32 define_metric(HieraOtf2Writer *writer, const char *name)
{
    const HieraTraceCounter *counter = hiera_catalog_find_counter(writer->trace->catalog, name);
    OTF2_MetricMemberRef member = writer->n_metrics;
    OTF2_GlobalDefWriter_WriteMetricMember(writer->definitions, member, hiera_otf2_string(writer, name),
                                           hiera_otf2_string(writer, "in the region that ends"), OTF2_METRIC_TYPE_OTHER,
                                           counter->level ? OTF2_METRIC_ABSOLUTE_POINT : OTF2_METRIC_RELATIVE_POINT,
                                           OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, 0,
                                           hiera_otf2_string(writer, counter->unit));
    OTF2_GlobalDefWriter_WriteMetricClass(writer->definitions, writer->n_metrics, 1, &member, OTF2_METRIC_SYNCHRONOUS,
                                          OTF2_RECORDER_KIND_CPU);
    return writer->n_metrics++;
}

guint32 hiera_otf2_define(HieraOtf2Writer *writer, HieraOtf2Name *name)
{
    if (name->number == OTF2_UNDEFINED_UINT32)
        name->number = name->kind == HIERA_OTF2_STRING   ? define_string(writer, name->text)
                       : name->kind == HIERA_OTF2_METRIC ? define_metric(writer, name->text)
                                                         : define_attribute(writer, name);
    return name->number;
}

OTF2_StringRef hiera_otf2_string(HieraOtf2Writer *writer, const char *text)
{
    return hiera_otf2_define(writer, hiera_otf2_names_find(&writer->names, HIERA_OTF2_STRING, text));
}

/* --- numbers of names in a location --- */

static guint32 number_in(HieraOtf2Writer *writer, HieraOtf2Numbers *numbers, HieraOtf2Kind kind, const char *text)
{
    return hiera_otf2_number(numbers, hiera_otf2_names_find(&writer->names, kind, text));
}

OTF2_StringRef hiera_otf2_string_in(HieraOtf2Writer *writer, HieraOtf2Numbers *numbers, const char *text)
{
    return number_in(writer, numbers, HIERA_OTF2_STRING, text);
}

void hiera_otf2_add_number(HieraOtf2Writer *writer, HieraOtf2Numbers *numbers, const char *name, gint64 number)
{
    OTF2_AttributeList_AddInt64(writer->list, number_in(writer, numbers, HIERA_OTF2_NUMBER, name), number);
}

/* Parse a number, but only if printing it gives the same text: no plus sign, no leading zeros. */
static gboolean read_number(const char *text, gint64 *number)
{
    const char *digits = text + (*text == '-');
    gboolean other = *digits == '+' || (*digits == '0' && (digits > text || digits[1] != '\0'));
    return !other && hiera_number_parse(text, strlen(text), number);
}

void hiera_otf2_add_text(HieraOtf2Writer *writer, HieraOtf2Numbers *numbers, const char *name, const char *text)
{
    gint64 number;
    if (read_number(text, &number))
        hiera_otf2_add_number(writer, numbers, name, number);
    else
        OTF2_AttributeList_AddStringRef(writer->list, number_in(writer, numbers, HIERA_OTF2_TEXT, name),
                                        hiera_otf2_string_in(writer, numbers, text));
}
