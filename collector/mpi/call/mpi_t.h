/* The tool information interface of MPI (MPI_T). */
#pragma once

/* Return how many members of one kind MPI has returned for a category, if the array has room for `len`. */
typedef enum HieraMembers {
    HIERA_MEMBERS_CVARS,
    HIERA_MEMBERS_PVARS,
    HIERA_MEMBERS_CATEGORIES,
    HIERA_MEMBERS_EVENTS
} HieraMembers;
int hiera_tool_members(int category, HieraMembers what, int len);
