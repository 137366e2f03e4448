/* What is known of communicators and groups, by number: long after MPI has forgotten the handle. */
#ifndef HIERA_COMMS_H
#define HIERA_COMMS_H

#include "handles.h"

#include <mpi.h>
#include <stdbool.h>

typedef struct HieraComm {
    char *id;      /* "P0_comm1" */
    char *ranks;   /* world ranks, "0-6:2 9" */
    char *remote;  /* of the other group, NULL for an intracommunicator */
    char *name;    /* given by the program, or NULL */
    char *sources; /* ranks in it of this rank's neighbours in a topology, NULL without one */
    char *destinations;
    uint8_t *sources_there; /* by neighbour: does it exist, or is it MPI_PROC_NULL, beyond a border? */
    uint8_t *destinations_there;
    int n_in, n_out;                /* neighbours, */
    int n_sources, n_destinations;  /* those that exist */
    int rank, size, peers;          /* peers: members that a collective talks to: size, or the remote group's */
    int leader;                     /* world rank of the first member in this world; of both groups the lower one */
    bool leads_remote;              /* it is of the other group */
    uint32_t version;               /* changes with the name */
    uint32_t made;                  /* constructors that all its members took part in */
    struct HieraHandleMap *made_of; /* those that took part were just these members: hash → how many */
} HieraComm;

/* World ranks of a group. */
typedef struct HieraGroup {
    char *ranks;
    uint32_t version; /* 0: nobody asked */
} HieraGroup;

/* Facts of a number; never NULL (number 0 has unknown ones: no members). Without a lock. */
const HieraComm *hiera_comm_facts(uint32_t number);
const HieraGroup *hiera_group_facts(uint32_t number);

/* Nothing names this number any more. */
void hiera_comm_forget(uint32_t number);
void hiera_group_forget(uint32_t number);

/* Ask MPI who is in a group, once. */
void hiera_group_note(uint32_t number, MPI_Group group);

/* Who is in the call that gives out a communicator: by that all its members find the same name. */
typedef enum HieraCommOrigin {
    HIERA_COMM_OF_PARENT,  /* all members of the parent */
    HIERA_COMM_LATER,      /* the same, and it is complete later: a non-blocking duplicate */
    HIERA_COMM_OF_MEMBERS, /* its own members alone */
    HIERA_COMM_REFERENCE   /* this process alone: it may be known already */
} HieraCommOrigin;

/* The number of a communicator that a call gave out, MPI_COMM_NULL too; `parent` 0 if there is none or it is not known.
 */
uint32_t hiera_comm_new(MPI_Comm comm, HieraCommOrigin origin, uint32_t parent, int tag);

/* Names (comm_names.c). NULL without memory. `turn`: which constructor on the parent, from 1. */
char *hiera_comm_name_from_parent(const char *parent, uint32_t turn, int leader);
char *hiera_comm_name_from_members(HieraComm *parent, const char *ranks, const char *remote, int leader, int tag);

void hiera_comm_set_name(uint32_t number, const char *name);

/* The count at the place of this rank in a communicator; -1 if its rank is not known. */
int64_t hiera_own_ints(const int *counts, uint32_t comm);
int64_t hiera_own_longs(const int64_t *counts, uint32_t comm);

/* What a rank is in a rooted collective, as bits: by that its arguments have a meaning or none. On an intercommunicator
 * the root is who gives MPI_ROOT, the members are the other group, and those that give MPI_PROC_NULL are neither. */
enum { HIERA_ROLE_ROOT = 1, HIERA_ROLE_MEMBER = 2 };

static inline unsigned hiera_mpi_role(uint32_t comm, int root)
{
    const HieraComm *facts = hiera_comm_facts(comm);
    if (HIERA_LIKELY(!facts->remote))
        return HIERA_ROLE_MEMBER | (root == facts->rank && root >= 0 ? HIERA_ROLE_ROOT : 0);
    return root == MPI_ROOT ? HIERA_ROLE_ROOT : root >= 0 ? HIERA_ROLE_MEMBER : 0;
}

/* Neighbours of a communicator with a topology; 0 if it has none. */
int hiera_comm_degree(MPI_Comm comm, bool outgoing);

/* Dimensions of a communicator with a Cartesian topology; 0 if it has none. */
int hiera_comm_dimensions(MPI_Comm comm);

void hiera_comms_start(void); /* MPI_COMM_WORLD is there */
void hiera_comms_stop(void);  /* and goes */

/* The same without MPI_Init: the group that stands for all processes; taken over. */
bool hiera_comms_know_world(void);
void hiera_comms_set_world(MPI_Group world);

#endif
