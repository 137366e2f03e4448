/* Names of communicators. Each member computes the same name by itself, without a message, from facts that it has.
 *
 * The name "P0_comm3.2" means: the communicator was made by the second constructor call on P?_comm3, and its first
 * member is world rank 0. P?_comm3 was made by the third constructor call on MPI_COMM_WORLD. All members of a parent
 * call the same constructors in the same order (MPI's rule for collectives), also those that get MPI_COMM_NULL, so all
 * of them count alike. The communicators that one constructor call makes have no common member, so the first member
 * identifies each of them.
 *
 * Some calls are not made by all members of one parent: MPI_Comm_create_group, MPI_Intercomm_create, MPI_Comm_accept,
 * MPI_Comm_connect, MPI_Comm_join, … Then the name has a hash of the members and the tag instead:
 * "P0_commg5d1c….1" is the first communicator with these members and this tag. Only the root knows the name of a port,
 * so the hash does not include it. */
#include "comms.h"

#include "handle_map.h"
#include "mpi/call/call_record.h"
#include "text/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_BYTES = 32 };

static HieraHandleMap without_parent; /* hash of a call without known parent → number of such calls */

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return hiera_hash_bytes(hash, text, strlen(text) + 1);
}

/* Return the path in a communicator's name: the part after "P<rank>_comm", which says by which calls it was made. */
static const char *path_of(const char *id)
{
    const char *path;
    if (strcmp(id, "MPI_COMM_WORLD") == 0)
        return "";
    if (strcmp(id, "MPI_COMM_SELF") == 0)
        return "0"; /* MPI_COMM_SELF has path 0, which is free: constructor calls on MPI_COMM_WORLD count from 1 */
    path = strstr(id, "_comm");
    return path ? path + strlen("_comm") : id;
}

/* Make the name from leader and path. A path that is too long (a duplicate of a duplicate of …) becomes a hash. */
static char *format(int leader, const char *path)
{
    enum { ROOM = 64 };
    char block[ROOM + HIERA_TEXT_MARGIN], hash[PATH_MAX_BYTES];
    HieraText id = hiera_text_into(block, ROOM);
    if (strlen(path) > PATH_MAX_BYTES) {
        snprintf(hash, sizeof hash, "h%016llx", (unsigned long long)hash_text(HIERA_HASH_BEGIN, path));
        path = hash;
    }
    hiera_handle_put_owner(&id, leader);
    HIERA_TEXT_LITERAL(&id, "comm");
    hiera_text_short(&id, path, strlen(path));
    return strndup(block, (size_t)(id.next - block));
}

char *hiera_comm_name_from_parent(const char *parent, uint32_t turn, int leader)
{
    char path[128];
    const char *of = path_of(parent);
    snprintf(path, sizeof path, "%s%s%u", of, *of ? "." : "", turn);
    return format(leader, path);
}

/* Return the counters of communicators that were made from some members of this parent. They are freed with the parent,
 * since its path never occurs again. NULL if there is no memory. */
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
    uint64_t hash = hiera_hash_bytes(hash_text(HIERA_HASH_BEGIN, parent ? path_of(parent->id) : ""), &tag, sizeof tag);
    hash = hash_text(hash_text(hash, ranks), remote ? remote : "") >> 16;
    HieraHandleSlot *slot =
        made ? hiera_map_make_slot(made, hash + 2) : NULL; /* + 2: the map uses the keys 0 and 1 itself */
    if (!slot)
        return NULL;
    uint64_t count = __atomic_add_fetch(&slot->value, 1, __ATOMIC_RELAXED);
    snprintf(path, sizeof path, "g%012llx.%llu", (unsigned long long)hash, (unsigned long long)count);
    return format(leader, path);
}
