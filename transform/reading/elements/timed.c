#include "timed.h"

/* Members of HieraTimed and the attributes that have them: X(member, attribute). */
#define NUMBERS(X) X(count, COUNT) X(open, OPEN) X(iterations, ITERATIONS) X(threads, THREADS)
#define TIMES(X)                                                                                                       \
    X(time_ns, TIME) X(own_ns, OWN) X(min_ns, MIN) X(max_ns, MAX) X(thread_ns, LONGEST) X(uncertainty_ns, UNCERTAINTY)

HieraTimed hiera_timed_read_all(HieraReadContext *context, const HieraAttributes *attributes)
{
    HieraTimed all = {.kind = HIERA_TIMED_ALL, .operation = "", .file = "", .reason = "", .by_thread = ""};
    all.count = hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_MISSED, 0, G_MAXINT64, 0);
    return all;
}

void hiera_timed_read(HieraReadContext *context, const HieraAttributes *attributes, HieraTimed *timed)
{
    const HieraXmlAttribute *const *at = attributes->at;
    const HieraPlace *place = &context->place;
    timed->operation = hiera_read_context_intern(context, at[HIERA_ATTRIBUTE_OPERATION]);
    timed->file = hiera_read_context_intern(context, at[HIERA_ATTRIBUTE_FILE]);
    timed->reason = hiera_read_context_intern(context, at[HIERA_ATTRIBUTE_REASON]);
    timed->by_thread = hiera_read_context_intern(context, at[HIERA_ATTRIBUTE_BY_THREAD]);
    timed->line = (guint32)hiera_argument_number(place, attributes, HIERA_ATTRIBUTE_LINE, 0, G_MAXUINT32, 0);
    timed->last_line =
        (guint32)hiera_argument_number(place, attributes, HIERA_ATTRIBUTE_LAST_LINE, 0, G_MAXUINT32, timed->line);
    timed->irreducible = at[HIERA_ATTRIBUTE_IRREDUCIBLE] != NULL;
    timed->too_deep = at[HIERA_ATTRIBUTE_EVALUATED] != NULL;
    if (timed->kind == HIERA_TIMED_NOT)
        return;
#define X(member, name)                                                                                                \
    timed->member = hiera_argument_number(place, attributes, HIERA_ATTRIBUTE_##name, 0, G_MAXINT64, 0);
    NUMBERS(X)
#undef X
#define X(member, name) timed->member = hiera_argument_time(place, attributes, HIERA_ATTRIBUTE_##name, 0, "0 is used");
    TIMES(X)
#undef X
    timed->timed = hiera_argument_number(place, attributes, HIERA_ATTRIBUTE_TIMED, 0, G_MAXINT64, timed->count);
    timed->own_uncertainty_ns = timed->uncertainty_ns;
    if (at[HIERA_ATTRIBUTE_OWN_UNCERTAINTY])
        timed->own_uncertainty_ns =
            hiera_argument_time(place, attributes, HIERA_ATTRIBUTE_OWN_UNCERTAINTY, 0, "0 is used");
    timed->is_estimated = at[HIERA_ATTRIBUTE_ESTIMATED] != NULL;
    timed->iterations_doubt = hiera_argument_number(place, attributes, HIERA_ATTRIBUTE_ESTIMATED, 0, G_MAXINT64, 0);
    if (timed->kind == HIERA_TIMED_FUNCTION)
        timed->inner = hiera_argument_number(place, attributes, HIERA_ATTRIBUTE_INNER, 0, G_MAXINT64, 0);
    if (at[HIERA_ATTRIBUTE_WATCHED])
        timed->watched_ns = hiera_argument_time(place, attributes, HIERA_ATTRIBUTE_WATCHED, 0, "0 is used");
}
