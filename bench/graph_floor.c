/* Lower bound for a graph of this size: one igraph_create() from an edge vector like Hiera's.
 *
 * Usage: graph_floor OPERATIONS. Two processors, half the operations each: each operation has an edge from its
 * processor and one to the next operation, and each pair of operations has a message. */
#include "bench.h"

#include <igraph/igraph.h>

int main(int argc, char **argv)
{
    int64_t begin = bench_now_ns(), processor_begin = bench_processor_ns();
    igraph_integer_t n = argc == 2 ? atol(argv[1]) / 2 : 0;
    igraph_vector_int_t edges;
    igraph_t graph;
    if (n < 2 || igraph_vector_int_init(&edges, 0) != IGRAPH_SUCCESS ||
        igraph_vector_int_reserve(&edges, 2 * 5 * n) != IGRAPH_SUCCESS)
        return 2;
#define EDGE(from, to) igraph_vector_int_push_back(&edges, from), igraph_vector_int_push_back(&edges, to)
    for (igraph_integer_t p = 0; p < 2; p++)
        for (igraph_integer_t i = 0, first = p * (n + 1) + 1; i < n; i++) {
            EDGE(first - 1, first + i);
            if (i > 0)
                EDGE(first + i - 1, first + i);
            if (i % 2 == p)
                EDGE(first + i, p == 0 ? n + 2 + i : 1 + i);
        }
    if (igraph_create(&graph, &edges, 2 * n + 2, IGRAPH_DIRECTED) != IGRAPH_SUCCESS)
        return 1;
    BENCH_REPORT("graph=%lld processor=%lld\n", (long long)(bench_now_ns() - begin),
                 (long long)(bench_processor_ns() - processor_begin));
    igraph_vector_int_destroy(&edges);
    igraph_destroy(&graph);
    return 0;
}
