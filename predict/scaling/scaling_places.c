#include "scaling_places.h"
#include "machine/hosts.h"
#include <math.h>

struct ScalingPlaces {
    Hosts hosts;
    guint32 n_ranks, most;
    GHashTable *inside; /* distance in ranks → gdouble: result of scaling_places_inside(), where computed so far */
};

static guint32 find_most(const ScalingPlaces *places)
{
    g_autofree guint32 *counts = g_new0(guint32, (gsize)places->hosts.names->len + 1);
    guint32 most = 0;
    for (guint32 i = 0; i < places->n_ranks; i++) {
        counts[places->hosts.host[i]]++;
        most = MAX(most, counts[places->hosts.host[i]]);
    }
    return most;
}

ScalingPlaces *scaling_places_new(const char *mapping, guint32 n_ranks, GError **error)
{
    g_autofree guint32 *ranks = g_new(guint32, (gsize)n_ranks + 1);
    g_autoptr(ScalingPlaces) places = g_new0(ScalingPlaces, 1);
    for (guint32 i = 0; i < n_ranks; i++)
        ranks[i] = i;
    places->n_ranks = n_ranks;
    places->inside = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    if (!hosts_map(&places->hosts, ranks, n_ranks, mapping, error))
        return NULL;
    places->most = find_most(places);
    return g_steal_pointer(&places);
}

void scaling_places_free(ScalingPlaces *places)
{
    hosts_clear(&places->hosts);
    g_hash_table_unref(places->inside);
    g_free(places);
}

gdouble scaling_places_inside(ScalingPlaces *places, gdouble distance)
{
    guint32 apart = (guint32)llround(CLAMP(distance, 0, places->n_ranks / 2)), n = places->n_ranks, same = 0;
    gdouble *known = g_hash_table_lookup(places->inside, GUINT_TO_POINTER(apart));
    if (known)
        return *known;
    for (guint32 i = 0; i < n; i++)
        same += places->hosts.host[i] == places->hosts.host[(guint32)(((guint64)i + apart) % n)];
    known = g_new(gdouble, 1);
    *known = (gdouble)same / n;
    g_hash_table_insert(places->inside, GUINT_TO_POINTER(apart), known);
    return *known;
}

guint32 scaling_places_count_hosts(const ScalingPlaces *places)
{
    return places->hosts.names->len;
}

guint32 scaling_places_count_most(const ScalingPlaces *places)
{
    return places->most;
}
