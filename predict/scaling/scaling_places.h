/* On which hosts ranks are that were not recorded, and how many messages stay inside of a host then. */
#ifndef HIERA_PREDICT_SCALING_PLACES_H
#define HIERA_PREDICT_SCALING_PLACES_H

#include <glib.h>

typedef struct ScalingPlaces ScalingPlaces;

/* @param mapping  as of hosts_map()
 * @param error    HIERA_GRAPH_ERROR_USE, or that of a file: it does not say where all ranks are */
ScalingPlaces *scaling_places_new(const char *mapping, guint32 n_ranks, GError **error);
void scaling_places_free(ScalingPlaces *places);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ScalingPlaces, scaling_places_free)
/* The share of ranks that are on the host of the one so many ranks behind them, all in a circle. */
gdouble scaling_places_inside(ScalingPlaces *places, gdouble distance);
guint32 scaling_places_count_hosts(const ScalingPlaces *places);
/* The most ranks of a host. */
guint32 scaling_places_count_most(const ScalingPlaces *places);

#endif
