/* The tool interface of MPI. */
#ifndef HIERA_MPI_T_H
#define HIERA_MPI_T_H

/* How many members of each sort a category of the tool interface tells where there is room for `len`. */
typedef enum HieraMembers {
    HIERA_MEMBERS_CVARS,
    HIERA_MEMBERS_PVARS,
    HIERA_MEMBERS_CATEGORIES,
    HIERA_MEMBERS_EVENTS
} HieraMembers;
int hiera_tool_members(int category, HieraMembers what, int len);

#endif
