#include "call_classes.h"
#include "operations.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *operation, *kind, *starts, *group;
} Row;

/* All MPI functions, sorted by name. */
static const Row rows[] = {
#define X(name, kind, starts, group) {name, #kind, #starts, group},
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

/* Functions whose classes differ from those of their group. */
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

static const Row *find_row(const char *operation)
{
    return bsearch(operation, rows, sizeof rows / sizeof *rows, sizeof *rows, compare);
}

static HieraCallRole role_of(const char *kind)
{
    static const struct {
        const char *kind;
        HieraCallRole role;
    } roles[] = {{"SEND", HIERA_ROLE_SENDS},
                 {"RECEIVE", HIERA_ROLE_RECEIVES},
                 {"SEND_RECEIVE", HIERA_ROLE_SENDS_RECEIVES},
                 {"START", HIERA_ROLE_STARTS},
                 {"COMPLETE", HIERA_ROLE_COMPLETES}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (strcmp(roles[i].kind, kind) == 0)
            return roles[i].role;
    }
    return HIERA_ROLE_OTHER;
}

HieraCallRole hiera_call_role(const char *operation, HieraCallRole *starts)
{
    const Row *row = find_row(operation);
    *starts = row ? role_of(row->starts) : HIERA_ROLE_OTHER;
    if (strcmp(operation, "request_free") == 0)
        return HIERA_ROLE_FREES;
    return row ? role_of(row->kind) : HIERA_ROLE_OTHER;
}

unsigned hiera_call_classes(const char *operation)
{
    const Row *row = find_row(operation);
    if (row && strcmp(row->group, "env") == 0)
        return HIERA_CALLS_ANY;
    unsigned classes = row ? find(groups, sizeof groups / sizeof *groups, row->group) : 0;
    return HIERA_CALLS_ANY | HIERA_CALLS_MPI | classes |
           find(functions, sizeof functions / sizeof *functions, operation);
}
