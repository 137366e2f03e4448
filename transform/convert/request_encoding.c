/* See request_encoding.h. Words that are no requests are copied, as the dots at the end of a shortened list. */
#include "request_encoding.h"
#include "base/parse_numbers.h"
#include "base/vocabulary.h"
#include <string.h>

typedef struct {
    const char *name;
    gint64 last;                /* number of the request from which distances in this attribute are counted */
    GString *number, *distance; /* buffers for the attribute's value in full and compact encoding */
} List;

struct HieraRequestEncoding {
    List one, many, pending; /* state of the attributes `request`, `requests` and `pending` */
};

/* Append a word in the new form. Return FALSE if that is impossible.
 *
 * @param last    the request from which distances are counted
 * @param number  receives the number of the request; 0 if the word is not a request */
typedef gboolean (*Encode)(GString *text, const char *word, gsize length, gint64 last, gint64 *number);

static void list_init(List *list, HieraXml *xml, HieraAttribute attribute)
{
    list->name = hiera_xml_intern(xml, hiera_attribute_name(attribute));
    list->number = g_string_new(NULL);
    list->distance = g_string_new(NULL);
}

static void list_clear(List *list)
{
    g_string_free(list->number, TRUE);
    g_string_free(list->distance, TRUE);
}

HieraRequestEncoding *hiera_request_encoding_new(HieraXml *xml)
{
    HieraRequestEncoding *words = g_new0(HieraRequestEncoding, 1);
    list_init(&words->one, xml, HIERA_ATTRIBUTE_REQUEST);
    list_init(&words->many, xml, HIERA_ATTRIBUTE_REQUESTS);
    list_init(&words->pending, xml, HIERA_ATTRIBUTE_PENDING);
    return words;
}

void hiera_request_encoding_free(HieraRequestEncoding *words)
{
    list_clear(&words->one);
    list_clear(&words->many);
    list_clear(&words->pending);
    g_free(words);
}

void hiera_request_encoding_begin_section(HieraRequestEncoding *words)
{
    words->one.last = words->many.last = words->pending.last = 0;
}

/* An Encode for the full encoding: write a request as its number. */
static gboolean encode_number(GString *text, const char *word, gsize length, gint64 last, gint64 *number)
{
    *number = 0;
    if (hiera_number_parse_request(word, length, last, number))
        g_string_append_printf(text, "%" G_GINT64_FORMAT, *number);
    else
        g_string_append_len(text, word, (gssize)length);
    return TRUE;
}

/* An Encode that only reads the number of a request, and writes nothing. */
static gboolean encode_nothing(GString *text, const char *word, gsize length, gint64 last, gint64 *number)
{
    (void)text;
    *number = 0;
    hiera_number_parse_request(word, length, last, number);
    return TRUE;
}

/* An Encode for the compact encoding: write a request as its distance from `last`; FALSE if that is too large. */
static gboolean encode_distance(GString *text, const char *word, gsize length, gint64 last, gint64 *number)
{
    *number = 0;
    if (!hiera_number_parse_between(word, length, 1, G_MAXINT64, number)) {
        g_string_append_len(text, word, (gssize)length);
        return TRUE;
    }
    gint64 distance = *number - last;
    g_string_append_printf(text, "%c%" G_GINT64_FORMAT, distance > 0 ? '+' : '-', ABS(distance));
    return ABS(distance) <= HIERA_REQUEST_FARTHEST;
}

/* Write one request, or a range "first..last", by the Encode `word`. Return FALSE if that is impossible. */
static gboolean encode_word(GString *text, const char *from, const char *to, gint64 last, Encode word, gint64 *number)
{
    const char *dots = g_strstr_len(from, to - from, "..");
    if (!dots || dots == from)
        return word(text, from, (gsize)(to - from), last, number);
    if (!word(text, from, (gsize)(dots - from), last, number))
        return FALSE;
    g_string_append(text, "..");
    return word(text, dots + 2, (gsize)(to - dots - 2), last, number);
}

/* Rewrite the words of an attribute; white space between them is kept.
 *
 * @param text    becomes the new value
 * @param number  receives the number of the last word; unchanged if there are no words
 * @return  FALSE, and the attribute is unchanged, if a word cannot be rewritten */
static gboolean encode(HieraXmlAttribute *attribute, GString *text, gint64 last, Encode word, gint64 *number)
{
    const char *at = attribute->value;
    g_string_truncate(text, 0);
    while (at < attribute->end) {
        const char *begin = at;
        while (at < attribute->end && !g_ascii_isspace(*at))
            at++;
        if (at > begin && !encode_word(text, begin, at, last, word, number))
            return FALSE;
        while (at < attribute->end && g_ascii_isspace(*at))
            g_string_append_c(text, *at++);
    }
    attribute->value = text->str;
    attribute->end = text->str + text->len;
    return TRUE;
}

static HieraXmlAttribute *find(GArray *attributes, const char *name)
{
    for (guint i = 0; i < attributes->len; i++)
        if (g_array_index(attributes, HieraXmlAttribute, i).name == name)
            return &g_array_index(attributes, HieraXmlAttribute, i);
    return NULL;
}

void hiera_request_encoding_put_numbers(HieraRequestEncoding *words, GArray *attributes)
{
    HieraXmlAttribute *one = find(attributes, words->one.name), *many = find(attributes, words->many.name);
    HieraXmlAttribute *pending = find(attributes, words->pending.name);
    gint64 number;
    words->one.last = words->many.last;
    if (one)
        encode(one, words->one.number, words->one.last, encode_number, &words->many.last);
    if (many)
        encode(many, words->many.number, words->many.last, encode_number, &number);
    words->pending.last = words->many.last;
    if (pending)
        encode(pending, words->pending.number, words->pending.last, encode_number, &number);
}

void hiera_request_encoding_skip(HieraRequestEncoding *words, const HieraXmlAttribute *request)
{
    HieraXmlAttribute one = *request;
    encode(&one, words->one.number, words->many.last, encode_nothing, &words->many.last);
}

gboolean hiera_request_encoding_put_distances(HieraRequestEncoding *words, HieraXmlAttribute *attribute)
{
    List *list = attribute->name == words->one.name       ? &words->one
                 : attribute->name == words->many.name    ? &words->many
                 : attribute->name == words->pending.name ? &words->pending
                                                          : NULL;
    gint64 number;
    return !list || encode(attribute, list->distance, list->last, encode_distance, &number);
}
