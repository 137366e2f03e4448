/* See words.h. Tables, and a matcher for wildcards that only backtracks to the last `*`. */
#include "words.h"
#include "dtd/kinds.h"
#include "operations.h"
#include "text/nearest.h"
#include <string.h>
#include <strings.h>

/* --- kinds of probes and of events --- */

enum { NEVER, MAY, MUST };

const HieraProbeKindRow hiera_probe_kinds[HIERA_N_PROBE_KINDS] = {
#define X(identifier, word, name, period) {word, name != NEVER, name == MUST, period != NEVER, period == MUST},
    HIERA_PROBE_KINDS(X)
#undef X
};

static const struct {
    HieraProbeKind kind;
    const char *word;
} events[] = {
#define X(identifier, kind, word) {HIERA_PROBE_##kind, word},
    HIERA_PROBE_EVENTS(X)
#undef X
};

static bool is(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

HieraProbeKind hiera_probe_kind_find(const char *word, size_t length)
{
    unsigned i = 0;
    while (i < HIERA_N_PROBE_KINDS && (length == 0 || !is(hiera_probe_kinds[i].word, word, length)))
        i++;
    return (HieraProbeKind)i;
}

HieraProbeEventKind hiera_probe_event_find(HieraProbeKind kind, const char *word, size_t length)
{
    unsigned i = 0;
    while (i < HIERA_N_PROBE_EVENTS && (events[i].kind != kind || !is(events[i].word, word, length)))
        i++;
    return (HieraProbeEventKind)i;
}

HieraProbeKind hiera_probe_event_probe(HieraProbeEventKind event)
{
    return events[event].kind;
}

const char *hiera_probe_event_word(HieraProbeEventKind event)
{
    return events[event].word;
}

/* --- variables of events --- */

enum {
    CALL_ = 1 << HIERA_PROBE_CALL,
    REGION_ = 1 << HIERA_PROBE_REGION,
    MESSAGE_ = 1 << HIERA_PROBE_MESSAGE,
    USER_ = 1 << HIERA_PROBE_USER,
    PLACED_ = CALL_ | REGION_ | MESSAGE_ | USER_, /* kinds of events that have a place in the program */
    MEMORY_ = 1 << HIERA_PROBE_MEMORY,
    PROC_ = 1 << HIERA_PROBE_PROC,
    READ_COUNTERS_ = 1 << HIERA_PROBE_COUNTER | 1 << HIERA_PROBE_COUNTER_TYPE | 1 << HIERA_PROBE_COUNTER_CREATE,
    COUNTERS_ = READ_COUNTERS_ | 1 << HIERA_PROBE_COUNTER_LIST,
    EVERY_ = (1 << HIERA_N_PROBE_KINDS) - 1
};

const HieraProbeVariableRow hiera_probe_variables[HIERA_N_PROBE_VARIABLES] = {
#define X(identifier, name, type, kinds) {name, HIERA_VALUE_##type, kinds},
    HIERA_PROBE_VARIABLES(X)
#undef X
};

HieraProbeVariableId hiera_probe_variable_find(const char *name, size_t length, HieraProbeKind kind)
{
    unsigned i = 0;
    while (i < HIERA_N_PROBE_VARIABLES &&
           (!(hiera_probe_variables[i].kinds & 1u << kind) || !is(hiera_probe_variables[i].name, name, length)))
        i++;
    return (HieraProbeVariableId)i;
}

bool hiera_probe_is_argument(const char *name, size_t length)
{
    static const char *const arguments[] = {
#define X(name, type) name,
        HIERA_ARGUMENTS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        if (is(arguments[i], name, length))
            return true;
    }
    return false;
}

HieraValue hiera_probe_part_of_counter(HieraProbeVariableId variable, const char *name)
{
    size_t before = strcspn(name, "("), length = strlen(name);
    switch (variable) {
    case HIERA_PROBE_VARIABLE_COUNTER_NAME:
        return hiera_value_text(name, length);
    case HIERA_PROBE_VARIABLE_COUNTER_TYPE:
        return hiera_value_text(name, before);
    case HIERA_PROBE_VARIABLE_COUNTER_PARAMETERS:
        return before + 1 < length ? hiera_value_text(name + before + 1, length - before - 2) : hiera_value_missing();
    default:
        return hiera_value_missing();
    }
}

/* --- names in descriptions --- */

bool hiera_probe_pattern_fits(const char *pattern, const char *name)
{
    const char *star = NULL, *behind = NULL; /* the last `*` of the pattern; where in the name its match ends */
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            behind = name;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++behind;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool hiera_probe_has_wildcard(const char *pattern)
{
    return strpbrk(pattern, "*?") != NULL;
}

bool hiera_probe_name_fits(HieraProbeKind kind, const char *pattern, const char *name)
{
    switch (kind) {
    case HIERA_PROBE_CALL:
        return hiera_probe_call_fits(pattern, name);
    case HIERA_PROBE_COUNTER_TYPE:
        return hiera_probe_has_wildcard(pattern) ? hiera_probe_pattern_fits(pattern, name)
                                                 : strncmp(pattern, name, strlen(pattern)) == 0;
    case HIERA_PROBE_PROC:
        return hiera_probe_has_wildcard(pattern) ? hiera_probe_pattern_fits(pattern, name)
                                                 : strstr(name, pattern) != NULL;
    default:
        return hiera_probe_pattern_fits(pattern, name);
    }
}

typedef enum Kind {
#define X(identifier, name, collective) OF_##identifier,
    HIERA_KINDS(X)
#undef X
} Kind;

static const struct {
    const char *name, *group;
    Kind kind;
} operations[] = {
#define X(name, kind, starts, group) {name, group, OF_##kind},
    HIERA_OPERATIONS(X)
#undef X
};
enum { N_OPERATIONS = sizeof operations / sizeof operations[0], LONGEST_CALL = 64 };

/* MPI functions, and their different names in traces. */
static const char *const renamed[][2] = {{"bcast", "broadcast"}, {"recv", "receive"}};

/* Convert a pattern to the form of names in traces: without `MPI_`, in lower case. */
static void simplify(const char *pattern, char simple[LONGEST_CALL])
{
    size_t n = 0;
    if (strncasecmp(pattern, "mpi_", 4) == 0)
        pattern += 4;
    for (; *pattern && n < LONGEST_CALL - 1; pattern++)
        simple[n++] = *pattern >= 'A' && *pattern <= 'Z' ? (char)(*pattern | 0x20) : *pattern;
    simple[n] = '\0';
    for (unsigned i = 0; i < sizeof renamed / sizeof renamed[0]; i++) {
        if (strcmp(simple, renamed[i][0]) == 0)
            strcpy(simple, renamed[i][1]);
    }
}

static bool is_in_group(const char *group, const char *operation)
{
    for (unsigned i = 0; i < N_OPERATIONS; i++) {
        if (strcmp(operations[i].name, operation) == 0)
            return strcmp(operations[i].group, group) == 0;
    }
    return false;
}

bool hiera_probe_call_fits(const char *pattern, const char *operation)
{
    char simple[LONGEST_CALL];
    simplify(pattern, simple);
    return hiera_probe_pattern_fits(simple, operation) || is_in_group(pattern, operation);
}

bool hiera_probe_call_is(const char *word, size_t length)
{
    char simple[LONGEST_CALL], copy[LONGEST_CALL];
    bool is_one = false;
    if (length >= sizeof copy)
        return false;
    memcpy(copy, word, length);
    copy[length] = '\0';
    simplify(copy, simple);
    for (unsigned i = 0; i < N_OPERATIONS; i++)
        is_one = is_one || strcmp(operations[i].name, simple) == 0;
    return is_one;
}

bool hiera_probe_call_is_known(const char *pattern, const char **nearest)
{
    char simple[LONGEST_CALL];
    simplify(pattern, simple);
    HieraNearest search = hiera_nearest_begin(simple, strlen(simple));
    for (unsigned i = 0; i < N_OPERATIONS; i++) {
        if (hiera_probe_call_fits(pattern, operations[i].name))
            return true;
        hiera_nearest_offer(&search, operations[i].name);
        hiera_nearest_offer(&search, operations[i].group);
    }
    *nearest = search.best;
    return false;
}

/* --- MPI functions that wait --- */

/* Whether a function returns at once though others of its kind wait. Functions of MPI-IO need not wait. */
static bool returns_at_once(const char *operation)
{
    static const char *const begins[] = {"test", "request_get_status", "win_test", "comm_idup"};
    if (operation[0] == 'i' && strncmp(operation, "intercomm_", 10) != 0)
        return true;
    for (unsigned i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        if (strncmp(operation, begins[i], strlen(begins[i])) == 0)
            return true;
    }
    return false;
}

static bool kind_waits(Kind kind)
{
    switch (kind) {
    case OF_LOCAL:
    case OF_START:
    case OF_PUT:
    case OF_GET:
    case OF_UPDATE:
    case OF_EXPOSE:
    case OF_IO:
    case OF_IO_ALL:
        return false;
    default:
        return true;
    }
}

bool hiera_probe_call_waits(const char *operation)
{
    for (unsigned i = 0; i < N_OPERATIONS; i++) {
        if (strcmp(operations[i].name, operation) == 0)
            return kind_waits(operations[i].kind) && !returns_at_once(operation);
    }
    return false;
}
