/* See speeds.h. A class is the set of rules that hold, as bits; the bits above are the part; above these, if there are
 * rules about loops, is the index of the rank: a loop has another share of the computation of each rank. */
#include "speeds.h"
#include "calls/timeline.h"
#include "factor_rules.h"
#include <string.h>

struct Speeds {
    FactorRules own;
    FactorRules *rules; /* rules in use: `own`, or those of the list from which this one was forked */
    guint8 *classes; /* which rules hold, as bits: by operation, then one for each rank (outside of operations); NULL:
                        no rules */
    guint32 n_operations;
    guint32 n_places;        /* number of ranks if rules name loops, whose factors differ between ranks; otherwise 1 */
    gdouble *factors;        /* factor of each rule on the speed: by rank (see n_places), then by rule */
    gdouble *speed;          /* factor on the speed of computation, by class */
    const SpeedParts *parts; /* parts with speeds of their own; NULL: none */
    GPtrArray *notes;
};

Speeds *speeds_new(void)
{
    Speeds *speeds = g_new0(Speeds, 1);
    speeds->rules = &speeds->own;
    speeds->own = (FactorRules){.option = "--speed", .example = "twice as fast", .loops = TRUE};
    speeds->notes = g_ptr_array_new_with_free_func(g_free);
    return speeds;
}

Speeds *speeds_fork(Speeds *of)
{
    Speeds *speeds = speeds_new();
    speeds->rules = of->rules;
    return speeds;
}

gboolean speeds_are_local(const Speeds *speeds)
{
    return factor_rules_are_local(speeds->rules);
}

void speeds_free(Speeds *speeds)
{
    if (!speeds)
        return;
    factor_rules_clear(&speeds->own);
    g_free(speeds->classes);
    g_free(speeds->factors);
    g_free(speeds->speed);
    g_ptr_array_unref(speeds->notes);
    g_free(speeds);
}

gboolean speeds_add(Speeds *speeds, const char *text, GError **error)
{
    return factor_rules_add(speeds->rules, text, error);
}

/* --- speed factor of each class of computation --- */

static guint32 count_parts(const Speeds *speeds)
{
    return speeds->parts ? speeds->parts->n : 1;
}

static guint32 class_of(const Speeds *speeds, guint32 place, guint32 part, guint32 rules)
{
    return (place * count_parts(speeds) + part) << speeds->rules->n | rules;
}

static void set_speeds(Speeds *speeds, guint part, gdouble factor)
{
    for (guint32 place = 0; place < speeds->n_places; place++) {
        for (guint rules = 0; rules < 1u << speeds->rules->n; rules++) {
            gdouble *speed = &speeds->speed[class_of(speeds, place, part, rules)];
            *speed = factor;
            for (guint rule = 0; rule < speeds->rules->n; rule++)
                *speed *= rules >> rule & 1 ? speeds->factors[place * FACTOR_RULES_MOST + rule] : 1;
        }
    }
}

void speeds_set_parts(Speeds *speeds, const SpeedParts *parts)
{
    speeds->parts = parts;
    speeds->speed =
        g_renew(gdouble, speeds->speed, (gsize)(speeds->n_places * MAX(count_parts(speeds), 1)) << speeds->rules->n);
    for (guint part = 0; part < count_parts(speeds); part++)
        set_speeds(speeds, part, 1);
}

void speeds_set_part_speed(Speeds *speeds, guint part, gdouble factor)
{
    set_speeds(speeds, part, factor);
}

/* --- rules about loops --- */

/* What is known of one rank to apply a rule about a loop. */
typedef struct {
    const guint8 *chosen; /* whether the rule's expression holds: by operation, then by rank outside operations */
    const HieraTrace *trace;
    const GPtrArray *loops;
    GHashTable *sites; /* HieraSite → 1 + whether the call site is within the lines of the loops */
    gint64 computed_ns, calls_ns;
} LoopPlace;

static gboolean is_at_lines(LoopPlace *place, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(place->trace, row);
    gpointer known = g_hash_table_lookup(place->sites, site);
    if (!known) {
        known = GUINT_TO_POINTER(loops_have_site(place->loops, site) + 1);
        g_hash_table_insert(place->sites, (gpointer)site, known);
    }
    return GPOINTER_TO_UINT(known) > 1;
}

static gsize place_of_span(const HieraTimeSpan *span, guint32 n_operations)
{
    return span->row == HIERA_NONE ? (gsize)n_operations + span->processor : span->row;
}

static void add_span(const HieraTimeSpan *span, gpointer user)
{
    LoopPlace *place = user;
    if (span->doing != HIERA_DOES_COMPUTE)
        place->calls_ns += is_at_lines(place, span->row) ? span->end_ns - span->begin_ns : 0;
    else if (place->chosen[place_of_span(span, place->trace->n_operations)])
        place->computed_ns += span->end_ns - span->begin_ns;
}

typedef struct {
    gboolean found, of_threads, has_calls, is_longer;
} LoopDoubts;

/* @return factor on the speed of all chosen computation of the rank, that has the same effect as a faster loop */
static gdouble find_loop_factor(const FactorRule *rule, const guint8 *chosen, const HieraTrace *trace,
                                guint32 processor, LoopDoubts *doubts)
{
    g_autoptr(GPtrArray) loops = loop_name_find(rule->loop, trace, processor);
    g_autoptr(GHashTable) sites = g_hash_table_new(NULL, NULL);
    LoopPlace place = {.chosen = chosen, .trace = trace, .loops = loops, .sites = sites};
    if (loops->len == 0)
        return 1;
    doubts->found = TRUE;
    hiera_timeline_visit(trace, processor, add_span, &place);
    const LoopTime time = loops_sum(loops);
    gint64 loop_ns = MAX(time.ns - place.calls_ns, 0);
    doubts->of_threads |= time.of_threads;
    doubts->has_calls |= place.calls_ns > 0;
    doubts->is_longer |= loop_ns > place.computed_ns;
    gdouble all = (gdouble)place.computed_ns, loop = (gdouble)MIN(loop_ns, place.computed_ns);
    return all > 0 ? all / (all - loop + loop / rule->factor) : 1;
}

static void note_loop(Speeds *speeds, const FactorRule *rule, const LoopDoubts *doubts)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(
        text,
        "--speed %s: the trace does not tell when the loop ran; what changes is spread evenly over all that "
        "its rank computes%s",
        rule->text, rule->narrowed ? " where the expression holds" : "");
    if (doubts->of_threads)
        g_string_append(text, "; several threads execute it, so the mean of their times counts");
    if (doubts->has_calls)
        g_string_append(text, "; MPI calls at its lines are left out of its time");
    if (doubts->is_longer)
        g_string_append(text, "; its time is longer than that, so it has MPI calls inside: all is changed");
    for (guint i = 0; i < speeds->notes->len; i++) {
        if (strcmp(speeds->notes->pdata[i], text->str) == 0)
            return;
    }
    g_ptr_array_add(speeds->notes, g_string_free(g_steal_pointer(&text), FALSE));
}

/* --- deciding which rules hold --- */

static gboolean have_loops(const FactorRules *rules)
{
    gboolean have = FALSE;
    for (guint i = 0; i < rules->n; i++)
        have |= rules->rules[i].loop != NULL;
    return have;
}

/* @param chosen  whether the rule's expression holds: by operation, then one for each rank */
static void set_factors(Speeds *speeds, guint index, const guint8 *chosen, const HieraTrace *trace)
{
    FactorRule *rule = &speeds->rules->rules[index];
    LoopDoubts doubts = {0};
    for (guint32 place = 0; place < speeds->n_places; place++) {
        gdouble factor = rule->loop ? find_loop_factor(rule, chosen, trace, place, &doubts) : rule->factor;
        speeds->factors[place * FACTOR_RULES_MOST + index] = factor;
    }
    if (doubts.found)
        note_loop(speeds, rule, &doubts);
    rule->held |= doubts.found;
}

void speeds_decide(Speeds *speeds, const HieraTrace *trace, const HieraMatch *match)
{
    gsize n = (gsize)trace->n_operations + trace->n_processors;
    speeds->n_operations = trace->n_operations;
    speeds->n_places = have_loops(speeds->rules) ? trace->n_processors : 1;
    speeds->factors = g_renew(gdouble, speeds->factors, (gsize)speeds->n_places * FACTOR_RULES_MOST);
    g_clear_pointer(&speeds->classes, g_free);
    if (speeds->rules->n > 0)
        speeds->classes = g_new0(guint8, n + 1);
    for (guint rule = 0; rule < speeds->rules->n; rule++) {
        g_autofree guint8 *chosen = where_choose_computing(speeds->rules->rules[rule].where, trace, match);
        for (gsize i = 0; i < n; i++) {
            speeds->classes[i] |= (guint8)(chosen[i] << rule);
            speeds->rules->rules[rule].held |= chosen[i] && !speeds->rules->rules[rule].loop;
        }
        set_factors(speeds, rule, chosen, trace);
    }
    speeds_set_parts(speeds, NULL);
}

/* --- classes of computation --- */

guint8 *speed_parts_find(const SpeedParts *parts, const HieraTimeSpan *span)
{
    if (span->next != HIERA_NONE)
        return &parts->before[span->next];
    return &parts->inside[span->row == HIERA_NONE ? (gsize)parts->n_operations + span->processor : span->row];
}

guint32 speeds_class(const Speeds *speeds, const HieraTimeSpan *span)
{
    guint32 part = speeds->parts ? *speed_parts_find(speeds->parts, span) : 0;
    guint32 rules = speeds->classes ? speeds->classes[place_of_span(span, speeds->n_operations)] : 0;
    return class_of(speeds, speeds->n_places > 1 ? span->processor : 0, part, rules);
}

const gdouble *speeds_peek(const Speeds *speeds, guint32 *n)
{
    *n = (speeds->n_places * count_parts(speeds)) << speeds->rules->n;
    return speeds->speed;
}

const GPtrArray *speeds_peek_notes(const Speeds *speeds)
{
    return speeds->notes;
}

gdouble speeds_of(const Speeds *speeds, const HieraTimeSpan *span)
{
    return speeds->speed[speeds_class(speeds, span)];
}

gboolean speeds_are_given(const Speeds *speeds)
{
    return speeds->rules->n > 0;
}

const char *speeds_find_useless(const Speeds *speeds)
{
    return factor_rules_find_useless(speeds->rules);
}
