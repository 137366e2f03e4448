/* The results of a meter at the end, and which of them are unknown. See meter.h. */
#include "meter_parts.h"
#include <string.h>

void hiera_meter_hide(HieraMeter *meter, uint32_t number, const HieraMetered *sum)
{
    const HieraMeterSite *site = hiera_meter_peek_site(meter, number);
    const uint32_t *counters = hiera_meter_list(meter, site->counters), *rules = hiera_meter_list(meter, site->rules);
    const HieraMeteredCall call = {.comm = sum->comm,
                                   .amounts[HIERA_AMOUNT_CALLS] = sum->calls,
                                   .amounts[HIERA_AMOUNT_TIME] = sum->time_ns,
                                   .amounts[HIERA_AMOUNT_SENT] = hiera_meter_known_bytes(sum->bytes),
                                   .amounts[HIERA_AMOUNT_RECEIVED] = hiera_meter_known_bytes(sum->rbytes)};
    for (unsigned i = 0; i < (unsigned)site->n_times + site->n_calls + site->n_others; i++) {
        const HieraMeterCounter *counter = &meter->counters[counters[i]];
        meter->vague[counters[i]] = true;
        if (hiera_meter_counts(counter, &call))
            meter->vague_sum[counters[i]] =
                hiera_meter_plus(meter->vague_sum[counters[i]], call.amounts[counter->amount]);
    }
    for (unsigned i = 0; i < site->n_rules; i++)
        meter->hidden[rules[i]] = hiera_meter_plus(meter->hidden[rules[i]], sum->calls);
}

const HieraVerdicts *hiera_meter_peek_verdicts(const HieraMeter *meter, unsigned rule)
{
    return &meter->verdicts[rule];
}

void hiera_meter_lose(HieraMeter *meter)
{
    meter->lost = true;
}

void hiera_meter_add(HieraMeter *meter, HieraMeter *thread)
{
    while (thread->open.n > 0)
        hiera_meter_close(thread, HIERA_METER_NO_END);
    hiera_meter_settle(meter);
    hiera_meter_settle(thread);
    for (size_t i = 0; i < meter->n_rules; i++) {
        int64_t lasted_ns = hiera_meter_plus(meter->verdicts[i].lasted_ns, thread->verdicts[i].lasted_ns);
        hiera_verdicts_merge(&meter->verdicts[i], &thread->verdicts[i]);
        meter->verdicts[i].lasted_ns = lasted_ns; /* both durations added, because both threads are of one rank */
        meter->hidden[i] = hiera_meter_plus(meter->hidden[i], thread->hidden[i]);
    }
    hiera_meter_keep_of(meter, thread);
    for (size_t i = 0; i < meter->n_counters; i++) {
        meter->totals[i] = hiera_meter_plus(meter->totals[i], thread->totals[i]);
        meter->vague[i] = meter->vague[i] || thread->vague[i];
        meter->vague_sum[i] = hiera_meter_plus(meter->vague_sum[i], thread->vague_sum[i]);
    }
    meter->lost = meter->lost || thread->lost;
    meter->open_call = meter->open_call || thread->open_call;
    meter->stray_starts = meter->stray_starts || thread->stray_starts;
    meter->stray_receives = meter->stray_receives || thread->stray_receives;
    meter->tally.stray_posts = meter->tally.stray_posts || thread->tally.stray_posts;
}

/* Whether the counter may lack messages, because requests or the sizes of receives were unknown. */
static bool misses(const HieraMeter *meter, size_t number)
{
    const HieraMeterCounter *counter = &meter->counters[number];
    bool of_messages = counter->amount != HIERA_AMOUNT_TIME && counter->amount != HIERA_AMOUNT_CALLS;
    bool of_strays = counter->amount == HIERA_AMOUNT_RECEIVED && counter->comm != 0;
    return of_messages && (meter->stray_starts || (meter->stray_receives && of_strays) ||
                           (meter->tally.stray_posts && counter->amount == HIERA_AMOUNT_TRANSFERRED));
}

/* Whether some calls that a rule counts are known only as sums, or not at all. */
static bool has_vague(const HieraMeter *meter, const HieraRule *rule, bool lost)
{
    for (unsigned i = 0; i < rule->n_counters; i++) {
        if (lost || meter->vague[rule->counters[i]] || misses(meter, rule->counters[i]))
            return true;
    }
    return false;
}

static HieraKept kept_of(const HieraMeter *meter, size_t number)
{
    const HieraRule *rule = &meter->rules->rules[number];
    const HieraMeterArray *kept = &meter->kept[number];
    return (HieraKept){kept->items, kept->n / (HIERA_KEPT_VALUES + rule->n_counters), false};
}

/* Set `unknown` of the executions that are stored for a rule over ranks. @return  whether the rule is one over
 * ranks. `verdicts` are those of the rule. */
static bool doubt_kept(HieraMeter *meter, size_t number, HieraVerdicts *verdicts, bool doubtful)
{
    if (meter->rules->rules[number].n_reductions == 0)
        return false;
    HieraKept *kept = &meter->outcome.kept[number];
    *kept = kept_of(meter, number);
    hiera_kept_sort(meter->kept[number].items, kept->n, HIERA_KEPT_VALUES + meter->rules->rules[number].n_counters);
    bool is_open = verdicts->n[HIERA_VERDICT_UNKNOWN] > 0, is_hidden = meter->hidden[number] > 0;
    kept->unknown = is_open || is_hidden || meter->lost || (doubtful && kept->n > 0);
    *verdicts = (HieraVerdicts){0};
    return true;
}

/* Make verdicts unknown if the rule counts filtered calls, because it is not known which executions made these. */
static void doubt_executions(HieraMeter *meter, bool lost)
{
    const HieraMeterFrame *frames = meter->frames.items;
    memcpy(meter->outcome.verdicts, meter->verdicts, meter->n_rules * sizeof *meter->verdicts);
    for (size_t i = 0; i < meter->frames.n; i++)
        meter->outcome.verdicts[frames[i].rule].n[HIERA_VERDICT_UNKNOWN]++;
    for (size_t i = 0; i < meter->n_rules; i++) {
        HieraVerdicts *verdicts = &meter->outcome.verdicts[i];
        bool doubtful = has_vague(meter, &meter->rules->rules[i], lost);
        if (doubt_kept(meter, i, verdicts, doubtful))
            continue;
        if (doubtful)
            *verdicts = (HieraVerdicts){.n[HIERA_VERDICT_UNKNOWN] = hiera_verdicts_count(verdicts),
                                        .lasted_ns = verdicts->lasted_ns};
        verdicts->n[HIERA_VERDICT_UNKNOWN] += (uint64_t)meter->hidden[i];
    }
}

/* Set the outcome's totals, with calls known only as sums; unknown if these sums lack the counted amount. */
static void finish_totals(HieraMeter *meter, bool lost)
{
    for (size_t i = 0; i < meter->n_counters; i++) {
        const HieraCounter *counter = &meter->rules->counters[i];
        bool says_little = counter->metric == HIERA_METRIC_MESSAGES || counter->metric == HIERA_METRIC_TRANSFERS ||
                           counter->metric == HIERA_METRIC_TRANSFER_BYTES || counter->has_peer;
        meter->outcome.unknown[i] = lost || meter->open_call || (meter->vague[i] && says_little) || misses(meter, i);
        meter->outcome.totals[i] = hiera_meter_plus(meter->totals[i], meter->vague_sum[i]);
    }
}

static void judge_rank(HieraMeter *meter, size_t number)
{
    const HieraRule *rule = &meter->rules->rules[number];
    HieraOutcome *outcome = &meter->outcome;
    for (unsigned i = 0; i < rule->n_counters; i++) {
        meter->values[i] = outcome->totals[rule->counters[i]];
        meter->unknown[i] = outcome->unknown[rule->counters[i]];
    }
    const HieraEvaluation evaluation = {.wall_ns = outcome->wall_ns,
                                        .values = meter->values,
                                        .unknown = meter->unknown,
                                        .wall_unknown = outcome->wall_unknown,
                                        .processes = outcome->size};
    HieraInstance instance = {.rank = outcome->rank, .wall_ns = outcome->wall_unknown ? 0 : outcome->wall_ns};
    HieraVerdict verdict = hiera_rule_evaluate(meter->rules, rule, &evaluation, &instance.sides);
    hiera_verdicts_add(&outcome->verdicts[number], verdict, instance);
}

const HieraOutcome *hiera_meter_finish(HieraMeter *meter, const HieraMeteredRank *rank)
{
    bool lost = rank->lost || meter->lost;
    if (!hiera_meter_make_outcome(meter))
        return NULL;
    hiera_meter_settle(meter);
    doubt_executions(meter, lost);
    finish_totals(meter, lost || rank->cut);
    meter->outcome.wall_ns = rank->wall_ns;
    meter->outcome.wall_unknown = rank->cut;
    for (size_t i = 0; i < meter->n_rules; i++) {
        const HieraRule *rule = &meter->rules->rules[i];
        if (rule->scope == HIERA_RULE_RANK && rule->n_reductions == 0 && rank->asked)
            judge_rank(meter, i);
    }
    return &meter->outcome;
}
