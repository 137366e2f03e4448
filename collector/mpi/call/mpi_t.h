/* The tool information interface of MPI (MPI_T). */
#pragma once

/* Kinds of members of a category of MPI_T. hiera_tool_members(): how many MPI has stored in an array of `len`. */
typedef enum HieraMembers {
    HIERA_MEMBERS_CVARS,
    HIERA_MEMBERS_PVARS,
    HIERA_MEMBERS_CATEGORIES,
    HIERA_MEMBERS_EVENTS
} HieraMembers;
int hiera_tool_members(int category, HieraMembers what, int len);
