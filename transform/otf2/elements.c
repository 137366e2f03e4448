#include "elements.h"
#include "base/vocabulary.h"
#include "text/xml_escape.h"
#include <string.h>

void hiera_otf2_elements_init(HieraOtf2Elements *elements)
{
    const HieraOtf2Attribute none = {0};
    elements->all = g_array_new(FALSE, FALSE, sizeof(HieraOtf2Element));
    elements->attributes = g_array_new(FALSE, FALSE, sizeof(HieraOtf2Attribute));
    elements->texts = g_string_chunk_new(4096);
    g_array_append_val(elements->attributes, none);
}

void hiera_otf2_elements_clear(HieraOtf2Elements *elements)
{
    g_string_chunk_free(elements->texts);
    g_array_unref(elements->attributes);
    g_array_unref(elements->all);
}

HieraOtf2Element *hiera_otf2_elements_peek(const HieraOtf2Elements *elements, guint32 index)
{
    return &g_array_index(elements->all, HieraOtf2Element, index);
}

guint32 hiera_otf2_elements_add(HieraOtf2Elements *elements, const HieraOtf2Element *element)
{
    g_array_append_vals(elements->all, element, 1);
    return elements->all->len - 1;
}

gboolean hiera_otf2_elements_has(const HieraOtf2Elements *elements, guint32 index, const char *name)
{
    for (guint32 i = hiera_otf2_elements_peek(elements, index)->first; i != 0;) {
        const HieraOtf2Attribute *attribute = &g_array_index(elements->attributes, HieraOtf2Attribute, i);
        if (strcmp(attribute->name, name) == 0)
            return TRUE;
        i = attribute->next;
    }
    return FALSE;
}

static void add(HieraOtf2Elements *elements, guint32 index, const HieraOtf2Attribute *attribute)
{
    HieraOtf2Element *element = hiera_otf2_elements_peek(elements, index);
    if (!element->whole && hiera_otf2_elements_has(elements, index, attribute->name))
        return;
    guint32 number = elements->attributes->len;
    g_array_append_vals(elements->attributes, attribute, 1);
    if (element->last)
        g_array_index(elements->attributes, HieraOtf2Attribute, element->last).next = number;
    else
        element->first = number;
    element->last = number;
}

void hiera_otf2_elements_add_number(HieraOtf2Elements *elements, guint32 index, const char *name, gint64 number)
{
    const HieraOtf2Attribute attribute = {name, NULL, number, 0};
    add(elements, index, &attribute);
}

void hiera_otf2_elements_add_text(HieraOtf2Elements *elements, guint32 index, const char *name, const char *text)
{
    const HieraOtf2Attribute attribute = {name, text, 0, 0};
    add(elements, index, &attribute);
}

const char *hiera_otf2_elements_copy(HieraOtf2Elements *elements, const char *text)
{
    return g_string_chunk_insert(elements->texts, text);
}

/* --- XML; without printf, which would take half of the time --- */

#define NUMBER_BYTES  24
#define NS_PER_SECOND 1000000000

/* Append a number in decimal, with at least `n_digits` digits. */
static void append_digits(GString *out, guint64 number, guint n_digits)
{
    char digits[NUMBER_BYTES], *at = digits + sizeof digits;
    for (guint n = 0; number > 0 || n < n_digits; n++, number /= 10)
        *--at = (char)('0' + number % 10);
    g_string_append_len(out, at, digits + sizeof digits - at);
}

static void append_number(GString *out, gint64 number)
{
    if (number < 0)
        g_string_append_c(out, '-');
    append_digits(out, number < 0 ? -(guint64)number : (guint64)number, 1);
}

/* Append a time in seconds with nine digits. It must not be negative. */
static void append_time(GString *out, gint64 ns)
{
    append_digits(out, (guint64)ns / NS_PER_SECOND, 1);
    g_string_append_c(out, '.');
    append_digits(out, (guint64)ns % NS_PER_SECOND, 9);
}

static void begin_value(GString *out, const char *name)
{
    g_string_append_c(out, ' ');
    g_string_append(out, name);
    g_string_append(out, "=\"");
}

void hiera_otf2_attribute_write(GString *out, const char *name, const char *text)
{
    begin_value(out, name);
    for (const char *at = text; *at;) {
        const char *plain = at;
        while ((guchar)*at >= ' ' && !hiera_xml_escape(*at))
            at++;
        g_string_append_len(out, plain, at - plain);
        if (!*at)
            break;
        const char *escape = hiera_xml_escape(*at++);
        g_string_append(out, escape ? escape : "?"); /* "?" for control characters that XML does not allow */
    }
    g_string_append_c(out, '"');
}

static void write_number(GString *out, const char *name, gint64 number)
{
    begin_value(out, name);
    append_number(out, number);
    g_string_append_c(out, '"');
}

/* Append the attribute of a time. @param known  FALSE: the time is not known, so that the value is empty */
static void write_time(GString *out, HieraAttribute attribute, gint64 ns, gboolean known)
{
    begin_value(out, hiera_attribute_name(attribute));
    if (known)
        append_time(out, MAX(ns, 0));
    g_string_append_c(out, '"');
}

static void write_attributes(const HieraOtf2Elements *elements, const HieraOtf2Element *element, GString *out)
{
    for (guint32 i = element->first; i != 0;) {
        const HieraOtf2Attribute *attribute = &g_array_index(elements->attributes, HieraOtf2Attribute, i);
        if (attribute->text)
            hiera_otf2_attribute_write(out, attribute->name, attribute->text);
        else
            write_number(out, attribute->name, attribute->number);
        i = attribute->next;
    }
}

static void write_call(const HieraOtf2Element *element, GString *out)
{
    gboolean method = strcmp(element->name, hiera_element_name(HIERA_ELEMENT_OOPS)) == 0;
    if (element->level)
        hiera_otf2_attribute_write(out, hiera_attribute_name(HIERA_ATTRIBUTE_LEVEL), element->level);
    hiera_otf2_attribute_write(out, hiera_attribute_name(method ? HIERA_ATTRIBUTE_METHOD : HIERA_ATTRIBUTE_OPERATION),
                               element->operation);
    hiera_otf2_attribute_write(out, hiera_attribute_name(HIERA_ATTRIBUTE_FILE), element->file);
    write_number(out, hiera_attribute_name(HIERA_ATTRIBUTE_LINE), element->line);
    write_time(out, HIERA_ATTRIBUTE_START_TIME, element->start_ns, TRUE);
    write_time(out, HIERA_ATTRIBUTE_FINISH_TIME, element->finish_ns, !element->open);
}

void hiera_otf2_element_write(const HieraOtf2Elements *elements, guint32 index, GString *out)
{
    const HieraOtf2Element *element = hiera_otf2_elements_peek(elements, index);
    g_string_append(out, "\n<");
    g_string_append(out, element->name);
    if (element->operation)
        write_call(element, out);
    write_attributes(elements, element, out);
    g_string_append_c(out, '>');
}
