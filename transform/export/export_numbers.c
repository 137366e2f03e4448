#include "export_numbers.h"

guint32 *hiera_export_number(const HieraScope *scope, const HieraTrace *trace, const guint32 *here)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(gint64));
    guint32 *first = g_new0(guint32, trace->n_processors), next = 0;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        gint64 n = here[i];
        g_array_append_val(all, n);
    }
    hiera_scope_add_up(scope, trace, (gint64 *)(void *)all->data, all->len);
    hiera_scope_tell_array(scope, trace, all);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        first[i] = next;
        next += (guint32)g_array_index(all, gint64, i);
    }
    return first;
}
