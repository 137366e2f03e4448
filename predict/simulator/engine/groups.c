/* Communicators: their members, and the collectives that not all members have begun. */
#include "simulation.h"

static int compare_members(gconstpointer a, gconstpointer b, gpointer ranks)
{
    guint32 first = ((const guint32 *)ranks)[*(const guint32 *)a],
            second = ((const guint32 *)ranks)[*(const guint32 *)b];
    return (first > second) - (first < second);
}

static guint32 *sort_members(const guint32 *ranks, guint32 n)
{
    guint32 *sorted = NULL;
    for (guint32 i = 1; i < n && !sorted; i++)
        sorted = ranks[i] < ranks[i - 1] ? g_new(guint32, n) : NULL;
    for (guint32 i = 0; sorted && i < n; i++)
        sorted[i] = i;
    if (sorted)
        g_qsort_with_data(sorted, (gint)n, sizeof *sorted, compare_members, (gpointer)(guintptr)ranks);
    return sorted;
}

/* Return the network for collectives of a group in one step: between hosts, unless one host has all members. */
static const HieraNetwork *find_network(const Simulation *of, const Group *group)
{
    const HieraNetwork *network = &of->machine->inside;
    for (guint32 i = 1; i < group->n && network == &of->machine->inside; i++)
        network = network_between(of, group->ranks[0], group->ranks[i]);
    return network;
}

static Group *make(Simulation *of, guint32 number)
{
    guint32 n = 0;
    const guint32 *ranks = of->feeder->group ? of->feeder->group(of->feeder->context, number, &n) : NULL;
    if (!ranks || n == 0)
        return NULL;
    for (guint32 i = 0; i < n; i++) {
        if (ranks[i] >= of->machine->n_ranks)
            return NULL;
    }
    Group *group = g_new0(Group, 1);
    group->ranks = ranks;
    group->n = n;
    group->sorted = sort_members(ranks, n);
    group->turn = g_new0(guint32, n);
    group->network = find_network(of, group);
    g_queue_init(&group->open);
    g_hash_table_insert(of->groups, GUINT_TO_POINTER(number), group);
    return group;
}

Group *group_find(Simulation *of, guint32 rank)
{
    guint32 number = of->ranks[rank].operation.group;
    Group *group = g_hash_table_lookup(of->groups, GUINT_TO_POINTER(number));
    if (!group && number <= G_MAXINT32)
        group = make(of, number);
    if (!group)
        simulation_fail(of, rank, "there is no communicator %u, or it has ranks that the machine has not", number);
    return group;
}

static void free_collective(gpointer data)
{
    Collective *collective = data;
    g_free(collective->request);
    g_free(collective);
}

void group_free(gpointer data)
{
    Group *group = data;
    g_queue_clear_full(&group->open, free_collective);
    g_free(group->sorted);
    g_free(group->turn);
    g_free(group);
}

guint32 group_find_member(const Group *group, guint32 rank)
{
    guint32 begin = 0, end = group->n;
    if (rank < end && group->ranks[rank] == rank)
        return rank;
    while (begin < end) {
        guint32 middle = begin + (end - begin) / 2, member = group->sorted ? group->sorted[middle] : middle;
        if (group->ranks[member] == rank)
            return member;
        if (group->ranks[member] < rank)
            begin = middle + 1;
        else
            end = middle;
    }
    return NOBODY;
}
