/* The tool information interface of MPI (MPI_T). */
#pragma once

/* Kinds of members of an MPI_T category. hiera_tool_members(): how many of a kind there are, at most `len`. */
typedef enum HieraMembers {
    HIERA_MEMBERS_CVARS,
    HIERA_MEMBERS_PVARS,
    HIERA_MEMBERS_CATEGORIES,
    HIERA_MEMBERS_EVENTS
} HieraMembers;
int hiera_tool_members(int category, HieraMembers what, int len);
