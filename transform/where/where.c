#include "where.h"
#include "base/misuse.h"
#include "waiting/waiting.h"
#include "where_attributes.h"
#include "where_names.h"
#include <string.h>

struct Where {
    HieraExpression *expression;
    unsigned needs; /* bits WHERE_NEEDS_… and WHERE_ASKS_… of the expression */
};

Where *where_compile(const char *option, const char *text, GError **error)
{
    HieraExpressionError wrong;
    const HieraExpressionPlace place = {option, 0, 1};
    unsigned needs = 0;
    const HieraExpressionHost host = where_attributes_host(&needs);
    HieraExpression *expression = hiera_expression_compile(text, strlen(text), &host, HIERA_VALUE_TRUTH, &wrong);
    if (!expression) {
        char report[HIERA_EXPRESSION_REPORT];
        hiera_expression_report(&wrong, text, strlen(text), &place, report, sizeof report);
        misuse(error, "%s", report);
        return NULL;
    }
    Where *where = g_new(Where, 1);
    *where = (Where){expression, needs | hiera_expression_needs(expression)};
    return where;
}

gboolean where_found_nothing(const HieraFindings *findings, GError **error)
{
    g_autoptr(GString) why = g_string_new("--where: no operation fulfils it");
    for (guint i = 0; i < hiera_findings_count(findings); i++) {
        const HieraFinding *finding = hiera_findings_peek(findings, i);
        if (finding->code == HIERA_FINDING_NOT_RECORDED)
            g_string_append_printf(why, "; %s", finding->message);
    }
    return misuse(error, "%s", why->str);
}

void where_free(Where *where)
{
    if (where)
        hiera_expression_free(where->expression);
    g_free(where);
}

gboolean where_needs_match(const Where *where)
{
    return where->needs & (WHERE_NEEDS_PARTNERS | WHERE_NEEDS_WAITS);
}

gboolean where_asks_files(const Where *where)
{
    return where->needs & WHERE_ASKS_FILES;
}

gboolean where_asks_counters(const Where *where)
{
    return where->needs & WHERE_ASKS_COUNTERS;
}

gboolean where_asks_attributes(const Where *where)
{
    return where->needs & WHERE_ASKS_ATTRIBUTES;
}

gboolean where_is_of_own(const Where *where)
{
    return where_needs_match(where) || where_asks_counters(where);
}

gboolean where_holds(const Where *where, WhereWalk *walk)
{
    return hiera_expression_holds(where->expression, walk);
}

/* Return the partner of each row, or the first of several; to be freed with g_free. The partner of a member of a rooted
 * collective is the root; a call that completes requests has the partners of these requests. */
static guint32 *find_partners(const HieraTrace *trace, const HieraMatch *match)
{
    guint n;
    guint32 *partner = g_new(guint32, (gsize)trace->n_operations + 1);
    memset(partner, 0xff, (gsize)trace->n_operations * sizeof *partner); /* sets all elements to HIERA_NONE */
    const HieraMessage *messages = hiera_match_peek_messages(match, &n);
    for (guint i = 0; i < n; i++) {
        partner[messages[i].from] = MIN(partner[messages[i].from], messages[i].to);
        partner[messages[i].to] = MIN(partner[messages[i].to], messages[i].from);
    }
    const HieraCollective *collectives = hiera_match_peek_collectives(match, &n);
    for (guint i = 0; i < n; i++) {
        guint n_members;
        const guint32 *members = hiera_match_peek_members(match, i, &n_members);
        for (guint member = 0; member < n_members; member++) {
            if (members[member] != collectives[i].root)
                partner[members[member]] = collectives[i].root;
        }
    }
    const HieraPair *requests = hiera_match_peek_pairs(match, HIERA_PAIRS_REQUEST, &n);
    for (guint i = 0; i < n; i++)
        partner[requests[i].completion] = MIN(partner[requests[i].completion], partner[requests[i].start]);
    return partner;
}

/* Return, by row, the time waited in the operation and in all that it called, in ns; to be freed with g_free. */
static gint64 *find_waiting(const HieraTrace *trace, const HieraMatch *match)
{
    const HieraScope all = HIERA_SCOPE_ALL;
    gint64 *waiting = hiera_waits_by_row(match, &all);
    for (guint32 row = trace->n_operations; row-- > 0;) {
        if (trace->parent[row] != HIERA_NONE)
            waiting[trace->parent[row]] = hiera_plus(waiting[trace->parent[row]], waiting[row]);
    }
    return waiting;
}

/* Values that an expression asks for, by row of a trace. */
typedef struct {
    guint32 *partner;
    gint64 *waiting;
    GString *path;
    WhereMemory memory;
} Answers;

/* @param scope  if several processes share the run, as none of them knows the waits of all operations that it has; else
 * NULL */
static void answers_init(Answers *answers, const Where *where, const HieraTrace *trace, const HieraMatch *match,
                         const HieraScope *scope)
{
    answers->path = g_string_new(NULL);
    answers->partner = where->needs & WHERE_NEEDS_PARTNERS ? find_partners(trace, match) : NULL;
    answers->waiting = where->needs & WHERE_NEEDS_WAITS ? find_waiting(trace, match) : NULL;
    if (scope && answers->partner && answers->waiting)
        hiera_scope_share_values(scope, trace, answers->waiting, sizeof *answers->waiting);
    answers->memory = (WhereMemory){trace, answers->partner, answers->waiting, answers->path};
}

static void answers_clear(Answers *answers)
{
    g_string_free(answers->path, TRUE);
    g_free(answers->partner);
    g_free(answers->waiting);
}

/* Whether the expression holds for the computation directly in the operation `around`, which the walk has reached;
 * NULL: directly in the processor, outside of all operations. */
static gboolean holds_computing(const Where *where, WhereWalk *walk, const HieraOperation *around)
{
    static const HieraSite site = {.level = "", .operation = "compute", .class_name = "", .file = "", .short_file = ""};
    const HieraProcessor *of = walk->processor;
    const HieraOperation computing = {.site = &site,
                                      .index = around ? around->index : HIERA_NO_PARENT,
                                      .parent = around ? around->index : HIERA_NO_PARENT,
                                      .thread = around ? around->thread : 0,
                                      .depth = around ? around->depth + 1 : 0,
                                      .start_ns = around ? around->start_ns : of->init_ns,
                                      .finish_ns = around ? around->finish_ns : of->finalize_ns,
                                      .comm = HIERA_NONE,
                                      .other = HIERA_NONE,
                                      .peer = HIERA_ABSENT,
                                      .source = HIERA_ABSENT,
                                      .tag = HIERA_ABSENT,
                                      .bytes = -1,
                                      .rbytes = -1};
    where_walk_step(walk, &computing);
    walk->parent = walk->row;
    return where_holds(where, walk);
}

/* Evaluate the expression for each operation or, if `computing`, for the computation directly in it. Elements for the
 * computation of each processor outside of all operations follow behind those of the operations.
 * @param scope  if there are several processes: each decides for its own processors; else NULL */
static guint8 *choose(const Where *where, const HieraTrace *trace, const HieraMatch *match, gboolean computing,
                      const HieraScope *scope)
{
    guint8 *chosen = g_new0(guint8, (gsize)trace->n_operations + trace->n_processors + 1);
    Answers answers;
    answers_init(&answers, where, trace, match, scope);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        WhereWalk walk;
        if (scope && !hiera_scope_is_own(scope, i))
            continue;
        where_walk_init(&walk, trace->catalog, of, &answers.memory);
        for (guint64 row = of->first; row < of->first + of->n_operations; row++) {
            const HieraOperation operation = where_operation(trace, of, (guint32)row);
            where_walk_step(&walk, &operation);
            walk.row = (guint32)row;
            walk.parent = trace->parent[row];
            chosen[row] = where_holds(where, &walk) || (computing && holds_computing(where, &walk, &operation));
        }
        where_walk_clear(&walk);
        where_walk_init(&walk, trace->catalog, of, &answers.memory);
        walk.row = (guint32)of->first;
        chosen[trace->n_operations + i] = computing && of->n_operations > 0 && holds_computing(where, &walk, NULL);
        where_walk_clear(&walk);
    }
    answers_clear(&answers);
    if (scope)
        hiera_scope_share_values(scope, trace, chosen, sizeof *chosen);
    return chosen;
}

guint8 *where_choose(const Where *where, const HieraTrace *trace, const HieraMatch *match, const HieraScope *scope)
{
    return choose(where, trace, match, FALSE, scope && scope->share.own && where_is_of_own(where) ? scope : NULL);
}

guint8 *where_choose_computing(const Where *where, const HieraTrace *trace, const HieraMatch *match)
{
    return choose(where, trace, match, TRUE, NULL);
}
