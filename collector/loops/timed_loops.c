#include "timed_loops.h"

#include "base/clock.h"
#include "base/kept.h"
#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "base/settings.h"
#include "loaded_files.h"
#include "memory/signal_safe_memory.h"
#include "places/objects.h"
#include "places/originals.h"
#include "plan_request.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

HieraTimedPlan hiera_timed_plans[HIERA_TIMED_PLANS] HIERA_KEPT;
unsigned hiera_timed_n_plans HIERA_KEPT;
HieraTimedCosts hiera_timed_kept_costs HIERA_KEPT;

static const char *problem; /* why no loop at all is timed; NULL: no reason */

static unsigned count_threads(void)
{
    unsigned n = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (const struct dirent *entry; tasks && (entry = readdir(tasks)) != NULL;)
        n += entry->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return n;
}

/* Whether the plan is for the file that is loaded at `base`, by its build id: the file on disk may be newer. */
static bool is_build(const HieraPlan *plan, uintptr_t base)
{
    unsigned number;
    const HieraLoadedObject *object = hiera_object_find((const void *)base, &number);
    return !object || plan->build_bytes == 0 ||
           (plan->build_bytes == object->build_bytes && memcmp(plan->build, object->build, object->build_bytes) == 0);
}

bool hiera_timed_original(uintptr_t *address)
{
    for (unsigned i = 0; i < hiera_timed_n_plans; i++)
        if (hiera_moved_original(&hiera_timed_plans[i].moved, address))
            return true;
    return false;
}

bool hiera_timed_may_be(void)
{
    return hiera_timed_n_plans > 0 || hiera_settings.search.is_on || hiera_settings.attach;
}

/* Does not free the plan's previous memory, since other threads may be using it. */
void hiera_timed_keep(HieraTimedPlan *timed)
{
    HieraPlan *copy = hiera_memory_new(timed->plan->bytes);
    if (!copy)
        return;
    memcpy(copy, timed->plan, timed->plan->bytes);
    timed->plan = copy;
    if (timed->moved.plan)
        timed->moved.plan = copy;
}

/* Gives the plan's functions and loops numbers of their own in the table of times; number 0 is reserved. */
HieraTimedPlan *hiera_timed_add(const HieraPlan *plan)
{
    static uint32_t n_functions = 1, n_loops = 1;
    if (hiera_timed_n_plans == HIERA_TIMED_PLANS || n_functions + plan->functions.n > HIERA_TIMED_FUNCTIONS ||
        n_loops + plan->loops.n > HIERA_TIMED_LOOPS)
        return NULL;
    HieraTimedPlan *timed = &hiera_timed_plans[hiera_timed_n_plans];
    *timed = (HieraTimedPlan){.plan = plan, .first_function = n_functions, .first_loop = n_loops};
    n_functions += plan->functions.n;
    n_loops += plan->loops.n;
    hiera_timed_keep(timed);
    hiera_timed_n_plans++;
    return timed;
}

/* Loops are read before what is around them, so that no inner one has more time. */
void hiera_timed_copy(const HieraTimedPlan *timed, HieraTimedTotal *functions, HieraTimedTotal *loops)
{
    const HieraPlan *plan = timed->plan;
    const HieraPlanLoop *of = hiera_plan_part(plan, plan->loops);
    hiera_timing_note();
    if (timed->frozen) {
        memcpy(functions, timed->frozen, plan->functions.n * sizeof *functions);
        memcpy(loops, timed->frozen + plan->functions.n, plan->loops.n * sizeof *loops);
        return;
    }
    for (uint32_t i = plan->loops.n; i-- > 0;)
        loops[i] = hiera_timing_loop(timed->first_loop + i, timed->first_function + of[i].function);
    for (uint32_t i = 0; i < plan->functions.n; i++)
        functions[i] = hiera_timing_function(timed->first_function + i);
}

void hiera_timed_freeze(HieraTimedPlan *timed)
{
    uint32_t n = timed->plan->functions.n;
    HieraTimedTotal *totals = timed->frozen ? NULL : hiera_memory_new((n + timed->plan->loops.n) * sizeof *totals);
    if (!totals)
        return;
    hiera_timed_copy(timed, totals, totals + n);
    timed->until = hiera_clock_counter();
    timed->frozen = totals;
}

const char *hiera_timed_apply(HieraTimedPlan *timed, uintptr_t base, bool is_running)
{
    const HieraPlan *plan = timed->plan;
    const HieraMovedContext context = {timed->first_function, timed->first_loop, hiera_timing_event(),
                                       hiera_timing_unwind(), hiera_timing_locals()};
    hiera_timing_take(plan, timed->first_function, timed->first_loop);
    const char *reason = hiera_moved_place(&timed->moved, plan, base, &context);
    if (reason)
        return reason;
    timed->since = hiera_clock_counter();
    return is_running ? hiera_moved_redirect_running(&timed->moved, NULL) : hiera_moved_redirect(&timed->moved);
}

static void apply_all(const HieraPlans *plans, const HieraLoadedFiles *files)
{
    for (size_t at = 0; at < plans->n && !problem;) {
        const HieraPlan *plan = (const HieraPlan *)(const void *)(plans->bytes + at);
        bool is_good = hiera_plan_check(plan, plans->n - at);
        HieraTimedPlan *timed = is_good ? hiera_timed_add(plan) : NULL;
        uintptr_t base = 0;
        for (size_t i = 0; timed && i < files->n && base == 0; i++)
            base = strcmp(files->paths[i], hiera_plan_text(plan, plan->path)) == 0 ? files->bases[i] : 0;
        if (!is_good)
            problem = "the plan of hiera-image is damaged; are both of the same version?";
        else if (!timed)
            problem = "there are too many loops";
        else if (plan->functions.n > 0)
            timed->problem = base == 0 || !is_build(plan, base) ? "the file is not the one that is loaded"
                                                                : hiera_timed_apply(timed, base, false);
        at += is_good ? plan->bytes : 0;
    }
}

/* Make the table of times and measure what an event costs. @return  false: loops cannot be timed, see `problem` */
static bool begin(void)
{
    if (!hiera_timing_event())
        problem = "loops are timed on x86-64 alone";
    else if (!hiera_clock_uses_counter)
        problem = "the kernel does not have the counter of the processor for its clock (HIERA_MORE=clock=counter takes "
                  "it all "
                  "the same)";
    else
        hiera_timing_calibrate();
    hiera_timed_kept_costs = hiera_timed_costs;
    hiera_originals_begin(hiera_timed_original);
    hiera_moved_by = strcmp(hiera_settings.move_by, "ptrace") == 0 ? HIERA_MOVED_BY_STOPS
                     : strcmp(hiera_settings.move_by, "int3") == 0 ? HIERA_MOVED_BY_BREAKPOINTS
                                                                   : HIERA_MOVED_BY_ANY;
    return !problem;
}

static void load(void)
{
    HieraLoadedFiles files;
    hiera_loaded_files_list(&files);
    HieraPlans plans = hiera_plan_request(hiera_settings.loops, files.paths);
    problem = plans.problem;
    if (!problem && hiera_lock_enter()) {
        apply_all(&plans, &files);
        hiera_lock_leave();
    }
    hiera_loaded_files_free(&files);
}

void hiera_timed_load(void)
{
    if (!hiera_settings.loops[0] || !hiera_settings.trace || hiera_life.recovers)
        return;
    if (hiera_timing_event() && count_threads() != 1)
        problem = "the program has several threads already";
    else if (begin())
        load();
}

const char *hiera_timed_search(void)
{
    if (hiera_settings.loops[0])
        return "HIERA_LOOPS says what is timed";
    if (!hiera_settings.trace || hiera_life.recovers)
        return "there is no trace";
    return begin() ? NULL : problem;
}

static const char *setting(void)
{
    return hiera_settings.loops[0] ? "HIERA_LOOPS" : "HIERA_SEARCH";
}

void hiera_timed_put_share(char text[HIERA_TIMED_SHARE], const HieraTimedPlan *timed)
{
    text[0] = '\0';
    if (timed->percent > 0)
        snprintf(text, HIERA_TIMED_SHARE, "; it had %u %% of the samples outside MPI", timed->percent);
}

void hiera_timed_complain_of(const HieraTimedPlan *timed)
{
    char share[HIERA_TIMED_SHARE];
    const HieraPlanRefused *refused = hiera_plan_part(timed->plan, timed->plan->refused);
    hiera_timed_put_share(share, timed);
    if (timed->problem)
        hiera_message("%s: %s: %s", setting(), hiera_plan_text(timed->plan, timed->plan->path), timed->problem);
    for (uint32_t i = 0; i < timed->plan->refused.n; i++)
        hiera_message("%s: %s is not timed: %s%s", setting(), hiera_plan_text(timed->plan, refused[i].name),
                      hiera_plan_text(timed->plan, refused[i].reason), share);
}

void hiera_timed_complain(void)
{
    if (problem)
        hiera_message("%s: no loop is timed: %s", setting(), problem);
    for (unsigned i = 0; i < hiera_timed_n_plans; i++)
        hiera_timed_complain_of(&hiera_timed_plans[i]);
}
