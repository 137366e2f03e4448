/* Facts about communicators and groups, by Hiera's number of each; kept after MPI has freed the handle. */
#pragma once

#include "handles.h"

#include <mpi.h>
#include <stdbool.h>

typedef struct HieraComm {
    char *id;      /* name such as "P0_comm1" */
    char *ranks;   /* world ranks of the members, such as "0-6:2 9" */
    char *remote;  /* world ranks of the remote group; NULL for an intracommunicator */
    char *name;    /* name from MPI_Comm_set_name, or NULL */
    char *sources; /* ranks in the communicator that send to this rank in its topology; NULL without topology */
    char *destinations;
    uint8_t *sources_there; /* per neighbour: 1 if it exists, 0 if it is MPI_PROC_NULL */
    uint8_t *destinations_there;
    int n_in, n_out; /* number of neighbours that send to this rank and receive from it, MPI_PROC_NULL included */
    int n_sources, n_destinations; /* number of sources and destinations that exist */
    int rank, size, peers;         /* peers: number of ranks that messages can go to (of the remote group, if any) */
    int leader; /* world rank of the first member in this world; for an intercommunicator, the lower one of both groups
                 */
    bool leads_remote; /* whether `leader` is in the remote group */
    uint32_t version;  /* 0: nothing is known about the communicator yet; increases when it gets a new name */
    uint32_t made;     /* number of constructor calls on this communicator in which all its members took part */
    struct HieraHandleMap *made_of; /* hash of members and tag → number of constructor calls by only these members */
    struct HieraEntryTimes *entry_times; /* state of the exchange of entry times (life/entry_times.h); NULL: none yet */
} HieraComm;

/* Members of a group, as ranks in MPI_COMM_WORLD. */
typedef struct HieraGroup {
    char *ranks;
    uint32_t version; /* not 0 once the members are known */
} HieraGroup;

/* Return the facts about a communicator or group, without a lock; never NULL (unknown: facts without members). */
const HieraComm *hiera_comm_facts(uint32_t number);
const HieraGroup *hiera_group_facts(uint32_t number);

/* Return the address of the pointer to the communicator's entry times, which are freed with its facts; NULL: the
 * communicator is not known. */
struct HieraEntryTimes **hiera_comm_entry_times(uint32_t number);

/* Free the facts about a communicator or group. No record may have its number any more. */
void hiera_comm_forget(uint32_t number);
void hiera_group_forget(uint32_t number);

/* Store the members of a group, if they are not known, by asking MPI. */
void hiera_group_note(uint32_t number, MPI_Group group);

/* Which processes make the call that returns a communicator. The communicator's name depends on this, so that all
 * members find the same name. */
typedef enum HieraCommOrigin {
    HIERA_COMM_OF_PARENT,  /* all members of the parent communicator make the call */
    HIERA_COMM_LATER,      /* like OF_PARENT, but the communicator can be used only later (MPI_Comm_idup) */
    HIERA_COMM_OF_MEMBERS, /* only the members of the new communicator make the call */
    HIERA_COMM_REFERENCE   /* only this process makes the call; the communicator that it returns may be known already */
} HieraCommOrigin;

/* Return the number of a communicator that a call returned (MPI_COMM_NULL is allowed). `parent`: number of the
 * communicator it was made from; 0: none, or unknown. */
uint32_t hiera_comm_new(MPI_Comm comm, HieraCommOrigin origin, uint32_t parent, int tag);

/* Return a new name for a communicator (comm_names.c); NULL: there is no memory. `turn`: index of the constructor call
 * on the parent, from 1. */
char *hiera_comm_name_from_parent(const char *parent, uint32_t turn, int leader);
char *hiera_comm_name_from_members(HieraComm *parent, const char *ranks, const char *remote, int leader, int tag);

void hiera_comm_set_name(uint32_t number, const char *name);

/* Return the element of `counts` at this process's rank in `comm`; -1 if that rank is not known. */
int64_t hiera_own_ints(const int *counts, uint32_t comm);
int64_t hiera_own_longs(const int64_t *counts, uint32_t comm);

/* Roles of a rank in a rooted collective, as bits. They decide which arguments are significant. On an intercommunicator
 * the root passes MPI_ROOT, the members are the other group, and a rank that passes MPI_PROC_NULL has no role. */
enum { HIERA_MPI_ROLE_ROOT = 1, HIERA_MPI_ROLE_MEMBER = 2 };

static inline unsigned hiera_mpi_role(uint32_t comm, int root)
{
    const HieraComm *facts = hiera_comm_facts(comm);
    if (HIERA_LIKELY(!facts->remote))
        return HIERA_MPI_ROLE_MEMBER | (root == facts->rank && root >= 0 ? HIERA_MPI_ROLE_ROOT : 0);
    return root == MPI_ROOT ? HIERA_MPI_ROLE_ROOT : root >= 0 ? HIERA_MPI_ROLE_MEMBER : 0;
}

/* Return how many neighbours this rank sends to (`outgoing`) or receives from in the topology; 0 without topology. */
int hiera_comm_degree(MPI_Comm comm, bool outgoing);

/* Return the number of dimensions of the Cartesian topology; 0 without one. */
int hiera_comm_dimensions(MPI_Comm comm);

void hiera_comms_start(void); /* Store the facts about predefined communicators. Called when MPI_COMM_WORLD exists. */
void hiera_comms_stop(void);  /* Free the world group. Called before MPI_COMM_WORLD is freed. */

/* Whether the group of all processes is known; and set this group, which is owned here from then on. sessions.c sets
 * it, since without MPI_Init there is no MPI_COMM_WORLD. */
bool hiera_comms_know_world(void);
void hiera_comms_set_world(MPI_Group world);
