/* Threads of a rank do their acts in no time, each as far as it comes. Who passes does not depend on their order, since
 * recorded acts take nothing from gates. If all stand, times contradict each other; see thread_acts.h. */
#include "thread_acts.h"

typedef struct {
    guint next;    /* index of its next act */
    gboolean came; /* that has been added to its gate */
} Place;

/* @return whether the thread has come on */
static gboolean go_on(const GArray *acts, Place *place, guint64 *counts, guint32 first_gate)
{
    gboolean goes = FALSE;
    for (; place->next < acts->len; place->next++, place->came = FALSE) {
        const Act *act = &g_array_index(acts, Act, place->next);
        if (act->adds == 0 && act->needs == 0)
            continue;
        guint64 *count = &counts[act->gate - first_gate];
        goes |= !place->came;
        *count += place->came ? 0 : act->adds;
        place->came = TRUE;
        if (*count < act->needs)
            break;
        goes = TRUE;
    }
    return goes;
}

/* Return an act at which a thread stands, of a critical section or lock if there is one; NULL: all threads have ended.
 */
static Act *find_stuck(const GPtrArray *acts, const Place *places)
{
    Act *found = NULL;
    for (guint thread = 0; thread < acts->len; thread++) {
        const GArray *of = g_ptr_array_index(acts, thread);
        Act *act = places[thread].next < of->len ? &g_array_index(of, Act, places[thread].next) : NULL;
        if (act && (!found || (act->kind == ACT_ACQUIRE && found->kind != ACT_ACQUIRE)))
            found = act;
    }
    return found;
}

guint stuck_acts_open(const GPtrArray *acts, guint32 first_gate, guint32 behind_gate)
{
    g_autofree Place *places = g_new0(Place, acts->len);
    g_autofree guint64 *counts = g_new0(guint64, (gsize)(behind_gate - first_gate) + 1);
    guint n = 0;
    for (;;) {
        gboolean goes = FALSE;
        for (guint thread = 0; thread < acts->len; thread++)
            goes |= go_on(g_ptr_array_index(acts, thread), &places[thread], counts, first_gate);
        Act *stuck = goes ? NULL : find_stuck(acts, places);
        if (!goes && !stuck)
            return n;
        if (goes)
            continue;
        stuck->needs = 0;
        stuck->after_ns = act_span_ns(stuck);
        n++;
    }
}
