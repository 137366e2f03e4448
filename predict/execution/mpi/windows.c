/* One-sided communication. Data move when an access begins: programs may not look at them before the next
 * synchronisation. See world.h. */
#include "handlers.h"
#include <string.h>

/* Value of MPI_LOCK_SHARED, in Open MPI and in MPICH. */
enum { OPENMPI_SHARED = 2, MPICH_SHARED = 235 };

static HieraMpiData find_target(HieraWorld *world, guint32 rank, const HieraGroupOfRanks *window, guint member)
{
    const HieraCurrentCall *call = &world->calls[rank];
    gboolean single = hiera_mpi_has(call, HIERA_P_TYPE); /* MPI_Fetch_and_op, MPI_Compare_and_swap: one element */
    HieraMpiData data = single ? hiera_mpi_data(world, rank, HIERA_P_NONE, HIERA_P_NONE, HIERA_P_TYPE)
                               : hiera_mpi_data(world, rank, HIERA_P_NONE, HIERA_P_TARGET_COUNT, HIERA_P_TARGET_TYPE);
    HieraKnown place = hiera_mpi_integer(world, rank, HIERA_P_TARGET_DISP);
    const HieraWindowPart *part = &window->window[member];
    data.address = (HieraKnown){part->known && place.known, part->base + part->unit * place.bits};
    return data;
}

/* Find the buffer of an access at the origin. @param address  its parameter: data to send, to compare, or the result */
static HieraMpiData find_own(HieraWorld *world, guint32 rank, HieraMpiName address)
{
    const HieraCurrentCall *call = &world->calls[rank];
    gboolean is_result = address == HIERA_P_RESULT_ADDR;
    if (hiera_mpi_has(call, HIERA_P_TYPE))
        return hiera_mpi_data(world, rank, address, HIERA_P_NONE, HIERA_P_TYPE);
    return hiera_mpi_data(world, rank, address, is_result ? HIERA_P_RESULT_COUNT : HIERA_P_ORIGIN_COUNT,
                          is_result ? HIERA_P_RESULT_TYPE : HIERA_P_ORIGIN_TYPE);
}

static void copy(HieraWorld *world, guint32 from_rank, const HieraMpiData *from, guint32 to_rank,
                 const HieraMpiData *to)
{
    HieraKnownBytes *bytes = hiera_mpi_pack(world, from_rank, from);
    hiera_mpi_unpack(world, to_rank, to, bytes, 0, (guint64)MAX(from->bytes, 0));
    hiera_bytes_free(bytes);
}

static gboolean all_known(const HieraKnownBytes *bytes)
{
    return bytes && !memchr(bytes->known, 0, bytes->n);
}

/* Combine the target with the data of the origin; or, in a compare-and-swap, replace it if it has the expected value.
 */
static void update(HieraWorld *world, guint32 rank, guint32 owner, const HieraMpiData *target)
{
    const HieraCurrentCall *call = &world->calls[rank];
    HieraMpiData given = find_own(world, rank, HIERA_P_ORIGIN_ADDR);
    HieraKnownBytes *now = hiera_mpi_pack(world, owner, target), *bytes = hiera_mpi_pack(world, rank, &given);
    gboolean known = now && bytes, changes = TRUE;
    if (hiera_mpi_has(call, HIERA_P_COMPARE_ADDR)) {
        HieraMpiData data = find_own(world, rank, HIERA_P_COMPARE_ADDR);
        HieraKnownBytes *expected = hiera_mpi_pack(world, rank, &data);
        known = all_known(now) && all_known(expected) && bytes && now->n == expected->n;
        changes = !known || memcmp(now->bytes, expected->bytes, now->n) == 0;
        hiera_bytes_free(expected);
        if (changes)
            hiera_mpi_unpack(world, owner, target, known ? bytes : NULL, 0, (guint64)MAX(target->bytes, 0));
    } else {
        HieraKnown operation = hiera_mpi_handle(world, rank, HIERA_P_OP),
                   type = hiera_mpi_handle(world, rank,
                                           hiera_mpi_has(call, HIERA_P_TYPE) ? HIERA_P_TYPE : HIERA_P_TARGET_TYPE);
        known = known && operation.known && type.known &&
                hiera_mpi_combine(world, rank, now, bytes, type.bits, operation.bits);
        hiera_mpi_unpack(world, owner, target, known ? now : NULL, 0, (guint64)MAX(target->bytes, 0));
    }
    hiera_bytes_free(now);
    hiera_bytes_free(bytes);
}

static void move(HieraWorld *world, guint32 rank, guint32 owner, const HieraMpiData *target)
{
    const HieraCurrentCall *call = &world->calls[rank];
    gboolean updates = hiera_mpi_has(call, HIERA_P_OP) || hiera_mpi_has(call, HIERA_P_COMPARE_ADDR);
    HieraMpiData own = find_own(world, rank, HIERA_P_ORIGIN_ADDR);
    if (hiera_mpi_has(call, HIERA_P_RESULT_ADDR)) {
        HieraMpiData result = find_own(world, rank, HIERA_P_RESULT_ADDR);
        copy(world, owner, target, rank, &result);
    }
    if (updates)
        update(world, rank, owner, target);
    else if (call->function->detail == HIERA_SIM_PUT)
        copy(world, rank, &own, owner, target);
    else
        copy(world, owner, target, rank, &own);
}

void hiera_mpi_begin_access(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *window = hiera_world_group(world, call->group);
    HieraOpenRequest *request = call->function->start == HIERA_MPI_BLOCKS ? NULL : hiera_mpi_open_request(world, rank);
    gint32 owner = 0;
    if (!window->window) {
        hiera_world_note(world, HIERA_NOTE_ASSUMED, "%s: its window is not known; it takes no time", call->name);
        return;
    }
    if (!hiera_mpi_find_peer(world, rank, HIERA_P_TARGET_RANK, FALSE, &owner))
        return;
    HieraMpiData target = find_target(world, rank, window, hiera_group_member(window, (guint32)owner));
    move(world, rank, (guint32)owner, &target);
    const HieraSimOperation operation = {
        .kind = call->function->detail, .peer = owner, .group = call->group, .bytes = target.bytes};
    world->calls[rank].n_sent += call->function->detail == HIERA_SIM_PUT;
    world->calls[rank].bytes_sent += call->function->detail == HIERA_SIM_PUT ? (guint64)target.bytes : 0;
    if (request)
        hiera_mpi_add_part(world, rank, request, operation, &target);
    else
        hiera_mpi_append(&world->calls[rank], operation);
}

/* Store the ranks of the call's group argument: those that may access the window, or whose windows are accessed. */
static void keep_peers(HieraWorld *world, guint32 rank, GArray *peers)
{
    const GArray *ranks = hiera_world_group(world, hiera_mpi_group(world, rank, HIERA_P_GROUP))->ranks;
    g_array_set_size(peers, 0);
    g_array_append_vals(peers, ranks->data, ranks->len);
}

void hiera_mpi_begin_epoch(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *window = hiera_world_group(world, call->group);
    HieraSimKind kind = call->function->detail;
    HieraSimOperation operation = {.kind = kind, .peer = HIERA_SIM_ANY, .group = call->group};
    guint member = hiera_group_member(window, rank);
    if (!window->window || member == HIERA_NO_VERTEX) {
        hiera_world_note(world, HIERA_NOTE_ASSUMED, "%s: its window is not known; it takes no time", call->name);
        return;
    }
    gboolean exposes = kind == HIERA_SIM_POST || kind == HIERA_SIM_EXPOSED;
    GArray *peers = exposes ? window->window[member].exposed : window->window[member].accessed;
    if (kind == HIERA_SIM_POST || kind == HIERA_SIM_START)
        keep_peers(world, rank, peers);
    if (exposes || kind == HIERA_SIM_START || kind == HIERA_SIM_COMPLETE) {
        operation.peers = (const guint32 *)(void *)peers->data;
        operation.n_peers = peers->len;
    }
    if (hiera_mpi_has(call, HIERA_P_RANK) && !hiera_mpi_find_peer(world, rank, HIERA_P_RANK, FALSE, &operation.peer))
        return;
    if (kind == HIERA_SIM_LOCK) {
        HieraKnown how = hiera_mpi_integer(world, rank, HIERA_P_LOCK_TYPE);
        operation.shared = !hiera_mpi_has(call, HIERA_P_LOCK_TYPE) ||
                           (how.known && how.bits == (world->is_openmpi ? OPENMPI_SHARED : MPICH_SHARED));
    }
    call->n_collectives += kind == HIERA_SIM_FENCE;
    operation.token = hiera_mpi_new_token(world, rank);
    hiera_mpi_append(call, operation);
}
