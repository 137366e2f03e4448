/* Passes the records of each thread's buffer, in their order, to meters that check rules. */
#include "expect.h"

#include "base/life.h"
#include "base/message.h"
#include "base/settings.h"
#include "job/job.h"
#include "kept_file.h"
#include "memory/signal_safe_memory.h"
#include "meter_part.h"
#include "record/assertion.h"
#include "record/region_names.h"
#include "rules_file.h"

#include <stdint.h>
#include <string.h>

typedef struct HieraExpecting {
    HieraMeterPart parts[HIERA_N_RULES_FROM];
    size_t passed; /* offset in the thread's buffer, up to which its records were passed to the meters */
} HieraExpecting;

/* [from]: the rules of one origin (file or source), and their meters over all threads. */
static struct {
    HieraRules *rules;
    HieraMeter *process; /* meters of all ended threads, added up */
    HieraMeter *all;     /* meters of all ended and running threads, added up at the process's end */
    bool lost;           /* there was no memory for a thread's meter, so its measurements are missing */
} sets[HIERA_N_RULES_FROM];
static char report[HIERA_RULES_REPORT];
static HieraMeterRequests *requests[HIERA_N_RULES_FROM]; /* Requests whose messages have not arrived yet, for each
                                                            origin; a meter removes them on arrival. */

void hiera_expect_load(void)
{
    if (hiera_settings.enabled && hiera_settings.assert_[0])
        sets[HIERA_RULES_FILE].rules = hiera_rules_file_read(hiera_settings.assert_, hiera_settings.values, report);
}

static void complain_of_limits(const HieraRules *rules)
{
    unsigned n = 0;
    char text[HIERA_RULES_REPORT];
    const HieraRule *rule = rules ? hiera_rules_peek(rules, &n) : NULL;
    for (unsigned i = 0; i < n; i++) {
        if (hiera_rule_report_limit(rules, &rule[i], text))
            hiera_message("%s", text);
    }
}

void hiera_expect_complain(void)
{
    complain_of_limits(sets[HIERA_RULES_FILE].rules);
    if (!sets[HIERA_RULES_FILE].rules)
        hiera_message_lines("HIERA_ASSERT: ", report);
}

HieraRules *hiera_expect_rules(HieraRulesFrom from)
{
    return sets[from].rules;
}

bool hiera_expect_any(void)
{
    return sets[HIERA_RULES_FILE].rules || sets[HIERA_RULES_SOURCE].rules;
}

void hiera_expect_set_rules(HieraRulesFrom from, HieraRules *rules)
{
    sets[from].rules = rules;
}

/* --- meters: what is measured for rules, per thread --- */

static const HieraMeterMemory pages = {hiera_memory_grow, hiera_memory_free};

static void keep_in_file(HieraRulesFrom from, HieraMeter *meter)
{
    if (meter && from == HIERA_RULES_FILE)
        hiera_meter_set_keeper(meter, &hiera_kept_file_keeper);
}

/* Make the meter of a thread, or extend it by the rules that were added since it was made. */
static void prepare(HieraMeterPart *part, HieraRulesFrom from, unsigned thread)
{
    if (!sets[from].rules || sets[from].lost)
        return;
    if (part->meter) {
        if (hiera_meter_fit(part->meter))
            hiera_meter_part_renumber(part);
        return;
    }
    if (!requests[from])
        requests[from] = hiera_meter_requests_new(&pages);
    HieraMeter *meter = requests[from] ? hiera_meter_new(sets[from].rules, &pages, requests[from]) : NULL;
    sets[from].lost = !meter || !hiera_meter_part_begin(part, from, meter);
    if (part->meter)
        hiera_meter_set_thread(part->meter, thread);
    keep_in_file(from, part->meter);
}

/* The meters of a thread, ready for all rules. NULL if there are no rules or there is no memory; then nothing is known
 * about the thread. */
static HieraExpecting *expecting_of(HieraThread *thread)
{
    if (HIERA_LIKELY(!hiera_expect_any()))
        return NULL;
    if (!thread->expecting)
        thread->expecting = hiera_memory_new(sizeof *thread->expecting);
    for (unsigned from = 0; from < HIERA_N_RULES_FROM; from++) {
        if (thread->expecting)
            prepare(&thread->expecting->parts[from], (HieraRulesFrom)from, (unsigned)thread->number);
        else
            sets[from].lost = true;
    }
    return thread->expecting;
}

/* --- passing records to the meters --- */

static int64_t ns(uint64_t ticks)
{
    return (int64_t)hiera_clock_ns(ticks);
}

/* Report to the meter that a region or function begins; a filtered one, too, since an end record will follow. */
static void open_region(HieraMeterPart *part, const HieraRecord *record)
{
    uint32_t site = 0;
    if (record->call == HIERA_RECORD_REGION)
        site = hiera_meter_part_region(part, ((const HieraRegionRecord *)(const void *)record)->name);
    else if (record->call == HIERA_RECORD_FUNCTION)
        site = hiera_meter_part_function(part, ((const HieraFunctionRecord *)(const void *)record)->function);
    hiera_meter_open(part->meter, site, ns(record->start), 0, true);
    if (site != 0)
        hiera_meter_count(part->meter, &(HieraMetered){.calls = 1,
                                                       .has_end = true,
                                                       .peer = HIERA_METER_NO_PEER,
                                                       .source = HIERA_METER_NO_PEER,
                                                       .bytes = HIERA_METER_NO_BYTES,
                                                       .rbytes = HIERA_METER_NO_BYTES});
}

static void hide_functions(HieraMeterPart *part, const HieraCountedRecord *record)
{
    if (record->function)
        hiera_meter_hide(part->meter, hiera_meter_part_function(part, record->function),
                         &(HieraMetered){.calls = (int64_t)record->count,
                                         .bytes = HIERA_METER_NO_BYTES,
                                         .rbytes = HIERA_METER_NO_BYTES});
}

static void pass_values(HieraMeterPart *part, const HieraValuesRecord *record)
{
    if (part->from == HIERA_RULES_SOURCE)
        hiera_meter_set_variables(part->meter, record->assertion->rule, record->values, record->assertion->n);
}

/* Handle the begin and end of calls in callbacks. They look like a region without a call site; the enclosing MPI call
 * stays open meanwhile. Returns whether the record was one. */
static bool is_around(HieraMeterPart *part, const HieraRecord *record)
{
    if (record->call == HIERA_RECORD_FILTERED && !record->site) {
        part->n_around++;
        return true;
    }
    if (record->call != HIERA_RECORD_END || HIERA_LIKELY(part->n_around == 0))
        return false;
    part->n_around--;
    hiera_level.meter_leave(part->meter, part->calls);
    return true;
}

static void pass_record(HieraMeterPart *part, const HieraRecord *record)
{
    if (HIERA_LIKELY(record->call >= HIERA_RECORD_CALLS)) {
        hiera_level.meter(part->meter, part->calls, record);
        return;
    }
    if (is_around(part, record))
        return;
    switch (record->call) {
    case HIERA_RECORD_END:
        hiera_meter_close(part->meter, ns(record->start));
        break;
    case HIERA_RECORD_REGION:
    case HIERA_RECORD_FUNCTION:
    case HIERA_RECORD_FILTERED:
        open_region(part, record);
        break;
    case HIERA_RECORD_COUNTED:
        hide_functions(part, (const HieraCountedRecord *)(const void *)record);
        break;
    case HIERA_RECORD_VALUES:
        pass_values(part, (const HieraValuesRecord *)(const void *)record);
        break;
    default: /* HIERA_RECORD_FLUSH, HIERA_RECORD_COUNTERS: nothing to measure */
        break;
    }
}

static bool is_in_progress(const HieraRecord *record)
{
    return record->call >= HIERA_RECORD_CALLS && __atomic_load_n(&record->finish, __ATOMIC_ACQUIRE) == 0;
}

/* The end of the thread's complete records: the first MPI call in progress, or, if `all`, the last record. */
static const char *end_of(const HieraThread *thread, const char *from, bool all)
{
    const char *end = __atomic_load_n(&thread->next, __ATOMIC_ACQUIRE), *at = all ? end : from;
    while (at < end && !is_in_progress((const HieraRecord *)(const void *)at))
        at += ((const HieraRecord *)(const void *)at)->bytes;
    return at;
}

static uint64_t finalize_ticks; /* time of MPI_Finalize, in ticks; 0: not called yet */

void hiera_expect_set_finalize(uint64_t ticks)
{
    __atomic_store_n(&finalize_ticks, ticks, __ATOMIC_RELAXED);
}

static void set_mpi(HieraMeter *meter)
{
    uint64_t end = __atomic_load_n(&finalize_ticks, __ATOMIC_RELAXED);
    hiera_meter_set_mpi(meter, hiera_life.joined ? ns(hiera_job.init_ticks) : INT64_MAX, end ? ns(end) : INT64_MAX);
}

void hiera_expect_pass(HieraThread *thread, bool all)
{
    HieraExpecting *expecting = expecting_of(thread);
    if (!expecting)
        return;
    const char *begin = thread->base + expecting->passed, *end = end_of(thread, begin, all);
    for (unsigned i = 0; i < HIERA_N_RULES_FROM; i++) {
        HieraMeterPart *part = &expecting->parts[i];
        if (!part->meter)
            continue;
        hiera_meter_set_rank(part->meter, hiera_job.rank, hiera_job.size);
        set_mpi(part->meter);
        for (const char *at = begin; at < end; at += ((const HieraRecord *)(const void *)at)->bytes)
            pass_record(part, (const HieraRecord *)(const void *)at);
        if (HIERA_UNLIKELY(hiera_assertion_is_judged_now && i == HIERA_RULES_FILE))
            hiera_expect_say_rules(part->meter);
    }
    expecting->passed = (size_t)(end - thread->base);
}

const HieraVerdicts *hiera_expect_verdicts(const HieraThread *thread, unsigned rule)
{
    const HieraMeter *meter = thread->expecting ? thread->expecting->parts[HIERA_RULES_SOURCE].meter : NULL;
    return meter ? hiera_meter_peek_verdicts(meter, rule) : NULL;
}

void hiera_expect_rewind(HieraThread *thread)
{
    if (thread->expecting)
        thread->expecting->passed = 0;
}

/* --- adding up the meters of threads --- */

static bool has_process(HieraRulesFrom from)
{
    if (sets[from].process)
        hiera_meter_fit(sets[from].process);
    else
        sets[from].process = hiera_meter_new(sets[from].rules, &pages, NULL);
    keep_in_file(from, sets[from].process);
    sets[from].lost = sets[from].lost || !sets[from].process;
    return sets[from].process != NULL;
}

void hiera_expect_end_thread(HieraThread *thread)
{
    HieraExpecting *expecting = thread->expecting;
    if (!expecting)
        return;
    hiera_expect_pass(thread, true);
    for (unsigned i = 0; i < HIERA_N_RULES_FROM; i++) {
        HieraMeterPart *part = &expecting->parts[i];
        if (part->meter && has_process(part->from))
            hiera_meter_add(sets[i].process, part->meter);
        hiera_meter_part_end(part);
    }
    thread->expecting = NULL;
    hiera_memory_free(expecting, sizeof *expecting);
}

/* Add up the meters of ended and running threads. *open becomes true if some operation has no end yet. */
static HieraMeter *add_all(HieraRulesFrom from, HieraThread *threads, bool *open)
{
    HieraMeter *all = has_process(from) ? hiera_meter_new(sets[from].rules, &pages, NULL) : NULL;
    if (!all)
        return NULL;
    hiera_meter_add(all, sets[from].process);
    for (HieraThread *thread = threads; thread; thread = thread->next_thread) {
        HieraMeter *meter = thread->expecting ? thread->expecting->parts[from].meter : NULL;
        if (!meter)
            continue;
        *open = *open || hiera_meter_depth(meter) > 0;
        hiera_meter_add(all, meter);
    }
    return all;
}

bool hiera_expect_has_seen(const HieraThread *threads)
{
    bool has = threads != NULL;
    for (unsigned i = 0; i < HIERA_N_RULES_FROM; i++)
        has = has || sets[i].process;
    return has;
}

static const HieraOutcome *finish(HieraRulesFrom from, HieraThread *threads, const HieraMeteredRank *rank, bool early)
{
    HieraMeteredRank known = *rank;
    bool open = false;
    hiera_meter_free(sets[from].all);
    HieraMeter *all = sets[from].all = sets[from].rules ? add_all(from, threads, &open) : NULL;
    if (!all)
        return NULL;
    known.lost = known.lost || sets[from].lost;
    known.cut = known.cut || (open && !early);
    hiera_meter_set_rank(all, hiera_job.rank, hiera_job.size);
    return hiera_meter_finish(all, &known);
}

void hiera_expect_finish(HieraThread *threads, const HieraMeteredRank *rank, bool early,
                         const HieraOutcome *outcomes[HIERA_N_RULES_FROM])
{
    for (HieraThread *thread = threads; thread; thread = thread->next_thread)
        hiera_expect_pass(thread, true);
    for (unsigned i = 0; i < HIERA_N_RULES_FROM; i++)
        outcomes[i] = finish((HieraRulesFrom)i, threads, rank, early);
}
