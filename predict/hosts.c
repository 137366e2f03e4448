/* See hosts.h. */
#include "hosts.h"

guint32 *hosts_number(const HieraTrace *trace, guint32 *n)
{
    guint32 *host = g_new(guint32, (gsize)trace->n_processors + 1);
    g_autoptr(GHashTable) numbers = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        gpointer name = (gpointer)(guintptr)trace->processors[i].host, number;
        if (!g_hash_table_lookup_extended(numbers, name, NULL, &number)) {
            number = GUINT_TO_POINTER(g_hash_table_size(numbers));
            g_hash_table_insert(numbers, name, number);
        }
        host[i] = GPOINTER_TO_UINT(number);
    }
    *n = g_hash_table_size(numbers);
    return host;
}
