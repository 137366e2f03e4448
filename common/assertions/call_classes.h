/* The MPI functions that each metric of assertions counts.
 *
 * The classes are those of the C bindings in MPI 3.0 (annex A.2), by which the metrics are defined, extended to later
 * functions. Neighbour collectives, which that annex lists with the topologies, count as collectives. */
#pragma once

enum {
    HIERA_CALLS_MPI =
        1, /* MPI calls, except queries of rank, version and time (group `env`), which are not recorded by default */
    HIERA_CALLS_POINT_TO_POINT = 2,
    HIERA_CALLS_COLLECTIVE = 4,
    HIERA_CALLS_WAIT = 8, /* class of wait, waitall, waitany, waitsome */
    HIERA_CALLS_ONE_SIDED = 16,
    HIERA_CALLS_IO = 32,
    HIERA_CALLS_ANY = 64 /* operations of all levels, not only of MPI */
};

/* The effect of a call on messages or requests. */
typedef enum HieraCallRole {
    HIERA_ROLE_OTHER,
    HIERA_ROLE_SENDS,
    HIERA_ROLE_RECEIVES,
    HIERA_ROLE_SENDS_RECEIVES,
    HIERA_ROLE_STARTS,    /* starts persistent requests */
    HIERA_ROLE_COMPLETES, /* completes requests */
    HIERA_ROLE_FREES      /* frees a request */
} HieraCallRole;

/* Return the role of an operation of the MPI level. @param starts  receives the role of each start of its request, if
 * the request is persistent; else HIERA_ROLE_OTHER */
HieraCallRole hiera_call_role(const char *operation, HieraCallRole *starts);

/* Return the bit set of classes of an operation of the MPI level; 0 if it has none.
 *
 * @param operation  its name in traces */
unsigned hiera_call_classes(const char *operation);
