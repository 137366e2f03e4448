/* Which MPI functions the metrics of assertions count.
 *
 * The classes are those of the C bindings in MPI 3.0 (annex A.2), which the metrics were defined by, continued for
 * later functions. Neighbour collectives, which stand there with the topologies, count as collectives. */
#ifndef HIERA_CALL_CLASSES_H
#define HIERA_CALL_CLASSES_H

enum {
    HIERA_CALLS_MPI =
        1, /* all but queries of rank, version and time (the group `env`), which are not recorded by default */
    HIERA_CALLS_POINT_TO_POINT = 2,
    HIERA_CALLS_COLLECTIVE = 4,
    HIERA_CALLS_WAIT = 8, /* wait, waitall, waitany, waitsome */
    HIERA_CALLS_ONE_SIDED = 16,
    HIERA_CALLS_IO = 32,
    HIERA_CALLS_ANY = 64 /* every operation, of all levels */
};

/* What a call does with messages. */
typedef enum HieraCallRole {
    HIERA_ROLE_OTHER,
    HIERA_ROLE_SENDS,
    HIERA_ROLE_RECEIVES,
    HIERA_ROLE_SENDS_RECEIVES,
    HIERA_ROLE_STARTS,    /* persistent requests */
    HIERA_ROLE_COMPLETES, /* requests */
    HIERA_ROLE_FREES      /* a request */
} HieraCallRole;

/* Return the role of an operation of the MPI level. @param starts  becomes what each start of its request does, if the
 * request is persistent; else HIERA_ROLE_OTHER */
HieraCallRole hiera_call_role(const char *operation, HieraCallRole *starts);

/* Return the classes of an operation of the MPI level; 0 if it is in none.
 *
 * @param operation  its name in traces */
unsigned hiera_call_classes(const char *operation);

#endif
