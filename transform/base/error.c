/* The GError domain of this library. */
#include "hiera_trace.h"

G_DEFINE_QUARK(hiera - graph - error - quark, hiera_graph_error)
