/* Skips iterations of a loop that are like those before.
 *
 * Each time that the header of a loop is reached, what the iteration changed is compared with what the one before it
 * changed: registers, scalars in memory, the operands of decisions, how often each vertex was executed. Where all of
 * that changes by the same amount each time, it is known when a decision turns out otherwise for the first time; the
 * iterations before are not walked. Executions may also grow by the same number each time (a triangle of two loops).
 * Where branches are drawn, or depend on data, the average of many iterations is taken instead. What does not change
 * by the same amount is not known afterwards.
 *
 * A process that was walked for long is in a hurry (is_in_hurry): from then on also few iterations are skipped, which
 * costs what they would have computed, and where they differ, the average is that of earlier runs of the loop.
 *
 * That is a forecast from a few iterations: a loop that behaves otherwise later, for a reason that no decision of its
 * own shows, is not seen through. */
#include "ahead.h"

enum {
    LEAST = 64,      /* fewer iterations are walked, */
    LEAST_LATER = 8, /* or fewer than these once the process is in a hurry */
    AVERAGE = 128,   /* iterations of which an average is taken, */
    ENOUGH = 1024,   /* and those of earlier runs of the loop */
    OFTEN = 1000,    /* iterations of a loop before it is worth a hurry */
    FEW = 4,         /* visits of the header that must tell the same, */
    MANY = 16,       /* and the first times: data may have a period */
    TRUSTED = 8,     /* so often */
    NO_CHANGE = 3    /* the first visits, which have no three changes to compare */
};
#define PATIENCE G_GUINT64_CONSTANT(100000000) /* steps: some seconds */

/* A process that was walked for long goes on faster: what is computed in short loops is given up. */
static gboolean is_in_hurry(const HieraProcess *process, guint loop)
{
    guint header = hiera_execution_loop(process->execution, loop)->header;
    guint64 patience = process->options->patience > 0 ? process->options->patience : PATIENCE;
    return process->n_steps >= patience && process->counters[header] >= OFTEN;
}

/* Visits of the header that are looked at: the first ones, then some of each 64. */
static gboolean is_looked_at(const HieraLoopRun *run, guint n_needed)
{
    return run->iterations < n_needed + 4 || run->iterations % 64 <= n_needed;
}

static gboolean is_known(const HieraLoopPast *past)
{
    return past && past->n >= ENOUGH;
}

void hiera_process_look_ahead(HieraProcess *process, HieraLoopRun *run)
{
    HieraLoopFacts *facts = &process->facts[run->loop];
    HieraLoopPast **past = &process->past[run->loop];
    gboolean vague = FALSE, hurries = is_in_hurry(process, run->loop);
    guint n_needed = hurries || facts->n_skipped >= TRUSTED ? FEW : MANY, least_same = n_needed - 2;
    if (!is_looked_at(run, n_needed) && (!hurries || is_known(*past))) {
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
    if (hurries && !*past)
        *past = hiera_loop_past_new(facts);
    run->ahead->past = *past;
    hiera_ahead_observe(process, facts, run->ahead, ENOUGH);
    if (run->ahead->n_visits < n_needed)
        return;
    gint64 n = hiera_ahead_find_horizon(process, run, facts, is_known(*past) ? 1 : least_same, &vague) - 1;
    gboolean differ = vague || (guint)run->ahead->n_steady + NO_CHANGE < n_needed ||
                      (*past && ((*past)->drawn || (*past)->is_uneven));
    gboolean by_past = differ && run->iterations < AVERAGE;
    if (n < (hurries ? LEAST_LATER : LEAST) || (by_past && !is_known(*past)))
        return;
    const HieraSkip skip = {.n = (guint64)n,
                            .n_before = run->iterations - run->ahead->since,
                            .n_same = least_same,
                            .average = differ,
                            .by_past = by_past,
                            .past = *past};
    hiera_ahead_skip(process, run, facts, &skip);
    run->ahead->n_visits = 0;
    facts->n_skipped++;
}
