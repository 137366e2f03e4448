/* Probes of the program, whose variables are known when it reaches them first; and what a host cannot give. */
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

/* Is there still something to learn about what the clause asks for? */
static bool is_undeclared(const HieraProbeScript *script, const HieraClause *clause)
{
    return clause->kind == HIERA_PROBE_USER && !hiera_script_find_user(script, clause->pattern);
}

bool hiera_script_waits(const HieraProbeScript *script)
{
    bool waits = false;
    for (unsigned i = 0; i < script->n_clauses; i++)
        waits = waits || is_undeclared(script, &script->clauses[i]);
    return waits;
}

/* --- messages --- */

static void append_report(const HieraProbeScript *script, const HieraExpressionError *error, char report[HIERA_PROBE_REPORT])
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

/* --- what was declared --- */

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
    HieraUserProbe user = {
        strdup(name), n, calloc(n + 1, sizeof *user.names), calloc(n + 1, sizeof *user.types)};
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

/* --- clauses --- */

/* The first clause about a probe of the program; NULL: there is none. */
static const HieraClause *find_clause(const HieraProbeScript *script, const char *name)
{
    for (unsigned i = 0; i < script->n_clauses; i++) {
        const HieraClause *clause = &script->clauses[i];
        if (clause->kind == HIERA_PROBE_USER && strcmp(clause->pattern, name) == 0)
            return clause;
    }
    return NULL;
}

static bool is_taken(const HieraProbeScript *script, const char *name)
{
    bool taken = false;
    for (unsigned i = 0; i < script->n_clauses; i++) {
        const HieraClause *clause = &script->clauses[i];
        taken = taken || (clause->kind == HIERA_PROBE_USER && clause->ready && strcmp(clause->pattern, name) == 0);
    }
    return taken;
}

/* Do something with each clause that can be compiled now. A clause with an error does nothing from now on.
 *
 * @return whether a step has returned true */
static bool each_clause(HieraProbeScript *script, bool (*step)(HieraScriptReader *reader, unsigned clause),
                        char report[HIERA_PROBE_REPORT])
{
    bool any = false;
    for (unsigned i = 0; i < script->n_clauses; i++) {
        HieraClause *clause = &script->clauses[i];
        HieraScriptReader reader = {.script = script};
        if (clause->ready || clause->off || is_undeclared(script, clause))
            continue;
        any = step(&reader, i) || any;
        if (!reader.failed)
            continue;
        __atomic_store_n(&clause->off, true, __ATOMIC_RELAXED);
        append_report(script, &reader.error, report);
    }
    return any;
}

static bool step_compile(HieraScriptReader *reader, unsigned clause)
{
    hiera_script_compile_clause(reader, clause);
    return false;
}

static bool declare(HieraProbeScript *script, const char *name, unsigned n, const char *const *names,
                    const HieraValueType *types, char report[HIERA_PROBE_REPORT])
{
    const HieraClause *clause = find_clause(script, name);
    const HieraUserProbe *known = hiera_script_find_user(script, name);
    if (!clause)
        return false;
    if (known && !is_same(known, n, names, types)) {
        blame_clause(script, clause, "the program has a probe of this name with other variables; it is left out", report);
        return false;
    }
    if (known)
        return is_taken(script, name);
    if (!add_user(script, name, n, names, types)) {
        blame_clause(script, clause, "out of memory", report);
        return false;
    }
    while (each_clause(script, hiera_types_learn, report)) {
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

/* --- hosts --- */

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
            snprintf(message, sizeof message, "%s has no events of %s", who,
                     hiera_probe_kinds[clause->kind].word);
        blame_clause(script, clause, message, report);
        return false;
    }
    return actions_suit(script, who, kinds, report);
}
