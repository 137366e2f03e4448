#include "export_collectives.h"
#include "export_numbers.h"

static guint32 owner_of(const HieraMatch *match, guint32 collective)
{
    guint n;
    return hiera_trace_find_processor(hiera_match_peek_trace(match),
                                      hiera_match_peek_members(match, collective, &n)[0]);
}

/* Compare collectives by the rows of their members; if one call started both (equal rows), by communicator. */
static gint compare_collectives(gconstpointer a, gconstpointer b, gpointer match)
{
    guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;
    guint n_left, n_right, n;
    const guint32 *x = hiera_match_peek_members(match, left, &n_left),
                  *y = hiera_match_peek_members(match, right, &n_right);
    for (guint i = 0; i < MIN(n_left, n_right); i++) {
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    }
    const HieraCollective *all = hiera_match_peek_collectives(match, &n);
    return n_left != n_right ? (n_left > n_right) - (n_left < n_right)
                             : (all[left].comm > all[right].comm) - (all[left].comm < all[right].comm);
}

void hiera_export_collectives_init(HieraExportCollectives *collectives, const HieraMatch *match,
                                   const HieraScope *scope)
{
    guint n;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autofree guint32 *here = g_new0(guint32, trace->n_processors);
    collectives->indices = g_array_new(FALSE, FALSE, sizeof(guint32));
    collectives->first = g_new0(guint32, (gsize)trace->n_processors + 1);
    hiera_match_peek_collectives(match, &n);
    for (guint32 i = 0; i < n; i++) {
        guint32 owner = owner_of(match, i);
        if (!hiera_scope_is_own(scope, owner))
            continue;
        here[owner]++;
        g_array_append_val(collectives->indices, i);
    }
    g_array_sort_with_data(collectives->indices, compare_collectives, (gpointer)match);
    for (guint32 i = 0; i < trace->n_processors; i++)
        collectives->first[i + 1] = collectives->first[i] + here[i];
    collectives->first_number = hiera_export_number(scope, trace, here);
}

void hiera_export_collectives_clear(HieraExportCollectives *collectives)
{
    g_array_unref(collectives->indices);
    g_free(collectives->first);
    g_free(collectives->first_number);
}

void hiera_export_collectives_visit(const HieraExportCollectives *collectives, guint32 processor,
                                    HieraCollectiveVisit visit, gpointer user)
{
    guint32 first = collectives->first[processor], n = collectives->first[processor + 1] - first;
    for (guint32 i = 0; i < n; i++)
        visit(collectives->first_number[processor] + i, g_array_index(collectives->indices, guint32, first + i), user);
}
