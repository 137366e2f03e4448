/* Places of ranks that were not recorded on hosts, and the share of messages within a host that follows. */
#pragma once

#include <glib.h>

typedef struct ScalingPlaces ScalingPlaces;

/* @param mapping  as of hosts_map()
 * @param error    HIERA_GRAPH_ERROR_USE, or an error of the file: it does not place all ranks */
ScalingPlaces *scaling_places_new(const char *mapping, guint32 n_ranks, GError **error);
void scaling_places_free(ScalingPlaces *places);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ScalingPlaces, scaling_places_free)
/* Return the share of ranks that are on the same host as the rank `distance` after them, all in a circle. */
gdouble scaling_places_inside(ScalingPlaces *places, gdouble distance);
guint32 scaling_places_count_hosts(const ScalingPlaces *places);
/* Return the greatest number of ranks of a host. */
guint32 scaling_places_count_most(const ScalingPlaces *places);
