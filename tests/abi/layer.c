/* See layer.h. */
#include "layer.h"

#include "predefined.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *lower_function(const char *name)
{
    static void *mpich;
    static const char *const names[] = {"libmpich.so.12", "libmpi.so.12"}; /* of Debian, of others */
    for (size_t i = 0; i < sizeof names / sizeof *names && !mpich; i++)
        mpich = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    void *function = mpich ? dlsym(mpich, name) : NULL;
    if (!function) {
        fprintf(stderr, "layer: %s\n", dlerror());
        abort();
    }
    return function;
}

int lower_count(int count)
{
    if (count > LAYER_MOST)
        abort();
    return count;
}

/* --- handles --- */

static const void *predefined(unsigned class, unsigned i)
{
    switch (class) {
#define X(identifier, type, prefix)                                                                                    \
    case HIERA_HANDLE_##identifier:                                                                                    \
        return (const void *)(intptr_t)hiera_predefined_##identifier[i];
        HIERA_HANDLE_CLASSES(X)
#undef X
    }
    return NULL;
}

/* A handle that MPICH does not have. */
static int mpich_null(unsigned class)
{
    return mpich_handle(class, hiera_predefined_names[class][0], 0);
}

int lower(unsigned class, const void *handle)
{
    const int as_it_is = (int)(intptr_t)handle;
    if (class == HIERA_HANDLE_REQUEST)
        return handle == MPI_REQUEST_NULL ? mpich_handle(HIERA_HANDLE_REQUEST, "MPI_REQUEST_NULL", 0) : as_it_is;
    for (unsigned i = 0; i < hiera_predefined_count[class]; i++)
        if (predefined(class, i) == handle)
            return mpich_handle(class, hiera_predefined_names[class][i], mpich_null(class));
    return as_it_is;
}

void *upper(unsigned class, int handle)
{
    if (class == HIERA_HANDLE_REQUEST && handle == mpich_handle(HIERA_HANDLE_REQUEST, "MPI_REQUEST_NULL", 0))
        return MPI_REQUEST_NULL;
    for (unsigned i = 0; class != HIERA_HANDLE_REQUEST && i < hiera_predefined_count[class]; i++)
        if (mpich_handle(class, hiera_predefined_names[class][i], 0) == handle)
            return (void *)(uintptr_t)predefined(class, i);
    return (void *)(uintptr_t)(unsigned)handle;
}

/* --- statuses, addresses, numbers --- */

LowerStatus lower_status(const MPI_Status *status)
{
    LowerStatus lower = {0};
    if (status)
        lower = (LowerStatus){status->MPI_internal[0], status->MPI_internal[1], lower_rank(status->MPI_SOURCE),
                              lower_tag(status->MPI_TAG), status->MPI_ERROR};
    return lower;
}

void upper_status(MPI_Status *to, const LowerStatus *from)
{
    *to = (MPI_Status){upper_rank(from->source), upper_tag(from->tag), from->error, {from->low, from->high}};
}

const void *lower_buffer(const void *buffer)
{
    return buffer == MPI_IN_PLACE ? (const void *)-1 : buffer;
}

typedef struct Pair {
    int upper, lower;
} Pair;

static const Pair ranks[] = {{MPI_PROC_NULL, -1}, {MPI_ANY_SOURCE, -2}, {MPI_ROOT, -3}};
static const Pair tags[] = {{MPI_ANY_TAG, -1}};
static const Pair levels[] = {
    {MPI_THREAD_SINGLE, 0}, {MPI_THREAD_FUNNELED, 1}, {MPI_THREAD_SERIALIZED, 2}, {MPI_THREAD_MULTIPLE, 3}};
static const Pair keyvals[] = {{MPI_TAG_UB, 0x64400001}};
static const Pair topologies[] = {{MPI_GRAPH, 1}, {MPI_CART, 2}, {MPI_DIST_GRAPH, 3}};

#define PAIRS(name, pairs)                                                                                             \
    int lower_##name(int value)                                                                                        \
    {                                                                                                                  \
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)                                                      \
            if (pairs[i].upper == value)                                                                               \
                return pairs[i].lower;                                                                                 \
        return value;                                                                                                  \
    }                                                                                                                  \
    int upper_##name(int value)                                                                                        \
    {                                                                                                                  \
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)                                                      \
            if (pairs[i].lower == value)                                                                               \
                return pairs[i].upper;                                                                                 \
        return value;                                                                                                  \
    }
PAIRS(rank, ranks)
PAIRS(level, levels)
PAIRS(keyval, keyvals)
PAIRS(topology, topologies)
PAIRS(tag, tags)

int upper_binding(int binding)
{
    return getenv("LAYER_OPEN_MPI") ? MPI_T_BIND_MPI_COMM : binding - 9700 + MPI_T_BIND_NO_OBJECT;
}

int upper_variable(int class)
{
    return class - 240 + MPI_T_PVAR_CLASS_STATE;
}

/* --- callbacks: MPICH calls the layer, which calls the function --- */

typedef struct Deletion {
    MPI_Comm_delete_attr_function *function;
    void *extra;
} Deletion;

static int on_delete(int comm, int keyval, void *value, void *extra)
{
    Deletion *of = extra;
    return of->function(upper(HIERA_HANDLE_COMM, comm), keyval, value, of->extra);
}

LAYER int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *function,
                                  int *keyval, void *extra)
{
    typedef int Create(void *, int (*)(int, int, void *, void *), int *, void *);
    Deletion *deletion = malloc(sizeof *deletion);
    Create *create;
    *(void **)&create = lower_function("PMPI_Comm_create_keyval");
    if (!deletion || copy != MPI_COMM_NULL_COPY_FN || !function)
        abort();
    *deletion = (Deletion){function, extra};
    return create(NULL, on_delete, keyval, deletion) == 0 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/* --- errors, by functions of the names that MPICH and Open MPI have for it --- */

static bool is_fatal = true; /* the handler of MPI_COMM_WORLD, which all have */

void layer_begin(void)
{
    int (*set)(int, int);
    *(void **)&set = lower_function("PMPI_Comm_set_errhandler");
    set(lower(HIERA_HANDLE_COMM, MPI_COMM_WORLD), lower(HIERA_HANDLE_ERRHANDLER, MPI_ERRORS_RETURN));
}

LAYER int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    if (comm == MPI_COMM_WORLD)
        is_fatal = handler == MPI_ERRORS_ARE_FATAL;
    return MPI_SUCCESS;
}
LAYER int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
    __attribute__((weak, alias("PMPI_Comm_set_errhandler")));

LAYER int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler)
{
    (void)comm;
    *handler = is_fatal ? MPI_ERRORS_ARE_FATAL : MPI_ERRORS_RETURN;
    return MPI_SUCCESS;
}
LAYER int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler)
    __attribute__((weak, alias("PMPI_Comm_get_errhandler")));

LAYER int ompi_mpi_errors_are_fatal, ompi_mpi_errors_return, ompi_mpi_comm_world;
LAYER int MPIR_Err_return_comm(void *comm, const char *function, int error);
LAYER int ompi_errhandler_invoke(void *handler, void *comm, int type, int error, const char *function);

int MPIR_Err_return_comm(void *comm, const char *function, int error)
{
    (void)comm;
    if (!is_fatal)
        return error;
    fprintf(stderr, "%s: error %d\n", function, error);
    exit(error);
}

int ompi_errhandler_invoke(void *handler, void *comm, int type, int error, const char *function)
{
    (void)type;
    return handler == &ompi_mpi_errors_are_fatal ? MPIR_Err_return_comm(comm, function, error) : error;
}

int layer_error(const char *function, int error)
{
    static int world;
    const char *number = getenv("LAYER_OPEN_MPI"); /* the number that Open MPI has for this error */
    int (*class_of)(int, int *), class = MPI_ERR_OTHER;
    *(void **)&class_of = lower_function("PMPI_Error_class");
    class_of(error, &class);
    return number ? ompi_errhandler_invoke(is_fatal ? &ompi_mpi_errors_are_fatal : &ompi_mpi_errors_return, &world, 1,
                                           atoi(number), function)
                  : MPIR_Err_return_comm(&world, function, class);
}

/* --- what MPI 5.0 added: MPICH 4 has no such functions --- */

LAYER int PMPI_Abi_get_version(int *major, int *minor)
{
    *major = MPI_ABI_VERSION;
    *minor = MPI_ABI_SUBVERSION;
    return MPI_SUCCESS;
}
LAYER int MPI_Abi_get_version(int *major, int *minor) __attribute__((weak, alias("PMPI_Abi_get_version")));

LAYER int PMPI_Comm_toint(MPI_Comm comm)
{
    return (int)(intptr_t)comm;
}
LAYER int MPI_Comm_toint(MPI_Comm comm) __attribute__((weak, alias("PMPI_Comm_toint")));

LAYER MPI_Comm PMPI_Comm_fromint(int comm)
{
    return (MPI_Comm)(uintptr_t)(unsigned)comm;
}
LAYER MPI_Comm MPI_Comm_fromint(int comm) __attribute__((weak, alias("PMPI_Comm_fromint")));
