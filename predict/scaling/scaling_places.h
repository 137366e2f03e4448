/* Hosts of ranks in a run that was not recorded, and which share of messages stays within a host. */
#pragma once

#include <glib.h>

typedef struct ScalingPlaces ScalingPlaces;

/* @param mapping  as of hosts_map()
 * @param error    HIERA_GRAPH_ERROR_USE, or an error of the file: it does not place all ranks */
ScalingPlaces *scaling_places_new(const char *mapping, guint32 n_ranks, GError **error);
void scaling_places_free(ScalingPlaces *places);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ScalingPlaces, scaling_places_free)
/* Return the share of ranks whose host also has the rank `distance` after them; the last rank is followed by rank 0. */
gdouble scaling_places_inside(ScalingPlaces *places, gdouble distance);
guint32 scaling_places_count_hosts(const ScalingPlaces *places);
/* Return how many ranks the host with most ranks has. */
guint32 scaling_places_count_most(const ScalingPlaces *places);
