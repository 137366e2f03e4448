/* Names of communicators, without a message: each member computes the name from what MPI makes it know anyhow.
 *
 * "P0_comm3.2": the communicator that the second constructor on P?_comm3 made, and whose first member is world rank 0;
 * P?_comm3 is of the third constructor on MPI_COMM_WORLD. All members of a parent make the same constructors in the
 * same order (MPI's rule for collectives), those that get MPI_COMM_NULL too, so all count alike; and what one
 * constructor makes has no member in common, so that the first member tells it apart.
 *
 * Where the call's members are not those of one parent (MPI_Comm_create_group, MPI_Intercomm_create, MPI_Comm_accept
 * and MPI_Comm_connect, MPI_Comm_join, …), the new communicator's members take the parent's place: "P0_commg5d1c….1" is
 * the first one made of them with that tag. A port's name is known to the root alone, and is no part of it. */
#include "comms.h"
#include "handle_map.h"
#include "mpi/call/call_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_BYTES = 32 };

static HieraHandleMap without_parent; /* of just these members: hash → how many */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    for (const unsigned char *at = bytes; n-- > 0; at++)
        hash = (hash ^ *at) * 0x100000001b3u;
    return hash;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_bytes(hash, text, strlen(text) + 1);
}

static const uint64_t seed = 0xcbf29ce484222325u;

/* All of a name behind the first member: how it came to be. */
static const char *path_of(const char *id)
{
    const char *path;
    if (strcmp(id, "MPI_COMM_WORLD") == 0)
        return "";
    if (strcmp(id, "MPI_COMM_SELF") == 0)
        return "0"; /* constructors on the world count from 1 */
    path = strstr(id, "_comm");
    return path ? path + strlen("_comm") : id;
}

/* A duplicate of a duplicate of …: what grows without bounds becomes a hash. */
static char *format(int leader, const char *path)
{
    char *id;
    int n = strlen(path) <= PATH_MAX_BYTES
                ? asprintf(&id, "P%d_comm%s", leader, path)
                : asprintf(&id, "P%d_commh%016llx", leader, (unsigned long long)hash_text(seed, path));
    return n < 0 ? NULL : id;
}

char *hiera_comm_name_from_parent(const char *parent, uint32_t turn, int leader)
{
    char path[128];
    const char *of = path_of(parent);
    snprintf(path, sizeof path, "%s%s%u", of, *of ? "." : "", turn);
    return format(leader, path);
}

/* What was made of members of this parent goes with it: no name has its path again. NULL without memory. */
static HieraHandleMap *made_of(HieraComm *parent)
{
    if (!parent)
        return &without_parent;
    HieraHandleMap *map = __atomic_load_n(&parent->made_of, __ATOMIC_ACQUIRE);
    HieraHandleMap *made = map ? NULL : calloc(1, sizeof *made);
    if (made && __atomic_compare_exchange_n(&parent->made_of, &map, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    free(made);
    return map;
}

char *hiera_comm_name_from_members(HieraComm *parent, const char *ranks, const char *remote, int leader, int tag)
{
    char path[64];
    HieraHandleMap *made = made_of(parent);
    uint64_t hash = hash_bytes(hash_text(seed, parent ? path_of(parent->id) : ""), &tag, sizeof tag);
    hash = hash_text(hash_text(hash, ranks), remote ? remote : "") >> 16;
    HieraSlot *slot = made ? hiera_map_make_slot(made, hash + 2) : NULL; /* a map's own keys are 0 and 1 */
    if (!slot)
        return NULL;
    uint64_t count = __atomic_add_fetch(&slot->value, 1, __ATOMIC_RELAXED);
    snprintf(path, sizeof path, "g%012llx.%llu", (unsigned long long)hash, (unsigned long long)count);
    return format(leader, path);
}
