/* See prv_openmp.h. A table: types, values and labels are those of Extrae. Constructs of a type are neighbours. */
#include "prv_openmp.h"
#include <string.h>

#define WAITING   HIERA_PRV_STATE_SYNCHRONIZATION
#define RUNNING   HIERA_PRV_STATE_RUNNING
#define FORK_JOIN HIERA_PRV_STATE_FORK_JOIN

static const HieraPrvConstruct constructs[] = {
    {"parallel", "REGION (open)", HIERA_PRV_TYPE_PARALLEL, 3, FORK_JOIN},
    {"teams", "REGION (open)", HIERA_PRV_TYPE_PARALLEL, 3, FORK_JOIN},
    {"implicit task", NULL, HIERA_PRV_TYPE_PARALLEL_FUNCTION, 0, RUNNING},
    {"task", NULL, HIERA_PRV_TYPE_TASK_FUNCTION, 0, RUNNING},
    {"barrier", "Begin", HIERA_PRV_TYPE_BARRIER, 1, WAITING},
    {"acquire lock", "Lock", HIERA_PRV_TYPE_NAMED_LOCK, 3, WAITING},
    {"acquire nest lock", "Lock", HIERA_PRV_TYPE_NAMED_LOCK, 3, WAITING},
    {"release lock", "Unlock", HIERA_PRV_TYPE_NAMED_LOCK, 5, RUNNING},
    {"release nest lock", "Unlock", HIERA_PRV_TYPE_NAMED_LOCK, 5, RUNNING},
    {"acquire critical", "Lock", HIERA_PRV_TYPE_UNNAMED_LOCK, 3, WAITING},
    {"critical", "Locked status", HIERA_PRV_TYPE_UNNAMED_LOCK, 6, RUNNING},
    {"acquire ordered", "Waiting to enter", HIERA_PRV_TYPE_ORDERED, 3, WAITING},
    {"ordered", "Inside ordered", HIERA_PRV_TYPE_ORDERED, 6, RUNNING},
    {"taskwait", "Begin", HIERA_PRV_TYPE_TASKWAIT, 1, WAITING},
    {"taskgroup", "End", HIERA_PRV_TYPE_TASKGROUP, 2, WAITING},
    {"taskloop", "Begin", HIERA_PRV_TYPE_TASKLOOP, 1, RUNNING},
    {"acquire atomic", NULL, 0, 0, WAITING},
    {"acquire copyprivate", NULL, 0, 0, WAITING},
};

const HieraPrvConstruct *hiera_prv_construct(const HieraSite *site)
{
    for (guint i = 0; i < G_N_ELEMENTS(constructs) && strcmp(site->level, "openmp") == 0; i++) {
        if (strcmp(constructs[i].operation, site->operation) == 0)
            return &constructs[i];
    }
    return NULL;
}

const HieraPrvConstruct *hiera_prv_construct_at(guint index)
{
    return index < G_N_ELEMENTS(constructs) ? &constructs[index] : NULL;
}

gboolean hiera_prv_constructs_have(const HieraSiteOrder *order, guint32 type)
{
    gboolean have = FALSE;
    for (guint i = 0; i < order->n && !have; i++) {
        const HieraPrvConstruct *construct = hiera_prv_construct(order->sites[i]);
        have = construct && construct->type == type;
    }
    return have;
}
