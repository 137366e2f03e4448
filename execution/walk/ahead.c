/* Skips iterations of a loop that are like those before.
 *
 * Each time that the header of a loop is reached, what the iteration changed is compared with what the one before it
 * changed: registers, scalars in memory, the operands of decisions, how often each vertex was executed. Where all of
 * that changes by the same amount each time, it is known when a decision turns out otherwise for the first time; the
 * iterations before are not walked. Executions may also grow by the same number each time (a triangle of two loops).
 * Where branches are drawn, or depend on data, the average of many iterations is taken instead. What does not change
 * by the same amount is not known afterwards.
 *
 * That is a forecast from a few iterations: a loop that behaves otherwise later, for a reason that no decision of its
 * own shows, is not seen through. */
#include "ahead.h"

enum {
    LEAST = 64,    /* fewer iterations are walked */
    AVERAGE = 128, /* iterations of which an average is taken */
    FEW = 4,       /* visits of the header that must tell the same, */
    MANY = 16,     /* and the first times: data may have a period */
    TRUSTED = 8    /* so often */
};

static guint n_needed(const HieraLoopFacts *facts)
{
    return facts->n_skipped < TRUSTED ? MANY : FEW;
}

/* Visits of the header that are looked at: the first ones, then some of each 64. */
static gboolean is_looked_at(const HieraLoopRun *run, const HieraLoopFacts *facts)
{
    return run->iterations < n_needed(facts) + 4 || run->iterations % 64 <= n_needed(facts);
}

void hiera_process_look_ahead(HieraProcess *process, HieraLoopRun *run)
{
    HieraLoopFacts *facts = &process->facts[run->loop];
    gboolean vague = FALSE;
    if (!is_looked_at(run, facts)) {
        if (run->ahead)
            run->ahead->n_visits = 0;
        return;
    }
    if (!facts->ready)
        hiera_loop_facts_find(process->execution, run->loop, facts);
    if (facts->communicates)
        return;
    if (!run->ahead)
        run->ahead = hiera_ahead_new(process, run, facts);
    hiera_ahead_observe(process, facts, run->ahead);
    if (run->ahead->n_visits < n_needed(facts))
        return;
    guint least_same = n_needed(facts) - 2;
    gint64 n = hiera_ahead_find_horizon(process, run, facts, least_same, &vague) - 1;
    gboolean differ = vague || !run->ahead->is_steady;
    if (n < LEAST || (differ && run->iterations < AVERAGE))
        return;
    const HieraSkip skip = {(guint64)n, run->iterations - run->ahead->since, least_same, differ};
    hiera_ahead_skip(process, run, facts, &skip);
    run->ahead->n_visits = 0;
    facts->n_skipped++;
}
