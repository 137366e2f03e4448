#include "arguments.h"
#include "base/findings.h"
#include "base/parse_numbers.h"
#include "constructs.h"
#include <string.h>

#define SHOWN_BYTES  40  /* number of bytes of an invalid value that a finding shows */
#define LIST_GOES_ON '.' /* first byte behind a list that was cut short, which ends in "... (7)" */

void hiera_argument_complain(const HieraPlace *place, HieraAttribute attribute, const HieraXmlAttribute *found,
                             const char *consequence)
{
    const char *name = hiera_attribute_name(attribute);
    g_autofree char *value = g_strndup(found->value, MIN(hiera_attribute_length(found), SHOWN_BYTES));
    g_autofree char *printable = g_utf8_make_valid(value, -1);
    g_autofree char *subject = g_strconcat(name, " ", consequence, " ", place->path, NULL);
    hiera_findings_add(place->findings, HIERA_FINDING_VALUE, place->path, place->line, subject,
                       "%s=\"%s\" is not valid; %s", name, printable, consequence);
}

gint64 hiera_argument_number(const HieraPlace *place, const HieraAttributes *attributes, HieraAttribute attribute,
                             gint64 low, gint64 high, gint64 otherwise)
{
    const HieraXmlAttribute *found = attributes->at[attribute];
    gint64 value = otherwise;
    if (found && found->end > found->value &&
        !hiera_number_parse_between(found->value, hiera_attribute_length(found), low, high, &value))
        hiera_argument_complain(place, attribute, found, "it is ignored");
    return value;
}

gint64 hiera_argument_time(const HieraPlace *place, const HieraAttributes *attributes, HieraAttribute attribute,
                           gint64 otherwise, const char *consequence)
{
    static const HieraXmlAttribute missing = {.value = "", .end = ""};
    const HieraXmlAttribute *found = attributes->at[attribute] ? attributes->at[attribute] : &missing;
    gint64 ns;
    if (hiera_seconds_parse(found->value, hiera_attribute_length(found), &ns) && ns >= 0)
        return ns;
    hiera_argument_complain(place, attribute, found, consequence);
    return otherwise;
}

gint64 hiera_argument_decimal(const HieraPlace *place, const HieraAttributes *attributes, HieraAttribute attribute,
                              gint64 low, gint64 high, gint64 otherwise)
{
    const HieraXmlAttribute *found = attributes->at[attribute];
    gint64 value;
    if (!found || found->end == found->value)
        return otherwise;
    if (hiera_seconds_parse(found->value, hiera_attribute_length(found), &value) && value >= low && value <= high)
        return value;
    hiera_argument_complain(place, attribute, found, "it is ignored");
    return otherwise;
}

/* Parse a rank or tag: a number, or a special value like MPI_ANY_SOURCE. */
static gboolean parse_peer(const char *text, gsize length, gint32 *value)
{
    gint64 number;
    if (hiera_number_parse_between(text, length, 0, G_MAXINT32, &number))
        *value = (gint32)number;
    else if (!hiera_vocabulary_special(text, length, value))
        return FALSE;
    return TRUE;
}

gint32 hiera_argument_peer(const HieraPlace *place, const HieraAttributes *attributes, HieraAttribute attribute)
{
    const HieraXmlAttribute *found = attributes->at[attribute];
    gint32 value = HIERA_ABSENT;
    if (found && found->end > found->value && !parse_peer(found->value, hiera_attribute_length(found), &value))
        hiera_argument_complain(place, attribute, found, "it is ignored");
    return value;
}

/* Return the next word of a blank-separated list, and move *at behind it. Return FALSE at the end of the list. */
static gboolean next_word(const char **at, const char *end, const char **word, gsize *length)
{
    while (*at < end && g_ascii_isspace(**at))
        (*at)++;
    *word = *at;
    while (*at < end && !g_ascii_isspace(**at))
        (*at)++;
    *length = (gsize)(*at - *word);
    return *length > 0;
}

static void set_source(HieraRequest *request, const char *word, gsize length)
{
    if (!parse_peer(word, length, &request->source))
        request->source = HIERA_ABSENT;
}

static void set_tag(HieraRequest *request, const char *word, gsize length)
{
    if (!parse_peer(word, length, &request->tag))
        request->tag = HIERA_ABSENT;
}

static void set_size(HieraRequest *request, const char *word, gsize length)
{
    if (!hiera_number_parse_between(word, length, 0, G_MAXINT64, &request->bytes))
        request->bytes = -1;
}

typedef void (*SetWord)(HieraRequest *request, const char *word, gsize length);

/* Set a member of the requests from index `first` on, each from one word of the list. */
static void align(const HieraXmlAttribute *list, GArray *requests, guint first, SetWord set)
{
    if (!list)
        return;
    const char *at = list->value, *word;
    gsize length;
    for (guint i = first; i < requests->len && next_word(&at, list->end, &word, &length); i++)
        set(&g_array_index(requests, HieraRequest, i), word, length);
}

/* Append the requests of a list. A null request (0) is appended too, because sources, tags and sizes are aligned with
 * the list. */
static void add_requests(const HieraPlace *place, HieraAttribute attribute, const HieraXmlAttribute *list, gint64 last,
                         GArray *requests)
{
    const char *at = list->value, *word;
    gsize length;
    while (next_word(&at, list->end, &word, &length) && word[0] != LIST_GOES_ON) {
        HieraRequest request = {0, HIERA_ABSENT, HIERA_ABSENT, -1};
        if (!hiera_number_parse_request(word, length, last, &request.number))
            hiera_argument_complain(place, attribute, list, "the request is ignored");
        g_array_append_val(requests, request);
    }
}

/* Read the attribute `message`, the handle of a message from a matched probe: "P0_message3". It becomes a request
 * with a negative number. MPI_MESSAGE_NO_PROC becomes the source of the operation. */
static void add_message(const HieraXmlAttribute *name, HieraOperation *operation, GArray *requests)
{
    static const char word[] = "_message";
    const char *found = g_strstr_len(name->value, (gssize)hiera_attribute_length(name), word);
    HieraRequest request = {0, HIERA_ABSENT, HIERA_ABSENT, -1};
    if (!found) {
        parse_peer(name->value, hiera_attribute_length(name), &operation->source);
        return;
    }
    const char *digits = found + strlen(word);
    if (hiera_number_parse_between(digits, (gsize)(name->end - digits), 1, G_MAXINT64, &request.number)) {
        request.number = -request.number;
        g_array_append_val(requests, request);
    }
}

/* Parse one request number ("3"), or a range of consecutive ones ("-5..-1"). The number 0 is an unknown request. */
static gboolean parse_pending(const char *word, gsize length, gint64 last, HieraPending *pending)
{
    static const char to[] = "..";
    const char *dots = g_strstr_len(word, (gssize)length, to);
    gsize first_length = dots ? (gsize)(dots - word) : length;
    gint64 end;
    if (!hiera_number_parse_request(word, first_length, last, &pending->first))
        return FALSE;
    pending->n = 1;
    if (!dots)
        return TRUE;
    dots += strlen(to);
    if (!hiera_number_parse_request(dots, length - (gsize)(dots - word), last, &end) || pending->first < 1 ||
        end < pending->first || end - pending->first >= G_MAXUINT32)
        return FALSE;
    pending->n = (guint32)(end - pending->first) + 1;
    return TRUE;
}

static void add_pending(const HieraPlace *place, const HieraXmlAttribute *list, gint64 last, GArray *pending)
{
    const char *at = list->value, *word;
    gsize length;
    while (next_word(&at, list->end, &word, &length)) {
        /* An unknown request; the rest of a list that was cut short is one, too. */
        HieraPending one = {.n = 1};
        gboolean goes_on = word[0] == LIST_GOES_ON;
        if (!goes_on && !parse_pending(word, length, last, &one)) {
            hiera_argument_complain(place, HIERA_ATTRIBUTE_PENDING, list, "the request is ignored");
            one = (HieraPending){.n = 1};
        }
        g_array_append_val(pending, one);
        if (goes_on)
            return;
    }
}

void hiera_arguments_read_requests(const HieraPlace *place, const HieraAttributes *attributes,
                                   HieraOperation *operation, GArray *requests, GArray *pending, gint64 *last)
{
    const HieraXmlAttribute *one = attributes->at[HIERA_ATTRIBUTE_REQUEST];
    const HieraXmlAttribute *many = attributes->at[HIERA_ATTRIBUTE_REQUESTS];
    g_array_set_size(requests, 0);
    g_array_set_size(pending, 0);
    if (attributes->at[HIERA_ATTRIBUTE_MESSAGE])
        add_message(attributes->at[HIERA_ATTRIBUTE_MESSAGE], operation, requests);
    guint first = requests->len;
    if (one)
        add_requests(place, HIERA_ATTRIBUTE_REQUEST, one, *last, requests);
    if (requests->len > first)
        *last = g_array_index(requests, HieraRequest, requests->len - 1).number;
    first = requests->len;
    if (many) {
        add_requests(place, HIERA_ATTRIBUTE_REQUESTS, many, *last, requests);
        align(attributes->at[HIERA_ATTRIBUTE_SOURCES], requests, first, set_source);
        align(attributes->at[HIERA_ATTRIBUTE_TAGS], requests, first, set_tag);
        align(attributes->at[HIERA_ATTRIBUTE_SIZES], requests, first, set_size);
    }
    operation->requests = (const HieraRequest *)(void *)requests->data;
    operation->n_requests = requests->len;
    if (attributes->at[HIERA_ATTRIBUTE_PENDING])
        add_pending(place, attributes->at[HIERA_ATTRIBUTE_PENDING], *last, pending);
    operation->pending = (const HieraPending *)(void *)pending->data;
    operation->n_pending = pending->len;
}

/* Return which attribute has the peer of a call. `rank` has the peer in calls on a window (MPI_Win_lock) only. */
static HieraAttribute peer_attribute(const HieraAttributes *attributes)
{
    static const HieraAttribute names[] = {HIERA_ATTRIBUTE_DEST, HIERA_ATTRIBUTE_ROOT, HIERA_ATTRIBUTE_TARGET_RANK};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (attributes->at[names[i]])
            return names[i];
    }
    return attributes->at[HIERA_ATTRIBUTE_WIN] ? HIERA_ATTRIBUTE_RANK : HIERA_ATTRIBUTE_DEST;
}

/* Whether an operation is a probe that found no message. */
static gboolean has_missed(const HieraAttributes *attributes, const HieraOperation *operation)
{
    const HieraXmlAttribute *flag = attributes->at[HIERA_ATTRIBUTE_FLAG];
    return flag && operation->site->kind == HIERA_KIND_PROBE && hiera_attribute_length(flag) == 1 &&
           *flag->value == '0';
}

static gint32 read_operator(const HieraXmlAttribute *name)
{
    return hiera_vocabulary_operator(name->value, hiera_attribute_length(name));
}

/* Return which word a schedule is, from 1; HIERA_ABSENT: none of them. */
static gint32 find_schedule(const char *word, gsize length)
{
#define X(of) of,
    static const char *const schedules[] = {HIERA_CONSTRUCT_SCHEDULES(X)};
#undef X
    for (guint i = 0; i < G_N_ELEMENTS(schedules); i++)
        if (strlen(schedules[i]) == length && memcmp(word, schedules[i], length) == 0)
            return (gint32)i + 1;
    return HIERA_ABSENT;
}

/* Return the number of the region, lock, task or data that a construct of OpenMP belongs to, or of its schedule;
 * HIERA_ABSENT: it has none. */
static gint32 read_construct(const HieraXmlAttribute *args)
{
    static const char *const names[] = {HIERA_CONSTRUCT_REGION, HIERA_CONSTRUCT_LOCK, HIERA_CONSTRUCT_TASK,
                                        HIERA_CONSTRUCT_DATA};
    const char *at = args->value, *word;
    gsize length;
    while (next_word(&at, args->end, &word, &length)) {
        gsize schedule = sizeof HIERA_CONSTRUCT_SCHEDULE - 1;
        if (length > schedule && memcmp(word, HIERA_CONSTRUCT_SCHEDULE, schedule) == 0)
            return find_schedule(word + schedule, length - schedule);
        for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
            gsize n = strlen(names[i]);
            gint64 number;
            if (length > n && memcmp(word, names[i], n) == 0 &&
                hiera_number_parse_between(word + n, length - n, 1, G_MAXINT32, &number))
                return (gint32)number;
        }
    }
    return HIERA_ABSENT;
}

void hiera_arguments_read(const HieraPlace *place, const HieraAttributes *attributes, HieraOperation *operation)
{
    HieraAttribute tag = attributes->at[HIERA_ATTRIBUTE_STAG] ? HIERA_ATTRIBUTE_STAG : HIERA_ATTRIBUTE_TAG;
    if (attributes->at[HIERA_ATTRIBUTE_WIN] && attributes->at[HIERA_ATTRIBUTE_FLAG])
        tag = HIERA_ATTRIBUTE_FLAG;
    if (attributes->at[HIERA_ATTRIBUTE_WIN] && attributes->at[HIERA_ATTRIBUTE_LOCK_TYPE])
        tag = HIERA_ATTRIBUTE_LOCK_TYPE;
    operation->peer = hiera_argument_peer(place, attributes, peer_attribute(attributes));
    operation->source = hiera_argument_peer(place, attributes, HIERA_ATTRIBUTE_REM);
    operation->tag = hiera_argument_peer(place, attributes, tag);
    operation->rtag = attributes->at[HIERA_ATTRIBUTE_OP] ? read_operator(attributes->at[HIERA_ATTRIBUTE_OP])
                                                         : hiera_argument_peer(place, attributes, HIERA_ATTRIBUTE_RTAG);
    if (attributes->at[HIERA_ATTRIBUTE_ARGS] && strcmp(operation->site->level, "openmp") == 0)
        operation->rtag = read_construct(attributes->at[HIERA_ATTRIBUTE_ARGS]);
    operation->failed = attributes->at[HIERA_ATTRIBUTE_ERROR] || attributes->at[HIERA_ATTRIBUTE_LEFT];
    operation->any_source = attributes->at[HIERA_ATTRIBUTE_POSTED] || operation->source == HIERA_ANY;
    operation->any_tag =
        attributes->at[HIERA_ATTRIBUTE_POSTED_TAG] ||
        (operation->source != HIERA_ABSENT && (operation->tag == HIERA_ANY || operation->rtag == HIERA_ANY));
    operation->missed = has_missed(attributes, operation);
    operation->bytes = hiera_argument_number(place, attributes, HIERA_ATTRIBUTE_BYTES, 0, G_MAXINT64, -1);
    operation->rbytes = hiera_argument_number(place, attributes, HIERA_ATTRIBUTE_RBYTES, 0, G_MAXINT64, -1);
}
