/* See filter_rules.h. The setting is parsed into rules once; then the rules are applied to operations. */
#include "filter_rules.h"

#include "base/settings.h"
#include "job/rank_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind { ALL, NAME, LEVEL, OPERATION, FILE_NAME, COMM, BYTES, RANK, TIME } Kind;

typedef struct Condition {
    Kind kind;
    const char *text;
    size_t length;
    int64_t low, high; /* limits of the condition: of BYTES in bytes, of TIME in nanoseconds */
} Condition;

typedef struct Rule {
    const Condition *conditions;
    size_t n;
    bool keeps;
} Rule;

static Rule *rules;
static size_t n_rules;
static bool concern_regions;

/* --- parsing of HIERA_FILTER --- */

/* Parse a number with a unit. `time`: decimals are allowed, and the result is in nanoseconds; else in bytes. -1:
 * invalid. */
static int64_t parse_quantity(const char *text, size_t length, bool time)
{
    static const struct {
        const char *name;
        bool time;
        double factor;
    } units[] = {{"", false, 1},        {"k", false, 1 << 10}, {"K", false, 1 << 10},
                 {"M", false, 1 << 20}, {"G", false, 1 << 30}, {"ns", true, 1},
                 {"us", true, 1e3},     {"ms", true, 1e6},     {"s", true, 1e9}};
    char number[32];
    size_t digits = 0;
    while (digits < length && (isdigit((unsigned char)text[digits]) || (time && text[digits] == '.')))
        digits++;
    if (digits == 0 || digits >= sizeof number || !isdigit((unsigned char)text[0]))
        return -1;
    memcpy(number, text, digits);
    number[digits] = '\0';
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (units[i].time != time || strlen(units[i].name) != length - digits ||
            memcmp(units[i].name, text + digits, length - digits) != 0)
            continue;
        double value = strtod(number, NULL) * units[i].factor;
        return value < 9e18 ? (int64_t)(value + 0.5) : INT64_MAX;
    }
    return -1;
}

/* Parse the range "A-B", "-B" or "A-"; of bytes, not time, also "A". */
static bool parse_range(Condition *condition, bool time)
{
    const char *text = condition->text, *dash = memchr(text, '-', condition->length);
    size_t first = dash ? (size_t)(dash - text) : condition->length;
    size_t second = dash ? condition->length - first - 1 : 0;
    if (condition->length < 2 - (dash == NULL) || (!dash && time))
        return false;
    condition->low = first > 0 ? parse_quantity(text, first, time) : 0;
    condition->high = second > 0 ? parse_quantity(dash + 1, second, time) : INT64_MAX;
    if (!dash)
        condition->high = condition->low;
    return condition->low >= 0 && condition->high >= condition->low;
}

/* Return what is wrong with the value of a condition; NULL: it is valid. */
static const char *check_value(Condition *condition)
{
    if (condition->length == 0)
        return "there is no value after the =";
    if (condition->kind == BYTES && !parse_range(condition, false))
        return "bytes= takes 100, 100-200, -1k or 1M-";
    if (condition->kind == TIME && !parse_range(condition, true))
        return "time= takes -1us, 5ms- or 1.5us-5ms";
    if (condition->kind == RANK && !hiera_rank_list_is_valid(condition->text, condition->length))
        return "rank= takes ranks as a trace lists them: 0-3 8";
    return NULL;
}

static const char *parse_condition(Condition *condition, const char *text, size_t length,
                                   bool (*is_known)(const char *, size_t))
{
    static const struct {
        const char *begin;
        Kind kind;
    } kinds[] = {{"level=", LEVEL}, {"operation=", OPERATION}, {"file=", FILE_NAME}, {"comm=", COMM},
                 {"bytes=", BYTES}, {"rank=", RANK},           {"time=", TIME}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t n = strlen(kinds[i].begin);
        if (length >= n && memcmp(text, kinds[i].begin, n) == 0) {
            *condition = (Condition){.kind = kinds[i].kind, .text = text + n, .length = length - n};
            return check_value(condition);
        }
    }
    *condition = (Condition){.kind = NAME, .text = text, .length = length};
    if (length == 0)
        return "a condition is missing";
    if (memchr(text, '=', length))
        return "no such condition; the conditions are level= operation= file= comm= bytes= rank= time=";
    if (length == 3 && memcmp(text, "all", 3) == 0)
        condition->kind = ALL;
    else if (!is_known(text, length))
        return "no operation, function or group of MPI has this name; the groups are env p2p completion persistent "
               "partitioned coll nbcoll pcoll neighbor comm group topo type pack op attr info errors request rma io "
               "spawn session tool status memory";
    return NULL;
}

/* Parse a rule, and store its conditions in `to`. Returns what is wrong with the rule; NULL: it is valid. */
static const char *parse_rule(Rule *rule, Condition *to, const char *text, size_t length,
                              bool (*is_known)(const char *, size_t))
{
    const char *end = text + length, *wrong = NULL;
    *rule = (Rule){.conditions = to, .keeps = *text == '+'};
    text += rule->keeps;
    for (bool more = true; more && !wrong;) {
        const char *slash = memchr(text, '/', (size_t)(end - text));
        wrong = parse_condition(to + rule->n++, text, (size_t)((slash ? slash : end) - text), is_known);
        more = slash != NULL;
        text = slash ? slash + 1 : end;
    }
    return wrong;
}

/* Whether the rule has a condition that only MPI calls can meet. */
static bool is_of_mpi_alone(const Rule *rule)
{
    for (size_t i = 0; i < rule->n; i++) {
        const Condition *condition = &rule->conditions[i];
        if (condition->kind == NAME || condition->kind == COMM || condition->kind == BYTES ||
            (condition->kind == LEVEL && condition->length == 3 && memcmp(condition->text, "mpi", 3) == 0))
            return true;
    }
    return false;
}

void hiera_rules_load(bool (*is_known)(const char *word, size_t length))
{
    char *text = strdup(hiera_settings.filter); /* copy the setting, because the program may change its environment */
    size_t room = 1;
    for (const char *at = hiera_settings.filter; *at; at++)
        room += *at == ',' || *at == '/';
    rules = calloc(room, sizeof *rules);
    Condition *conditions = calloc(room, sizeof *conditions);
    for (const char *at = text; text && rules && conditions && *at;) {
        size_t n = strcspn(at, ",");
        Rule *rule = &rules[n_rules];
        const char *wrong = n > 0 ? parse_rule(rule, conditions, at, n, is_known) : NULL;
        if (wrong) {
            hiera_settings_blame("HIERA_FILTER", at, n, wrong);
        } else if (n > 0) {
            n_rules++;
            conditions += rule->n;
            concern_regions |= !rule->keeps && !is_of_mpi_alone(rule);
        }
        at += n + (at[n] == ',');
    }
}

/* --- applying rules to operations --- */

size_t hiera_rules_count(void)
{
    return n_rules;
}

bool hiera_rules_concern_regions(void)
{
    return concern_regions;
}

typedef enum Answer { NO, YES, NOT_KNOWN } Answer;

/* `*` in the pattern matches any number of bytes, also none. */
bool hiera_rules_match(const char *pattern, size_t length, const char *text)
{
    const char *end = pattern + length, *star = NULL, *retry = NULL;
    while (*text) {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (pattern < end && *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

static bool is_word(const Condition *condition, const char *text)
{
    return text && strlen(text) == condition->length && memcmp(condition->text, text, condition->length) == 0;
}

static Answer meets_name(const Condition *condition, const HieraSubject *subject)
{
    switch (condition->kind) {
    case NAME:
    case OPERATION:
        return subject->is_named(subject, condition->text, condition->length, condition->kind == NAME) ? YES : NO;
    case LEVEL:
        return is_word(condition, subject->level) ? YES : NO;
    case FILE_NAME:
        return subject->file && hiera_rules_match(condition->text, condition->length, subject->file) ? YES : NO;
    default:
        return YES;
    }
}

static Answer meets_time(const Condition *condition, const HieraSubject *subject)
{
    if (subject->open && subject->time_ns <= condition->high)
        return subject->time_ns >= condition->low && condition->high == INT64_MAX ? YES : NOT_KNOWN;
    return subject->time_ns >= condition->low && subject->time_ns <= condition->high ? YES : NO;
}

/* `world` and `self` in a rule mean MPI_COMM_WORLD and MPI_COMM_SELF. */
static bool is_comm(const Condition *condition, const HieraSubject *subject)
{
    if (!subject->comm)
        return false;
    if (condition->length == 5 && memcmp(condition->text, "world", 5) == 0)
        return strcmp(subject->comm, "MPI_COMM_WORLD") == 0;
    if (condition->length == 4 && memcmp(condition->text, "self", 4) == 0)
        return strcmp(subject->comm, "MPI_COMM_SELF") == 0;
    return is_word(condition, subject->comm) || is_word(condition, subject->comm_name);
}

/* Whether an operation meets a condition on facts that may differ between calls of one function. */
static Answer meets_call(const Condition *condition, const HieraSubject *subject)
{
    switch (condition->kind) {
    case COMM:
        return is_comm(condition, subject) ? YES : NO;
    case BYTES:
        if (subject->open)
            return NOT_KNOWN;
        return subject->bytes >= condition->low && subject->bytes <= condition->high ? YES : NO;
    case RANK:
        return hiera_rank_list_has(condition->text, condition->length, subject->rank < 0 ? 0 : subject->rank) ? YES
                                                                                                              : NO;
    case TIME:
        return meets_time(condition, subject);
    default:
        return YES;
    }
}

/* Return whether all conditions of a rule are met: NO if `ask` gives NO for one of them. */
static Answer ask_all(const Rule *rule, const HieraSubject *subject,
                      Answer (*ask)(const Condition *, const HieraSubject *))
{
    Answer answer = YES;
    for (size_t i = 0; i < rule->n && answer != NO; i++) {
        Answer one = ask(&rule->conditions[i], subject);
        answer = one == YES ? answer : one;
    }
    return answer;
}

bool hiera_rules_name(size_t rule, const HieraSubject *subject)
{
    return ask_all(&rules[rule], subject, meets_name) == YES;
}

static bool is_same_for_all_calls(const Rule *rule)
{
    for (size_t i = 0; i < rule->n; i++)
        if (rule->conditions[i].kind >= COMM)
            return false;
    return true;
}

HieraFilterVerdict hiera_rules_foresee(const uint8_t *met)
{
    bool may_hide = false, may_keep = false;
    for (size_t i = n_rules; i-- > 0;) {
        if (!met[i])
            continue;
        may_hide |= !rules[i].keeps;
        may_keep |= rules[i].keeps;
        if (is_same_for_all_calls(&rules[i]))
            return may_hide && may_keep ? HIERA_FILTER_ASK : may_hide ? HIERA_FILTER_HIDE : HIERA_FILTER_KEEP;
    }
    return may_hide ? HIERA_FILTER_ASK : HIERA_FILTER_KEEP;
}

bool hiera_rules_hide(const HieraSubject *subject)
{
    for (size_t i = n_rules; i-- > 0;) {
        const Rule *rule = &rules[i];
        if (subject->met ? !subject->met[i] : !hiera_rules_name(i, subject))
            continue;
        Answer answer = ask_all(rule, subject, meets_call);
        if (answer == YES || (answer == NOT_KNOWN && rule->keeps))
            return !rule->keeps;
    }
    return false;
}
