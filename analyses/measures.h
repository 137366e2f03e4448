/** The table of measures. To add one: write analyses/<folder>/<file>.c with `const HieraMeasure hiera_measure_<name>`,
 * and add a row here and the file to meson.build. */
#pragma once

#include "hiera_graph.h"

/** All measures, in the order of docs/measures.md: X(name). */
#define HIERA_MEASURES(X)                                                                                              \
    X(summary)                                                                                                         \
    X(levels)                                                                                                          \
    X(operations)                                                                                                      \
    X(counts)                                                                                                          \
    X(times)                                                                                                           \
    X(statistics)                                                                                                      \
    X(histogram)                                                                                                       \
    X(over_time)                                                                                                       \
    X(profile)                                                                                                         \
    X(samples)                                                                                                         \
    X(loops)                                                                                                           \
    X(hotspots)                                                                                                        \
    X(waits)                                                                                                           \
    X(threads)                                                                                                         \
    X(causes)                                                                                                          \
    X(imbalance)                                                                                                       \
    X(phases)                                                                                                          \
    X(overlap)                                                                                                         \
    X(matrix)                                                                                                          \
    X(io)                                                                                                              \
    X(rma)                                                                                                             \
    X(critical_path)                                                                                                   \
    X(slack)                                                                                                           \
    X(efficiency)                                                                                                      \
    X(hang)                                                                                                            \
    X(diff)                                                                                                            \
    X(bottlenecks)                                                                                                     \
    X(perturbation)                                                                                                    \
    X(assertions)                                                                                                      \
    X(aggregations)                                                                                                    \
    X(walk_operations)                                                                                                 \
    X(walk_partners)

#define X(name) extern const HieraMeasure hiera_measure_##name;
HIERA_MEASURES(X)
#undef X

/** Return what the numbers of a measure are, for hiera-check; NULL: nobody has written it down.
 * @param by  word of --by; NULL: the first one */
const char *hiera_reference_find(const char *measure, const char *by);
