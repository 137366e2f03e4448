/* Collective operations: members are matched by counting the operations on their communicator, and use the algorithm
 * chosen for the first member that enters. */
#include "simulation.h"

static gboolean has_root(HieraSimCollective collective)
{
    return collective == HIERA_SIM_BROADCAST || collective == HIERA_SIM_SCATTER || collective == HIERA_SIM_REDUCE ||
           collective == HIERA_SIM_GATHER;
}

static HieraSimAlgorithm choose(const Simulation *of, const HieraSimOperation *operation, guint32 n)
{
    if (operation->request > 0)
        return HIERA_SIM_ONE_STEP;
    return schedule_choose(of->machine->algorithm[operation->collective], operation->collective, n, operation->bytes);
}

static Collective *begin(const Simulation *of, const HieraSimOperation *operation, Group *group, guint32 root)
{
    Collective *collective = g_new0(Collective, 1);
    collective->collective = operation->collective;
    collective->algorithm = choose(of, operation, group->n);
    collective->root = root;
    collective->root_ps = UNKNOWN;
    if (collective->algorithm == HIERA_SIM_ONE_STEP) {
        collective->request = g_new(guint32, group->n);
        for (guint32 i = 0; i < group->n; i++)
            collective->request[i] = NONE;
    }
    g_queue_push_tail(&group->open, collective);
    return collective;
}

/* Find the collective operation that a member enters: the one that other members have begun, or a new one. */
static Collective *find(Simulation *of, guint32 rank, Group *group, guint32 member)
{
    const HieraSimOperation *operation = &of->ranks[rank].operation;
    guint32 root = has_root(operation->collective) ? group_find_member(group, (guint32)operation->peer) : 0;
    guint32 n_behind = group->turn[member]++ - group->first;
    if (root == NOBODY) {
        simulation_fail(of, rank, "its root is %d, which is not in communicator %u", operation->peer, operation->group);
        return NULL;
    }
    Collective *found =
        n_behind < group->open.length ? g_queue_peek_nth(&group->open, n_behind) : begin(of, operation, group, root);
    if (found->collective != operation->collective || found->root != root ||
        (found->algorithm == HIERA_SIM_ONE_STEP) != (choose(of, operation, group->n) == HIERA_SIM_ONE_STEP)) {
        simulation_fail(of, rank, "other members of communicator %u call another collective", operation->group);
        return NULL;
    }
    found->bytes = MAX(found->bytes, operation->bytes);
    found->n_entered++;
    return found;
}

/* Free the oldest collectives of a communicator, as far as all members have entered them. */
static void forget(Group *group)
{
    Collective *first;
    while ((first = g_queue_peek_head(&group->open)) && first->n_entered == group->n) {
        g_free(first->request);
        g_free(g_queue_pop_head(&group->open));
        group->first++;
    }
}

static gboolean go_through_steps(Simulation *of, guint32 rank)
{
    Rank *member = &of->ranks[rank];
    const Group *group = g_hash_table_lookup(of->groups, GUINT_TO_POINTER(member->operation.group));
    ScheduleStep step;
    while (schedule_next(&member->schedule, &step)) {
        guint32 other = group->ranks[step.from != NOBODY ? step.from : step.to];
        member->now_ps += network_between(of, rank, other)->step_overhead_ps;
        Envelope envelope = {.group = member->operation.group | INTERNAL, .tag = member->turn, .bytes = step.bytes};
        if (step.from != NOBODY) {
            envelope.peer = group->ranks[step.from];
            envelope.combines = step.combines;
            wait_add(of, rank, message_receive(of, rank, &envelope));
        }
        envelope.peer = step.to == NOBODY ? NONE : group->ranks[step.to];
        guint32 send = step.to == NOBODY ? NONE : message_send(of, rank, &envelope);
        if (send != NONE)
            wait_add(of, rank, send);
        if (!wait_begin(of, rank, HIERA_SIM_ALL))
            return FALSE;
    }
    return TRUE;
}

/* Number of bytes that a member of a collective sends to itself. */
static gint64 own_bytes(const Collective *collective, guint32 member, gint64 bytes)
{
    switch (collective->collective) {
    case HIERA_SIM_ALLGATHER:
    case HIERA_SIM_ALLTOALL:
        return bytes;
    case HIERA_SIM_GATHER:
    case HIERA_SIM_SCATTER:
        return member == collective->root ? bytes : 0;
    default:
        return 0;
    }
}

static gboolean begin_steps(Simulation *of, guint32 rank, const Group *group, const Collective *collective,
                            guint32 member)
{
    Rank *entering = &of->ranks[rank];
    /* The size is limited so that sums of n sizes do not overflow. */
    gint64 bytes = MIN(entering->operation.bytes, G_MAXINT64 / 4 / group->n);
    entering->schedule =
        (Schedule){collective->collective, collective->algorithm, group->n, member, collective->root, bytes, 0};
    entering->turn = (gint32)((group->turn[member] - 1) & G_MAXINT32);
    entering->now_ps +=
        simulation_round((gdouble)own_bytes(collective, member, bytes) * of->machine->inside.own_copy_ps_per_byte);
    entering->resume = go_through_steps;
    gboolean done = go_through_steps(of, rank);
    entering->resume = done ? NULL : go_through_steps;
    return done;
}

static gboolean begin_one_step(Simulation *of, guint32 rank, const Group *group, Collective *collective, guint32 member)
{
    guint64 number = of->ranks[rank].operation.request;
    guint32 place = request_make(of, rank, number);
    Request *request = &of->requests.at[place];
    request->group = of->ranks[rank].operation.group | INTERNAL;
    request->tag = (gint32)((group->turn[member] - 1) & G_MAXINT32);
    one_step_enter(of, group, collective, member, place);
    if (number > 0)
        return TRUE;
    wait_add(of, rank, place);
    return wait_begin(of, rank, HIERA_SIM_ALL);
}

gboolean collective_execute(Simulation *of, guint32 rank)
{
    const HieraSimOperation *operation = &of->ranks[rank].operation;
    if (operation->collective >= HIERA_SIM_N_COLLECTIVES || operation->bytes < 0) {
        simulation_fail(of, rank, "it is no collective, or has a negative number of bytes");
        return FALSE;
    }
    Group *group = group_find(of, rank);
    guint32 member = group ? group_find_member(group, rank) : NOBODY;
    if (member == NOBODY) {
        simulation_fail(of, rank, "it is not in communicator %u", operation->group);
        return FALSE;
    }
    Collective *collective = find(of, rank, group, member);
    if (!collective)
        return FALSE;
    gboolean one_step = collective->algorithm == HIERA_SIM_ONE_STEP;
    gboolean done = one_step ? begin_one_step(of, rank, group, collective, member)
                             : begin_steps(of, rank, group, collective, member);
    forget(group);
    return done;
}
