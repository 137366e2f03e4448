/* Events of PAPI, for each thread.
 *
 * An event set belongs to one component of PAPI and one thread. It is made and started when the thread first reads a
 * counter of it, which is slow. To add an event later, the set is stopped and started again; earlier counts are kept.
 */
#include "base/life.h"
#include "base/variable.h"
#include "counter.h"
#include "papi_library.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    OK = 0,
    NONE = -1,
    SETS = 4,
    EVENTS = 16,
    PRESETS = (int)0x80000000,
    NATIVE = 0x40000000,
    ALL = 0,
    FIRST = 1,
    PRESETS_HERE = 2
};

typedef struct Set {
    int set, component;
    unsigned n;
    int codes[EVENTS];
    long long before[EVENTS]; /* [i]: what event i had counted when the set was last stopped */
} Set;

typedef struct Sets {
    unsigned n;
    Set sets[SETS];
} Sets;

static __thread Sets *mine __attribute__((tls_model("initial-exec")));

static bool is_child(void)
{
    return getpid() != hiera_life.pid;
}

static Sets *sets_of_thread(void)
{
    if (!mine && !is_child() && !hiera_counters_are_of_process()) {
        void *memory = mmap(NULL, sizeof *mine, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mine = memory == MAP_FAILED ? NULL : memory;
        hiera_counters_note_thread();
    }
    return mine;
}

static void end_thread(void)
{
    long long values[EVENTS];
    if (!mine)
        return;
    for (unsigned i = 0; i < mine->n && !is_child(); i++) {
        hiera_papi.stop(mine->sets[i].set, values);
        hiera_papi.cleanup_eventset(mine->sets[i].set);
        hiera_papi.destroy_eventset(&mine->sets[i].set);
    }
    if (!is_child())
        hiera_papi.unregister_thread();
    munmap(mine, sizeof *mine);
    mine = NULL;
}

/* --- reading counters --- */

static Set *set_of(Sets *sets, int component)
{
    for (unsigned i = 0; i < sets->n; i++)
        if (sets->sets[i].component == component)
            return &sets->sets[i];
    Set *set = &sets->sets[sets->n];
    *set = (Set){.set = NONE, .component = component};
    if (sets->n >= SETS || hiera_papi.create_eventset(&set->set) != OK)
        return NULL;
    sets->n++;
    return set;
}

static int index_of(const Set *set, int code)
{
    for (unsigned i = 0; i < set->n; i++)
        if (set->codes[i] == code)
            return (int)i;
    return -1;
}

/* Stop the set, add an event to it, and start it again. Returns 0 or the error of PAPI. */
static int add(Set *set, int code)
{
    long long values[EVENTS];
    if (set->n >= EVENTS)
        return NONE;
    if (set->n > 0 && hiera_papi.stop(set->set, values) == OK)
        for (unsigned i = 0; i < set->n; i++)
            set->before[i] += values[i];
    int error = hiera_papi.add_event(set->set, code);
    if (error == OK)
        set->codes[set->n++] = code;
    int started = set->n > 0 ? hiera_papi.start(set->set) : OK;
    return error != OK ? error : started;
}

static void read_counters(HieraNamedCounter *const *counters, unsigned n, double *values)
{
    Sets *sets = sets_of_thread();
    Set *set = sets ? set_of(sets, (int)counters[0]->source) : NULL;
    long long read[EVENTS];
    for (unsigned i = 0; i < n && set; i++) {
        int error = index_of(set, (int)counters[i]->item) < 0 ? add(set, (int)counters[i]->item) : OK;
        if (error != OK)
            counters[i]->reason = hiera_papi.strerror(error);
    }
    if (!set || set->n == 0 || hiera_papi.read(set->set, read) != OK)
        return;
    for (unsigned i = 0; i < n; i++) {
        int at = index_of(set, (int)counters[i]->item);
        if (at >= 0)
            values[i] = hiera_variable_of_integer(set->before[at] + read[at]);
    }
}

/* --- opening and listing counters --- */

/* Return why an event cannot be counted; NULL: it can. Uses an event set of its own; none may be counting meanwhile. */
static const char *try_event(int code)
{
    int set = NONE, error = hiera_papi.create_eventset(&set);
    if (error == OK)
        error = hiera_papi.add_event(set, code);
    if (set != NONE) {
        hiera_papi.cleanup_eventset(set);
        hiera_papi.destroy_eventset(&set);
    }
    return error == OK ? NULL : hiera_papi.strerror(error);
}

static void fill(HieraNamedCounter *counter, int code)
{
    char name[HIERA_COUNTER_NAME], help[HIERA_COUNTER_HELP] = "";
    hiera_papi_tell(code, name, sizeof name, help, sizeof help);
    counter->item = (uint32_t)code;
    counter->source = (uint32_t)hiera_papi.get_event_component(code);
    counter->is_by_thread = counter->is_of_thread_alone = true;
    hiera_counter_describe(counter, "", help);
}

static void open_counter(HieraNamedCounter *counter, const char *rest)
{
    int code = 0;
    counter->reason = hiera_papi_load();
    if (counter->reason)
        return;
    counter->reason = "PAPI has no such event: hiera-run --counters lists them";
    if (hiera_papi.event_name_to_code(rest, &code) != OK)
        return;
    fill(counter, code);
    counter->reason = try_event(code);
}

static void each_of(int code, int next, int component, HieraCounterVisit *visit, void *data)
{
    if (hiera_papi.enum_cmp_event(&code, FIRST, component) != OK)
        return;
    do {
        char name[HIERA_COUNTER_NAME], help[HIERA_COUNTER_HELP];
        HieraNamedCounter counter = {.reason = NULL};
        if (hiera_papi_tell(code, name, sizeof name, help, sizeof help) != OK)
            continue;
        hiera_counter_name(&counter, "papi", name);
        fill(&counter, code);
        counter.reason = try_event(code);
        if (!counter.reason)
            visit(data, &counter);
    } while (hiera_papi.enum_cmp_event(&code, next, component) == OK);
}

static void each(HieraCounterVisit *visit, void *data)
{
    each_of(PRESETS, PRESETS_HERE, 0, visit, data);
    for (int i = 0; i < hiera_papi.num_components(); i++)
        each_of(NATIVE, ALL, i, visit, data);
}

const HieraCounterFamily hiera_counters_papi = {
    .name = "papi",
    .help = "events of PAPI, of a thread",
    .missing = hiera_papi_load,
    .each = each,
    .open = open_counter,
    .read = read_counters,
    .end_thread = end_thread,
};
