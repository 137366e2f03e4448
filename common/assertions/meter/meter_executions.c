/* Follows begins and ends of operations, and evaluates each execution of a rule where it ends. See meter.h. */
#include "meter_parts.h"

void hiera_meter_set_rank(HieraMeter *meter, int64_t rank, int64_t size)
{
    meter->outcome.rank = rank;
    meter->outcome.size = size;
}

void hiera_meter_set_thread(HieraMeter *meter, int64_t thread)
{
    meter->thread = thread;
}

static void push_frame(HieraMeter *meter, uint32_t number)
{
    const HieraRule *rule = &meter->rules->rules[number];
    if (!hiera_meter_room(meter, &meter->frames, sizeof(HieraMeterFrame), 1) ||
        !hiera_meter_room(meter, &meter->noted, sizeof(int64_t), rule->n_counters))
        return;
    ((HieraMeterFrame *)meter->frames.items)[meter->frames.n++] = (HieraMeterFrame){number, meter->noted.n};
    int64_t *noted = (int64_t *)meter->noted.items + meter->noted.n;
    hiera_meter_settle(meter);
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

void hiera_meter_set_mpi(HieraMeter *meter, int64_t from_ns, int64_t to_ns)
{
    meter->mpi_from_ns = from_ns;
    meter->mpi_to_ns = to_ns;
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

/* Whether the host has set the variables of this execution of a marked rule; they are used once. The host sets
 * variables, even if there are none, where the program itself ends an execution, but not where longjmp has left it. */
static bool has_variables(HieraMeter *meter, uint32_t rule)
{
    const HieraRule *of = &meter->rules->rules[rule];
    bool has = meter->has_variables && meter->rule_of_variables == rule && meter->n_variables >= of->n_variables;
    meter->has_variables = meter->has_variables && !has;
    return has;
}

/* Evaluate the innermost execution, which has ended. */
static void end_execution(HieraMeter *meter, const HieraMeterOpen *open, int64_t finish_ns)
{
    const HieraMeterFrame *frame = (const HieraMeterFrame *)meter->frames.items + --meter->frames.n;
    const HieraRule *rule = &meter->rules->rules[frame->rule];
    int64_t *values = (int64_t *)meter->noted.items + frame->noted;
    hiera_meter_settle(meter);
    for (unsigned i = 0; i < rule->n_counters; i++)
        values[i] = meter->totals[rule->counters[i]] - values[i];
    bool left = rule->marked && !has_variables(meter, frame->rule);
    const HieraEvaluation evaluation = {.wall_ns = finish_ns - open->start_ns,
                                        .values = values,
                                        .wall_unknown = finish_ns < open->start_ns,
                                        .nothing_known = finish_ns == HIERA_METER_NO_END || left,
                                        .processes = meter->outcome.size,
                                        .outside_mpi = finish_ns < meter->mpi_from_ns || finish_ns > meter->mpi_to_ns,
                                        .variables = meter->variables};
    bool has_end = !evaluation.nothing_known;
    HieraInstance instance = {.row = open->row,
                              .rank = meter->outcome.rank,
                              .thread = meter->thread,
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

void hiera_meter_set_variables(HieraMeter *meter, unsigned rule, const double *values, unsigned n)
{
    meter->has_variables = true;
    meter->rule_of_variables = rule;
    meter->n_variables = n < HIERA_MOST_VARIABLES ? n : HIERA_MOST_VARIABLES;
    for (unsigned i = 0; i < meter->n_variables; i++)
        meter->variables[i] = values[i];
}

size_t hiera_meter_depth(const HieraMeter *meter)
{
    return meter->open.n;
}
