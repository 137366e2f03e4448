/* Facts of communicators: name, members, neighbours in a topology. Facts of groups: members. See comms.h.
 *
 * Only local MPI calls are used, so no member waits for another one, which may run without Hiera. comm_names.c makes
 * the names. */
#include "comms.h"

#include "base/kept.h"
#include "handle_map.h"
#include "handles.h"
#include "job/rank_list.h"
#include "memory/kept_heap.h"
#include "memory/stable_array.h"
#include "mpi/call/call_record.h"
#include "mpi/call/own_calls.h"
#include "predefined.h"
#include "write/call_dictionary.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static HieraStableArray comms HIERA_KEPT = {.item_bytes = sizeof(HieraComm), .memory = hiera_kept_take};
static HieraStableArray groups HIERA_KEPT = {.item_bytes = sizeof(HieraGroup), .memory = hiera_kept_take};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static MPI_Group world_group = MPI_GROUP_NULL;

const HieraComm *hiera_comm_facts(uint32_t number)
{
    static const HieraComm unknown = {.id = (char *)"unknown", .ranks = (char *)"", .rank = -1};
    const HieraComm *comm = number ? hiera_stable_at(&comms, number) : NULL;
    return comm && __atomic_load_n(&comm->version, __ATOMIC_ACQUIRE) != 0 ? comm : &unknown;
}

struct HieraEntryTimes **hiera_comm_entry_times(uint32_t number)
{
    HieraComm *comm = number ? hiera_stable_at(&comms, number) : NULL;
    return comm && __atomic_load_n(&comm->version, __ATOMIC_ACQUIRE) != 0 ? &comm->entry_times : NULL;
}

/* Return the world ranks of a group's members as text. *leader becomes the first member that belongs to this world, -1
 * if there is none; all members of this world find the same leader. */
static char *members_of(MPI_Group group, int *leader)
{
    int n = 0;
    char *list = NULL;
    hiera_own.Group_size(group, &n);
    int *ranks = malloc(2 * (size_t)(n ? n : 1) * sizeof *ranks);
    *leader = -1;
    if (!ranks)
        return NULL;
    for (int i = 0; i < n; i++)
        ranks[n + i] = i;
    if (world_group != MPI_GROUP_NULL &&
        hiera_own.Group_translate_ranks(group, n, ranks + n, world_group, ranks) == MPI_SUCCESS) {
        for (int i = n; i-- > 0;)
            if (ranks[i] == MPI_UNDEFINED)
                ranks[i] = -1;
            else
                *leader = ranks[i];
        list = hiera_rank_list_format(ranks, n);
    }
    free(ranks);
    return list;
}

/* Make the facts about a communicator visible to all threads. Their texts move to kept memory (kept_heap.h). */
static void publish(uint32_t number, const HieraComm *facts)
{
    pthread_mutex_lock(&lock);
    HieraComm *comm = hiera_stable_make(&comms, number);
    if (comm) {
        *comm = *facts;
        comm->version = 0;
        comm->id = hiera_kept_move(facts->id);
        comm->ranks = hiera_kept_move(facts->ranks);
        comm->remote = hiera_kept_move(facts->remote);
        comm->sources = hiera_kept_move(facts->sources);
        comm->destinations = hiera_kept_move(facts->destinations);
        if (comm->id && comm->ranks)
            __atomic_store_n(&comm->version, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
}

/* Return the neighbours that exist, out of n, as text. MPI_PROC_NULL: there is no neighbour, since the rank is at a
 * border. */
static char *format_neighbors(int *ranks, int n, uint8_t **there, int *n_there)
{
    *there = malloc((size_t)n + 1);
    for (int i = 0; i < n; i++) {
        if (*there)
            (*there)[i] = ranks[i] >= 0;
        if (ranks[i] >= 0)
            ranks[(*n_there)++] = ranks[i];
    }
    return hiera_rank_list_format(ranks, *n_there);
}

/* Get the neighbours that this rank receives from and sends to, in MPI's order. `weights`: room for the longer list. */
static void ask_neighbors(MPI_Comm comm, int kind, int rank, int *in, int n_in, int *out, int n_out, int *weights)
{
    if (kind == MPI_DIST_GRAPH) {
        hiera_own.Dist_graph_neighbors(comm, n_in, in, weights, n_out, out, weights);
        return;
    }
    if (kind == MPI_GRAPH)
        hiera_own.Graph_neighbors(comm, rank, n_in, in);
    for (int i = 0; kind == MPI_CART && i + 1 < n_in; i += 2)
        hiera_own.Cart_shift(comm, i / 2, 1, &in[i], &in[i + 1]);
    memcpy(out, in, (size_t)n_in * sizeof *in);
}

/* Store this rank's neighbours in `facts`, if the communicator has a topology. */
static void describe_neighbors(MPI_Comm comm, HieraComm *facts)
{
    int kind = MPI_UNDEFINED, n_in = hiera_comm_degree(comm, false), n_out = hiera_comm_degree(comm, true);
    facts->n_in = n_in;
    facts->n_out = n_out;
    if (hiera_own.Topo_test(comm, &kind) != MPI_SUCCESS || kind == MPI_UNDEFINED)
        return;
    int *ranks = malloc(2 * ((size_t)n_in + (size_t)n_out + 1) * sizeof *ranks);
    if (!ranks)
        return;
    ask_neighbors(comm, kind, facts->rank, ranks, n_in, ranks + n_in, n_out, ranks + n_in + n_out);
    facts->sources = format_neighbors(ranks, n_in, &facts->sources_there, &facts->n_sources);
    facts->destinations = format_neighbors(ranks + n_in, n_out, &facts->destinations_there, &facts->n_destinations);
    free(ranks);
}

static void describe(MPI_Comm comm, HieraComm *facts)
{
    int inter = 0, other = -1;
    MPI_Group group;
    hiera_own.Comm_rank(comm, &facts->rank);
    hiera_own.Comm_size(comm, &facts->size);
    facts->peers = facts->size;
    hiera_own.Comm_group(comm, &group);
    facts->ranks = members_of(group, &facts->leader);
    hiera_own.Group_free(&group);
    hiera_own.Comm_test_inter(comm, &inter);
    if (!inter) {
        describe_neighbors(comm, facts);
        return;
    }
    hiera_own.Comm_remote_size(comm, &facts->peers);
    hiera_own.Comm_remote_group(comm, &group);
    facts->remote = members_of(group, &other);
    hiera_own.Group_free(&group);
    facts->leads_remote = other >= 0 && other < facts->leader;
    if (facts->leads_remote)
        facts->leader = other;
}

static void free_texts(HieraComm *facts)
{
    free(facts->ranks);
    free(facts->remote);
    free(facts->sources);
    free(facts->destinations);
    free(facts->sources_there);
    free(facts->destinations_there);
}

static char *copy_text(const char *text)
{
    return text ? strdup(text) : NULL;
}

static uint8_t *copy_bytes(const uint8_t *bytes, int n)
{
    uint8_t *copy = bytes ? malloc((size_t)n + 1) : NULL;
    return copy ? memcpy(copy, bytes, (size_t)n) : NULL;
}

/* MPI must not be asked about a duplicate that is not complete yet (MPI_Comm_idup). Copy the parent's members and
 * neighbours, which are the same. */
static void derive(const HieraComm *parent, HieraComm *facts)
{
    *facts = *parent;
    facts->id = facts->name = NULL;
    facts->made = 0;
    facts->made_of = NULL;
    facts->entry_times = NULL;
    facts->ranks = copy_text(parent->ranks);
    facts->remote = copy_text(parent->remote);
    facts->sources = copy_text(parent->sources);
    facts->destinations = copy_text(parent->destinations);
    facts->sources_there = copy_bytes(parent->sources_there, parent->n_in);
    facts->destinations_there = copy_bytes(parent->destinations_there, parent->n_out);
}

/* Return a name computed from the members: the same on both sides of an intercommunicator. */
static char *name_from_members(HieraComm *parent, const HieraComm *facts, int tag)
{
    const char *first = facts->leads_remote ? facts->remote : facts->ranks;
    const char *second = facts->leads_remote ? facts->ranks : facts->remote;
    return hiera_comm_name_from_members(parent, first, second, facts->leader, tag);
}

/* Return the parent; NULL if it is not known. If all its members make the call, *turn becomes the number of its
 * constructor calls, including those that gave this rank MPI_COMM_NULL; else 0. */
static HieraComm *take_turn(HieraCommOrigin origin, uint32_t parent, uint32_t *turn)
{
    HieraComm *of = parent != 0 && origin != HIERA_COMM_REFERENCE ? hiera_stable_at(&comms, parent) : NULL;
    *turn = 0;
    if (!of || __atomic_load_n(&of->version, __ATOMIC_ACQUIRE) == 0)
        return NULL;
    if (origin != HIERA_COMM_OF_MEMBERS)
        *turn = __atomic_add_fetch(&of->made, 1, __ATOMIC_RELAXED);
    return of;
}

uint32_t hiera_comm_new(MPI_Comm comm, HieraCommOrigin origin, uint32_t parent, int tag)
{
    HieraComm facts = {.rank = -1};
    uint32_t turn, number = hiera_handle_find(HIERA_HANDLE_COMM, HIERA_KEY(comm));
    HieraComm *of = take_turn(origin, parent, &turn);
    /* A known handle for a new communicator: the old communicator was freed by a call that Hiera did not see. */
    bool is_new = origin != HIERA_COMM_REFERENCE && number > hiera_predefined_count[HIERA_HANDLE_COMM];
    if (number != 0 && !is_new)
        return number;
    if (origin != HIERA_COMM_LATER)
        describe(comm, &facts);
    else if (of)
        derive(of, &facts);
    if (!facts.ranks) {
        free_texts(&facts);
        return 0;
    }
    facts.id = turn ? hiera_comm_name_from_parent(of->id, turn, facts.leader) : name_from_members(of, &facts, tag);
    if (!facts.id) {
        free_texts(&facts);
        return 0;
    }
    number = hiera_handle_new(HIERA_HANDLE_COMM, HIERA_KEY(comm));
    publish(number, &facts);
    return number;
}

void hiera_comm_set_name(uint32_t number, const char *name)
{
    pthread_mutex_lock(&lock);
    HieraComm *comm = number ? hiera_stable_at(&comms, number) : NULL;
    char *old = NULL;
    if (comm && comm->version != 0) {
        old = comm->name; /* the old name is freed later: another thread may be writing it to the trace */
        comm->name = hiera_kept_copy(name);
        __atomic_add_fetch(&comm->version, 1, __ATOMIC_ACQ_REL);
        hiera_declared_invalidate();
    }
    pthread_mutex_unlock(&lock);
    hiera_text_released(old);
}

void hiera_comm_forget(uint32_t number)
{
    pthread_mutex_lock(&lock);
    HieraComm *comm = hiera_stable_at(&comms, number);
    if (comm) {
        HieraComm gone = *comm;
        hiera_stable_drop(&comms, number);
        free(gone.sources_there);
        free(gone.destinations_there);
        hiera_kept_give(gone.ranks);
        hiera_kept_give(gone.remote);
        hiera_kept_give(gone.sources);
        hiera_kept_give(gone.destinations);
        hiera_kept_give(gone.id);
        hiera_kept_give(gone.name);
        hiera_map_free(gone.made_of);
        free(gone.made_of);
        free(gone.entry_times);
    }
    pthread_mutex_unlock(&lock);
}

const HieraGroup *hiera_group_facts(uint32_t number)
{
    static const HieraGroup unknown = {.version = 0};
    const HieraGroup *group = number ? hiera_stable_at(&groups, number) : NULL;
    return group && __atomic_load_n(&group->version, __ATOMIC_ACQUIRE) != 0 ? group : &unknown;
}

void hiera_group_note(uint32_t number, MPI_Group group)
{
    int leader;
    if (number == 0 || hiera_group_facts(number)->version != 0)
        return;
    char *ranks = members_of(group, &leader);
    pthread_mutex_lock(&lock);
    HieraGroup *facts = ranks ? hiera_stable_make(&groups, number) : NULL;
    if (facts && facts->version == 0) {
        facts->ranks = hiera_kept_copy(ranks);
        __atomic_store_n(&facts->version, facts->ranks != NULL, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    free(ranks);
}

void hiera_group_forget(uint32_t number)
{
    pthread_mutex_lock(&lock);
    HieraGroup *facts = hiera_stable_at(&groups, number);
    if (facts) {
        hiera_kept_give(facts->ranks);
        hiera_stable_drop(&groups, number);
    }
    pthread_mutex_unlock(&lock);
}

static void start_predefined(MPI_Comm comm)
{
    HieraComm facts = {.rank = -1};
    uint32_t own;
    uint32_t number = hiera_handle_find(HIERA_HANDLE_COMM, HIERA_KEY(comm));
    describe(comm, &facts);
    facts.id = strdup(hiera_handle_name(HIERA_HANDLE_COMM, number, &own));
    if (facts.ranks)
        publish(number, &facts);
    else
        free(facts.id);
}

bool hiera_comms_know_world(void)
{
    return world_group != MPI_GROUP_NULL;
}

void hiera_comms_set_world(MPI_Group world)
{
    world_group = world;
}

void hiera_comms_start(void)
{
    hiera_comms_stop(); /* MPI_Session_init may have set the world group before */
    hiera_own.Comm_group(MPI_COMM_WORLD, &world_group);
    start_predefined(MPI_COMM_WORLD);
    start_predefined(MPI_COMM_SELF);
}

void hiera_comms_stop(void)
{
    if (world_group != MPI_GROUP_NULL)
        hiera_own.Group_free(&world_group);
}

int hiera_comm_dimensions(MPI_Comm comm)
{
    int kind = MPI_UNDEFINED, n = 0;
    if (hiera_own.Topo_test(comm, &kind) != MPI_SUCCESS || kind != MPI_CART ||
        hiera_own.Cartdim_get(comm, &n) != MPI_SUCCESS)
        return 0;
    return n;
}

int hiera_comm_degree(MPI_Comm comm, bool outgoing)
{
    int kind = MPI_UNDEFINED, in = 0, out = 0, weighted, rank = 0;
    if (hiera_own.Topo_test(comm, &kind) != MPI_SUCCESS)
        return 0;
    if (kind == MPI_CART) {
        hiera_own.Cartdim_get(comm, &in);
        in = out = 2 * in;
    } else if (kind == MPI_GRAPH) {
        hiera_own.Comm_rank(comm, &rank);
        hiera_own.Graph_neighbors_count(comm, rank, &in);
        out = in;
    } else if (kind == MPI_DIST_GRAPH) {
        hiera_own.Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    }
    return outgoing ? out : in;
}

int64_t hiera_own_ints(const int *counts, uint32_t comm)
{
    int rank = hiera_comm_facts(comm)->rank;
    return rank < 0 ? -1 : counts[rank];
}

int64_t hiera_own_longs(const int64_t *counts, uint32_t comm)
{
    int rank = hiera_comm_facts(comm)->rank;
    return rank < 0 ? -1 : counts[rank];
}
