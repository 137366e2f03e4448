/* Declares probes of the program, whose variables become known when the program first reaches them; reports features
 * that a host lacks. */
#include "script.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const HieraUserProbe *hiera_script_find_user(const HieraProbeScript *script, const char *name)
{
    for (unsigned i = 0; i < script->n_users; i++) {
        if (strcmp(script->users[i].name, name) == 0)
            return &script->users[i];
    }
    return NULL;
}

/* Whether a probe of the program that the clause names may still be declared. */
static bool is_undeclared(const HieraProbeScript *script, const HieraClause *clause)
{
    return clause->kind == HIERA_PROBE_USER && (!clause->probe || !hiera_script_find_user(script, clause->probe));
}

bool hiera_script_waits(const HieraProbeScript *script)
{
    bool waits = false;
    for (unsigned i = 0; i < script->n_clauses; i++)
        waits = waits || is_undeclared(script, &script->clauses[i]);
    return waits;
}

/* --- messages about clauses --- */

static void append_report(const HieraProbeScript *script, const HieraExpressionError *error,
                          char report[HIERA_PROBE_REPORT])
{
    char more[HIERA_PROBE_REPORT];
    size_t n = strlen(report);
    hiera_script_report(script, error, more);
    if (n == 0)
        strcpy(report, more);
    else if (n + 1 + strlen(more) < HIERA_PROBE_REPORT)
        strcat(strcat(report, "\n"), more);
}

static void blame_clause(const HieraProbeScript *script, const HieraClause *clause, const char *message,
                         char report[HIERA_PROBE_REPORT])
{
    HieraExpressionError error = {.at = clause->description.at, .length = clause->description.length};
    snprintf(error.message, sizeof error.message, "%s", message);
    append_report(script, &error, report);
}

/* --- list of declared probes --- */

static void free_user(HieraUserProbe *user)
{
    for (unsigned i = 0; user->names && i < user->n; i++)
        free(user->names[i]);
    free(user->name);
    free(user->names);
    free(user->types);
}

void hiera_script_free_users(HieraProbeScript *script)
{
    for (unsigned i = 0; i < script->n_users; i++)
        free_user(&script->users[i]);
    free(script->users);
}

static bool add_user(HieraProbeScript *script, const char *name, unsigned n, const char *const *names,
                     const HieraValueType *types)
{
    HieraUserProbe *users = realloc(script->users, (script->n_users + 1) * sizeof *users);
    if (!users)
        return false;
    script->users = users;
    HieraUserProbe user = {strdup(name), n, calloc(n + 1, sizeof *user.names), calloc(n + 1, sizeof *user.types)};
    bool good = user.name && user.names && user.types;
    for (unsigned i = 0; good && i < n; i++) {
        user.types[i] = types[i];
        user.names[i] = strdup(names[i]);
        good = user.names[i] != NULL;
    }
    if (good)
        users[script->n_users++] = user;
    else
        free_user(&user);
    return good;
}

static bool is_same(const HieraUserProbe *user, unsigned n, const char *const *names, const HieraValueType *types)
{
    bool same = user->n == n;
    for (unsigned i = 0; same && i < n; i++)
        same = user->types[i] == types[i] && strcmp(user->names[i], names[i]) == 0;
    return same;
}

/* --- clauses about a declared probe --- */

static bool is_about(const HieraClause *clause, const char *name)
{
    return clause->kind == HIERA_PROBE_USER && hiera_probe_name_fits(HIERA_PROBE_USER, clause->pattern, name);
}

/* Find the first clause about this probe of the program; NULL: there is none. */
static const HieraClause *find_clause(const HieraProbeScript *script, const char *name)
{
    for (unsigned i = 0; i < script->n_clauses; i++) {
        if (is_about(&script->clauses[i], name))
            return &script->clauses[i];
    }
    return NULL;
}

/* Whether some clause uses the declared probe now, or will use it when other probes are declared. */
static bool is_taken(const HieraProbeScript *script, const char *name)
{
    for (unsigned i = 0; i < script->n_clauses; i++) {
        const HieraClause *clause = &script->clauses[i];
        if (is_about(clause, name) && (clause->ready || clause->probe) && !clause->off)
            return true;
        for (const HieraClause *variant = clause->variants; variant; variant = variant->next) {
            if (!variant->off && strcmp(variant->probe, name) == 0)
                return true;
        }
    }
    return false;
}

/* Add a variant of a clause, to be compiled for a probe whose name matches. */
static bool add_variant(HieraClause *clause, const char *probe)
{
    HieraClause *variant = malloc(sizeof *variant);
    HieraAction *actions = malloc((clause->n_actions + 1) * sizeof *actions);
    if (!variant || !actions) {
        free(variant);
        free(actions);
        return false;
    }
    *variant = (HieraClause){.kind = clause->kind,
                             .probe = probe,
                             .description = clause->description,
                             .predicate_span = clause->predicate_span,
                             .actions = actions,
                             .n_actions = clause->n_actions,
                             .first_own = clause->first_own,
                             .next = clause->variants};
    for (unsigned i = 0; i < clause->n_actions; i++) {
        actions[i] = clause->actions[i];
        actions[i].ranks = NULL; /* no expression is compiled yet, since the clause waits for a declaration */
    }
    __atomic_store_n(&clause->variants, variant, __ATOMIC_RELEASE);
    return true;
}

static bool add_variants(HieraProbeScript *script, const HieraUserProbe *user)
{
    bool good = true;
    for (unsigned i = 0; i < script->n_clauses; i++) {
        HieraClause *clause = &script->clauses[i];
        if (is_about(clause, user->name) && !clause->probe && !clause->ready)
            good = add_variant(clause, user->name) && good;
    }
    return good;
}

/* A step of compiling a clause or variant, tried when that is possible. A failure switches the clause off. */
typedef bool Step(HieraScriptReader *reader, unsigned number, HieraClause *clause);
static bool try_step(HieraProbeScript *script, unsigned number, HieraClause *clause, Step *step,
                     char report[HIERA_PROBE_REPORT])
{
    HieraScriptReader reader = {.script = script, .probe = clause->probe};
    HieraExpressionError error;
    if (clause->ready || clause->off || is_undeclared(script, clause))
        return false;
    bool any = step(&reader, number, clause);
    if (!reader.failed)
        return any;
    error = reader.error;
    if (clause != &script->clauses[number])
        snprintf(error.message, sizeof error.message, "for the probe '%.60s': %.*s", clause->probe,
                 (int)sizeof error.message - 90, reader.error.message);
    __atomic_store_n(&clause->off, true, __ATOMIC_RELAXED);
    append_report(script, &error, report);
    return any;
}

/* Apply a step to all clauses. @return  whether a step has returned true */
static bool each_clause(HieraProbeScript *script, Step *step, char report[HIERA_PROBE_REPORT])
{
    bool any = false;
    for (unsigned i = 0; i < script->n_clauses; i++) {
        any = try_step(script, i, &script->clauses[i], step, report) || any;
        for (HieraClause *variant = script->clauses[i].variants; variant; variant = variant->next)
            any = try_step(script, i, variant, step, report) || any;
    }
    return any;
}

static bool step_learn(HieraScriptReader *reader, unsigned number, HieraClause *clause)
{
    (void)clause;
    return hiera_types_learn(reader, number);
}

static bool step_compile(HieraScriptReader *reader, unsigned number, HieraClause *clause)
{
    hiera_script_compile_clause(reader, number, clause);
    return false;
}

static bool declare(HieraProbeScript *script, const char *name, unsigned n, const char *const *names,
                    const HieraValueType *types, char report[HIERA_PROBE_REPORT])
{
    const HieraClause *clause = find_clause(script, name);
    const HieraUserProbe *known = hiera_script_find_user(script, name);
    char message[HIERA_EXPRESSION_MESSAGE];
    if (!clause)
        return false;
    if (known && !is_same(known, n, names, types)) {
        snprintf(message, sizeof message,
                 "the program has a second probe '%.60s', with other variables; it is left out", name);
        blame_clause(script, clause, message, report);
        return false;
    }
    if (known)
        return is_taken(script, name);
    if (!add_user(script, name, n, names, types) || !add_variants(script, &script->users[script->n_users - 1])) {
        blame_clause(script, clause, "out of memory", report);
        return false;
    }
    while (each_clause(script, step_learn, report)) {
    }
    each_clause(script, step_compile, report);
    hiera_types_fix(script);
    return is_taken(script, name);
}

bool hiera_probe_script_declare_user(HieraProbeScript *script, const char *name, unsigned n, const char *const *names,
                                     const HieraValueType *types, char report[HIERA_PROBE_REPORT])
{
    report[0] = '\0';
    if (!hiera_spin_lock_take(&script->lock))
        return false;
    bool taken = declare(script, name, n, names, types, report);
    hiera_spin_lock_release(&script->lock);
    return taken;
}

/* --- features that a host lacks --- */

static bool refuse(const HieraProbeScript *script, HieraSpan where, const char *who, const char *what,
                   char report[HIERA_PROBE_REPORT])
{
    HieraExpressionError error = {.at = where.at, .length = where.length};
    snprintf(error.message, sizeof error.message, "%s has no %s", who, what);
    append_report(script, &error, report);
    return false;
}

static bool actions_suit(const HieraProbeScript *script, const char *who, unsigned has, char report[HIERA_PROBE_REPORT])
{
    bool globals = has & HIERA_PROBE_HAS_GLOBALS, published = has & HIERA_PROBE_HAS_PUBLISHED;
    for (unsigned i = 0; i < script->n_clauses; i++) {
        for (unsigned k = 0; k < script->clauses[i].n_actions; k++) {
            const HieraAction *action = &script->clauses[i].actions[k];
            bool locks = action->kind == HIERA_ACTION_LOCK || action->kind == HIERA_ACTION_UNLOCK;
            if (action->sign == '#' && !globals)
                return refuse(script, action->name, who,
                              "variables that all ranks share; an aggregation is gathered by global_print()", report);
            if (action->kind == HIERA_ACTION_PRINT_NOW && !published)
                return refuse(script, action->all, who, "global_print() before the end; put it into END { … }", report);
            if (locks && action->of_job && !globals)
                return refuse(script, action->all, who, "locks between ranks", report);
        }
    }
    return true;
}

static bool has_rank(const HieraClause *clause, int64_t size)
{
    bool has = !clause->ranks;
    for (int64_t rank = 0; rank < size && !has; rank++)
        has = hiera_expression_holds(clause->ranks, &rank);
    return has;
}

bool hiera_probe_script_lacks_ranks(const HieraProbeScript *script, int64_t size, char report[HIERA_PROBE_REPORT])
{
    char message[HIERA_EXPRESSION_MESSAGE];
    report[0] = '\0';
    snprintf(message, sizeof message,
             "the job has the ranks 0 to %lld, none of which is in this list: the clause does nothing",
             (long long)size - 1);
    if (size == 1)
        snprintf(message, sizeof message,
                 "the job has rank 0 alone, which is not in this list: the clause does nothing");
    for (unsigned i = 0; i < script->n_clauses; i++)
        if (!has_rank(&script->clauses[i], size))
            blame_clause(script, &script->clauses[i], message, report);
    return report[0];
}

bool hiera_probe_script_suits(const HieraProbeScript *script, const char *who, unsigned kinds,
                              char report[HIERA_PROBE_REPORT])
{
    char message[HIERA_EXPRESSION_MESSAGE];
    report[0] = '\0';
    for (unsigned i = 0; i < script->n_clauses; i++) {
        const HieraClause *clause = &script->clauses[i];
        if (kinds & 1u << clause->kind)
            continue;
        if (clause->kind == HIERA_PROBE_USER)
            snprintf(message, sizeof message, "%s has no probes of the program such as '%.60s'", who, clause->pattern);
        else
            snprintf(message, sizeof message, "%s has no events of %s", who, hiera_probe_kinds[clause->kind].word);
        blame_clause(script, clause, message, report);
        return false;
    }
    return actions_suit(script, who, kinds, report);
}
