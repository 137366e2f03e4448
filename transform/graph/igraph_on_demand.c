/* Functions of igraph, loaded when they are first called (base/on_demand.h). */
#include "base/on_demand.h"
#include "graph_private.h"

#define FUNCTION(result, name, parameters, arguments) HIERA_ON_DEMAND(HIERA_IGRAPH, result, name, parameters, arguments)

FUNCTION(igraph_error_t, igraph_empty, (igraph_t * graph, igraph_integer_t n, igraph_bool_t directed),
         (graph, n, directed))
FUNCTION(igraph_error_t, igraph_add_edges, (igraph_t * graph, const igraph_vector_int_t *ends, void *attributes),
         (graph, ends, attributes))
FUNCTION(void, igraph_destroy, (igraph_t * graph), (graph))
FUNCTION(igraph_integer_t, igraph_vcount, (const igraph_t *graph), (graph))
FUNCTION(igraph_integer_t, igraph_ecount, (const igraph_t *graph), (graph))
FUNCTION(const igraph_vector_int_t *, igraph_vector_int_view,
         (const igraph_vector_int_t *vector, const igraph_integer_t *data, igraph_integer_t n), (vector, data, n))
FUNCTION(igraph_error_handler_t *, igraph_set_error_handler, (igraph_error_handler_t * handler), (handler))
FUNCTION(const char *, igraph_strerror, (const igraph_error_t error), (error))
FUNCTION(void, igraph_error_handler_ignore, (const char *reason, const char *file, int line, igraph_error_t error),
         (reason, file, line, error))
