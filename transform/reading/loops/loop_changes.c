#include "loop_changes.h"

#define MOST (G_MAXINT64 / 4)

void hiera_loop_changes_init(HieraLoopChanges *changes)
{
    *changes = (HieraLoopChanges){.text = g_string_new(NULL)};
}

void hiera_loop_changes_clear(HieraLoopChanges *changes)
{
    g_string_free(changes->text, TRUE);
}

void hiera_loop_changes_reset(HieraLoopChanges *changes)
{
    g_string_truncate(changes->text, 0);
    changes->problem = NULL;
}

void hiera_loop_changes_set(HieraLoopChanges *changes, const HieraXmlAttribute *values, guint64 last)
{
    g_string_truncate(changes->text, 0);
    g_string_append_len(changes->text, values->value, (gssize)hiera_attribute_length(values));
    changes->last = last;
}

/* Set `call` to the index of the call with the next change. */
static void find_next(HieraLoopChanges *changes)
{
    gint64 distance = hiera_loop_digits_read(&changes->digits, &changes->distance);
    if (changes->digits.broken || distance < 0 || (guint64)distance > changes->last - changes->call)
        changes->problem =
            "values of a hieraVary that end too early, or are no values; further calls of its loop are missing";
    changes->call = changes->problem ? G_MAXUINT64 : changes->call + (guint64)distance;
}

void hiera_loop_changes_begin(HieraLoopChanges *changes)
{
    changes->digits = (HieraLoopDigits){.at = changes->text->str, .end = changes->text->str + changes->text->len};
    changes->distance = (HieraLoopGuess){0};
    changes->call = changes->text->len > 0 ? 0 : G_MAXUINT64;
    if (changes->text->len > 0)
        find_next(changes);
}

void hiera_loop_changes_apply(HieraLoopChanges *changes, HieraLoopPlace *place, const HieraPlaceNames *names)
{
    gint64 by[HIERA_LOOP_STEPS] = {0};
    for (guint i = 0, n = hiera_loop_place_count_numbers(place); i < n; i++) {
        by[i] = hiera_loop_digits_read(&changes->digits, &place->value[i]);
        changes->digits.broken |= by[i] > MOST || by[i] < -MOST;
    }
    if (changes->digits.broken || !hiera_loop_place_change(place, names, by))
        changes->problem =
            "values of a hieraVary that are no changes of its numbers; further calls of its loop are missing";
    if (changes->call == changes->last)
        changes->call = G_MAXUINT64;
    else if (!changes->problem)
        find_next(changes);
}
