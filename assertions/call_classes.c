/* See call_classes.h. */
#include "call_classes.h"
#include "operations.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *operation, *group;
} Row;

/* Sorted by name. */
static const Row rows[] = {
#define X(name, kind, starts, group) {name, group},
    HIERA_OPERATIONS(X)
#undef X
};

typedef struct {
    const char *name;
    unsigned classes;
} Class;

static const Class groups[] = {
    {"p2p", HIERA_CALLS_POINT_TO_POINT},
    {"completion", HIERA_CALLS_POINT_TO_POINT},
    {"persistent", HIERA_CALLS_POINT_TO_POINT},
    {"partitioned", HIERA_CALLS_POINT_TO_POINT},
    {"coll", HIERA_CALLS_COLLECTIVE},
    {"nbcoll", HIERA_CALLS_COLLECTIVE},
    {"pcoll", HIERA_CALLS_COLLECTIVE},
    {"neighbor", HIERA_CALLS_COLLECTIVE},
    {"op", HIERA_CALLS_COLLECTIVE},
    {"rma", HIERA_CALLS_ONE_SIDED},
    {"io", HIERA_CALLS_IO},
};

/* Functions whose group has other classes. */
static const Class functions[] = {
    {"wait", HIERA_CALLS_WAIT},
    {"waitall", HIERA_CALLS_WAIT},
    {"waitany", HIERA_CALLS_WAIT},
    {"waitsome", HIERA_CALLS_WAIT},
    {"cancel", HIERA_CALLS_POINT_TO_POINT},
    {"request_free", HIERA_CALLS_POINT_TO_POINT},
    {"test_cancelled", HIERA_CALLS_POINT_TO_POINT},
    {"get_count", HIERA_CALLS_POINT_TO_POINT},
};

static int compare(const void *name, const void *row)
{
    return strcmp(name, ((const Row *)row)->operation);
}

static unsigned find(const Class *classes, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(classes[i].name, name) == 0)
            return classes[i].classes;
    }
    return 0;
}

unsigned hiera_call_classes(const char *operation)
{
    const Row *row = bsearch(operation, rows, sizeof rows / sizeof *rows, sizeof *rows, compare);
    if (row && strcmp(row->group, "env") == 0)
        return HIERA_CALLS_ANY;
    unsigned classes = row ? find(groups, sizeof groups / sizeof *groups, row->group) : 0;
    return HIERA_CALLS_ANY | HIERA_CALLS_MPI | classes |
           find(functions, sizeof functions / sizeof *functions, operation);
}
