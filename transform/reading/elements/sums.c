/* See sums.h. Contradictions in the numbers become findings, as anyone may have written the file. */
#include "sums.h"
#include "base/findings.h"
#include "base/parse_numbers.h"
#include "communicators.h"
#include <string.h>

#define PARTS_MOST 65536 /* most HieraPart of one operation; all further ones are added up in the last one */
#define BITS_MOST  63
#define OPEN_MOST  G_MAXINT32

void hiera_sums_init(HieraSummed *summed)
{
    summed->times = g_array_new(FALSE, FALSE, sizeof(HieraBin));
    summed->sizes = g_array_new(FALSE, FALSE, sizeof(HieraBin));
    summed->parts = g_array_new(FALSE, FALSE, sizeof(HieraPart));
}

void hiera_summed_clear(HieraSummed *summed)
{
    g_array_unref(summed->times);
    g_array_unref(summed->sizes);
    g_array_unref(summed->parts);
}

/* Initialise a summed operation from an operation with the same call site and times. */
static void begin(const HieraOperation *operation, HieraSummed *summed)
{
    GArray *times = summed->times, *sizes = summed->sizes, *parts = summed->parts;
    *summed = (HieraSummed){.site = operation->site,
                            .first_ns = operation->start_ns,
                            .last_ns = operation->finish_ns,
                            .open_since_ns = operation->start_ns,
                            .bytes = operation->bytes,
                            .rbytes = operation->rbytes,
                            .min_ns = -1,
                            .max_ns = -1,
                            .times = g_array_set_size(times, 0),
                            .sizes = g_array_set_size(sizes, 0),
                            .parts = g_array_set_size(parts, 0)};
}

static gint64 read_time(HieraReadContext *context, const HieraAttributes *attributes, HieraAttribute attribute,
                        gint64 otherwise)
{
    return hiera_attribute_is_empty(attributes->at[attribute])
               ? otherwise
               : hiera_argument_time(&context->place, attributes, attribute, otherwise, "it is ignored");
}

static gint64 read_count(HieraReadContext *context, const HieraAttributes *attributes, HieraAttribute attribute,
                         gint64 most)
{
    return hiera_argument_number(&context->place, attributes, attribute, 0, most, 0);
}

/* Read the number of open calls. An operation with an empty finish_time has open calls; some of its calls may have
 * ended. */
static void read_open(HieraReadContext *context, const HieraAttributes *attributes, HieraSummed *summed)
{
    summed->open = read_count(context, attributes, HIERA_ATTRIBUTE_OPEN, MIN(summed->calls, OPEN_MOST));
    if (summed->last_ns == HIERA_TIME_OPEN && summed->open == 0)
        summed->open = MIN(summed->calls, OPEN_MOST);
    gint64 since_ns = read_time(context, attributes, HIERA_ATTRIBUTE_OPEN_SINCE, -1);
    if (since_ns >= 0)
        summed->open_since_ns = hiera_clock_correct(&context->clock, &context->place, since_ns);
    hiera_read_context_see_time(context, summed->open_since_ns);
    context->open_operation = context->open_operation || summed->open > 0;
}

void hiera_sums_read(HieraReadContext *context, const HieraAttributes *attributes, const HieraOperation *operation,
                     HieraSummed *summed)
{
    begin(operation, summed);
    summed->calls = read_count(context, attributes, HIERA_ATTRIBUTE_CALLS, G_MAXINT64);
    summed->failed = read_count(context, attributes, HIERA_ATTRIBUTE_FAILED, summed->calls);
    summed->failed += read_count(context, attributes, HIERA_ATTRIBUTE_LEFT, summed->calls - summed->failed);
    summed->missed = read_count(context, attributes, HIERA_ATTRIBUTE_MISSED, summed->calls);
    summed->time_ns = read_time(context, attributes, HIERA_ATTRIBUTE_TIME, 0);
    summed->min_ns = read_time(context, attributes, HIERA_ATTRIBUTE_MIN, -1);
    summed->max_ns = read_time(context, attributes, HIERA_ATTRIBUTE_MAX, -1);
    read_open(context, attributes, summed);
    if (summed->min_ns <= summed->max_ns && summed->max_ns <= summed->time_ns)
        return;
    HieraAttribute least = attributes->at[HIERA_ATTRIBUTE_MIN] ? HIERA_ATTRIBUTE_MIN : HIERA_ATTRIBUTE_MAX;
    hiera_argument_complain(&context->place, least, attributes->at[least],
                            "min, max and time contradict each other; min and max are ignored");
    summed->min_ns = summed->max_ns = -1;
}

/* Return the number of binary digits of a value: 0 for 0. */
static guint32 bits_of(gint64 value)
{
    return value > 0 ? 64 - (guint32)__builtin_clzll((guint64)value) : 0;
}

void hiera_sums_of_one(const HieraOperation *operation, HieraSummed *summed)
{
    begin(operation, summed);
    summed->calls = 1;
    summed->open = operation->finish_ns == HIERA_TIME_OPEN;
    summed->failed = operation->failed;
    summed->missed = operation->missed;
    if (summed->open == 0) {
        summed->time_ns = summed->min_ns = summed->max_ns = operation->finish_ns - operation->start_ns;
        g_array_append_val(summed->times, ((HieraBin){bits_of(summed->time_ns), 1}));
    }
    if (operation->bytes >= 0)
        g_array_append_val(summed->sizes, ((HieraBin){bits_of(operation->bytes), 1}));
}

/* Parse a bin of a histogram like "11:5": bits, which must be more than in the bin before, and calls. */
static gboolean parse_bin(const char *word, gsize length, const GArray *bins, HieraBin *bin)
{
    const char *colon = memchr(word, ':', length);
    gint64 bits, low = bins->len ? (gint64)g_array_index(bins, HieraBin, bins->len - 1).bits + 1 : 0;
    if (!colon || !hiera_number_parse_between(word, (gsize)(colon - word), low, BITS_MOST, &bits) ||
        !hiera_number_parse_between(colon + 1, length - (gsize)(colon + 1 - word), 1, G_MAXINT64, &bin->calls))
        return FALSE;
    bin->bits = (guint64)bits;
    return TRUE;
}

static gboolean is_word(const HieraXmlAttribute *attribute, const char *word)
{
    return attribute && hiera_attribute_length(attribute) == strlen(word) &&
           memcmp(attribute->value, word, strlen(word)) == 0;
}

void hiera_sums_read_spread(HieraReadContext *context, const HieraAttributes *attributes, HieraSummed *summed)
{
    GArray *bins = is_word(attributes->at[HIERA_ATTRIBUTE_OF], "bytes") ? summed->sizes : summed->times;
    const HieraXmlAttribute *list = attributes->at[HIERA_ATTRIBUTE_BINS];
    if (is_word(attributes->at[HIERA_ATTRIBUTE_OF], "gap"))
        return; /* other histograms, of times between calls, are not used by any measure */
    g_array_set_size(bins, 0);
    for (const char *word = list ? list->value : NULL; list && word < list->end;) {
        const char *blank = memchr(word, ' ', (gsize)(list->end - word)), *end = blank ? blank : list->end;
        HieraBin bin;
        if (end > word && !parse_bin(word, (gsize)(end - word), bins, &bin)) {
            hiera_argument_complain(&context->place, HIERA_ATTRIBUTE_BINS, list, "the rest of the list is ignored");
            return;
        }
        if (end > word)
            g_array_append_val(bins, bin);
        word = end + 1;
    }
}

/* Return an attribute that is a number; -1: it is missing. */
static gint64 read_optional(HieraReadContext *context, const HieraAttributes *attributes, HieraAttribute attribute)
{
    return hiera_argument_number(&context->place, attributes, attribute, 0, G_MAXINT64, -1);
}

static void read_part_sums(HieraReadContext *context, const HieraAttributes *attributes, HieraPart *part)
{
    part->calls = read_count(context, attributes, HIERA_ATTRIBUTE_CALLS, G_MAXINT64);
    part->time_ns = read_time(context, attributes, HIERA_ATTRIBUTE_TIME, -1);
    part->bytes = read_optional(context, attributes, HIERA_ATTRIBUTE_BYTES);
    part->rbytes = read_optional(context, attributes, HIERA_ATTRIBUTE_RBYTES);
}

static gint64 plus_optional(gint64 a, gint64 b)
{
    if (a < 0)
        return b;
    return b < 0 ? a : hiera_plus(a, b);
}

static void add_to_rest(HieraPart *rest, const HieraPart *part)
{
    rest->rest = TRUE;
    rest->calls = hiera_plus(rest->calls, part->calls);
    rest->time_ns = plus_optional(rest->time_ns, part->time_ns);
    rest->bytes = plus_optional(rest->bytes, part->bytes);
    rest->rbytes = plus_optional(rest->rbytes, part->rbytes);
}

void hiera_sums_read_part(HieraReadContext *context, const HieraAttributes *attributes, HieraSummed *summed)
{
    const HieraXmlAttribute *const *at = attributes->at;
    HieraPart part = {.comm = HIERA_NONE, .peer = HIERA_ABSENT};
    HieraAttribute peer = at[HIERA_ATTRIBUTE_PEER] ? HIERA_ATTRIBUTE_PEER : HIERA_ATTRIBUTE_ROOT;
    part.rest = is_word(at[HIERA_ATTRIBUTE_COMMUNICATOR], "(other)") || is_word(at[peer], "other");
    part.way = is_word(at[HIERA_ATTRIBUTE_WAY], "send")      ? HIERA_WAY_SEND
               : is_word(at[HIERA_ATTRIBUTE_WAY], "receive") ? HIERA_WAY_RECEIVE
                                                             : HIERA_WAY_WHOLE;
    if (!part.rest) {
        part.comm = hiera_communicators_find(context, at[HIERA_ATTRIBUTE_COMMUNICATOR]);
        part.peer = hiera_argument_peer(&context->place, attributes, peer);
    }
    read_part_sums(context, attributes, &part);
    if (summed->parts->len == PARTS_MOST)
        add_to_rest(&g_array_index(summed->parts, HieraPart, PARTS_MOST - 1), &part);
    else
        g_array_append_val(summed->parts, part);
}

void hiera_sums_read_wait(HieraReadContext *context, const HieraAttributes *attributes, HieraSummed *summed)
{
    gboolean completes = is_word(attributes->at[HIERA_ATTRIBUTE_OF], "completion");
    HieraWaited *waited = completes ? &summed->completion : &summed->members;
    waited->calls = read_count(context, attributes, HIERA_ATTRIBUTE_CALLS, summed->calls);
    waited->count = read_count(context, attributes, HIERA_ATTRIBUTE_COUNT, waited->calls);
    waited->time_ns = read_time(context, attributes, HIERA_ATTRIBUTE_TIME, 0);
    waited->max_ns = MIN(read_time(context, attributes, HIERA_ATTRIBUTE_MAX, 0), waited->time_ns);
    if (!completes)
        summed->exchange_ns = read_time(context, attributes, HIERA_ATTRIBUTE_EXCHANGE, 0);
}

static void note_switch_over(HieraReadContext *context, gint64 time_ns)
{
    HieraProcessor *processor = context->processor;
    time_ns = hiera_clock_correct(&context->clock, &context->place, time_ns);
    hiera_read_context_see_time(context, time_ns);
    processor->seam_ns = *processor->seam ? MIN(processor->seam_ns, time_ns) : time_ns;
}

void hiera_sums_read_repeats(HieraReadContext *context, const HieraAttributes *attributes)
{
    note_switch_over(context, read_time(context, attributes, HIERA_ATTRIBUTE_START_TIME, 0));
    context->processor->seam = HIERA_SEAM_LOOPS;
}

void hiera_sums_read_switch_over(HieraReadContext *context, const HieraAttributes *attributes)
{
    HieraProcessor *processor = context->processor;
    note_switch_over(context, read_time(context, attributes, HIERA_ATTRIBUTE_TIME, 0));
    processor->seam = hiera_read_context_intern(context, attributes->at[HIERA_ATTRIBUTE_REASON]);
    if (!*processor->seam)
        processor->seam = "sums";
}
