/* Distribution: index computations for three kinds of distributions. No communication. */
#include "internal.h"

#include <stdlib.h>

typedef struct DistributionClass {
    const char *local_size, *local_to_global, *global_to_local, *free; /* names of the class's methods in traces */
    int (*count)(const OopsDistribution *, int part);
    int (*global)(const OopsDistribution *, int part, int local);
    int (*local)(const OopsDistribution *, int global, int *part);
} DistributionClass;

struct OopsDistribution {
    const DistributionClass *class;
    int size, parts;
    int block; /* number of elements of a block; only for cyclic distributions */
};

#define NAMES(class)                                                                                                   \
    .local_size = class "::localSize", .local_to_global = class "::localToGlobal",                                     \
    .global_to_local = class "::globalToLocal", .free = class "::free"

/* --- no distribution: each part has all elements --- */

static int none_count(const OopsDistribution *d, int part)
{
    (void)part;
    return d->size;
}

static int none_global(const OopsDistribution *d, int part, int local)
{
    (void)d, (void)part;
    return local;
}

static int none_local(const OopsDistribution *d, int global, int *part)
{
    (void)d;
    *part = OOPS_ALL;
    return global;
}

static const DistributionClass none = {NAMES("DistributionNone"), none_count, none_global, none_local};

/* --- blocked: the first `more` parts have `small` + 1 elements, all others `small` elements --- */

static int blocked_begin(const OopsDistribution *d, int part)
{
    int small = d->size / d->parts, more = d->size % d->parts;
    return part * small + (part < more ? part : more);
}

static int blocked_count(const OopsDistribution *d, int part)
{
    return blocked_begin(d, part + 1) - blocked_begin(d, part);
}

static int blocked_global(const OopsDistribution *d, int part, int local)
{
    return blocked_begin(d, part) + local;
}

static int blocked_local(const OopsDistribution *d, int global, int *part)
{
    int small = d->size / d->parts, more = d->size % d->parts;
    int in_large = more * (small + 1);
    *part = global < in_large ? global / (small + 1) : more + (global - in_large) / small;
    return global - blocked_begin(d, *part);
}

static const DistributionClass blocked = {NAMES("DistributionBlocked"), blocked_count, blocked_global, blocked_local};

/* --- cyclic: the parts get blocks in turn, one block each per round --- */

static int cyclic_count(const OopsDistribution *d, int part)
{
    int blocks = d->size / d->block; /* number of complete blocks in the distribution */
    int in_round = blocks % d->parts;
    int count = blocks / d->parts * d->block;
    if (part < in_round)
        return count + d->block;
    return part == in_round ? count + d->size % d->block : count;
}

static int cyclic_global(const OopsDistribution *d, int part, int local)
{
    int round = local / d->block;
    return (round * d->parts + part) * d->block + local % d->block;
}

static int cyclic_local(const OopsDistribution *d, int global, int *part)
{
    int block = global / d->block;
    *part = block % d->parts;
    return block / d->parts * d->block + global % d->block;
}

static const DistributionClass cyclic = {NAMES("DistributionCyclic"), cyclic_count, cyclic_global, cyclic_local};

/* --- methods of all distributions --- */

static int make(const DistributionClass *class, int size, int parts, int block, OopsDistribution **made)
{
    if (!made)
        return OOPS_ERR_OBJECT;
    *made = NULL;
    if (size < 0 || parts < 1 || block < 1)
        return OOPS_ERR_RANGE;
    OopsDistribution *d = malloc(sizeof *d);
    if (!d)
        return OOPS_ERR_MEMORY;
    *d = (OopsDistribution){class, size, parts, block};
    *made = d;
    return OOPS_SUCCESS;
}

int oops_distribution_none_new(int size, int parts, OopsDistribution **distribution)
{
    HIERA_CALL("oops", "DistributionNone::DistributionNone", "size=%d parts=%d", size, parts);
    return make(&none, size, parts, 1, distribution);
}

int oops_distribution_blocked_new(int size, int parts, OopsDistribution **distribution)
{
    HIERA_CALL("oops", "DistributionBlocked::DistributionBlocked", "size=%d parts=%d", size, parts);
    return make(&blocked, size, parts, 1, distribution);
}

int oops_distribution_cyclic_new(int size, int parts, int block, OopsDistribution **distribution)
{
    HIERA_CALL("oops", "DistributionCyclic::DistributionCyclic", "size=%d parts=%d block=%d", size, parts, block);
    return make(&cyclic, size, parts, block, distribution);
}

int oops_distribution_free(OopsDistribution *d)
{
    HIERA_CALL("oops", d ? d->class->free : "Distribution::free", NULL);
    free(d);
    return OOPS_SUCCESS;
}

int oops_distribution_size(const OopsDistribution *d)
{
    return d ? d->size : OOPS_ERR_OBJECT;
}

int oops_distribution_parts(const OopsDistribution *d)
{
    return d ? d->parts : OOPS_ERR_OBJECT;
}

bool oops_distribution_is_blocked(const OopsDistribution *d)
{
    return d->class == &blocked;
}

int oops_distribution_local_size(OopsDistribution *d, int part)
{
    HIERA_CALL("oops", d ? d->class->local_size : "Distribution::localSize", "part=%d", part);
    if (!d)
        return OOPS_ERR_OBJECT;
    return part >= 0 && part < d->parts ? d->class->count(d, part) : OOPS_ERR_RANGE;
}

int oops_distribution_local_to_global(OopsDistribution *d, int part, int local)
{
    HIERA_CALL("oops", d ? d->class->local_to_global : "Distribution::localToGlobal", "part=%d local=%d", part, local);
    if (!d)
        return OOPS_ERR_OBJECT;
    if (part < 0 || part >= d->parts || local < 0 || local >= d->class->count(d, part))
        return OOPS_ERR_RANGE;
    return d->class->global(d, part, local);
}

int oops_distribution_global_to_local(OopsDistribution *d, int global, int *part, int *local)
{
    HIERA_CALL("oops", d ? d->class->global_to_local : "Distribution::globalToLocal", "global=%d", global);
    if (!d || !part || !local)
        return OOPS_ERR_OBJECT;
    if (global < 0 || global >= d->size)
        return OOPS_ERR_RANGE;
    *local = d->class->local(d, global, part);
    return OOPS_SUCCESS;
}
