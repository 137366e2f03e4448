/* See rule_meter.h. */
#include "asserting/rule_meter.h"
#include "asserting/rule_counts.h"
#include <string.h>

/* An execution that a rule is about, and that has not ended. */
typedef struct {
    guint32 rule, depth;
    gint64 start_ns, finish_ns;
    guint64 index; /* of its operation */
    guint values;  /* first of its totals at the begin, in `noted` */
} Frame;

struct HieraRuleMeter {
    const HieraScope *scope;
    HieraRuleCounts counts;
    GPtrArray *callers;        /* HieraSite, by depth, of the last operation */
    GArray *frames;            /* Frame, the innermost last */
    GArray *noted;             /* gint64 */
    gint64 *hidden_executions; /* by rule: executions that were only counted */
    HieraRuleOutcome outcome;
};

HieraRuleMeter *hiera_rule_meter_new(const HieraScope *scope, const HieraProcessor *processor)
{
    HieraRuleMeter *meter = g_new0(HieraRuleMeter, 1);
    meter->scope = scope;
    hiera_rule_counts_init(&meter->counts, scope);
    meter->callers = g_ptr_array_new();
    meter->frames = g_array_new(FALSE, FALSE, sizeof(Frame));
    meter->noted = g_array_new(FALSE, FALSE, sizeof(gint64));
    meter->hidden_executions = g_new0(gint64, meter->counts.n_rules);
    meter->outcome = (HieraRuleOutcome){.rank = processor->rank,
                                        .size = processor->size,
                                        .verdicts = g_new0(HieraVerdicts, meter->counts.n_rules),
                                        .totals = meter->counts.totals,
                                        .unknown = g_new0(gboolean, meter->counts.n_counters)};
    return meter;
}

void hiera_rule_meter_free(HieraRuleMeter *meter)
{
    hiera_rule_counts_clear(&meter->counts);
    g_ptr_array_unref(meter->callers);
    g_array_unref(meter->frames);
    g_array_unref(meter->noted);
    g_free(meter->hidden_executions);
    g_free(meter->outcome.verdicts);
    g_free(meter->outcome.unknown);
    g_free(meter);
}

/* --- executions --- */

static HieraVerdict judge(const HieraRuleMeter *meter, guint32 rule, const HieraEvaluation *evaluation,
                          HieraSides *sides)
{
    return hiera_rule_evaluate(meter->scope->rules, &meter->counts.rules[rule], evaluation, sides);
}

/* The execution of the innermost frame has ended. */
static void close_frame(HieraRuleMeter *meter)
{
    const Frame frame = g_array_index(meter->frames, Frame, meter->frames->len - 1);
    const HieraRule *rule = &meter->counts.rules[frame.rule];
    gint64 *values = (gint64 *)(void *)meter->noted->data + frame.values;
    for (guint i = 0; i < rule->n_counters; i++)
        values[i] = hiera_minus(meter->outcome.totals[rule->counters[i]], values[i]);
    HieraEvaluation evaluation = {.wall_ns = frame.finish_ns - frame.start_ns,
                                  .values = values,
                                  .processes = meter->outcome.size,
                                  .wall_unknown = frame.finish_ns < frame.start_ns};
    HieraInstance instance = {.row = frame.index, .rank = meter->outcome.rank, .start_ns = frame.start_ns};
    HieraVerdict verdict = frame.finish_ns == HIERA_TIME_OPEN ? HIERA_VERDICT_UNKNOWN
                                                              : judge(meter, frame.rule, &evaluation, &instance.sides);
    hiera_verdicts_add(&meter->outcome.verdicts[frame.rule], verdict, instance);
    g_array_set_size(meter->noted, frame.values);
    g_array_set_size(meter->frames, meter->frames->len - 1);
}

/* End all executions at this depth and below. */
static void close_to(HieraRuleMeter *meter, guint32 depth)
{
    while (meter->frames->len > 0 && g_array_index(meter->frames, Frame, meter->frames->len - 1).depth >= depth)
        close_frame(meter);
}

/* Whether one of the callers has the name that the rule wants. */
static gboolean is_inside(const HieraRuleMeter *meter, const HieraRule *rule)
{
    for (guint i = 0; rule->inside && i < meter->callers->len; i++) {
        const HieraSite *caller = g_ptr_array_index(meter->callers, i);
        if (caller && hiera_rule_is_inside(rule, caller->class_name, caller->operation))
            return TRUE;
    }
    return !rule->inside;
}

static gboolean is_asked_about(const HieraRuleMeter *meter, const HieraOperation *operation)
{
    const HieraScope *scope = meter->scope;
    return hiera_scope_accepts_rank(scope, meter->outcome.rank) && hiera_scope_accepts_operation(scope, operation) &&
           hiera_scope_accepts_time(scope, operation->start_ns);
}

static void open_frame(HieraRuleMeter *meter, guint32 number, const HieraOperation *operation)
{
    const HieraRule *rule = &meter->counts.rules[number];
    const Frame frame = {number,           operation->depth, operation->start_ns, operation->finish_ns,
                         operation->index, meter->noted->len};
    for (guint i = 0; i < rule->n_counters; i++)
        g_array_append_val(meter->noted, meter->outcome.totals[rule->counters[i]]);
    g_array_append_val(meter->frames, frame);
}

static void open_frames(HieraRuleMeter *meter, const HieraSiteUse *use, const HieraOperation *operation)
{
    for (guint i = 0; i < use->rules->len; i++) {
        guint32 number = g_array_index(use->rules, guint32, i);
        if (is_inside(meter, &meter->counts.rules[number]) && is_asked_about(meter, operation))
            open_frame(meter, number, operation);
    }
}

static gboolean is_inside_mpi(const HieraRuleMeter *meter)
{
    for (guint i = 0; i < meter->callers->len; i++) {
        const HieraSite *caller = g_ptr_array_index(meter->callers, i);
        if (caller && caller->mpi)
            return TRUE;
    }
    return FALSE;
}

void hiera_rule_meter_add(HieraRuleMeter *meter, const HieraOperation *operation)
{
    close_to(meter, operation->depth);
    g_ptr_array_set_size(meter->callers, (gint)operation->depth);
    open_frames(meter, hiera_rule_counts_peek_use(&meter->counts, operation->site), operation);
    if (!operation->site->mpi || !is_inside_mpi(meter))
        hiera_rule_counts_add(&meter->counts, operation);
    g_ptr_array_add(meter->callers, (gpointer)operation->site);
}

/* --- what is not known --- */

void hiera_rule_meter_add_filtered(HieraRuleMeter *meter, const HieraFiltered *filtered)
{
    const HieraSiteUse *use = hiera_rule_counts_peek_use(&meter->counts, filtered->site);
    hiera_rule_counts_add_filtered(&meter->counts, filtered);
    for (guint i = 0; i < use->rules->len; i++)
        meter->hidden_executions[g_array_index(use->rules, guint32, i)] += filtered->count;
}

/* Whether only their sums are known of calls that a rule counts. */
static gboolean has_hidden(const HieraRuleMeter *meter, const HieraRule *rule, gboolean lost)
{
    for (guint i = 0; i < rule->n_counters; i++) {
        if (lost || meter->counts.hidden[rule->counters[i]])
            return TRUE;
    }
    return FALSE;
}

/* Nobody knows in which executions hidden calls were: no verdict on them is sure. */
static void doubt_executions(HieraRuleMeter *meter, gboolean lost)
{
    for (guint i = 0; i < meter->counts.n_rules; i++) {
        HieraVerdicts *verdicts = &meter->outcome.verdicts[i];
        if (has_hidden(meter, &meter->counts.rules[i], lost))
            *verdicts = (HieraVerdicts){.n[HIERA_VERDICT_UNKNOWN] = hiera_verdicts_count(verdicts)};
        verdicts->n[HIERA_VERDICT_UNKNOWN] += (guint64)meter->hidden_executions[i];
    }
}

/* Add what was only counted to the totals, as far as its sum says enough. */
static void finish_totals(HieraRuleMeter *meter, gboolean lost)
{
    for (guint i = 0; i < meter->counts.n_counters; i++) {
        const HieraCounter *counter = &meter->counts.counters[i];
        gboolean vague = counter->metric == HIERA_METRIC_MESSAGES || counter->has_peer;
        meter->outcome.unknown[i] = lost || meter->counts.open || (meter->counts.hidden[i] && vague);
        meter->outcome.totals[i] = hiera_plus(meter->outcome.totals[i], meter->counts.hidden_sums[i]);
    }
}

static void judge_rank(HieraRuleMeter *meter, guint32 number)
{
    const HieraRule *rule = &meter->counts.rules[number];
    g_autofree gint64 *values = g_new(gint64, rule->n_counters + 1);
    g_autofree bool *unknown = g_new(bool, rule->n_counters + 1);
    HieraRuleOutcome *outcome = &meter->outcome;
    for (guint i = 0; i < rule->n_counters; i++) {
        values[i] = outcome->totals[rule->counters[i]];
        unknown[i] = outcome->unknown[rule->counters[i]];
    }
    const HieraEvaluation evaluation = {.wall_ns = outcome->wall_ns,
                                        .values = values,
                                        .unknown = unknown,
                                        .wall_unknown = outcome->wall_unknown,
                                        .processes = outcome->size};
    HieraInstance instance = {.rank = outcome->rank};
    HieraVerdict verdict = judge(meter, number, &evaluation, &instance.sides);
    hiera_verdicts_add(&outcome->verdicts[number], verdict, instance);
}

const HieraRuleOutcome *hiera_rule_meter_finish(HieraRuleMeter *meter, const HieraProcessor *processor)
{
    gboolean lost = processor->lost_calls > 0 || processor->paused_calls > 0, cut = processor->cut && !processor->ended;
    close_to(meter, 0);
    doubt_executions(meter, lost);
    finish_totals(meter, lost || cut);
    meter->outcome.size = processor->size;
    meter->outcome.wall_ns = processor->finalize_ns - processor->init_ns;
    meter->outcome.wall_unknown = cut;
    for (guint i = 0; i < meter->counts.n_rules; i++) {
        if (meter->counts.rules[i].scope == HIERA_RULE_RANK && hiera_scope_accepts_rank(meter->scope, processor->rank))
            judge_rank(meter, i);
    }
    return &meter->outcome;
}
