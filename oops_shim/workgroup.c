/* Class Workgroup: teams of consecutive ranks, into which a group is divided by a blocked distribution. */
#include "internal.h"

#include <stdlib.h>

struct OopsWorkgroup {
    OopsGroup *group; /* group of the processes in this process's team */
    int team;
};

/* Find the number of this process's team: members are distributed to teams as elements to parts. */
static int find_team(const OopsGroup *group, int teams, int *team)
{
    OopsDistribution *members;
    int place;
    int error = oops_distribution_blocked_new(group->size, teams, &members);
    if (!error)
        error = oops_distribution_global_to_local(members, group->rank, team, &place);
    oops_distribution_free(members);
    return error;
}

int oops_workgroup_new(OopsGroup *group, int teams, OopsWorkgroup **made)
{
    HIERA_CALL("oops", "Workgroup::Workgroup", "teams=%d", teams);
    if (!group || !made)
        return OOPS_ERR_OBJECT;
    *made = NULL;
    if (teams < 1 || teams > group->size)
        return OOPS_ERR_RANGE;
    OopsWorkgroup *workgroup = malloc(sizeof *workgroup);
    if (!workgroup)
        return OOPS_ERR_MEMORY;
    int error = find_team(group, teams, &workgroup->team);
    if (!error)
        error = oops_group_split(group, workgroup->team, group->rank, &workgroup->group);
    if (error) {
        free(workgroup);
        return error;
    }
    *made = workgroup;
    return OOPS_SUCCESS;
}

int oops_workgroup_free(OopsWorkgroup *workgroup)
{
    HIERA_CALL("oops", "Workgroup::free", NULL);
    if (!workgroup)
        return OOPS_SUCCESS;
    int error = oops_group_free(workgroup->group);
    free(workgroup);
    return error;
}

int oops_workgroup_team(const OopsWorkgroup *workgroup)
{
    return workgroup ? workgroup->team : OOPS_ERR_OBJECT;
}

OopsGroup *oops_workgroup_group(const OopsWorkgroup *workgroup)
{
    return workgroup ? workgroup->group : NULL;
}

int oops_workgroup_is_in_group(OopsWorkgroup *workgroup, int process)
{
    HIERA_CALL("oops", "Workgroup::isInGroup", "process=%d", process);
    return workgroup ? oops_group_is_in_group(workgroup->group, process) : OOPS_ERR_OBJECT;
}
