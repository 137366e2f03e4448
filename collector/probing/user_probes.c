/* Probes in the program: HIERA_PROBE, and its counterpart in Fortran. A probe is declared to the scripts when it is
 * first reached: only then are the types of its values known. */
#include "user_probes.h"

#include "base/lock.h"
#include "base/message.h"
#include "hiera.h"
#include "memory/signal_safe_memory.h"
#include "probed.h"
#include "record/region_steps.h"
#include "text/nesting.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 16, NAMES_ROOM = 512, ARGUMENTS_ROOM = NAMES_ROOM + MOST_VALUES * 10 };
enum { ASK = 1, LISTENS = 2 }; /* values of hiera_probe.listens; 0: no script has a clause for the probe */

/* A probe that was reached, with these types of values. It is kept until the process ends. */
typedef struct Known {
    struct Known *next;
    struct hiera_probe *probe; /* the probe's own variable in the program; NULL: it has none, and … */
    const void *site;          /* … this call site identifies the probe */
    HieraClauseSet clauses;
    unsigned version; /* value of the global `version` when the probe was last declared to the scripts */
    unsigned n;
    HieraValueType types[MOST_VALUES];
    const char *names[MOST_VALUES];
    char *name; /* the probe's name; in `texts` */
    char texts[NAMES_ROOM];
    char arguments[ARGUMENTS_ROOM]; /* value of &arguments, such as "n integer, x number" */
} Known;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects `all`, and declarations, which call malloc() */
static Known *all;
static unsigned version = 1;

/* --- names of a probe's values --- */

/* Return the end of an argument in the source text: a comma outside of brackets and strings, or the text's end. */
static const char *argument_end(const char *at)
{
    int depth = 0;
    for (char quote = 0; *at; at++) {
        if (quote && *at == '\\' && at[1])
            at++;
        else if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
        else if (*at == ',' && depth == 0)
            break;
        depth += quote ? 0 : hiera_nesting(*at, "()[]{}");
    }
    return at;
}

static bool is_name(const char *at, const char *end)
{
    bool good = at < end && !isdigit((unsigned char)*at);
    for (; at < end; at++)
        good = good && (isalnum((unsigned char)*at) || *at == '_');
    return good;
}

/* Name each value of a probe after its argument in the source; if that is not a plain name, "arg" and its number. */
static void name_values(Known *known, const char *at)
{
    char *to = known->texts + strlen(known->texts) + 1, *limit = known->texts + sizeof known->texts;
    for (unsigned i = 0; i < known->n; i++) {
        const char *end = argument_end(at);
        const char *begin = at, *last = end;
        while (begin < last && isspace((unsigned char)*begin))
            begin++;
        while (last > begin && isspace((unsigned char)last[-1]))
            last--;
        size_t room = (size_t)(limit - to);
        int length = is_name(begin, last) ? snprintf(to, room, "%.*s", (int)(last - begin), begin)
                                          : snprintf(to, room, "arg%u", i + 1);
        known->names[i] = to;
        to += length < limit - to ? length + 1 : 0;
        at = *end ? end + 1 : end;
    }
}

static void describe(Known *known)
{
    char *to = known->arguments, *limit = to + sizeof known->arguments;
    for (unsigned i = 0; i < known->n && to < limit; i++)
        to += snprintf(to, (size_t)(limit - to), "%s%s %s", i > 0 ? ", " : "", known->names[i],
                       known->types[i] == HIERA_VALUE_NUMBER  ? "number"
                       : known->types[i] == HIERA_VALUE_TEXT  ? "text"
                       : known->types[i] == HIERA_VALUE_TRUTH ? "truth"
                                                              : "integer");
}

/* --- declaration of probes to scripts --- */

static HieraValueType type_of(const struct hiera_probe_value *value)
{
    if (value->type == HIERA_VALUE_OF_NUMBER)
        return HIERA_VALUE_NUMBER;
    if (value->type == HIERA_VALUE_OF_TEXT)
        return HIERA_VALUE_TEXT;
    if (value->type == HIERA_VALUE_OF_TRUTH)
        return HIERA_VALUE_TRUTH;
    return HIERA_VALUE_INTEGER;
}

static bool is_same(const Known *known, const struct hiera_probe *probe, const void *site,
                    const struct hiera_probe_value *values, unsigned n)
{
    bool same = known->n == n && (probe ? known->probe == probe : known->site == site);
    for (unsigned i = 0; same && i < n; i++)
        same = known->types[i] == type_of(&values[i]);
    return same;
}

static Known *find(const struct hiera_probe *probe, const void *site, const struct hiera_probe_value *values,
                   unsigned n)
{
    Known *known = all;
    while (known && !is_same(known, probe, site, values, n))
        known = known->next;
    return known;
}

static Known *new_known(void)
{
    if (!hiera_lock_enter())
        return NULL;
    Known *known = hiera_memory_new(sizeof *known);
    hiera_lock_leave();
    return known;
}

static void fill(Known *known, struct hiera_probe *probe, const void *site, const char *name, const char *spelled,
                 const struct hiera_probe_value *values, unsigned n)
{
    known->probe = probe;
    known->site = site;
    known->n = n;
    known->name = known->texts;
    snprintf(known->texts, sizeof known->texts / 2, "%s", name ? name : "");
    for (unsigned i = 0; i < n; i++)
        known->types[i] = type_of(&values[i]);
    name_values(known, spelled);
    describe(known);
    known->next = all;
    all = known;
}

/* Find or add a probe, and take the lock. Memory is allocated before the lock is taken, since hiera_probes_start()
 * takes the lock with that of the allocator held. @return  NULL if there is no memory */
static Known *lock_known(struct hiera_probe *probe, const void *site, const char *name, const char *spelled,
                         const struct hiera_probe_value *values, unsigned n)
{
    static Known *spare; /* memory for the next new probe, if another thread added this one first */
    pthread_mutex_lock(&lock);
    Known *known = find(probe, site, values, n);
    if (known)
        return known;
    if (!spare) {
        pthread_mutex_unlock(&lock);
        Known *made = new_known();
        pthread_mutex_lock(&lock);
        spare = made ? made : spare;
        known = find(probe, site, values, n);
    }
    if (known || !spare)
        return known;
    known = spare;
    spare = NULL;
    fill(known, probe, site, name, spelled, values, n);
    return known;
}

/* Declare a probe to the script of a watcher. Returns whether the script has a clause for the probe. */
static bool is_taken(const Known *known, HieraWatcher *watcher)
{
    char report[HIERA_PROBE_REPORT] = "";
    bool taken =
        hiera_probe_script_declare_user(watcher->script, known->name, known->n, known->names, known->types, report);
    hiera_message_lines("", report);
    return taken;
}

/* Declare a probe to the scripts of all watchers, and find the clauses for the probe. */
static void declare(Known *known)
{
    known->clauses = 0;
    for (unsigned i = 0; i < HIERA_MOST_WATCHERS; i++)
        if (hiera_watcher_is_there(&hiera_watchers[i]) && is_taken(known, &hiera_watchers[i]))
            known->clauses |=
                hiera_watchers_find(HIERA_PROBE_USER, known->name) & hiera_watcher_set(&hiera_watchers[i]);
    known->version = __atomic_load_n(&version, __ATOMIC_ACQUIRE);
    if (known->probe)
        __atomic_store_n(&known->probe->listens, known->clauses ? LISTENS : 0, __ATOMIC_RELAXED);
}

/* Return what is known about a probe. It is declared first if it is new, or if scripts have started or ended since. */
static const Known *know(struct hiera_probe *probe, const void *site, const char *name, const char *spelled,
                         const struct hiera_probe_value *values, unsigned n)
{
    Known *known = lock_known(probe, site, name, spelled, values, n);
    if (known && known->version != __atomic_load_n(&version, __ATOMIC_ACQUIRE))
        declare(known);
    pthread_mutex_unlock(&lock);
    return known;
}

void hiera_user_probes_renew(void)
{
    pthread_mutex_lock(&lock);
    __atomic_add_fetch(&version, 1, __ATOMIC_ACQ_REL);
    for (Known *known = all; known; known = known->next)
        if (known->probe)
            __atomic_store_n(&known->probe->listens, ASK, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

/* --- events of probes --- */

typedef struct Event {
    HieraProbedPlace place;
    const Known *known;
    const struct hiera_probe_value *values;
    unsigned n;
    uint64_t now;
} Event;

static HieraValue get(HieraProbeVariableId variable, const void *data)
{
    const Event *event = data;
    if (variable == HIERA_PROBE_VARIABLE_TIME)
        return hiera_value_duration(hiera_probed_ns(event->place.probed, event->now));
    if (variable == HIERA_PROBE_VARIABLE_ARGUMENTS)
        return hiera_value_text(event->known->arguments, strlen(event->known->arguments));
    return hiera_probed_value(variable, &event->place);
}

static HieraValue get_user(unsigned variable, const void *data)
{
    const Event *event = data;
    const struct hiera_probe_value *value = &event->values[variable];
    switch (variable < event->n ? value->type : HIERA_VALUE_OF_NOTHING) {
    case HIERA_VALUE_OF_INTEGER:
        return hiera_value_integer(value->integer);
    case HIERA_VALUE_OF_NUMBER:
        return hiera_value_number(value->number);
    case HIERA_VALUE_OF_TRUTH:
        return hiera_value_truth(value->integer != 0);
    case HIERA_VALUE_OF_TEXT:
        return value->text ? hiera_value_text(value->text, strlen(value->text)) : hiera_value_missing();
    default:
        return hiera_value_missing();
    }
}

static void fire(HieraThread *thread, const Known *known, Event *event)
{
    event->place.thread = thread;
    event->place.n_around = thread->n_open;
    event->place.probed = hiera_probed_of(thread);
    event->place.name = known->name;
    event->known = known;
    event->now = hiera_clock_ticks();
    if (event->place.probed && !hiera_is_idle())
        hiera_probed_fire(
            thread, known->clauses,
            &(HieraProbeEvent){
                .kind = HIERA_EVENT_USER, .get = get, .data = event, .get_user = get_user, .probe = known->name});
    else if (!event->place.probed)
        hiera_probed_lose(known->clauses, HIERA_EVENT_USER);
}

/* The program has reached a probe: report the event to the scripts. Not in a callback of MPI. */
static void reach(struct hiera_probe *probe, const char *name, const char *spelled, Event *event, uintptr_t frame)
{
    HieraThread *thread = hiera_watchers_any() ? hiera_thread_current() : NULL;
    if (!thread || event->n > MOST_VALUES || !hiera_region_enter(thread, frame))
        return;
    const Known *known = probe ? __atomic_load_n(&probe->known, __ATOMIC_ACQUIRE) : NULL;
    if (!known || known->version != __atomic_load_n(&version, __ATOMIC_ACQUIRE))
        known = know(probe, event->place.site, name, spelled, event->values, event->n);
    if (known && probe)
        __atomic_store_n(&probe->known, known, __ATOMIC_RELEASE);
    if (known && known->clauses)
        fire(thread, known, event);
    hiera_region_leave(thread);
}

/* Find out, by its name alone, whether a script has a clause for this probe. The probe's values are not needed. */
static void ask(struct hiera_probe *probe)
{
    if (hiera_watchers_any() && hiera_watchers_find(HIERA_PROBE_USER, probe->name))
        __atomic_store_n(&probe->listens, LISTENS, __ATOMIC_RELAXED);
    else
        hiera_user_probe_silence(probe);
}

void hiera_probe_reached(struct hiera_probe *probe, const struct hiera_probe_value *values, unsigned n)
{
    Event event = {.place = {.site = HIERA_SITE, .file = probe->file, .line = probe->line}, .values = values, .n = n};
    const char *spelled = argument_end(probe->spelled);
    if (values)
        reach(probe, probe->name, *spelled ? spelled + 1 : spelled, &event, HIERA_FRAME);
    else
        ask(probe);
}

void hiera_probe_named(const void *call_site, const char *name, const char *names,
                       const struct hiera_probe_value *values, unsigned n)
{
    Event event = {.place = {.site = call_site ? call_site : HIERA_SITE}, .values = values, .n = n};
    reach(NULL, name, names ? names : "", &event, HIERA_FRAME);
}

/* Set the probe to cost nothing until scripts change, when hiera_user_probes_renew() finds it in `all`. */
void hiera_user_probe_silence(struct hiera_probe *probe)
{
    static const struct hiera_probe_value none[MOST_VALUES];
    if (lock_known(probe, NULL, probe->name, "", none, 0))
        __atomic_store_n(&probe->listens, 0, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}
