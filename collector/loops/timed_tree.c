#include "timed_tree.h"

/* Number of executions of the loops inside: of those that were counted, and of those in a copy that does no more than
 * take 1 away. */
typedef struct Inside {
    uint64_t counted, hidden;
} Inside;

static void take_off(HieraTimedTotal *timed, Inside inside)
{
    enum { A_QUARTER = 4 };
    uint64_t quiet = (uint64_t)hiera_timed_kept_costs.quiet, slack = (uint64_t)hiera_timed_kept_costs.slack;
    uint64_t cost = (inside.counted * quiet + inside.hidden * quiet / A_QUARTER) / HIERA_TIMED_FINE;
    uint64_t doubt = cost / 2 + 2 * inside.counted * slack + inside.hidden * quiet / HIERA_TIMED_FINE +
                     inside.hidden * slack / A_QUARTER + timed->calls * quiet / HIERA_TIMED_FINE / 2;
    timed->total -= timed->total < cost ? timed->total : cost;
    timed->own -= timed->own < cost ? timed->own : cost;
    timed->uncertainty += doubt;
    timed->own_uncertainty += doubt;
}

static Inside executions_of(const HieraTimedTotal *loop)
{
    uint64_t hidden = loop->estimated < loop->executions ? loop->estimated : loop->executions;
    return (Inside){loop->executions - hidden, hidden};
}

static void add_inside(Inside *inside, Inside more)
{
    inside->counted += more.counted;
    inside->hidden += more.hidden;
}

/* Return by how much the times of a loop are uncertain because an instruction counts its iterations: in a loop of few
 * instructions all that this takes is in them, in others nothing of it. */
static uint64_t doubt_of(const HieraPlanLoop *loop, const HieraTimedTotal *timed)
{
    int64_t cost = loop->step == 0 ? hiera_timed_kept_costs.counter : loop->is_spare ? hiera_timed_kept_costs.spare : 0;
    return timed->iterations * (uint64_t)cost / HIERA_TIMED_FINE;
}

/* What of a doubt is that of what is around a loop, too: of executions in its second copy nothing is. */
static uint64_t counted(uint64_t doubt, const HieraTimedTotal *loop)
{
    uint64_t n = loop->executions + loop->open, hidden = loop->estimated < n ? loop->estimated : n;
    return n > 0 ? (uint64_t)((double)doubt / (double)n * (double)(n - hidden)) : doubt;
}

/* A time is not less than nothing, and not more than what is around; own time is not more than the time, nor is the
 * longest execution: what events took may be wrong by more than an execution differs from the one around it. */
static void bound(HieraTimedTotal *timed, const HieraTimedTotal *around)
{
    timed->most = timed->most < timed->total ? timed->most : timed->total;
    uint64_t above = around->total + around->uncertainty - timed->total,
             far = timed->total > above ? timed->total : above;
    if (around != timed)
        timed->uncertainty = timed->uncertainty < far ? timed->uncertainty : far;
    uint64_t more = timed->total + timed->uncertainty - timed->own, most = timed->own > more ? timed->own : more;
    timed->own_uncertainty = timed->own_uncertainty < most ? timed->own_uncertainty : most;
}

static uint64_t part_of(uint64_t ticks, uint64_t room, uint64_t all)
{
    return all > room ? (uint64_t)((double)ticks / (double)all * (double)room) : ticks;
}

/* Make the loops in `around` fit into it. `parent`: its index, or HIERA_PLAN_NO_LOOP for the function. */
static void fit(const HieraPlanFunction *of, const HieraPlanLoop *loops, HieraTimedTree *tree, uint32_t parent)
{
    const HieraTimedTotal *around = parent == HIERA_PLAN_NO_LOOP ? &tree->function : &tree->loops[parent - of->loop];
    uint64_t total = 0, own = 0;
    for (uint32_t i = 0; i < of->n_loops; i++)
        if (loops[of->loop + i].parent == parent) {
            total += tree->loops[i].total;
            own += tree->loops[i].own;
        }
    for (uint32_t i = 0; i < of->n_loops; i++) {
        HieraTimedTotal *loop = &tree->loops[i];
        if (loops[of->loop + i].parent != parent)
            continue;
        bool is_apart = tree->function.inner == 0;
        loop->total = part_of(loop->total, around->total, is_apart ? total : loop->total);
        loop->own = part_of(loop->own, around->own, own);
        loop->own = loop->own < loop->total ? loop->own : loop->total;
    }
}

void hiera_timed_tree(const HieraPlan *plan, uint32_t function, HieraTimedTree *tree)
{
    const HieraPlanFunction *of = (const HieraPlanFunction *)hiera_plan_part(plan, plan->functions) + function;
    const HieraPlanLoop *loops = hiera_plan_part(plan, plan->loops);
    Inside inside[HIERA_PLAN_LOOPS] = {{0}}, all = {0};
    uint64_t doubts[HIERA_PLAN_LOOPS] = {0}, all_doubts = 0, totals[HIERA_PLAN_LOOPS], total = tree->function.total;
    for (uint32_t i = 0; i < of->n_loops; i++)
        totals[i] = tree->loops[i].total;
    for (uint32_t i = of->n_loops; i-- > 0;) {
        Inside executions = executions_of(&tree->loops[i]);
        uint32_t parent = loops[of->loop + i].parent;
        doubts[i] += doubt_of(&loops[of->loop + i], &tree->loops[i]);
        take_off(&tree->loops[i], inside[i]);
        tree->loops[i].uncertainty += doubts[i];
        tree->loops[i].own_uncertainty += doubts[i];
        doubts[i] = counted(doubts[i], &tree->loops[i]);
        add_inside(&executions, inside[i]);
        add_inside(parent == HIERA_PLAN_NO_LOOP ? &all : &inside[parent - of->loop], executions);
        *(parent == HIERA_PLAN_NO_LOOP ? &all_doubts : &doubts[parent - of->loop]) += doubts[i];
    }
    HieraTimedTotal *whole = &tree->function;
    take_off(whole, all);
    whole->uncertainty += all_doubts;
    whole->own_uncertainty += all_doubts;
    whole->own = whole->own < whole->total ? whole->own : whole->total;
    fit(of, loops, tree, HIERA_PLAN_NO_LOOP);
    for (uint32_t i = 0; i < of->n_loops; i++)
        fit(of, loops, tree, of->loop + i);
    whole->most_of_thread = part_of(whole->most_of_thread, whole->total, total);
    bound(whole, whole);
    for (uint32_t i = 0; i < of->n_loops; i++) {
        uint32_t parent = loops[of->loop + i].parent;
        tree->loops[i].most_of_thread = part_of(tree->loops[i].most_of_thread, tree->loops[i].total, totals[i]);
        bound(&tree->loops[i], parent == HIERA_PLAN_NO_LOOP ? whole : &tree->loops[parent - of->loop]);
    }
}

bool hiera_timed_tree_goes_deeper(const HieraPlan *plan, const HieraTimedTree *tree, unsigned share, uint64_t ticks)
{
    enum { PERCENT = 100 };
    const HieraPlanLoop *loops = hiera_plan_part(plan, plan->loops);
    for (uint32_t i = 0; i < plan->loops.n; i++) {
        if (loops[i].is_timed || loops[i].parent == HIERA_PLAN_NO_LOOP || !loops[loops[i].parent].is_timed)
            continue;
        const HieraTimedTotal *around = &tree->loops[loops[i].parent];
        uint64_t most = around->total + around->uncertainty, iterations = around->iterations + around->executions;
        if (most * PERCENT >= tree->function.total * share && iterations > 0 && most / iterations >= ticks)
            return true;
    }
    return false;
}
