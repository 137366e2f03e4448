/* See expect.h. Walks over the records of a buffer, as the writer does. */
#include "expect.h"

#include "base/message.h"
#include "base/settings.h"
#include "base/signal_safe_memory.h"
#include "job/job.h"
#include "record/region_names.h"
#include "rules_file.h"
#include "write/level_ops.h"
#include "write/region_format.h"

#include <stdint.h>
#include <string.h>

/* A function, and its number in the meter. */
typedef struct FunctionSite {
    const void *function; /* NULL: an empty place */
    uint32_t site;
} FunctionSite;

/* The meter of a thread. */
typedef struct HieraExpecting {
    HieraMeter *meter;
    size_t told;             /* offset in the thread's buffer: the records before it were told */
    void *calls;             /* memory of hiera_level.meter() */
    FunctionSite *functions; /* hashed by address */
    size_t n_functions, room_functions;
    bool ended; /* hiera_expect_finish() has closed its executions */
} HieraExpecting;

static HieraRules *rules;
static char report[HIERA_RULES_REPORT];
static HieraMeter *process; /* what threads did that have ended */
static HieraMeterRequests *requests;
static bool lost;           /* no memory for a meter */

void hiera_expect_load(void)
{
    if (hiera_settings.enabled && hiera_settings.assert_[0])
        rules = hiera_rules_file_read(hiera_settings.assert_, hiera_settings.values, report);
}

/* A line after the other, so that a caret stays under its place. */
void hiera_expect_complain(void)
{
    const char *line = !rules && report[0] ? report : NULL;
    while (line) {
        size_t length = strcspn(line, "\n");
        hiera_message("%s%.*s", line == report ? "HIERA_ASSERT: " : "", (int)length, line);
        line = line[length] ? line + length + 1 : NULL;
    }
}

const HieraRules *hiera_expect_rules(void)
{
    return rules;
}

/* --- meters --- */

static const HieraMeterMemory pages = {hiera_memory_grow, hiera_memory_free};

static HieraExpecting *begin(void)
{
    if (!requests)
        requests = hiera_meter_requests_new(&pages);
    HieraExpecting *expecting = requests ? hiera_memory_new(sizeof *expecting) : NULL;
    if (!expecting)
        return NULL;
    expecting->calls = hiera_memory_new(hiera_level.meter_bytes());
    expecting->meter = expecting->calls ? hiera_meter_new(rules, &pages, requests) : NULL;
    if (expecting->meter)
        return expecting;
    hiera_memory_free(expecting->calls, hiera_level.meter_bytes());
    hiera_memory_free(expecting, sizeof *expecting);
    return NULL;
}

static void end(HieraExpecting *expecting)
{
    hiera_meter_free(expecting->meter);
    hiera_memory_free(expecting->calls, hiera_level.meter_bytes());
    hiera_memory_free(expecting->functions, expecting->room_functions * sizeof *expecting->functions);
    hiera_memory_free(expecting, sizeof *expecting);
}

/* The meter of a thread. NULL if there are no rules or is no memory: then nothing is known of the thread. */
static HieraExpecting *expecting_of(HieraThread *thread)
{
    if (HIERA_UNLIKELY(rules && !thread->expecting && !lost)) {
        thread->expecting = begin();
        lost = !thread->expecting;
    }
    return thread->expecting;
}

/* --- records --- */

static int64_t ns(uint64_t ticks)
{
    return (int64_t)hiera_clock_ns(ticks);
}

static uint32_t new_site(HieraExpecting *expecting, const char *level, const char *name)
{
    const char *colons = strcmp(level, "oops") == 0 ? hiera_region_last_colons(name) : NULL;
    char class_name[HIERA_REGION_TEXT_MAX + 1] = "";
    if (colons)
        memcpy(class_name, name, (size_t)(colons - name));
    return hiera_meter_site(expecting->meter, false, class_name, colons ? colons + 2 : name);
}

static uint32_t site_of_region(HieraExpecting *expecting, HieraName *name)
{
    if (name->metered == 0)
        name->metered = 1 + new_site(expecting, name->level, hiera_name_text(name));
    return name->metered - 1;
}

static FunctionSite *place_of(const HieraExpecting *expecting, const void *function)
{
    size_t mask = expecting->room_functions - 1;
    size_t at = (size_t)((uint64_t)(uintptr_t)function * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
    while (expecting->functions[at].function && expecting->functions[at].function != function)
        at = (at + 1) & mask;
    return &expecting->functions[at];
}

static bool make_place(HieraExpecting *expecting)
{
    size_t old_room = expecting->room_functions, room = old_room ? 2 * old_room : 64;
    FunctionSite *old = expecting->functions;
    if (4 * expecting->n_functions < 3 * old_room)
        return true;
    FunctionSite *functions = hiera_memory_new(room * sizeof *functions);
    if (!functions)
        return false;
    expecting->functions = functions;
    expecting->room_functions = room;
    for (size_t i = 0; i < old_room; i++)
        if (old[i].function)
            *place_of(expecting, old[i].function) = old[i];
    hiera_memory_free(old, old_room * sizeof *old);
    return true;
}

static uint32_t site_of_function(HieraExpecting *expecting, const void *function)
{
    if (!make_place(expecting)) {
        hiera_meter_lose(expecting->meter);
        return 0;
    }
    FunctionSite *place = place_of(expecting, function);
    if (!place->function) {
        const HieraFunctionRecord record = {.head = {.call = HIERA_RECORD_FUNCTION}, .function = function};
        HieraRegionInfo told = hiera_region_info(&record.head);
        *place = (FunctionSite){function, new_site(expecting, told.level, told.name)};
        expecting->n_functions++;
    }
    return place->site;
}

/* Open a region or a function. One that is hidden has an end, too. */
static void open_region(HieraExpecting *expecting, const HieraRecord *record)
{
    uint32_t site = 0;
    if (record->call == HIERA_RECORD_REGION)
        site = site_of_region(expecting, ((const HieraRegionRecord *)(const void *)record)->name);
    else if (record->call == HIERA_RECORD_FUNCTION)
        site = site_of_function(expecting, ((const HieraFunctionRecord *)(const void *)record)->function);
    hiera_meter_open(expecting->meter, site, ns(record->start), 0, true);
    if (site != 0)
        hiera_meter_count(expecting->meter, &(HieraMetered){.calls = 1,
                                                            .has_end = true,
                                                            .peer = HIERA_METER_NO_PEER,
                                                            .source = HIERA_METER_NO_PEER,
                                                            .bytes = HIERA_METER_NO_BYTES,
                                                            .rbytes = HIERA_METER_NO_BYTES});
}

static void hide_functions(HieraExpecting *expecting, const HieraCountedRecord *record)
{
    if (record->function)
        hiera_meter_hide(expecting->meter, site_of_function(expecting, record->function),
                         &(HieraMetered){.calls = (int64_t)record->count,
                                         .bytes = HIERA_METER_NO_BYTES,
                                         .rbytes = HIERA_METER_NO_BYTES});
}

static void tell(HieraExpecting *expecting, const HieraRecord *record)
{
    switch (record->call) {
    case HIERA_RECORD_END:
        hiera_meter_close(expecting->meter, ns(record->start));
        break;
    case HIERA_RECORD_REGION:
    case HIERA_RECORD_FUNCTION:
    case HIERA_RECORD_HIDDEN:
        open_region(expecting, record);
        break;
    case HIERA_RECORD_COUNTED:
        hide_functions(expecting, (const HieraCountedRecord *)(const void *)record);
        break;
    case HIERA_RECORD_FLUSH:
        break;
    default:
        hiera_level.meter(expecting->meter, expecting->calls, record);
    }
}

static bool is_in_progress(const HieraRecord *record)
{
    return record->call >= HIERA_RECORD_CALLS && __atomic_load_n(&record->finish, __ATOMIC_ACQUIRE) == 0;
}

void hiera_expect_tell(HieraThread *thread, bool all)
{
    const char *end = __atomic_load_n(&thread->next, __ATOMIC_ACQUIRE);
    HieraExpecting *expecting = thread->base < end ? expecting_of(thread) : thread->expecting;
    if (!expecting)
        return;
    if (expecting->ended && thread->base + expecting->told < end)
        hiera_meter_lose(expecting->meter);
    hiera_meter_set_rank(expecting->meter, hiera_job.rank, hiera_job.size);
    while (thread->base + expecting->told < end) {
        const HieraRecord *record = (const HieraRecord *)(const void *)(thread->base + expecting->told);
        if (!all && is_in_progress(record))
            break;
        tell(expecting, record);
        expecting->told += record->bytes;
    }
}

void hiera_expect_rewind(HieraThread *thread)
{
    if (thread->expecting)
        thread->expecting->told = 0;
}

/* --- threads become one --- */

static bool has_process(void)
{
    if (!process)
        process = hiera_meter_new(rules, &pages, NULL);
    lost = lost || !process;
    return process != NULL;
}

void hiera_expect_end_thread(HieraThread *thread)
{
    HieraExpecting *expecting = thread->expecting;
    if (!expecting)
        return;
    hiera_expect_tell(thread, true);
    if (has_process())
        hiera_meter_add(process, expecting->meter);
    thread->expecting = NULL;
    end(expecting);
}

/* The sum of what has ended and what runs. *open: some operation has no end. */
static HieraMeter *add_all(HieraThread *threads, bool *open)
{
    HieraMeter *all = has_process() ? hiera_meter_new(rules, &pages, NULL) : NULL;
    if (!all)
        return NULL;
    hiera_meter_add(all, process);
    for (HieraThread *thread = threads; thread; thread = thread->next_thread) {
        hiera_expect_tell(thread, true);
        if (!thread->expecting)
            continue;
        *open = *open || hiera_meter_depth(thread->expecting->meter) > 0;
        hiera_meter_add(all, thread->expecting->meter);
        thread->expecting->ended = true;
    }
    return all;
}

const HieraOutcome *hiera_expect_finish(HieraThread *threads, const HieraMeteredRank *rank, bool early)
{
    static HieraMeter *all;
    HieraMeteredRank known = *rank;
    bool open = false;
    hiera_meter_free(all);
    all = rules ? add_all(threads, &open) : NULL;
    if (!all)
        return NULL;
    known.lost = known.lost || lost;
    known.cut = known.cut || (open && !early);
    hiera_meter_set_rank(all, hiera_job.rank, hiera_job.size);
    return hiera_meter_finish(all, &known);
}
