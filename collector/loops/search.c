#include "search.h"

#include "base/clock.h"
#include "base/life.h"
#include "base/lock.h"
#include "base/settings.h"
#include "helper/helper.h"
#include "job/job.h"
#include "kept_times.h"
#include "loaded_files.h"
#include "places/objects.h"
#include "plan_request.h"
#include "probing/shared_globals.h"
#include "sampling/sampling.h"
#include "search_decision.h"
#include "search_samples.h"
#include "timed_tree.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SAMPLES_MIN = 100, FUNCTIONS_MAX = 24, TRIES = 4, PERCENT = 100 };

#define LOOK_EVERY_NS    UINT64_C(500000000)
#define REST_NS          UINT64_C(5000000000)
#define SAMPLE_PERIOD_NS UINT64_C(10000000)
/* Shortest iteration, in ns, inside which inner loops are timed: an inner loop's two events take 60 ns, 6 % of this. */
#define ITERATION_AT_LEAST 1000
/* Number of ranks that may read the first rank's decision in one interval; with more ranks, intervals are longer. */
#define RANKS_AT_ONCE 128

static HieraAddressRange done[FUNCTIONS_MAX]; /* code of functions that are not examined, or not again */
static unsigned n_done;
static HieraSearch in_force;
static HieraTimedPlan *observed; /* the plan whose function is timed now; NULL: none */
static HieraSearchDecision what; /* the function that is timed now, or was chosen last */
static uint64_t since_ns, rest_until_ns;
static unsigned n_refused; /* number of successive failures to end the timing of `observed` */
static void *pinned;       /* handle of the timed function's library, which keeps the library loaded */

static bool is_done(uintptr_t address)
{
    for (unsigned i = 0; i < n_done; i++)
        if (address >= done[i].begin && address < done[i].end)
            return true;
    return false;
}

static void set_aside(HieraAddressRange range)
{
    if (n_done < FUNCTIONS_MAX)
        done[n_done++] = range;
}

static HieraAddressRange around(uintptr_t address)
{
    return (HieraAddressRange){address - HIERA_SPOT_BYTES, address + HIERA_SPOT_BYTES};
}

static bool is_above(uint64_t part, uint64_t whole)
{
    return part * PERCENT > whole * in_force.share;
}

static void release(void)
{
    if (pinned)
        dlclose(pinned);
    pinned = NULL;
}

/* --- beginning and ending to time one function --- */

/* Set path and offset of the loaded file that contains an address. @return  false if its functions are not timed */
static bool locate(uintptr_t address, HieraSearchDecision *decision)
{
    unsigned number;
    if (!hiera_lock_enter())
        return false;
    const HieraLoadedObject *object = hiera_object_find((const void *)address, &number);
    bool is_known = object && object->path && strlen(object->path) < sizeof decision->path &&
                    !hiera_loaded_file_is_own(object->path);
    if (is_known) {
        strcpy(decision->path, object->path);
        decision->offset = address - object->begin;
    }
    hiera_lock_leave();
    return is_known;
}

/* Load address of the file in this process; 0 if it is not loaded. */
static uintptr_t base_of(const char *path)
{
    HieraLoadedFiles files;
    uintptr_t base = 0;
    hiera_loaded_files_list(&files);
    if (hiera_lock_enter()) {
        for (size_t i = 0; i < files.n && base == 0; i++) {
            unsigned number;
            const HieraLoadedObject *object = hiera_object_find((const void *)files.bases[i], &number);
            if (object && object->path && strcmp(object->path, path) == 0)
                base = files.bases[i];
        }
        hiera_lock_leave();
    }
    hiera_loaded_files_free(&files);
    return base;
}

/* Request a plan of the function. Its library stays loaded until release(); the program itself, which the dynamic
 * linker knows by no name, is never unloaded. @return  NULL if there is no plan */
static const HieraPlan *plan_function(HieraSearchDecision *decision)
{
    char wanted[64];
    char *const files[] = {decision->path, NULL};
    pinned = dlopen(decision->path, RTLD_LAZY | RTLD_NOLOAD);
    snprintf(wanted, sizeof wanted, HIERA_PLAN_ADDRESS "%lx%c%u", (unsigned long)decision->offset, HIERA_PLAN_DEPTH,
             decision->depth);
    HieraPlans plans = hiera_plan_request(wanted, files);
    const HieraPlan *plan = (const HieraPlan *)(const void *)plans.bytes;
    return !plans.problem && hiera_plan_check(plan, plans.n) ? plan : NULL;
}

/* Code of the plan's one function, whether it can be moved or is refused; without one, what is around an address. */
static HieraAddressRange range_of(const HieraPlan *plan, uintptr_t base, uintptr_t address)
{
    if (plan && plan->functions.n == 1) {
        const HieraPlanFunction *function = hiera_plan_part(plan, plan->functions);
        return (HieraAddressRange){base + function->begin, base + function->end};
    }
    const HieraPlanRefused *refused = plan && plan->refused.n == 1 ? hiera_plan_part(plan, plan->refused) : NULL;
    if (refused && refused->begin < refused->end)
        return (HieraAddressRange){base + refused->begin, base + refused->end};
    return around(address);
}

/* Begin to time the function of `what`. `is_decided`: another rank has decided it, so it need not be a bottleneck here.
 *
 * @return  whether it is timed now. If not, *range need not be examined again */
static bool observe(bool is_decided, HieraAddressRange *range)
{
    uintptr_t base = base_of(what.path);
    const HieraPlan *plan = base != 0 ? plan_function(&what) : NULL;
    bool has_function = plan && plan->functions.n == 1;
    *range = range_of(plan, base, base + what.offset);
    if (!plan || !hiera_lock_enter()) {
        release();
        return false;
    }
    uint64_t inside, samples = hiera_search_samples(range, &inside);
    bool is_wanted = (is_decided || is_above(inside, samples)) && !hiera_life.closed;
    HieraTimedPlan *timed = is_wanted ? hiera_timed_add(plan) : NULL;
    if (timed)
        timed->percent = samples > 0 ? (unsigned)(inside * PERCENT / samples) : 0;
    hiera_lock_leave();
    if (timed && !has_function && hiera_life.joined && hiera_job.rank == hiera_job.first)
        hiera_timed_complain_of(timed); /* of the ranks, which find the same, only the first says it */
    if (timed && has_function) {
        timed->problem = hiera_timed_apply(timed, base, true);
        if (!timed->problem) {
            observed = timed;
            since_ns = hiera_clock_monotonic_ns();
            hiera_kept_times_go_on();
            return true;
        }
    }
    release();
    return false;
}

/* Restore the timed function. @return  its plan; NULL: a thread did not stop, and it is tried again later */
static HieraTimedPlan *put_back(void)
{
    HieraTimedPlan *timed = observed;
    timed->problem = hiera_moved_undo_running(&timed->moved, NULL);
    if (timed->problem && ++n_refused < TRIES) {
        rest_until_ns = hiera_clock_monotonic_ns() + REST_NS;
        return NULL;
    }
    if (hiera_lock_enter()) {
        hiera_timed_freeze(timed);
        hiera_lock_leave();
    }
    n_refused = 0;
    observed = NULL;
    release();
    return timed;
}

/* --- this rank decides which function is timed --- */

static bool publishes(void)
{
    return in_force.is_common && hiera_job.size > 1 && hiera_job.rank == hiera_job.first;
}

static void publish(unsigned depth)
{
    what.number++;
    what.depth = depth;
    if (publishes())
        hiera_search_decision_publish(&what);
}

/* Whether some timed loop may be a bottleneck of its function, and contains loops that are worth timing. */
static bool goes_deeper(const HieraTimedPlan *timed)
{
    static HieraTimedTree tree;
    if (!timed->frozen)
        return false;
    tree.function = timed->frozen[0];
    memcpy(tree.loops, timed->frozen + 1, timed->plan->loops.n * sizeof *tree.loops);
    hiera_timed_tree(timed->plan, 0, &tree);
    return hiera_timed_tree_goes_deeper(timed->plan, &tree, in_force.share, hiera_clock_ticks_of(ITERATION_AT_LEAST));
}

/* Begin to time the loops of the function `what`, down to this depth. @return  whether it succeeds */
static bool try(unsigned depth)
{
    HieraAddressRange range;
    what.depth = depth;
    if (!observe(false, &range)) {
        set_aside(range);
        return false;
    }
    publish(depth);
    return true;
}

/* End the observation of the function if its times are known or it takes too long; then time its inner loops, if they
 * matter. */
static void judge(void)
{
    uint64_t now = hiera_clock_monotonic_ns();
    HieraTimedTotal function = hiera_timing_function(observed->first_function);
    bool is_known = function.executions >= in_force.executions && now - since_ns >= in_force.least_ns;
    if (!is_known && now - since_ns < in_force.most_ns)
        return;
    HieraAddressRange range = range_of(observed->plan, observed->moved.base, 0);
    HieraTimedPlan *timed = put_back();
    if (!timed)
        return;
    if (!timed->problem && is_known && goes_deeper(timed)) {
        if (try(what.depth + 1)) { /* the new plan also times all loops of this one */
            timed->is_superseded = true;
            return;
        }
    } else {
        set_aside(range);
    }
    publish(0);
}

/* Address, not yet examined, with most samples around; 0: there are too few samples there. */
static uintptr_t find_hottest(void)
{
    enum { SPOTS_OF_A_FUNCTION = 4 };
    uint64_t samples = 0, here = 0;
    uintptr_t address = 0;
    if (n_done < FUNCTIONS_MAX && hiera_lock_enter()) {
        address = hiera_search_hottest(is_done, &samples, &here);
        hiera_lock_leave();
    }
    if (samples < SAMPLES_MIN)
        return 0;
    if (address != 0 && is_above(here * SPOTS_OF_A_FUNCTION, samples))
        return address;
    rest_until_ns = hiera_clock_monotonic_ns() + REST_NS;
    return 0;
}

static void decide(void)
{
    if (observed) {
        judge();
        return;
    }
    uintptr_t hot = find_hottest();
    if (hot != 0 && locate(hot, &what))
        try(1);
    else if (hot != 0)
        set_aside(around(hot));
}

/* --- the first rank decides, and this rank follows --- */

static void follow(void)
{
    HieraSearchDecision published;
    HieraAddressRange range;
    if (!hiera_search_decision_read(&published) || published.number == what.number)
        return;
    HieraTimedPlan *before = observed;
    if (before && !put_back())
        return;
    bool is_deeper =
        before && !before->problem && hiera_search_decision_is_same(&what, &published) && published.depth > what.depth;
    what = published;
    if (what.depth > 0 && observe(true, &range) && is_deeper)
        before->is_superseded = true;
}

/* --- the thread of the search --- */

/* Copy the settings of the search. @return  whether it is on: it may be switched off while a function is timed */
static bool is_wanted(void)
{
    if (!hiera_lock_enter())
        return false;
    in_force = hiera_settings.search;
    hiera_lock_leave();
    return in_force.is_on;
}

static void look(void)
{
    if (!is_wanted()) {
        if (observed && put_back() && what.depth > 0)
            publish(0);
        return;
    }
    if (hiera_clock_monotonic_ns() < rest_until_ns)
        return;
    if (!in_force.is_common)
        decide();
    else if (!hiera_life.joined)
        return; /* which rank decides is known after MPI_Init */
    else if (hiera_job.rank == hiera_job.first)
        decide();
    else
        follow();
}

/* Thread of the search; a thread of its own, since hiera-image may take seconds. */
static void *search(void *nothing)
{
    while (!hiera_life.closed) {
        uint64_t times = in_force.is_common ? 1 + (uint64_t)hiera_job.size / RANKS_AT_ONCE : 1;
        uint64_t ns = LOOK_EVERY_NS * times;
        const struct timespec pause = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
        nanosleep(&pause, NULL);
        if (!hiera_life.closed)
            look();
    }
    return nothing;
}

void hiera_search_prepare(void)
{
    const HieraSearch *wanted = &hiera_settings.search;
    if (hiera_settings.sample.period_ns == 0 && (wanted->is_on || hiera_settings.attach)) {
        hiera_settings.sample.period_ns = SAMPLE_PERIOD_NS;
        hiera_settings.sample.waits = !wanted->is_on;
    }
    if (wanted->is_on && wanted->is_common)
        hiera_globals_load(false);
}

static bool has_begun;

void hiera_search_in_child(void)
{
    has_begun = false; /* the thread of the search is the parent's */
}

/* Begin the thread of the search, if there is none. @return  NULL, or why there is no search */
static const char *begin_thread(void)
{
    const char *reason = has_begun ? NULL : hiera_timed_search();
    if (has_begun || reason)
        return reason;
    has_begun = hiera_helper_begin_thread(search, NULL);
    return has_begun ? NULL : "there is no thread for it";
}

void hiera_search_load(void)
{
    if (hiera_settings.search.is_on && hiera_sampling_is_on() && !hiera_life.closed)
        begin_thread();
}

const char *hiera_search_switch(const HieraSearch *wanted)
{
    bool is_common = hiera_settings.search.is_common;
    if (wanted->is_on && wanted->is_common != is_common)
        return "whether one rank decides for all is settled when the job begins";
    const char *reason = wanted->is_on ? hiera_sampling_switch(true) : NULL;
    if (!reason && wanted->is_on)
        reason = begin_thread();
    if (reason || !hiera_lock_enter())
        return reason ? reason : "the process ends";
    hiera_settings.search = *wanted;
    hiera_settings.search.is_common = is_common;
    hiera_lock_leave();
    return NULL;
}

void hiera_search_show(char *text, size_t room)
{
    const HieraTimedPlan *timed = __atomic_load_n(&observed, __ATOMIC_ACQUIRE);
    const HieraPlanFunction *function = timed ? hiera_plan_part(timed->plan, timed->plan->functions) : NULL;
    snprintf(text, room, "%s", function ? hiera_plan_text(timed->plan, function->name) : "");
}
