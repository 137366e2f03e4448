/* See search.h. */
#include "search.h"

#include "base/clock.h"
#include "base/life.h"
#include "base/lock.h"
#include "base/settings.h"
#include "helper/helper.h"
#include "places/objects.h"
#include "places/originals.h"
#include "plan_request.h"
#include "sampling/sampled_thread.h"
#include "sampling/sampling.h"
#include "timed_loops.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* A function that takes a fifth is a bottleneck, and so is a loop that takes a fifth of its function (Boccardo et al.,
 * 2005). */
enum { PARTS = 5 };
enum { SAMPLES_MIN = 100, EXECUTIONS_MIN = 5, FUNCTIONS_MAX = 24, TRIES = 4 };

#define LOOK_EVERY_NS    UINT64_C(500000000)
#define OBSERVE_AT_LEAST UINT64_C(1000000000)
#define OBSERVE_AT_MOST  UINT64_C(10000000000)
#define REST_NS          UINT64_C(5000000000)
#define SAMPLE_PERIOD_NS UINT64_C(10000000)
/* The two events of a loop inside take some 40 ns in each iteration: 4 % of that. */
#define ITERATION_AT_LEAST 1000

typedef struct Range {
    uintptr_t begin, end;
} Range;

static Range done[FUNCTIONS_MAX]; /* functions that were looked at */
static unsigned n_done;
static HieraTimedPlan *observed; /* in force; NULL: none is */
static unsigned depth;           /* of its innermost loops that are timed */
static uintptr_t hot;            /* an address in its function */
static uint64_t since_ns, rest_until_ns;
static unsigned n_refused; /* how often in turn it could not be put back */
static void *pinned;       /* the library of the function, so that it is not unloaded meanwhile */

/* --- samples --- */

enum { SPOTS = 4096, SPOT_BYTES = 512 };

/* Where samples are, roughly: a hash table with open addressing. */
typedef struct Spot {
    uintptr_t number, address; /* address: of the place with most samples */
    uint64_t count, most;
} Spot;

static Spot spots[SPOTS];
static uint64_t n_samples;

static bool is_in_mpi(const HieraSampleTree *tree, uint32_t node)
{
    for (; node != 0; node = tree->nodes[node].parent)
        if (tree->nodes[node].call >= HIERA_RECORD_CALLS && tree->nodes[node].call != HIERA_SAMPLE_OTHERS)
            return true;
    return false;
}

static void add_spot(uintptr_t address, uint64_t count)
{
    uintptr_t number = address / SPOT_BYTES + 1;
    for (unsigned i = 0; i < SPOTS; i++) {
        Spot *spot = &spots[((number * UINT64_C(0x9e3779b97f4a7c15) >> 40) + i) & (SPOTS - 1)];
        if (spot->number != 0 && spot->number != number)
            continue;
        spot->number = number;
        spot->count += count;
        spot->address = count > spot->most ? address : spot->address;
        spot->most = count > spot->most ? count : spot->most;
        return;
    }
}

/* Go through all samples outside MPI, up to now. @return how many are in a range, if one is given */
static uint64_t count_samples(const Range *range)
{
    uint64_t inside = 0;
    n_samples = 0;
    memset(spots, 0, sizeof spots);
    for (const HieraSampling *sampling = hiera_samplings; sampling; sampling = sampling->next)
        for (size_t i = 0; i < sampling->tree.room_places; i++) {
            const HieraSamplePlace *place = &sampling->tree.places[i];
            uintptr_t address = (uintptr_t)hiera_original(place->address);
            if (place->count == 0 || !address || is_in_mpi(&sampling->tree, place->node))
                continue;
            n_samples += place->count;
            if (range && address >= range->begin && address < range->end)
                inside += place->count;
            else if (!range)
                add_spot(address, place->count);
        }
    return inside;
}

static bool is_done(uintptr_t address)
{
    for (unsigned i = 0; i < n_done; i++)
        if (address >= done[i].begin && address < done[i].end)
            return true;
    return false;
}

/* The hottest place that was not looked at. 0: there is none that matters. */
static uintptr_t find_hottest(void)
{
    const Spot *found = NULL;
    count_samples(NULL);
    for (unsigned i = 0; i < SPOTS; i++)
        if (spots[i].number != 0 && !is_done(spots[i].address) && (!found || spots[i].count > found->count))
            found = &spots[i];
    /* A function has several spots. */
    return found && n_samples >= SAMPLES_MIN && found->count * PARTS * 4 >= n_samples ? found->address : 0;
}

/* --- one function --- */

static void set_aside(uintptr_t begin, uintptr_t end)
{
    if (n_done < FUNCTIONS_MAX)
        done[n_done++] = (Range){begin, end};
}

static void release(void)
{
    if (pinned)
        dlclose(pinned);
    pinned = NULL;
}

/* The file that is loaded at an address. A library stays until release(); the program itself has no name for the
 * dynamic linker, and stays. @return false: there is none */
static bool pin(uintptr_t address, char *path, size_t room, uintptr_t *base)
{
    unsigned number;
    bool is_known = false;
    if (!hiera_lock_enter())
        return false;
    const HieraObject *object = hiera_object_find((const void *)address, &number);
    is_known = object && object->path && strlen(object->path) < room;
    if (is_known) {
        strcpy(path, object->path);
        *base = object->begin;
    }
    hiera_lock_leave();
    if (is_known)
        pinned = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    return is_known;
}

/* Ask for a plan of the function at an address. @return NULL: there is none */
static const HieraPlan *plan_function(uintptr_t address, uintptr_t *base)
{
    char path[4096], wanted[64];
    if (!pin(address, path, sizeof path, base))
        return NULL;
    char *const files[] = {path, NULL};
    snprintf(wanted, sizeof wanted, HIERA_PLAN_ADDRESS "%lx%c%u", (unsigned long)(address - *base), HIERA_PLAN_DEPTH,
             depth);
    HieraPlans plans = hiera_plan_request(wanted, files);
    const HieraPlan *plan = (const HieraPlan *)(const void *)plans.bytes;
    return !plans.problem && hiera_moved_check(plan, plans.n) ? plan : NULL;
}

static Range range_of(const HieraPlan *plan, uintptr_t base)
{
    const HieraPlanFunction *function = hiera_plan_part(plan, plan->functions);
    return (Range){base + function->begin, base + function->end};
}

/* Begin to time the function at `hot`, down to `depth`. */
static void observe(void)
{
    uintptr_t base = 0;
    const HieraPlan *plan = plan_function(hot, &base);
    if (!plan || !hiera_lock_enter()) {
        set_aside(hot - SPOT_BYTES, hot + SPOT_BYTES);
        release();
        return;
    }
    Range range = plan->functions.n == 1 ? range_of(plan, base) : (Range){hot - SPOT_BYTES, hot + SPOT_BYTES};
    bool is_bottleneck = count_samples(&range) * PARTS > n_samples;
    HieraTimedPlan *timed = is_bottleneck && !hiera_life.closed ? hiera_timed_add(plan) : NULL;
    hiera_lock_leave();
    if (timed && plan->functions.n == 1) {
        timed->problem = hiera_timed_apply(timed, base, true);
        if (!timed->problem) {
            observed = timed;
            since_ns = hiera_clock_monotonic_ns();
            return;
        }
    }
    set_aside(range.begin, range.end);
    release();
}

/* A loop that takes a fifth of its function has loops inside that are worth timing. */
static bool goes_deeper(const HieraTimedPlan *timed, uint64_t of_function)
{
    const HieraPlanLoop *loops = hiera_plan_part(timed->plan, timed->plan->loops);
    for (uint32_t i = 0; i < timed->plan->loops.n; i++) {
        if (loops[i].is_timed || loops[i].parent == HIERA_PLAN_NO_LOOP || !loops[loops[i].parent].is_timed)
            continue;
        HieraTimed around = hiera_timing_loop(timed->first_loop + loops[i].parent, timed->first_function);
        uint64_t iterations = around.sum.iterations + around.sum.executions;
        if (around.sum.total * PARTS > of_function && iterations > 0 &&
            around.sum.total / iterations >= hiera_clock_ticks_of(ITERATION_AT_LEAST))
            return true;
    }
    return false;
}

/* The loops of the function that is observed: are they known now? */
static void judge(void)
{
    uint64_t now = hiera_clock_monotonic_ns();
    HieraTimed function = hiera_timing_function(observed->first_function);
    bool is_known = function.sum.executions >= EXECUTIONS_MIN && now - since_ns >= OBSERVE_AT_LEAST;
    if (!is_known && now - since_ns < OBSERVE_AT_MOST)
        return;
    HieraTimedPlan *timed = observed;
    Range range = range_of(timed->plan, timed->moved.base);
    timed->problem = hiera_moved_undo_running(&timed->moved, NULL);
    if (timed->problem && ++n_refused < TRIES) { /* a thread did not stop: it is tried again, later */
        rest_until_ns = now + REST_NS;
        return;
    }
    n_refused = 0;
    observed = NULL;
    release();
    if (timed->problem || !is_known || !goes_deeper(timed, function.sum.total)) {
        set_aside(range.begin, range.end);
        return;
    }
    depth++;
    observe();
    if (observed) /* it tells all that the one before has told */
        timed->is_superseded = true;
}

static void look(void)
{
    if (hiera_clock_monotonic_ns() < rest_until_ns)
        return;
    if (observed) {
        judge();
        return;
    }
    if (n_done == FUNCTIONS_MAX || !hiera_lock_enter())
        return;
    hot = find_hottest();
    hiera_lock_leave();
    depth = 1;
    if (hot != 0)
        observe();
    else if (n_samples >= SAMPLES_MIN)
        rest_until_ns = hiera_clock_monotonic_ns() + REST_NS;
}

/* A thread of its own, since hiera-image may take seconds. */
static void *search(void *nothing)
{
    const struct timespec pause = {0, LOOK_EVERY_NS};
    while (!hiera_life.closed) {
        nanosleep(&pause, NULL);
        if (!hiera_life.closed)
            look();
    }
    return nothing;
}

void hiera_search_prepare(void)
{
    if (hiera_settings.search && hiera_settings.sample.period_ns == 0)
        hiera_settings.sample.period_ns = SAMPLE_PERIOD_NS;
}

void hiera_search_load(void)
{
    if (hiera_settings.search && hiera_timed_search() && hiera_sampling_is_on() && !hiera_life.closed)
        hiera_helper_begin_thread(search, NULL);
}
