/* Writes an outcome as text. See outcome_text.h; outcome_read.c reads the same fields in the same order. */
#include "outcome_text.h"

#include <stdio.h>
#include <string.h>

typedef struct Writer {
    void (*put)(void *to, const char *text, size_t length);
    void *to;
} Writer;

static void put_text(const Writer *writer, const char *text)
{
    writer->put(writer->to, text, strlen(text));
}

static void put_number(const Writer *writer, int64_t number)
{
    char text[32];
    int n = snprintf(text, sizeof text, "\t%lld", (long long)number);
    writer->put(writer->to, text, (size_t)n);
}

static void put_bits(const Writer *writer, uint64_t bits)
{
    char text[32];
    int n = snprintf(text, sizeof text, "\t%llx", (unsigned long long)bits);
    writer->put(writer->to, text, (size_t)n);
}

static void put_double(const Writer *writer, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bits(writer, bits);
}

static void put_instance(const Writer *writer, const HieraInstance *instance)
{
    put_number(writer, (int64_t)instance->number);
    put_number(writer, instance->start_ns);
    put_number(writer, instance->wall_ns);
    put_text(writer, "\t");
    put_text(writer, instance->sides.operator_ ? instance->sides.operator_ : "");
    put_double(writer, instance->sides.left);
    put_double(writer, instance->sides.right);
    put_number(writer, instance->sides.times);
    put_double(writer, instance->sides.deviation);
    put_number(writer, instance->thread);
}

/* Write "rules.txt:1 -> 8/12 = 66.6 %". The percentage is rounded down, so that 100 % means all. */
static void put_share(const Writer *writer, const HieraRule *rule, const HieraVerdicts *verdicts)
{
    char text[128];
    unsigned long long ok = verdicts->n[HIERA_VERDICT_OK], n = hiera_verdicts_count(verdicts);
    unsigned thousandths = n == 0 ? 0 : (unsigned)((unsigned __int128)ok * 1000 / n);
    put_text(writer, rule->source);
    snprintf(text, sizeof text, ":%u -> %llu/%llu = %u.%u %%", rule->line, ok, n, thousandths / 10, thousandths % 10);
    put_text(writer, text);
}

typedef struct KeptWriter {
    const Writer *writer;
    size_t width; /* count of numbers that belong to an execution */
} KeptWriter;

static void put_kept(void *to, const int64_t *numbers, size_t n)
{
    const KeptWriter *kept = to;
    for (size_t i = 0; i < n; i += kept->width) {
        put_text(kept->writer, "kept");
        for (size_t number = 0; number < kept->width; number++)
            put_number(kept->writer, numbers[i + number]);
        put_text(kept->writer, "\n");
    }
}

/* A rule to be written, of the file or of an assertion in the source, with its outcome. */
typedef struct JudgedRule {
    const HieraJudged *judged;
    const HieraRule *rule;
    unsigned number;
} JudgedRule;

/* Return how many numbers a keeper has stored for the rule. `lost` becomes true if they cannot be read back. */
static size_t count_taken(const JudgedRule *judged_rule, bool *lost)
{
    const HieraTaken *taken = judged_rule->judged->taken;
    size_t n = 0;
    *lost = taken && judged_rule->rule->each && !taken->count(taken->user, judged_rule->number, &n);
    return *lost ? 0 : n;
}

static void put_rule(const Writer *writer, const JudgedRule *judged_rule)
{
    const HieraVerdicts *verdicts = &judged_rule->judged->outcome->verdicts[judged_rule->number];
    const HieraKept *kept = &judged_rule->judged->outcome->kept[judged_rule->number];
    const HieraTaken *taken = judged_rule->judged->taken;
    KeptWriter kept_writer = {writer, HIERA_KEPT_VALUES + judged_rule->rule->n_counters};
    bool lost;
    size_t n_taken = count_taken(judged_rule, &lost);
    put_share(writer, judged_rule->rule, verdicts);
    for (unsigned i = 0; i < 3; i++)
        put_number(writer, (int64_t)verdicts->n[i]);
    put_number(writer, verdicts->lasted_ns);
    put_instance(writer, &verdicts->first);
    put_instance(writer, &verdicts->worst);
    put_number(writer, (int64_t)(kept->n + n_taken / kept_writer.width));
    put_number(writer, !kept->unknown && !lost);
    put_text(writer, "\t");
    put_text(writer, judged_rule->rule->text);
    put_text(writer, "\n");
    if (n_taken > 0)
        taken->each(taken->user, judged_rule->number, put_kept, &kept_writer);
    put_kept(&kept_writer, kept->items, kept->n * kept_writer.width);
}

static void put_file(const Writer *writer, const HieraJudged *file)
{
    unsigned n_rules, n_counters;
    const HieraRule *rule = hiera_rules_peek(file->rules, &n_rules);
    hiera_rules_peek_counters(file->rules, &n_counters);
    for (unsigned i = 0; i < n_rules; i++)
        put_rule(writer, &(JudgedRule){file, &rule[i], i});
    for (unsigned i = 0; i < n_counters; i++) {
        put_text(writer, "counter");
        put_number(writer, file->outcome->totals[i]);
        put_number(writer, !file->outcome->unknown[i]);
        put_text(writer, "\n");
    }
}

static int compare(const HieraRule *a, const HieraRule *b)
{
    int order = strcmp(a->source, b->source);
    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

/* Whether rule a comes before rule b in the order of files and lines. */
static bool is_before(const HieraRule *rules, unsigned a, unsigned b)
{
    int order = compare(&rules[a], &rules[b]);
    return order < 0 || (order == 0 && a < b);
}

/* Whether an assertion was evaluated, and so is written; not if it was reached only while recording was off. */
static bool is_reported(const HieraJudged *source, unsigned rule)
{
    return hiera_verdicts_count(&source->outcome->verdicts[rule]) > 0;
}

static unsigned count_reported(const HieraJudged *source)
{
    unsigned n = 0, n_reported = 0;
    if (source->rules)
        hiera_rules_peek(source->rules, &n);
    for (unsigned i = 0; i < n; i++)
        n_reported += is_reported(source, i);
    return n_reported;
}

/* Write the assertions in order. There is no memory for sorting, so the next one is searched each time; they are few.
 */
static void put_source(const Writer *writer, const HieraJudged *source)
{
    unsigned n, n_reported = count_reported(source);
    const HieraRule *rules = hiera_rules_peek(source->rules, &n);
    for (unsigned i = 0, last = 0; i < n_reported; i++) {
        unsigned next = n;
        for (unsigned k = 0; k < n; k++) {
            if (is_reported(source, k) && (i == 0 || is_before(rules, last, k)) &&
                (next == n || is_before(rules, k, next)))
                next = k;
        }
        put_rule(writer, &(JudgedRule){source, &rules[next], next});
        last = next;
    }
}

static unsigned count_rules(const HieraJudged *judged)
{
    unsigned n = 0;
    if (judged->rules)
        hiera_rules_peek(judged->rules, &n);
    return n;
}

void hiera_outcome_print(const HieraJudged *file, const HieraJudged *source, const HieraJudgedRun *run,
                         void (*put)(void *to, const char *text, size_t length), void *to)
{
    const Writer writer = {put, to};
    const HieraOutcome *outcome = file->rules ? file->outcome : source->outcome;
    put_text(&writer, HIERA_OUTCOME_HEAD);
    put_text(&writer, "rank");
    put_number(&writer, outcome->rank);
    put_number(&writer, outcome->size);
    put_bits(&writer, run->job);
    put_number(&writer, outcome->wall_ns);
    put_number(&writer, !outcome->wall_unknown);
    put_number(&writer, count_rules(file));
    put_number(&writer, count_reported(source));
    put_text(&writer, "\ntraces\t");
    put_text(&writer, strpbrk(run->traces, "\t\n") ? "" : run->traces);
    put_text(&writer, "\n");
    if (file->rules)
        put_file(&writer, file);
    if (source->rules)
        put_source(&writer, source);
    put_text(&writer, HIERA_OUTCOME_TAIL);
}
