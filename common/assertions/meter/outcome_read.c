/* Parses the text of an outcome. See outcome_text.h. */
#include "outcome_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    char *at;
    bool wrong;
} Reader;

/* Read the text up to the next tab or the end of the line. */
static char *read_word(Reader *reader)
{
    char *word = reader->at, *end = word + strcspn(word, "\t\n");
    reader->wrong = reader->wrong || *end == '\0';
    reader->at = end + (*end != '\0');
    *end = '\0';
    return word;
}

static int64_t read_number(Reader *reader)
{
    char *word = read_word(reader), *end;
    long long number = strtoll(word, &end, 10);
    reader->wrong = reader->wrong || end == word || *end != '\0';
    return number;
}

static uint64_t read_bits(Reader *reader)
{
    char *word = read_word(reader), *end;
    unsigned long long bits = strtoull(word, &end, 16);
    reader->wrong = reader->wrong || end == word || *end != '\0';
    return bits;
}

static double read_double(Reader *reader)
{
    uint64_t bits = read_bits(reader);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static HieraInstance read_instance(Reader *reader, int64_t rank)
{
    HieraInstance instance = {.rank = rank, .row = UINT64_MAX};
    instance.number = (uint64_t)read_number(reader);
    instance.start_ns = read_number(reader);
    instance.wall_ns = read_number(reader);
    const char *operator_ = read_word(reader);
    instance.sides.operator_ = operator_[0] ? operator_ : NULL;
    instance.sides.left = read_double(reader);
    instance.sides.right = read_double(reader);
    instance.sides.times = read_number(reader) != 0;
    instance.sides.deviation = read_double(reader);
    instance.thread = read_number(reader);
    return instance;
}

/* Read n executions of a rule. Each takes some bytes of the remaining text, which limits the memory that a wrong n
 * can ask for. */
static void read_kept(Reader *reader, const HieraRule *rule, size_t n, HieraKept *kept)
{
    size_t width = HIERA_KEPT_VALUES + rule->n_counters;
    int64_t *items = n > 0 && n <= strlen(reader->at) ? calloc(n, width * sizeof *items) : NULL;
    kept->items = items;
    reader->wrong = reader->wrong || (n > 0 && !items);
    for (; kept->n < n && !reader->wrong; kept->n++) {
        reader->wrong = strcmp(read_word(reader), "kept") != 0;
        for (size_t number = 0; number < width; number++)
            items[kept->n * width + number] = read_number(reader);
    }
    hiera_kept_sort(items, kept->n, width);
}

static void read_verdicts(Reader *reader, int64_t rank, HieraVerdicts *verdicts, HieraKept *kept, int64_t *n_kept)
{
    for (unsigned i = 0; i < 3; i++)
        verdicts->n[i] = (uint64_t)read_number(reader);
    verdicts->lasted_ns = read_number(reader);
    verdicts->first = read_instance(reader, rank);
    verdicts->worst = read_instance(reader, rank);
    *n_kept = read_number(reader);
    kept->unknown = read_number(reader) == 0;
}

/* Read the line of a rule. @return  false if the line is about another rule */
static bool read_rule(Reader *reader, const HieraRule *rule, int64_t rank, HieraVerdicts *verdicts, HieraKept *kept)
{
    int64_t n_kept;
    read_word(reader);
    read_verdicts(reader, rank, verdicts, kept, &n_kept);
    char *end = strchr(reader->at, '\n');
    if (reader->wrong || !end)
        return true;
    bool same = strlen(rule->text) == (size_t)(end - reader->at) &&
                memcmp(rule->text, reader->at, (size_t)(end - reader->at)) == 0;
    reader->at = end + 1;
    if (same)
        read_kept(reader, rule, (size_t)n_kept, kept);
    return same;
}

/* Cut off and return the number behind the last colon of "solver.c:12 -> …". */
static unsigned cut_line(Reader *reader, char *place)
{
    char *arrow = strstr(place, " -> "), *colon = NULL;
    for (char *at = place; arrow && at < arrow; at++)
        colon = *at == ':' ? at : colon;
    reader->wrong = reader->wrong || !colon;
    if (!colon)
        return 0;
    *colon = '\0';
    return (unsigned)strtoul(colon + 1, NULL, 10);
}

static void read_assertion(Reader *reader, int64_t rank, const HieraOutcomeReader *taker)
{
    HieraVerdicts verdicts = {0};
    HieraKept kept;
    int64_t n_kept;
    char *place = read_word(reader);
    unsigned line = cut_line(reader, place);
    read_verdicts(reader, rank, &verdicts, &kept, &n_kept);
    const char *text = read_word(reader);
    if (!reader->wrong)
        taker->take(taker->user, &(HieraSourceAssertion){place, line, text}, &verdicts, rank);
}

typedef struct Numbers {
    int64_t n_rules, n_assertions;
} Numbers;

static Numbers read_rank(Reader *reader, HieraOutcome *outcome, HieraJudgedRun *run)
{
    Numbers numbers;
    reader->wrong = reader->wrong || strcmp(read_word(reader), "rank") != 0;
    outcome->rank = read_number(reader);
    outcome->size = read_number(reader);
    run->job = read_bits(reader);
    outcome->wall_ns = read_number(reader);
    outcome->wall_unknown = read_number(reader) == 0;
    numbers.n_rules = read_number(reader);
    numbers.n_assertions = read_number(reader);
    reader->wrong = reader->wrong || strcmp(read_word(reader), "traces") != 0;
    run->traces = read_word(reader);
    return numbers;
}

static bool fail(const char *source, char *report, const char *what)
{
    snprintf(report, HIERA_RULES_REPORT, "%s: %s", source, what);
    return false;
}

static void read_counters(Reader *reader, const HieraRules *rules, HieraOutcome *outcome)
{
    unsigned n_counters;
    hiera_rules_peek_counters(rules, &n_counters);
    for (unsigned i = 0; i < n_counters && !reader->wrong; i++) {
        reader->wrong = strcmp(read_word(reader), "counter") != 0;
        outcome->totals[i] = read_number(reader);
        outcome->unknown[i] = read_number(reader) == 0;
    }
}

bool hiera_outcome_read(const char *source, char *text, size_t length, const HieraOutcomeReader *taker,
                        HieraOutcome *outcome, HieraJudgedRun *run, char *report)
{
    static const char others[] = "this report is about other rules: name the file that HIERA_ASSERT had";
    unsigned n_rules = 0;
    const HieraRule *rule = taker->rules ? hiera_rules_peek(taker->rules, &n_rules) : NULL;
    if (length < sizeof HIERA_OUTCOME_HEAD - 1 || memcmp(text, HIERA_OUTCOME_HEAD, sizeof HIERA_OUTCOME_HEAD - 1) != 0)
        return fail(source, report, "this is no report on assertions that this version of Hiera can read");
    Reader reader = {text + sizeof HIERA_OUTCOME_HEAD - 1, false};
    Numbers numbers = read_rank(&reader, outcome, run);
    if (!reader.wrong && numbers.n_rules != n_rules)
        return fail(source, report,
                    n_rules == 0 ? "this report is about rules too: name their file with --assert FILE" : others);
    for (unsigned i = 0; i < n_rules && !reader.wrong; i++) {
        if (!read_rule(&reader, &rule[i], outcome->rank, &outcome->verdicts[i], &outcome->kept[i]))
            return fail(source, report, others);
    }
    if (taker->rules)
        read_counters(&reader, taker->rules, outcome);
    for (int64_t i = 0; i < numbers.n_assertions && !reader.wrong; i++)
        read_assertion(&reader, outcome->rank, taker);
    if (reader.wrong || (size_t)(reader.at - text) + sizeof HIERA_OUTCOME_TAIL - 1 != length ||
        strcmp(reader.at, HIERA_OUTCOME_TAIL) != 0)
        return fail(source, report, "this report is about other rules, or it is not whole");
    return true;
}

void hiera_outcome_clear(const HieraRules *rules, HieraOutcome *outcome)
{
    unsigned n_rules = 0;
    if (rules)
        hiera_rules_peek(rules, &n_rules);
    for (unsigned i = 0; i < n_rules; i++) {
        free((void *)outcome->kept[i].items);
        outcome->kept[i] = (HieraKept){0};
    }
}
