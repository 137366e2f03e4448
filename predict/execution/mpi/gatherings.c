/* Collectives in progress: data that members exchange, and the groups that they make. See world.h. */
#include "world.h"
#include <string.h>

void hiera_gathering_free(gpointer freed)
{
    HieraGathering *gathering = freed;
    for (guint i = 0; i < gathering->n; i++) {
        hiera_bytes_free(gathering->given[i]);
        g_free(gathering->ends[i]);
        if (gathering->edges[i])
            g_array_unref(gathering->edges[i]);
    }
    g_free(gathering->given);
    g_free(gathering->ends);
    g_free(gathering->n_ends);
    g_free(gathering->color);
    g_free(gathering->key);
    g_free(gathering->edges);
    g_free(gathering->window);
    g_free(gathering->new_group);
    g_free(gathering);
}

HieraContribution *hiera_share_new(guint group)
{
    HieraContribution *share = g_new0(HieraContribution, 1);
    share->group = group;
    share->pieces = g_array_new(FALSE, FALSE, sizeof(HieraMpiData));
    share->slots = g_array_new(FALSE, FALSE, sizeof(HieraMpiData));
    return share;
}

void hiera_share_free(HieraContribution *share)
{
    if (!share)
        return;
    g_array_unref(share->pieces);
    g_array_unref(share->slots);
    g_free(share);
}

guint64 hiera_world_turn(HieraCurrentCall *call, guint group)
{
    while (call->turns->len <= group)
        g_array_append_val(call->turns, (guint64){0});
    return g_array_index(call->turns, guint64, group)++;
}

static guint64 key_of(const HieraContribution *share)
{
    return (guint64)share->group << 32 | (share->turn & 0xffffffff);
}

static HieraGathering *new_gathering(guint n)
{
    HieraGathering *gathering = g_new0(HieraGathering, 1);
    gathering->n = n;
    gathering->given = g_new0(HieraKnownBytes *, n);
    gathering->ends = g_new0(guint64 *, n);
    gathering->n_ends = g_new0(guint, n);
    gathering->color = g_new0(gint64, n);
    gathering->key = g_new0(gint64, n);
    gathering->edges = g_new0(GArray *, n);
    gathering->window = g_new0(HieraWindowPart, n);
    return gathering;
}

/* Concatenate all pieces of data that a member sends. @param ends  receives the offset behind each piece */
static HieraKnownBytes *give(HieraWorld *world, guint32 rank, const HieraContribution *share, guint64 *ends)
{
    guint64 n = 0;
    gboolean any = FALSE;
    for (guint i = 0; i < share->pieces->len; i++)
        n += ends[i] = (guint64)MAX(g_array_index(share->pieces, HieraMpiData, i).bytes, 0);
    for (guint i = 1; i < share->pieces->len; i++)
        ends[i] += ends[i - 1];
    if (share->pieces->len == 1)
        return hiera_mpi_pack(world, rank, &g_array_index(share->pieces, HieraMpiData, 0));
    if (n > (guint64)16 << 20 || n == 0)
        return NULL;
    HieraKnownBytes *all = g_new0(HieraKnownBytes, 1);
    *all = (HieraKnownBytes){n, g_malloc0(n), g_malloc0(n)};
    for (guint i = 0; i < share->pieces->len; i++) {
        HieraKnownBytes *piece = hiera_mpi_pack(world, rank, &g_array_index(share->pieces, HieraMpiData, i));
        guint64 at = i > 0 ? ends[i - 1] : 0;
        if (piece) {
            memcpy(all->bytes + at, piece->bytes, piece->n);
            memcpy(all->known + at, piece->known, piece->n);
            any = TRUE;
        }
        hiera_bytes_free(piece);
    }
    if (any)
        return all;
    hiera_bytes_free(all);
    return NULL;
}

void hiera_gathering_enter(HieraWorld *world, guint32 rank, HieraContribution *share)
{
    HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *group = hiera_world_group(world, share->group);
    share->member = hiera_group_member(group, rank);
    share->gathering = NULL;
    if (share->member == HIERA_NO_VERTEX)
        return;
    share->turn = hiera_world_turn(call, share->group);
    guint64 key = key_of(share);
    HieraGathering *gathering = g_hash_table_lookup(world->gatherings, &key);
    if (!gathering) {
        gathering = new_gathering(group->ranks->len);
        g_hash_table_insert(world->gatherings, g_memdup2(&key, sizeof key), gathering);
    }
    share->gathering = gathering;
    if (share->pieces->len > 0 && share->moves) {
        gathering->ends[share->member] = g_new(guint64, share->pieces->len);
        gathering->n_ends[share->member] = share->pieces->len;
        gathering->given[share->member] = give(world, rank, share, gathering->ends[share->member]);
    }
}

/* --- groups that a collective makes --- */

static int compare_members(gconstpointer a, gconstpointer b, gpointer data)
{
    const HieraGathering *gathering = data;
    guint x = *(const guint *)a, y = *(const guint *)b;
    if (gathering->key[x] != gathering->key[y])
        return gathering->key[x] < gathering->key[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Make the new groups of a split, once all members have entered. A duplicate or grid is a split with one color. */
static void make_groups(HieraWorld *world, const HieraContribution *share)
{
    HieraGathering *gathering = share->gathering;
    gathering->new_group = g_new(guint, gathering->n);
    for (guint i = 0; i < gathering->n; i++)
        gathering->new_group[i] = HIERA_NO_VERTEX;
    for (guint i = 0; i < gathering->n; i++) {
        g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(guint));
        g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(guint32));
        if (gathering->new_group[i] != HIERA_NO_VERTEX || gathering->color[i] < 0)
            continue;
        for (guint k = i; k < gathering->n; k++)
            if (gathering->color[k] == gathering->color[i])
                g_array_append_val(members, k);
        g_array_sort_with_data(members, compare_members, gathering);
        for (guint k = 0; k < members->len; k++) {
            const HieraGroupOfRanks *group = hiera_world_group(world, share->group);
            g_array_append_val(ranks, g_array_index(group->ranks, guint32, g_array_index(members, guint, k)));
        }
        guint made = hiera_world_add_group(world, (const guint32 *)(void *)ranks->data, ranks->len);
        for (guint k = 0; k < members->len; k++)
            gathering->new_group[g_array_index(members, guint, k)] = made;
    }
}

guint hiera_gathering_group(HieraWorld *world, HieraContribution *share)
{
    if (!share->gathering->new_group)
        make_groups(world, share);
    return share->gathering->new_group[share->member];
}

/* --- receiving data --- */

/* Reduce the data of the first n members; NULL: not all of these data are known. */
static HieraKnownBytes *reduce(HieraWorld *world, guint32 rank, const HieraContribution *share, guint n)
{
    HieraKnownBytes *const *given = share->gathering->given;
    for (guint i = 0; i < n; i++)
        if (!given[i])
            return NULL;
    if (n == 0)
        return NULL;
    HieraKnownBytes *sum = g_new0(HieraKnownBytes, 1);
    *sum = (HieraKnownBytes){given[0]->n, g_memdup2(given[0]->bytes, given[0]->n),
                             g_memdup2(given[0]->known, given[0]->n)};
    for (guint i = 1; i < n; i++) {
        if (!hiera_mpi_combine(world, rank, sum, given[i], share->type, share->operation)) {
            hiera_bytes_free(sum);
            return NULL;
        }
    }
    return sum;
}

/* Write a piece of a member's data to the receiver's buffer `slot`. @param piece  index among the member's pieces */
static void put(HieraWorld *world, guint32 rank, const HieraContribution *share, guint slot, guint member, guint piece)
{
    const HieraGathering *gathering = share->gathering;
    const HieraMpiData *to = &g_array_index(share->slots, HieraMpiData, slot);
    const guint64 *ends = gathering->ends[member];
    gboolean known =
        piece <
        gathering
            ->n_ends[member]; /* FALSE: the member has passed fewer pieces, so the members' calls do not fit together */
    guint64 from = known && piece > 0 ? ends[piece - 1] : 0;
    hiera_mpi_unpack(world, rank, to, known ? gathering->given[member] : NULL, from,
                     known ? ends[piece] - from : (guint64)MAX(to->bytes, 0));
}

static void put_sum(HieraWorld *world, guint32 rank, const HieraContribution *share, guint n, guint piece)
{
    HieraKnownBytes *sum = reduce(world, rank, share, n);
    const guint64 *ends = share->gathering->ends[share->member];
    guint64 from = piece > 0 && piece < share->gathering->n_ends[share->member] ? ends[piece - 1] : 0;
    if (share->slots->len > 0) {
        const HieraMpiData *to = &g_array_index(share->slots, HieraMpiData, 0);
        hiera_mpi_unpack(world, rank, to, sum, from, (guint64)MAX(to->bytes, 0));
    }
    hiera_bytes_free(sum);
}

static void take(HieraWorld *world, guint32 rank, const HieraContribution *share)
{
    guint n = share->gathering->n;
    switch (share->what) {
    case HIERA_SIM_BROADCAST:
    case HIERA_SIM_SCATTER:
        if (share->slots->len > 0)
            put(world, rank, share, 0, share->root, share->what == HIERA_SIM_SCATTER ? share->member : 0);
        break;
    case HIERA_SIM_GATHER:
    case HIERA_SIM_ALLGATHER:
        for (guint i = 0; i < MIN(n, share->slots->len); i++)
            put(world, rank, share, i, i, 0);
        break;
    case HIERA_SIM_ALLTOALL:
        for (guint i = 0; i < MIN(n, share->slots->len); i++)
            put(world, rank, share, i, i, share->member);
        break;
    case HIERA_SIM_REDUCE:
    case HIERA_SIM_ALLREDUCE:
        put_sum(world, rank, share, n, 0);
        break;
    case HIERA_SIM_SCAN:
        if (!share->exclusive || share->member > 0)
            put_sum(world, rank, share, share->member + !share->exclusive, 0);
        break;
    case HIERA_SIM_REDUCE_SCATTER:
        put_sum(world, rank, share, n, share->member);
        break;
    default:
        break;
    }
}

/* Make the received data unknown, since the simulation does not know them (intercommunicators, unknown partners). */
static void forget(HieraWorld *world, guint32 rank, const HieraContribution *share)
{
    for (guint i = 0; i < share->slots->len; i++) {
        const HieraMpiData *to = &g_array_index(share->slots, HieraMpiData, i);
        hiera_mpi_unpack(world, rank, to, NULL, 0, (guint64)MAX(to->bytes, 0));
    }
}

void hiera_gathering_leave(HieraWorld *world, guint32 rank, HieraContribution *share)
{
    HieraGathering *gathering = share->gathering;
    guint64 key = key_of(share);
    if (gathering && share->moves)
        take(world, rank, share);
    else
        forget(world, rank, share);
    share->gathering = NULL;
    if (gathering && ++gathering->n_left == gathering->n)
        g_hash_table_remove(world->gatherings, &key);
}
