/* Operations begin and end: which executions a meter follows, and what it finds where they end. See meter.h. */
#include "meter_parts.h"
#include <stdlib.h>
#include <string.h>

static void *grow_malloced(void *memory, size_t old_bytes, size_t bytes)
{
    char *grown = realloc(memory, bytes);
    if (grown)
        memset(grown + old_bytes, 0, bytes - old_bytes);
    return grown;
}

static void release_malloced(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

const HieraMeterMemory hiera_meter_malloced = {grow_malloced, release_malloced};

bool hiera_meter_room(HieraMeter *meter, HieraMeterArray *array, size_t size, size_t more)
{
    size_t room = array->room;
    if (array->n + more <= room)
        return true;
    while (room < array->n + more)
        room = room ? 2 * room : 64;
    void *items = meter->memory.grow(array->items, array->room * size, room * size);
    if (!items) {
        meter->lost = true;
        return false;
    }
    array->items = items;
    array->room = room;
    return true;
}

/* --- begin and end of a meter --- */

static void *new_items(HieraMeter *meter, size_t n, size_t size)
{
    void *items = meter->memory.grow(NULL, 0, (n + 1) * size);
    if (!items)
        meter->lost = true;
    return items;
}

static void make_arrays(HieraMeter *meter)
{
    size_t n_rules = meter->n_rules, n = meter->n_counters;
    meter->inside = new_items(meter, n_rules, sizeof *meter->inside);
    meter->kept = new_items(meter, n_rules, sizeof *meter->kept);
    meter->outcome.kept = new_items(meter, n_rules, sizeof *meter->outcome.kept);
    meter->hidden = new_items(meter, n_rules, sizeof *meter->hidden);
    meter->verdicts = new_items(meter, n_rules, sizeof *meter->verdicts);
    meter->outcome.verdicts = new_items(meter, n_rules, sizeof *meter->verdicts);
    meter->counters = new_items(meter, n, sizeof *meter->counters);
    meter->vague = new_items(meter, n, sizeof *meter->vague);
    meter->vague_sum = new_items(meter, n, sizeof *meter->vague_sum);
    meter->totals = new_items(meter, n, sizeof *meter->totals);
    meter->outcome.totals = new_items(meter, n, sizeof *meter->totals);
    meter->outcome.unknown = new_items(meter, n, sizeof *meter->unknown);
    meter->values = new_items(meter, n, sizeof *meter->values);
    meter->unknown = new_items(meter, n, sizeof *meter->unknown);
}

static void make_counters(HieraMeter *meter)
{
    for (size_t i = 0; i < meter->n_counters; i++) {
        const HieraCounter *counter = &meter->rules->counters[i];
        uint8_t amount = (uint8_t)hiera_metric_amount(counter->metric);
        meter->counters[i] =
            (HieraMeterCounter){amount, counter->has_peer, hiera_meter_comm(meter, counter->comm), counter->peer};
        meter->wants_requests =
            meter->wants_requests || (amount != HIERA_AMOUNT_TIME && amount != HIERA_AMOUNT_CALLS);
    }
}

HieraMeter *hiera_meter_new(const HieraRules *rules, const HieraMeterMemory *memory, HieraMeterRequests *requests)
{
    const HieraMeterMemory *of = memory ? memory : &hiera_meter_malloced;
    HieraMeter *meter = of->grow(NULL, 0, sizeof *meter);
    if (!meter)
        return NULL;
    meter->memory = *of;
    meter->has_own_requests = !requests;
    meter->requests = requests ? requests : hiera_meter_requests_new(memory);
    meter->lost = !meter->requests;
    meter->rules = rules;
    meter->n_rules = rules->n_rules;
    meter->n_counters = rules->n_counters;
    make_arrays(meter);
    if (hiera_meter_room(meter, &meter->sites, sizeof(HieraMeterSite), 1))
        meter->sites.n = 1; /* 0: of operations that no rule concerns */
    if (meter->lost) {
        hiera_meter_free(meter);
        return NULL;
    }
    make_counters(meter);
    return meter;
}

void hiera_meter_set_rank(HieraMeter *meter, int64_t rank, int64_t size)
{
    meter->outcome.rank = rank;
    meter->outcome.size = size;
}

static void release(const HieraMeter *meter, HieraMeterArray *array, size_t size)
{
    meter->memory.release(array->items, array->room * size);
}

void hiera_meter_free(HieraMeter *meter)
{
    if (!meter)
        return;
    size_t n_rules = meter->n_rules + 1, n = meter->n_counters + 1;
    void (*let_go)(void *, size_t) = meter->memory.release;
    release(meter, &meter->sites, sizeof(HieraMeterSite));
    release(meter, &meter->lists, sizeof(uint32_t));
    release(meter, &meter->open, sizeof(HieraMeterOpen));
    release(meter, &meter->frames, sizeof(HieraMeterFrame));
    release(meter, &meter->noted, sizeof(int64_t));
    for (size_t i = 0; meter->kept && i < meter->n_rules; i++)
        release(meter, &meter->kept[i], sizeof(int64_t));
    let_go(meter->kept, n_rules * sizeof *meter->kept);
    let_go(meter->outcome.kept, n_rules * sizeof *meter->outcome.kept);
    if (meter->has_own_requests)
        hiera_meter_requests_free(meter->requests);
    let_go(meter->inside, n_rules * sizeof *meter->inside);
    let_go(meter->hidden, n_rules * sizeof *meter->hidden);
    let_go(meter->verdicts, n_rules * sizeof *meter->verdicts);
    let_go(meter->outcome.verdicts, n_rules * sizeof *meter->verdicts);
    let_go(meter->counters, n * sizeof *meter->counters);
    let_go(meter->vague, n * sizeof *meter->vague);
    let_go(meter->vague_sum, n * sizeof *meter->vague_sum);
    let_go(meter->totals, n * sizeof *meter->totals);
    let_go(meter->outcome.totals, n * sizeof *meter->totals);
    let_go(meter->outcome.unknown, n * sizeof *meter->unknown);
    let_go(meter->values, n * sizeof *meter->values);
    let_go(meter->unknown, n * sizeof *meter->unknown);
    let_go(meter, sizeof *meter);
}

/* --- names --- */

uint32_t hiera_meter_comm(const HieraMeter *meter, const char *id)
{
    const HieraCounter *counters = meter->rules->counters;
    for (size_t i = 0; id && i < meter->n_counters; i++) {
        if (counters[i].comm && strcmp(counters[i].comm, id) == 0)
            return (uint32_t)i + 1; /* that of the first counter that names it */
    }
    return 0;
}

static void list(HieraMeter *meter, uint16_t *n, size_t item)
{
    if (*n == UINT16_MAX || !hiera_meter_room(meter, &meter->lists, sizeof(uint32_t), 1)) {
        meter->lost = true;
        return;
    }
    ((uint32_t *)meter->lists.items)[meter->lists.n++] = (uint32_t)item;
    ++*n;
}

/* List the counters of times first, then those of calls, then the others. */
static void list_counters(HieraMeter *meter, HieraMeterSite *site, const char *method_class, const char *operation)
{
    uint16_t *const n[] = {&site->n_times, &site->n_calls, &site->n_others};
    site->counters = (uint32_t)meter->lists.n;
    for (unsigned part = 0; part < 3; part++) {
        for (size_t i = 0; i < meter->n_counters; i++) {
            unsigned amount = meter->counters[i].amount;
            unsigned of = amount == HIERA_AMOUNT_TIME ? 0 : amount == HIERA_AMOUNT_CALLS ? 1 : 2;
            if (of == part &&
                hiera_counter_counts(&meter->rules->counters[i], site->is_mpi, method_class, operation))
                list(meter, n[part], i);
        }
    }
}

static void list_rules(HieraMeter *meter, HieraMeterSite *site, const char *method_class, const char *operation)
{
    const HieraRules *rules = meter->rules;
    site->rules = (uint32_t)meter->lists.n;
    for (size_t i = 0; i < rules->n_rules; i++) {
        if (hiera_rule_is_about(&rules->rules[i], site->is_mpi, method_class, operation))
            list(meter, &site->n_rules, i);
    }
    site->insides = (uint32_t)meter->lists.n;
    for (size_t i = 0; i < rules->n_rules; i++) {
        if (hiera_rule_is_inside(&rules->rules[i], method_class, operation))
            list(meter, &site->n_insides, i);
    }
}

static HieraMeterNeed need_of(const HieraMeter *meter, const HieraMeterSite *site)
{
    const uint32_t *counters = hiera_meter_list(meter, site->counters);
    bool has_requests = site->role != HIERA_ROLE_OTHER || site->starts != HIERA_ROLE_OTHER;
    if (site->n_rules > 0 || site->n_insides > 0 || site->n_others > 0 || (meter->wants_requests && has_requests))
        return HIERA_METER_ALL;
    for (unsigned i = 0; i < (unsigned)site->n_times + site->n_calls; i++) {
        if (meter->counters[counters[i]].comm != 0 || meter->counters[counters[i]].has_peer)
            return HIERA_METER_ALL;
    }
    return site->n_times + site->n_calls > 0 ? HIERA_METER_SUM : HIERA_METER_NOTHING;
}

uint32_t hiera_meter_site(HieraMeter *meter, bool is_mpi, const char *method_class, const char *operation)
{
    HieraMeterSite site = {.is_mpi = is_mpi};
    if (is_mpi)
        site.role = hiera_call_role(operation, &site.starts);
    list_counters(meter, &site, method_class, operation);
    list_rules(meter, &site, method_class, operation);
    site.need = need_of(meter, &site);
    if ((!is_mpi && site.need == HIERA_METER_NOTHING) || !hiera_meter_room(meter, &meter->sites, sizeof site, 1))
        return 0;
    ((HieraMeterSite *)meter->sites.items)[meter->sites.n] = site;
    return (uint32_t)meter->sites.n++;
}

/* --- executions --- */

static void push_frame(HieraMeter *meter, uint32_t number)
{
    const HieraRule *rule = &meter->rules->rules[number];
    if (!hiera_meter_room(meter, &meter->frames, sizeof(HieraMeterFrame), 1) ||
        !hiera_meter_room(meter, &meter->noted, sizeof(int64_t), rule->n_counters))
        return;
    ((HieraMeterFrame *)meter->frames.items)[meter->frames.n++] = (HieraMeterFrame){number, meter->noted.n};
    int64_t *noted = (int64_t *)meter->noted.items + meter->noted.n;
    for (unsigned i = 0; i < rule->n_counters; i++)
        noted[i] = meter->totals[rule->counters[i]];
    meter->noted.n += rule->n_counters;
}

static void begin_executions(HieraMeter *meter, const HieraMeterSite *site)
{
    const uint32_t *rules = hiera_meter_list(meter, site->rules);
    for (unsigned i = 0; i < site->n_rules; i++) {
        if (!meter->rules->rules[rules[i]].inside || meter->inside[rules[i]] > 0)
            push_frame(meter, rules[i]);
    }
}

static void enter(HieraMeter *meter, const HieraMeterSite *site, uint32_t n)
{
    const uint32_t *rules = hiera_meter_list(meter, site->insides);
    for (unsigned i = 0; i < site->n_insides; i++)
        meter->inside[rules[i]] += n;
}

void hiera_meter_open(HieraMeter *meter, uint32_t number, int64_t start_ns, uint64_t row, bool asked)
{
    meter->counts = false;
    if (meter->unkept > 0 || !hiera_meter_room(meter, &meter->open, sizeof(HieraMeterOpen), 1)) {
        meter->unkept++;
        return;
    }
    const HieraMeterSite *site = hiera_meter_peek_site(meter, number);
    ((HieraMeterOpen *)meter->open.items)[meter->open.n++] =
        (HieraMeterOpen){number, (uint32_t)meter->frames.n, start_ns, row};
    if (asked && site->n_rules > 0)
        begin_executions(meter, site);
    if (site->n_insides > 0)
        enter(meter, site, 1);
    meter->site = number;
    meter->counts = !site->is_mpi || meter->n_mpi == 0;
    meter->n_mpi += site->is_mpi;
}

/* Evaluate the innermost execution, which has ended. */
static void end_execution(HieraMeter *meter, const HieraMeterOpen *open, int64_t finish_ns)
{
    const HieraMeterFrame *frame = (const HieraMeterFrame *)meter->frames.items + --meter->frames.n;
    const HieraRule *rule = &meter->rules->rules[frame->rule];
    int64_t *values = (int64_t *)meter->noted.items + frame->noted;
    for (unsigned i = 0; i < rule->n_counters; i++)
        values[i] = meter->totals[rule->counters[i]] - values[i];
    const HieraEvaluation evaluation = {.wall_ns = finish_ns - open->start_ns,
                                        .values = values,
                                        .wall_unknown = finish_ns < open->start_ns,
                                        .nothing_known = finish_ns == HIERA_METER_NO_END,
                                        .processes = meter->outcome.size};
    bool has_end = !evaluation.nothing_known;
    HieraInstance instance = {.row = open->row,
                              .rank = meter->outcome.rank,
                              .start_ns = open->start_ns,
                              .wall_ns = has_end && !evaluation.wall_unknown ? evaluation.wall_ns : 0};
    if (rule->n_reductions > 0) {
        hiera_meter_keep(meter, rule, meter->frames.n, &evaluation, &instance);
    } else {
        HieraVerdict verdict =
            !has_end ? HIERA_VERDICT_UNKNOWN : hiera_rule_evaluate(meter->rules, rule, &evaluation, &instance.sides);
        hiera_verdicts_add(&meter->verdicts[frame->rule], verdict, instance);
    }
    meter->noted.n = frame->noted;
}

void hiera_meter_close(HieraMeter *meter, int64_t finish_ns)
{
    if (meter->unkept > 0) {
        meter->unkept--;
        return;
    }
    if (meter->open.n == 0)
        return;
    const HieraMeterOpen open = ((const HieraMeterOpen *)meter->open.items)[--meter->open.n];
    const HieraMeterSite *site = hiera_meter_peek_site(meter, open.site);
    while (meter->frames.n > open.n_frames)
        end_execution(meter, &open, finish_ns);
    if (site->n_insides > 0)
        enter(meter, site, (uint32_t)-1);
    meter->n_mpi -= site->is_mpi;
    meter->counts = false;
}

size_t hiera_meter_depth(const HieraMeter *meter)
{
    return meter->open.n;
}
