/* Parses actions into ranges of the text: the name that is set, its keys, its value. Expressions are compiled when all
 * names are known. */
#include "script.h"
#include "text/nearest.h"
#include <string.h>

const char *const hiera_aggregators[HIERA_N_AGGREGATORS] = {"count", "sum",      "avg",      "min",
                                                            "max",   "quantize", "lquantize"};

static const struct {
    const char *name;
    HieraActionKind kind;
    bool of_job;
} functions[] = {{"print", HIERA_ACTION_PRINT, false},     {"global_print", HIERA_ACTION_GLOBAL_PRINT, true},
                 {"local_lock", HIERA_ACTION_LOCK, false}, {"local_unlock", HIERA_ACTION_UNLOCK, false},
                 {"global_lock", HIERA_ACTION_LOCK, true}, {"global_unlock", HIERA_ACTION_UNLOCK, true}};
enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };

static bool is(const HieraProbeScript *script, HieraSpan span, const char *word)
{
    return strlen(word) == span.length && memcmp(script->plain + span.at, word, span.length) == 0;
}

static size_t end_of(HieraSpan span)
{
    return span.at + span.length;
}

/* Find the parenthesis behind a function's name, and the matching one, which must end the action. `inside`: the text
 * between them. */
static bool find_parentheses(HieraScriptReader *reader, const HieraAction *action, size_t at, HieraSpan *inside)
{
    const HieraProbeScript *script = reader->script;
    size_t end = end_of(action->all), open = hiera_scan_blanks(script, at);
    size_t close = open < end ? hiera_scan_to(script, open + 1, end, ")") : end;
    if (hiera_scan_char(script, open) != '(' || open >= end) {
        hiera_reader_fail(reader, (HieraSpan){at, 0}, "( is missing here");
        return false;
    }
    if (close == end) {
        hiera_reader_fail(reader, (HieraSpan){open, 1}, "the parenthesis that begins here has no end: ) is missing");
        return false;
    }
    HieraSpan rest = hiera_scan_trim(script, close + 1, end);
    if (rest.length > 0)
        hiera_reader_fail(reader, rest, "; is missing before this");
    *inside = (HieraSpan){open + 1, close - open - 1};
    return !reader->failed;
}

static bool read_values(HieraScriptReader *reader, HieraAction *action, HieraSpan inside)
{
    action->n_values =
        hiera_scan_split(reader->script, inside.at, end_of(inside), action->value_spans, HIERA_MOST_PRINTED);
    if (action->n_values > HIERA_MOST_PRINTED)
        hiera_reader_fail(reader, inside, "there are more than %d arguments", HIERA_MOST_PRINTED);
    return !reader->failed;
}

/* --- functions: print, global_print, locks --- */

static void blame_function(HieraScriptReader *reader, HieraSpan name)
{
    const char *word = reader->script->plain + name.at;
    int length = name.length < 40 ? (int)name.length : 40;
    HieraNearest nearest = hiera_nearest_begin(word, name.length);
    for (unsigned i = 0; i < N_FUNCTIONS; i++)
        hiera_nearest_offer(&nearest, functions[i].name);
    if (name.length == 0)
        hiera_reader_fail(reader, (HieraSpan){name.at, 1},
                          "an action sets a variable (:name = …), aggregates (@name[…] = …) or prints");
    else if (nearest.best)
        hiera_reader_fail(reader, name, "there is no action '%.*s'; did you mean '%s'?", length, word, nearest.best);
    else
        hiera_reader_fail(reader, name,
                          "there is no action '%.*s'; a variable begins with &, : or #, an aggregation with @", length,
                          word);
}

/* Whether the first argument is an aggregation, which must be the whole argument; if so, set action->name. */
static bool takes_totals(HieraScriptReader *reader, HieraAction *action)
{
    const HieraProbeScript *script = reader->script;
    if (action->n_values == 0 || hiera_scan_char(script, action->value_spans[0].at) != '@')
        return false;
    action->name = action->value_spans[0];
    if (hiera_scan_word(script, action->name.at + 1) != end_of(action->name))
        hiera_reader_fail(reader, action->name, "an aggregation is printed as a whole, as in print(@name)");
    return true;
}

/* Turn the arguments of a function such as local_lock() into the keys of the lock. */
static void read_lock(HieraScriptReader *reader, HieraAction *action, const char *name)
{
    if (action->n_values == 0)
        hiera_reader_fail(reader, action->all, "%s() needs a key that names the lock, as in %s(1)", name, name);
    else if (action->n_values > HIERA_EXPRESSION_KEYS)
        hiera_reader_fail(reader, action->all, "there are more than %d keys", HIERA_EXPRESSION_KEYS);
    if (reader->failed)
        return;
    memcpy(action->key_spans, action->value_spans, action->n_values * sizeof *action->key_spans);
    action->n_keys = action->n_values;
    action->n_values = 0;
}

static void read_function(HieraScriptReader *reader, HieraAction *action)
{
    const HieraProbeScript *script = reader->script;
    HieraSpan inside, name = {action->all.at, hiera_scan_word(script, action->all.at) - action->all.at};
    unsigned i = 0;
    while (i < N_FUNCTIONS && !is(script, name, functions[i].name))
        i++;
    if (i == N_FUNCTIONS) {
        blame_function(reader, name);
        return;
    }
    action->kind = functions[i].kind;
    action->of_job = functions[i].of_job;
    if (!find_parentheses(reader, action, end_of(name), &inside) || !read_values(reader, action, inside))
        return;
    if (action->kind == HIERA_ACTION_LOCK || action->kind == HIERA_ACTION_UNLOCK) {
        read_lock(reader, action, functions[i].name);
        return;
    }
    bool totals = takes_totals(reader, action);
    if (action->n_values == 0)
        hiera_reader_fail(reader, action->all, "%s() prints nothing; what shall it print?", functions[i].name);
    else if (action->kind == HIERA_ACTION_GLOBAL_PRINT && !totals)
        hiera_reader_fail(reader, action->value_spans[0],
                          "global_print() prints an aggregation, as in global_print(@name)");
    else if (action->kind == HIERA_ACTION_PRINT && totals && action->n_values > 1)
        hiera_reader_fail(reader, action->value_spans[1], "print(@name) takes no further arguments");
    else if (totals && action->kind == HIERA_ACTION_PRINT)
        action->kind = HIERA_ACTION_PRINT_TOTALS;
}

/* --- actions that add to an aggregation --- */

static void blame_aggregator(HieraScriptReader *reader, HieraSpan name)
{
    const char *word = reader->script->plain + name.at;
    HieraNearest nearest = hiera_nearest_begin(word, name.length);
    for (unsigned i = 0; i < HIERA_N_AGGREGATORS; i++)
        hiera_nearest_offer(&nearest, hiera_aggregators[i]);
    if (nearest.best && name.length > 0)
        hiera_reader_fail(reader, name, "there is no aggregation '%.*s'; did you mean '%s'?",
                          name.length < 40 ? (int)name.length : 40, word, nearest.best);
    else
        hiera_reader_fail(reader, name.length ? name : (HieraSpan){name.at, 1},
                          "an aggregation is count(), sum(x), avg(x), min(x), max(x), quantize(x) or "
                          "lquantize(x, lower, upper, step)");
}

static void check_aggregator(HieraScriptReader *reader, const HieraAction *action, HieraSpan inside)
{
    static const unsigned wanted[HIERA_N_AGGREGATORS] = {0, 1, 1, 1, 1, 1, 4};
    static const char *const arguments[HIERA_N_AGGREGATORS] = {"", "x", "x", "x", "x", "x", "x, lower, upper, step"};
    const char *name = hiera_aggregators[action->function];
    if (action->n_values != wanted[action->function])
        hiera_reader_fail(reader, inside.length ? inside : action->all, "this has to be %s(%s)", name,
                          arguments[action->function]);
}

static void read_aggregator(HieraScriptReader *reader, HieraAction *action, size_t at)
{
    const HieraProbeScript *script = reader->script;
    at = hiera_scan_blanks(script, at);
    HieraSpan inside, name = {at, hiera_scan_word(script, at) - at};
    unsigned i = 0;
    while (i < HIERA_N_AGGREGATORS && !is(script, name, hiera_aggregators[i]))
        i++;
    if (i == HIERA_N_AGGREGATORS) {
        blame_aggregator(reader, name);
        return;
    }
    action->kind = HIERA_ACTION_AGGREGATE;
    action->function = (HieraAggregator)i;
    if (find_parentheses(reader, action, end_of(name), &inside) && read_values(reader, action, inside))
        check_aggregator(reader, action, inside);
}

/* --- actions that set a variable --- */

static size_t read_keys(HieraScriptReader *reader, HieraAction *action, size_t at)
{
    const HieraProbeScript *script = reader->script;
    size_t end = end_of(action->all), close = hiera_scan_to(script, at + 1, end, "]");
    if (close == end) {
        hiera_reader_fail(reader, (HieraSpan){at, 1}, "the bracket that begins here has no end: ] is missing");
        return end;
    }
    action->n_keys = hiera_scan_split(script, at + 1, close, action->key_spans, HIERA_EXPRESSION_KEYS);
    if (action->n_keys > HIERA_EXPRESSION_KEYS)
        hiera_reader_fail(reader, (HieraSpan){at, close + 1 - at}, "there are more than %d keys",
                          HIERA_EXPRESSION_KEYS);
    if (action->n_keys == 0)
        hiera_reader_fail(reader, (HieraSpan){at, close + 1 - at}, "a key is missing");
    return close + 1;
}

/* Read `=`, `+=`, `++` and the like. @return  the offset behind the operator */
static size_t read_operator(HieraScriptReader *reader, HieraAction *action, size_t at)
{
    const HieraProbeScript *script = reader->script;
    char first = hiera_scan_char(script, at), second = hiera_scan_char(script, at + 1);
    if (first == '=' && second != '=')
        return at + 1;
    if (first && strchr("+-*/%", first) && second == '=') {
        action->operator_ = first;
        return at + 2;
    }
    if ((first == '+' || first == '-') && second == first) {
        action->operator_ = first;
        return at + 2;
    }
    hiera_reader_fail(reader, (HieraSpan){at, 0}, "= is missing here");
    return at;
}

static void read_assignment(HieraScriptReader *reader, HieraAction *action)
{
    const HieraProbeScript *script = reader->script;
    size_t end = end_of(action->all), behind = hiera_scan_word(script, action->all.at + 1), sign;
    action->name = (HieraSpan){action->all.at, behind - action->all.at};
    action->sign = script->plain[action->all.at];
    if (action->name.length == 1 && action->sign != '@') /* a single aggregation may be called just @ */
        hiera_reader_fail(reader, action->name, "a name has to follow %c", action->sign);
    size_t at = hiera_scan_blanks(script, behind);
    if (hiera_scan_char(script, at) == '[')
        at = hiera_scan_blanks(script, read_keys(reader, action, at));
    if (reader->failed)
        return;
    sign = at < end ? at : end;
    action->set = hiera_scan_trim(script, action->all.at, sign);
    at = read_operator(reader, action, sign);
    bool steps = action->operator_ && hiera_scan_char(script, sign + 1) != '='; /* whether the operator is ++ or -- */
    HieraSpan value = hiera_scan_trim(script, at, end);
    if (action->sign == '@' && !reader->failed) {
        if (action->operator_)
            hiera_reader_fail(reader, (HieraSpan){sign, 2}, "an aggregation is written @name[…] = function(…)");
        else
            read_aggregator(reader, action, at);
        return;
    }
    if (steps && value.length > 0)
        hiera_reader_fail(reader, value, "; is missing before this");
    else if (!steps && value.length == 0)
        hiera_reader_fail(reader, (HieraSpan){sign, at - sign}, "a value is missing behind this");
    action->value_spans[0] = steps ? (HieraSpan){sign, 0} : value;
    action->n_values = 1;
}

void hiera_action_read(HieraScriptReader *reader, HieraAction *action, HieraSpan span)
{
    char sign = hiera_scan_char(reader->script, span.at);
    action->all = span;
    action->target = HIERA_NO_TARGET;
    if (strchr("&:#@", sign))
        read_assignment(reader, action);
    else
        read_function(reader, action);
}
