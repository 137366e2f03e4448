/* Skips iterations of a loop that are like those before.
 *
 * At each visit of a loop's header, the changes of the iteration are compared with those of the one before it:
 * registers, scalars in memory, operands of decisions, executions of each vertex. If all that changes does so by the
 * same amount each time, it can be computed when a decision will first turn out differently; the iterations before are
 * skipped. Numbers of executions may also grow by the same amount each time (a triangle of two loops). If branches are
 * drawn, or depend on data, the average of many iterations is taken instead. Values that do not change by the same
 * amount are unknown afterwards.
 *
 * A process that was walked for long is in a hurry (is_in_hurry): from then on small numbers of iterations are skipped,
 * too, at the price of what they would have computed; where they differ, the average of earlier runs of the loop is
 * taken.
 *
 * This is a forecast from a few iterations: a loop that changes its behaviour later, for a reason that none of its
 * decisions shows, is not detected. */
#include "ahead.h"

enum {
    LEAST = 64,      /* least number of iterations that are worth skipping */
    LEAST_LATER = 8, /* as LEAST, for a process that has executed PATIENCE steps and a loop that has OFTEN iterations */
    AVERAGE = 128,   /* from so many iterations of the current run of a loop on, their average is used */
    ENOUGH = 1024,   /* from so many iterations of earlier runs of a loop on, their average is used */
    OFTEN = 1000,    /* from so many iterations of a loop in all runs on, LEAST_LATER is used */
    FEW = 4,         /* number of consecutive visits of the loop's header whose changes must be equal */
    MANY = 16,       /* as FEW, for the first TRUSTED skips of a loop: its data may be periodic */
    TRUSTED = 8,     /* number of skips of a loop after which FEW visits are enough */
    NO_CHANGE = 3    /* number of first visits that cannot be steady: is_steady compares three changes */
};
#define PATIENCE G_GUINT64_CONSTANT(100000000) /* a process with more steps (some seconds) skips more */

/* Whether a process is in a hurry: after a long walk it skips more iterations, and gives up values computed in short
 * loops. */
static gboolean is_in_hurry(const HieraProcess *process, guint loop)
{
    guint header = hiera_execution_loop(process->execution, loop)->header;
    guint64 patience = process->options->patience > 0 ? process->options->patience : PATIENCE;
    return process->n_steps >= patience && process->counters[header] >= OFTEN;
}

/* Whether this visit of the loop's header is examined: the first ones are, then a few consecutive ones in each 64. */
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
    if (facts->reads)
        process->unknown[process->at] |= HIERA_UNKNOWN_SKIPPED;
    run->ahead->n_visits = 0;
    facts->n_skipped++;
}
