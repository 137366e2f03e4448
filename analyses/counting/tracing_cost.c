/* A table with a row for each kind of operation; see tracing_cost.h. */
#include "tracing_cost.h"

typedef enum {
#define X(what, full_ns, compact_ns, full_bytes, compact_bytes) COST_##what,
    HIERA_TRACING_COSTS(X)
#undef X
} Cost;

/* By Cost: time and size of an operation; in each array, [0] full encoding of the trace, [1] compact encoding. */
static const struct {
    gint64 ns[2], bytes[2];
} costs[] = {
#define X(what, full_ns, compact_ns, full_bytes, compact_bytes) {{full_ns, compact_ns}, {full_bytes, compact_bytes}},
    HIERA_TRACING_COSTS(X)
#undef X
};

static Cost cost_of(const HieraSite *site)
{
    return site->mpi ? COST_CALL : COST_REGION;
}

gint64 hiera_tracing_cost_ns(const HieraSite *site, gboolean compact)
{
    return costs[cost_of(site)].ns[compact ? 1 : 0];
}

gint64 hiera_tracing_cost_bytes(const HieraSite *site, gboolean compact)
{
    return costs[cost_of(site)].bytes[compact ? 1 : 0];
}
