/* Vector, VectorRepl, VectorSequ: hide where the elements of a vector are stored, and how they are moved. */
#include "internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct VectorClass {
    const char *free, *local_size, *local_to_global, *global_to_local, *load, *store, *sync_ghosts_cart;
} VectorClass;

struct OopsVector {
    const VectorClass *class;
    OopsTopology *topology;
    OopsDistribution *distribution;
    bool owns_distribution;
    int owner; /* VectorSequ: rank of the member that has all elements; else OOPS_ALL */
    OopsType type;
    int width, ghosts;
    int local; /* number of own elements of this process */
    char *memory;
};

#define NAMES(class)                                                                                                   \
    {                                                                                                                  \
        .free = class "::free", .local_size = class "::localSize", .local_to_global = class "::localToGlobal",         \
        .global_to_local = class "::globalToLocal", .load = class "::load", .store = class "::store",                  \
        .sync_ghosts_cart = class "::syncGhostsCart"                                                                   \
    }
static const VectorClass distributed = NAMES("Vector");
static const VectorClass replicated = NAMES("VectorRepl");
static const VectorClass sequential = NAMES("VectorSequ");

#define NAME(vector, method) ((vector) ? (vector)->class->method : "Vector::" #method)

static size_t element_bytes(const OopsVector *v)
{
    return (size_t)oops_type_bytes(v->type) * (size_t)v->width;
}

static OopsGroup *group_of(const OopsVector *v)
{
    return oops_topology_group(v->topology);
}

/* --- constructors of the vector classes --- */

/* Check that the last part, which is the smallest one, has at least as many elements as there are ghosts. */
static bool ghosts_fit(OopsVector *v)
{
    int last = oops_distribution_parts(v->distribution) - 1;
    return v->ghosts == 0 || (oops_distribution_is_blocked(v->distribution) &&
                              oops_topology_neighbour(v->topology, OOPS_NEXT) != OOPS_ERR_DIRECTION &&
                              oops_distribution_local_size(v->distribution, last) >= v->ghosts);
}

/* Allocate zeroed memory for own elements and ghosts. */
static int allocate(OopsVector *v)
{
    v->memory = calloc((size_t)v->local + 2 * (size_t)v->ghosts + 1, element_bytes(v));
    return v->memory ? OOPS_SUCCESS : OOPS_ERR_MEMORY;
}

static int check(const OopsTopology *topology, OopsType type, int width, int ghosts, OopsVector **made)
{
    if (made)
        *made = NULL;
    if (!topology || !made)
        return OOPS_ERR_OBJECT;
    if (oops_type_bytes(type) == 0)
        return OOPS_ERR_TYPE;
    return width >= 1 && ghosts >= 0 ? OOPS_SUCCESS : OOPS_ERR_RANGE;
}

/* Finish a vector: allocate memory for its v.local own elements and its ghosts, and the object itself. */
static int finish(OopsVector v, OopsVector **made)
{
    /* numbers of all elements must fit into an int, as counts of MPI */
    if ((long long)oops_distribution_size(v.distribution) * v.width > INT_MAX)
        return OOPS_ERR_RANGE;
    OopsVector *vector = malloc(sizeof *vector);
    int error = vector ? allocate(&v) : OOPS_ERR_MEMORY;
    if (error) {
        free(vector);
        return error;
    }
    *vector = v;
    *made = vector;
    return OOPS_SUCCESS;
}

int oops_vector_new(OopsTopology *topology, OopsDistribution *distribution, OopsType type, int width, int ghosts,
                    OopsVector **vector)
{
    HIERA_CALL("oops", "Vector::Vector", "size=%d width=%d ghosts=%d", oops_distribution_size(distribution), width,
               ghosts);
    int error = check(topology, type, width, ghosts, vector);
    if (error)
        return error;
    OopsVector v = {&distributed, topology, distribution, false, OOPS_ALL, type, width, ghosts, 0, NULL};
    if (!distribution)
        return OOPS_ERR_OBJECT;
    if (oops_distribution_parts(distribution) != group_of(&v)->size || !ghosts_fit(&v))
        return OOPS_ERR_SHAPE;
    v.local = oops_distribution_local_size(distribution, group_of(&v)->rank);
    return finish(v, vector);
}

/* Make a vector whose elements are all on each member, or all on the member v.owner. */
static int make_whole(OopsVector v, int size, OopsVector **made)
{
    int error = oops_distribution_none_new(size, group_of(&v)->size, &v.distribution);
    if (error)
        return error;
    if (v.owner == OOPS_ALL || v.owner == group_of(&v)->rank)
        v.local = oops_distribution_local_size(v.distribution, group_of(&v)->rank);
    error = finish(v, made);
    if (error)
        oops_distribution_free(v.distribution);
    return error;
}

int oops_vector_repl_new(OopsTopology *topology, int size, OopsType type, int width, OopsVector **vector)
{
    HIERA_CALL("oops", "VectorRepl::VectorRepl", "size=%d width=%d", size, width);
    int error = check(topology, type, width, 0, vector);
    OopsVector v = {&replicated, topology, NULL, true, OOPS_ALL, type, width, 0, 0, NULL};
    return error ? error : make_whole(v, size, vector);
}

int oops_vector_sequ_new(OopsTopology *topology, int size, OopsType type, int width, int owner, OopsVector **vector)
{
    HIERA_CALL("oops", "VectorSequ::VectorSequ", "size=%d width=%d owner=%d", size, width, owner);
    int error = check(topology, type, width, 0, vector);
    if (error)
        return error;
    OopsVector v = {&sequential, topology, NULL, true, owner, type, width, 0, 0, NULL};
    return owner >= 0 && owner < group_of(&v)->size ? make_whole(v, size, vector) : OOPS_ERR_RANGE;
}

int oops_vector_free(OopsVector *v)
{
    HIERA_CALL("oops", NAME(v, free), NULL);
    if (v && v->owns_distribution)
        oops_distribution_free(v->distribution);
    if (v)
        free(v->memory);
    free(v);
    return OOPS_SUCCESS;
}

/* --- where elements of the vector are stored --- */

void *oops_vector_data(OopsVector *v)
{
    return v ? v->memory + (size_t)v->ghosts * element_bytes(v) : NULL;
}

int oops_vector_local_size(OopsVector *v)
{
    HIERA_CALL("oops", NAME(v, local_size), NULL);
    return v ? v->local : OOPS_ERR_OBJECT;
}

int oops_vector_local_to_global(OopsVector *v, int local)
{
    HIERA_CALL("oops", NAME(v, local_to_global), "local=%d", local);
    if (!v)
        return OOPS_ERR_OBJECT;
    if (local < 0 || local >= v->local)
        return OOPS_ERR_RANGE;
    return oops_distribution_local_to_global(v->distribution, group_of(v)->rank, local);
}

int oops_vector_global_to_local(OopsVector *v, int global, int *rank, int *local)
{
    HIERA_CALL("oops", NAME(v, global_to_local), "global=%d", global);
    if (!v)
        return OOPS_ERR_OBJECT;
    int error = oops_distribution_global_to_local(v->distribution, global, rank, local);
    if (!error && v->owner != OOPS_ALL)
        *rank = v->owner;
    return error;
}

/* --- filling the vector from one array, and writing it to one --- */

/* Buffers for sending or receiving all parts, only on root: the parts one after the other; by member, their sizes. */
typedef struct Parcel {
    char *parts;
    int *counts;
} Parcel;

static void parcel_clear(Parcel *parcel)
{
    free(parcel->parts);
    free(parcel->counts);
}

/* Initialise the buffers; only on root is memory allocated for them. */
static int parcel_init(Parcel *parcel, const OopsVector *v, int root)
{
    *parcel = (Parcel){NULL, NULL};
    int parts = oops_distribution_parts(v->distribution);
    if (group_of(v)->rank != root)
        return OOPS_SUCCESS;
    parcel->parts = malloc((size_t)oops_distribution_size(v->distribution) * element_bytes(v) + 1);
    parcel->counts = malloc((size_t)parts * sizeof *parcel->counts);
    if (!parcel->parts || !parcel->counts) {
        parcel_clear(parcel);
        return OOPS_ERR_MEMORY;
    }
    for (int p = 0; p < parts; p++)
        parcel->counts[p] = oops_distribution_local_size(v->distribution, p) * v->width;
    return OOPS_SUCCESS;
}

/* Copy all elements from `all`, where they are in the vector's order, to `parts`, one part after the other. */
static void sort_into_parts(const OopsVector *v, const char *all, char *parts)
{
    size_t bytes = element_bytes(v);
    char *next = parts;
    for (int p = 0; p < oops_distribution_parts(v->distribution); p++)
        for (int i = 0; i < oops_distribution_local_size(v->distribution, p); i++) {
            int global = oops_distribution_local_to_global(v->distribution, p, i);
            memcpy(next, all + (size_t)global * bytes, bytes);
            next += bytes;
        }
}

static void sort_into_order(const OopsVector *v, const char *parts, char *all)
{
    size_t bytes = element_bytes(v);
    const char *next = parts;
    for (int p = 0; p < oops_distribution_parts(v->distribution); p++)
        for (int i = 0; i < oops_distribution_local_size(v->distribution, p); i++) {
            int global = oops_distribution_local_to_global(v->distribution, p, i);
            memcpy(all + (size_t)global * bytes, next, bytes);
            next += bytes;
        }
}

/* Members without counts pass a pointer to `own` instead, since NULL would mean that all parts have the same size. */
static int load_distributed(OopsVector *v, const void *all, int root)
{
    Parcel parcel;
    int own = oops_distribution_local_size(v->distribution, group_of(v)->rank) * v->width;
    int error = parcel_init(&parcel, v, root);
    if (error)
        return error;
    if (parcel.parts)
        sort_into_parts(v, all, parcel.parts);
    error = oops_topology_scatter(v->topology, parcel.parts, parcel.counts ? parcel.counts : &own, v->type,
                                  oops_vector_data(v), own, root);
    parcel_clear(&parcel);
    return error;
}

static int store_distributed(OopsVector *v, void *all, int root)
{
    Parcel parcel;
    int own = oops_distribution_local_size(v->distribution, group_of(v)->rank) * v->width;
    int error = parcel_init(&parcel, v, root);
    if (error)
        return error;
    error = oops_topology_gather(v->topology, oops_vector_data(v), own, v->type, parcel.parts,
                                 parcel.counts ? parcel.counts : &own, root);
    if (!error && parcel.parts)
        sort_into_order(v, parcel.parts, all);
    parcel_clear(&parcel);
    return error;
}

/* Move all elements from root to the owner: by a copy if both are one process, else by a message. */
static int load_sequential(OopsVector *v, const void *all, int root)
{
    int rank = group_of(v)->rank, numbers = oops_distribution_size(v->distribution) * v->width;
    if (rank == root && rank == v->owner)
        memcpy(v->memory, all, (size_t)v->local * element_bytes(v));
    else if (rank == root)
        return oops_message_send(group_of(v), all, numbers, v->type, v->owner, OOPS_TAG_WHOLE);
    else if (rank == v->owner)
        return oops_message_recv(group_of(v), v->memory, numbers, v->type, root, OOPS_TAG_WHOLE);
    return OOPS_SUCCESS;
}

static int store_sequential(OopsVector *v, void *all, int root)
{
    int rank = group_of(v)->rank, numbers = oops_distribution_size(v->distribution) * v->width;
    if (rank == root && rank == v->owner)
        memcpy(all, v->memory, (size_t)v->local * element_bytes(v));
    else if (rank == root)
        return oops_message_recv(group_of(v), all, numbers, v->type, v->owner, OOPS_TAG_WHOLE);
    else if (rank == v->owner)
        return oops_message_send(group_of(v), v->memory, numbers, v->type, root, OOPS_TAG_WHOLE);
    return OOPS_SUCCESS;
}

static int load_replicated(OopsVector *v, const void *all, int root)
{
    if (group_of(v)->rank == root)
        memcpy(v->memory, all, (size_t)v->local * element_bytes(v));
    return oops_topology_bcast(v->topology, v->memory, v->local * v->width, v->type, root);
}

static int store_replicated(OopsVector *v, void *all, int root)
{
    if (group_of(v)->rank == root)
        memcpy(all, v->memory, (size_t)v->local * element_bytes(v));
    return OOPS_SUCCESS;
}

/* Check the arguments of oops_vector_load() and oops_vector_store(). */
static int check_root(const OopsVector *v, const void *all, int root)
{
    if (!v)
        return OOPS_ERR_OBJECT;
    if (root < 0 || root >= group_of(v)->size)
        return OOPS_ERR_RANGE;
    bool missing = !all && group_of(v)->rank == root && oops_distribution_size(v->distribution) > 0;
    return missing ? OOPS_ERR_OBJECT : OOPS_SUCCESS;
}

int oops_vector_load(OopsVector *v, const void *all, int root)
{
    HIERA_CALL("oops", NAME(v, load), "root=%d", root);
    int error = check_root(v, all, root);
    if (error || oops_distribution_size(v->distribution) == 0)
        return error;
    if (v->class == &replicated)
        return load_replicated(v, all, root);
    return v->class == &sequential ? load_sequential(v, all, root) : load_distributed(v, all, root);
}

int oops_vector_store(OopsVector *v, void *all, int root)
{
    HIERA_CALL("oops", NAME(v, store), "root=%d", root);
    int error = check_root(v, all, root);
    if (error || oops_distribution_size(v->distribution) == 0)
        return error;
    if (v->class == &replicated)
        return store_replicated(v, all, root);
    return v->class == &sequential ? store_sequential(v, all, root) : store_distributed(v, all, root);
}

int oops_vector_sync_ghosts_cart(OopsVector *v)
{
    HIERA_CALL("oops", NAME(v, sync_ghosts_cart), NULL);
    if (!v)
        return OOPS_ERR_OBJECT;
    if (v->ghosts == 0)
        return OOPS_SUCCESS;
    size_t bytes = element_bytes(v), ghosts = (size_t)v->ghosts * bytes, own = (size_t)v->local * bytes;
    char *first = oops_vector_data(v), *end = first + own;
    int error = oops_ghosts_shift(v->topology, OOPS_NEXT, end - ghosts, first - ghosts, ghosts);
    return error ? error : oops_ghosts_shift(v->topology, OOPS_PREVIOUS, first, end, ghosts);
}
