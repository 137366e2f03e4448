#include "timed_loops_format.h"

#include "base/clock.h"
#include "base/life.h"
#include "kept_times.h"
#include "timed_tree.h"
#include "write/element.h"

#include <string.h>

static void put_number(HieraText *text, const char *begin, uint64_t value)
{
    hiera_text_bytes(text, begin, strlen(begin));
    hiera_text_unsigned(text, value);
    HIERA_TEXT_LITERAL(text, "\"");
}

static void put_ticks(HieraText *text, const char *begin, const HieraClockPace *pace, uint64_t ticks)
{
    int64_t ns = hiera_clock_pace_ns(pace, pace->ticks + ticks) - hiera_clock_pace_ns(pace, pace->ticks);
    hiera_text_bytes(text, begin, strlen(begin));
    hiera_text_seconds(text, ns > 0 ? (uint64_t)ns : 0);
    HIERA_TEXT_LITERAL(text, "\"");
}

static void put_text(HieraText *text, const char *begin, const char *value)
{
    hiera_text_bytes(text, begin, strlen(begin));
    hiera_text_escaped(text, value, strlen(value));
    HIERA_TEXT_LITERAL(text, "\"");
}

/* Whether only some executions were timed. If those of a function, what is told of its loops stands for the others. */
static bool is_sampled(const HieraTimedTotal *timed)
{
    return timed->timed < timed->executions;
}

/* Write source lines, number of executions and times, as attributes of a function or loop. */
static void put_times(HieraText *text, const HieraPlan *plan, HieraPlanText file, uint32_t first, uint32_t last,
                      const HieraTimedTotal *timed, const HieraClockPace *pace)
{
    if (file != 0) {
        put_text(text, " file=\"", hiera_plan_text(plan, file));
        put_number(text, " line=\"", first);
        put_number(text, " last_line=\"", last);
    }
    put_number(text, " count=\"", timed->executions);
    if (timed->open > 0)
        put_number(text, " open=\"", timed->open);
    put_ticks(text, " time=\"", pace, timed->total);
    put_ticks(text, " own=\"", pace, timed->own);
    put_ticks(text, " min=\"", pace, timed->least);
    put_ticks(text, " max=\"", pace, timed->most);
    put_number(text, " threads=\"", timed->n_threads);
    put_ticks(text, " longest=\"", pace, timed->most_of_thread);
    if (is_sampled(timed))
        put_number(text, " timed=\"", timed->timed);
    put_ticks(text, " uncertainty=\"", pace, timed->uncertainty);
    if (timed->own_uncertainty > timed->uncertainty)
        put_ticks(text, " own_uncertainty=\"", pace, timed->own_uncertainty);
}

/* Write how long each thread took: numbers and seconds. If these are all threads, they add up to the time.
 * @param number  of the loop in the table of times; 0: the function */
static void put_threads(HieraText *text, uint32_t number, uint32_t function, const HieraTimedTotal *timed,
                        const HieraClockPace *pace)
{
    static HieraTimedShare shares[HIERA_TIMED_SHARES];
    uint32_t n = hiera_life.recovers ? 0 : hiera_timing_shares(number, function, shares);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += shares[i].total;
    for (uint32_t i = 0; i < n; i++) {
        if (n == timed->n_threads && sum > 0)
            shares[i].total = (uint64_t)((double)shares[i].total / (double)sum * (double)timed->total);
        int64_t ns = hiera_clock_pace_ns(pace, pace->ticks + shares[i].total) - hiera_clock_pace_ns(pace, pace->ticks);
        hiera_text_bytes(text, i == 0 ? " by_thread=\"" : " ", i == 0 ? strlen(" by_thread=\"") : 1);
        hiera_text_unsigned(text, shares[i].thread);
        HIERA_TEXT_LITERAL(text, ":");
        hiera_text_seconds(text, ns > 0 ? (uint64_t)ns : 0);
    }
    if (n > 0)
        HIERA_TEXT_LITERAL(text, "\"");
}

/* Write the start tag of a loop; its inner loops, which stand behind it in the plan, are to be written inside. */
static void put_loop(HieraTraceFile *stream, const HieraTimedPlan *timed, const HieraPlanLoop *of,
                     const HieraTimedTotal *times, const HieraTimedTotal *function, const HieraClockPace *pace)
{
    HIERA_ELEMENT_OPEN(stream, "<hieraTimedLoop");
    put_times(stream->text, timed->plan, of->file, of->first, of->last, times, pace);
    put_threads(stream->text,
                timed->first_loop +
                    (uint32_t)(of - (const HieraPlanLoop *)hiera_plan_part(timed->plan, timed->plan->loops)),
                timed->first_function + of->function, times, pace);
    put_number(stream->text, " iterations=\"", times->iterations + times->executions + times->open);
    if (!of->is_timed)
        HIERA_TEXT_LITERAL(stream->text, " evaluated=\"0\"");
    if (of->irreducible)
        HIERA_TEXT_LITERAL(stream->text, " irreducible=\"1\"");
    if (times->estimated > 0 || is_sampled(function))
        put_number(stream->text, " estimated=\"", times->in_doubt);
    HIERA_TEXT_LITERAL(stream->text, ">");
    stream->depth++;
}

static void end_loop(HieraTraceFile *stream)
{
    stream->depth--;
    HIERA_ELEMENT_OPEN(stream, "</hieraTimedLoop>");
}

/* Write the loops of a function, nested, without recursion. An inner loop need not follow its loop directly. */
static void put_loops(HieraTraceFile *stream, const HieraTimedPlan *timed, const HieraPlanFunction *function,
                      const HieraTimedTree *tree, const HieraClockPace *pace)
{
    const HieraPlanLoop *loops = hiera_plan_part(timed->plan, timed->plan->loops);
    uint32_t parent = HIERA_PLAN_NO_LOOP, next = function->loop, end = function->loop + function->n_loops;
    for (;;) {
        while (next < end && loops[next].parent != parent)
            next++;
        if (next < end) {
            put_loop(stream, timed, &loops[next], &tree->loops[next - function->loop], &tree->function, pace);
            parent = next++;
            continue;
        }
        if (parent == HIERA_PLAN_NO_LOOP)
            return;
        end_loop(stream);
        next = parent + 1;
        parent = loops[parent].parent;
    }
}

static void put_function(HieraTraceFile *stream, const HieraTimedPlan *timed, uint32_t number,
                         const HieraTimedTimes *times, const HieraClockPace *pace)
{
    static HieraTimedTree tree;
    const HieraPlanFunction *function =
        (const HieraPlanFunction *)hiera_plan_part(timed->plan, timed->plan->functions) + number;
    tree.function = times->functions[number];
    memcpy(tree.loops, times->loops + function->loop, function->n_loops * sizeof *tree.loops);
    hiera_timed_tree(timed->plan, number, &tree);
    HIERA_ELEMENT_OPEN(stream, "<hieraTimed");
    put_text(stream->text, " operation=\"", hiera_plan_text(timed->plan, function->name));
    put_times(stream->text, timed->plan, function->file, function->first, function->last, &tree.function, pace);
    put_threads(stream->text, 0, timed->first_function + number, &tree.function, pace);
    put_ticks(stream->text, " watched=\"", pace, times->watched);
    if (tree.function.inner > 0)
        put_number(stream->text, " inner=\"", tree.function.inner);
    HIERA_TEXT_LITERAL(stream->text, ">");
    stream->depth++;
    put_loops(stream, timed, function, &tree, pace);
    stream->depth--;
    HIERA_ELEMENT_OPEN(stream, "</hieraTimed>");
}

static void put_refused(HieraTraceFile *stream, const HieraTimedPlan *timed)
{
    char share[HIERA_TIMED_SHARE];
    hiera_timed_put_share(share, timed);
    const HieraPlanRefused *refused = hiera_plan_part(timed->plan, timed->plan->refused);
    const HieraPlanFunction *functions = hiera_plan_part(timed->plan, timed->plan->functions);
    for (uint32_t i = 0; i < timed->plan->refused.n + (timed->problem ? timed->plan->functions.n : 0); i++) {
        bool is_refused = i < timed->plan->refused.n;
        HieraPlanText name = is_refused ? refused[i].name : functions[i - timed->plan->refused.n].name;
        HIERA_ELEMENT_OPEN(stream, "<hieraUntimed");
        put_text(stream->text, " operation=\"", hiera_plan_text(timed->plan, name));
        const char *reason = is_refused ? hiera_plan_text(timed->plan, refused[i].reason) : timed->problem;
        HIERA_TEXT_LITERAL(stream->text, " reason=\"");
        hiera_text_escaped(stream->text, reason, strlen(reason));
        put_text(stream->text, share, "");
        HIERA_TEXT_LITERAL(stream->text, "/>");
    }
}

void hiera_timed_put(HieraTraceFile *stream)
{
    if (hiera_timed_n_plans == 0)
        return;
    HieraClockPace pace = hiera_clock_pace();
    uint64_t lost = hiera_kept_lost();
    HIERA_ELEMENT_OPEN(stream, "<hieraLoops");
    put_ticks(stream->text, " event=\"", &pace,
              (uint64_t)(hiera_timed_kept_costs.kinds[HIERA_PLAN_LOOP_IN] +
                         hiera_timed_kept_costs.kinds[HIERA_PLAN_LOOP_OUT]) /
                  2);
    if (lost > 0)
        put_number(stream->text, " missed=\"", lost);
    HIERA_TEXT_LITERAL(stream->text, ">");
    stream->depth++;
    for (unsigned i = 0; i < hiera_timed_n_plans; i++) {
        HieraTimedPlan *timed = &hiera_timed_plans[i];
        if (timed->is_superseded)
            continue;
        HieraTimedTimes times = hiera_kept_times(timed);
        if (!times.functions && !timed->problem)
            timed->problem = "there is no memory";
        for (uint32_t j = 0; !timed->problem && j < timed->plan->functions.n; j++)
            put_function(stream, timed, j, &times, &pace);
        put_refused(stream, timed);
    }
    stream->depth--;
    HIERA_ELEMENT_OPEN(stream, "</hieraLoops>");
}
