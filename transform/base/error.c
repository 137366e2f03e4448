/* The GError domain of libhiera-graph. */
#include "hiera_trace.h"

G_DEFINE_QUARK(hiera - graph - error - quark, hiera_graph_error)
