#include "loop_bodies.h"
#include "base/parse_numbers.h"
#include <string.h>

#define NUMBER_DIGITS 18                                    /* most digits of a number that can grow */
#define NUMBER_MOST   G_GINT64_CONSTANT(999999999999999999) /* the greatest number with NUMBER_DIGITS digits */

static void clear_attributes(HieraLoopPlace *place)
{
    for (guint i = 0; i < place->n_attributes; i++)
        if (place->values[i])
            g_string_free(place->values[i], TRUE);
    g_clear_pointer(&place->values, g_free);
    g_clear_pointer(&place->attributes, g_free);
    g_clear_pointer(&place->note, g_free);
    place->n_attributes = 0;
}

static void clear_place(gpointer data)
{
    HieraLoopPlace *place = data;
    clear_attributes(place);
    if (place->first)
        clear_attributes(place->first);
    g_clear_pointer(&place->first, g_free);
}

HieraLoopBody *hiera_loop_body_new(void)
{
    HieraLoopBody *body = g_new0(HieraLoopBody, 1);
    body->level = 1;
    body->places = g_array_new(FALSE, TRUE, sizeof(HieraLoopPlace));
    g_array_set_clear_func(body->places, clear_place);
    return body;
}

void hiera_loop_body_free(HieraLoopBody *body)
{
    g_array_unref(body->places);
    g_free(body);
}

HieraLoopPlace *hiera_loop_body_place(const HieraLoopBody *body, guint i)
{
    return &g_array_index(body->places, HieraLoopPlace, i);
}

HieraLoopPlace *hiera_loop_body_add(HieraLoopBody *body, HieraPlaceKind kind)
{
    g_array_set_size(body->places, body->places->len + 1);
    HieraLoopPlace *place = hiera_loop_body_place(body, body->places->len - 1);
    place->kind = kind;
    return place;
}

static void add_attribute(HieraLoopPlace *place, const char *name, const HieraXmlAttribute *value)
{
    guint i = place->n_attributes++;
    place->attributes[i] = (HieraXmlAttribute){.name = name};
    place->values[i] = NULL;
    if (!value)
        return;
    place->values[i] = g_string_new_len(value->value, (gssize)hiera_attribute_length(value));
    place->attributes[i].value = place->values[i]->str;
    place->attributes[i].end = place->values[i]->str + place->values[i]->len;
}

static gboolean is_among(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (*names == name)
            return TRUE;
    return FALSE;
}

static gboolean belongs(const HieraPlaceNames *names, const char *name)
{
    return name != names->own[HIERA_PLACE_R] && name != names->own[HIERA_PLACE_T] &&
           name != names->own[HIERA_PLACE_D] && !is_among(names->skip, name);
}

void hiera_loop_place_set(HieraLoopPlace *place, const HieraPlaceNames *names, const HieraXmlAttribute *attributes,
                          guint n, const gint64 *steps)
{
    const HieraXmlAttribute *reference = NULL;
    clear_attributes(place);
    place->attributes = g_new(HieraXmlAttribute, n + HIERA_PLACE_OWN);
    place->values = g_new(GString *, n + HIERA_PLACE_OWN);
    memset(place->steps, 0, sizeof place->steps);
    if (steps)
        memcpy(place->steps, steps, sizeof place->steps);
    for (guint i = 0; i < n; i++)
        if (attributes[i].name == names->own[HIERA_PLACE_R])
            reference = &attributes[i];
    for (guint i = 0; i < HIERA_PLACE_OWN; i++)
        add_attribute(place, names->own[i], i == HIERA_PLACE_R ? reference : NULL);
    for (guint i = 0; i < n; i++)
        if (belongs(names, attributes[i].name))
            add_attribute(place, attributes[i].name, &attributes[i]);
}

static void copy(HieraLoopPlace *place, const HieraPlaceNames *names, const HieraLoopPlace *other)
{
    hiera_loop_place_set(place, names, other->attributes, other->n_attributes, other->steps);
}

static void keep_first(HieraLoopPlace *place, const HieraPlaceNames *names)
{
    if (place->first)
        return;
    place->first = g_new0(HieraLoopPlace, 1);
    copy(place->first, names, place);
}

void hiera_loop_place_vary(HieraLoopPlace *place, const HieraPlaceNames *names, const HieraLoopPlace *other)
{
    keep_first(place, names);
    copy(place, names, other);
}

void hiera_loop_body_begin_anew(HieraLoopBody *body)
{
    for (guint i = 0; i < body->places->len; i++)
        hiera_loop_body_place(body, i)->begins_anew = TRUE;
}

void hiera_loop_place_reach(HieraLoopPlace *place, const HieraPlaceNames *names)
{
    if (place->begins_anew && place->first)
        copy(place, names, place->first);
}

/* Add `by` to a number in a text. Return where the text goes on behind it; 0 if this is impossible: too many digits,
 * leading zeros, or a negative result. */
static gsize grow(GString *text, gsize begin, gsize end, gint64 by)
{
    gint64 value;
    char digits[32];
    if (by == 0)
        return end;
    if (end - begin > NUMBER_DIGITS || (end - begin > 1 && text->str[begin] == '0') ||
        !hiera_number_parse(text->str + begin, end - begin, &value) || value + by < 0 || value + by > NUMBER_MOST)
        return 0;
    gint length = g_snprintf(digits, sizeof digits, "%" G_GINT64_FORMAT, value + by);
    g_string_erase(text, (gssize)begin, (gssize)(end - begin));
    g_string_insert(text, (gssize)begin, digits);
    return begin + (gsize)length;
}

/* Add `steps` from *next on to the numbers in a text, and advance *next. Return FALSE if a number cannot grow. */
static gboolean grow_text(GString *text, const gint64 *steps, guint *next)
{
    gsize at = 0;
    while (at < text->len && *next < HIERA_LOOP_STEPS) {
        gsize end = at;
        while (end < text->len && g_ascii_isdigit(text->str[end]))
            end++;
        if (end == at) {
            at++;
            continue;
        }
        at = grow(text, at, end, steps[(*next)++]);
        if (at == 0)
            return FALSE;
    }
    return TRUE;
}

static gboolean grow_all(HieraLoopPlace *place, const gint64 *by)
{
    gboolean grows = TRUE;
    guint next = 0;
    g_clear_pointer(&place->note, g_free);
    for (guint i = HIERA_PLACE_OWN; i < place->n_attributes && grows; i++) {
        grows = grow_text(place->values[i], by, &next);
        place->attributes[i].value = place->values[i]->str;
        place->attributes[i].end = place->values[i]->str + place->values[i]->len;
    }
    return grows;
}

guint hiera_loop_place_count_numbers(const HieraLoopPlace *place)
{
    guint n = 0;
    for (guint i = HIERA_PLACE_OWN; i < place->n_attributes; i++)
        for (const char *at = place->values[i]->str; *at; at++)
            n += g_ascii_isdigit(*at) && !g_ascii_isdigit(at[1]);
    return MIN(n, HIERA_LOOP_STEPS);
}

gboolean hiera_loop_place_change(HieraLoopPlace *place, const HieraPlaceNames *names, const gint64 *by)
{
    keep_first(place, names);
    memset(place->steps, 0, sizeof place->steps);
    return grow_all(place, by);
}

void hiera_loop_place_leave(HieraLoopPlace *place, const HieraPlaceNames *names)
{
    static const gint64 none[HIERA_LOOP_STEPS];
    if (place->begins_anew && place->first)
        copy(place->first, names, place);
    place->begins_anew = FALSE;
    if (memcmp(place->steps, none, sizeof none) != 0 && !grow_all(place, place->steps))
        memset(place->steps, 0, sizeof place->steps);
}
