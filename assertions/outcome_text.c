/* See outcome_text.h. Both directions stand here, field by field in the same order. */
#include "outcome_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "hiera assertions 1\n", tail[] = "end\n";

/* --- writing --- */

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
}

/* "rules.txt:1 -> 8/12 = 66.6 %". It is not rounded, so that 100 % means all. */
static void put_share(const Writer *writer, const HieraRule *rule, const HieraVerdicts *verdicts)
{
    char text[128];
    unsigned long long ok = verdicts->n[HIERA_VERDICT_OK], n = hiera_verdicts_count(verdicts);
    unsigned thousandths = n == 0 ? 0 : (unsigned)((unsigned __int128)ok * 1000 / n);
    put_text(writer, rule->source);
    snprintf(text, sizeof text, ":%u -> %llu/%llu = %u.%u %%", rule->line, ok, n, thousandths / 10, thousandths % 10);
    put_text(writer, text);
}

static void put_kept(const Writer *writer, const HieraRule *rule, const HieraKept *kept)
{
    size_t width = HIERA_KEPT_VALUES + rule->n_counters;
    for (size_t i = 0; i < kept->n; i++) {
        put_text(writer, "kept");
        for (size_t number = 0; number < width; number++)
            put_number(writer, kept->items[i * width + number]);
        put_text(writer, "\n");
    }
}

static void put_rule(const Writer *writer, const HieraRule *rule, const HieraVerdicts *verdicts, const HieraKept *kept)
{
    put_share(writer, rule, verdicts);
    for (unsigned i = 0; i < 3; i++)
        put_number(writer, (int64_t)verdicts->n[i]);
    put_number(writer, verdicts->lasted_ns);
    put_instance(writer, &verdicts->first);
    put_instance(writer, &verdicts->worst);
    put_number(writer, (int64_t)kept->n);
    put_number(writer, !kept->unknown);
    put_text(writer, "\t");
    put_text(writer, rule->text);
    put_text(writer, "\n");
    put_kept(writer, rule, kept);
}

void hiera_outcome_print(const HieraRules *rules, const HieraOutcome *outcome, uint64_t job,
                         void (*put)(void *to, const char *text, size_t length), void *to)
{
    const Writer writer = {put, to};
    unsigned n_rules, n_counters;
    const HieraRule *rule = hiera_rules_peek(rules, &n_rules);
    hiera_rules_peek_counters(rules, &n_counters);
    put_text(&writer, head);
    put_text(&writer, "rank");
    put_number(&writer, outcome->rank);
    put_number(&writer, outcome->size);
    put_bits(&writer, job);
    put_number(&writer, outcome->wall_ns);
    put_number(&writer, !outcome->wall_unknown);
    put_text(&writer, "\n");
    for (unsigned i = 0; i < n_rules; i++)
        put_rule(&writer, &rule[i], &outcome->verdicts[i], &outcome->kept[i]);
    for (unsigned i = 0; i < n_counters; i++) {
        put_text(&writer, "counter");
        put_number(&writer, outcome->totals[i]);
        put_number(&writer, !outcome->unknown[i]);
        put_text(&writer, "\n");
    }
    put_text(&writer, tail);
}

/* --- reading --- */

typedef struct Reader {
    char *at;
    bool wrong;
} Reader;

/* The text up to the next tab or the end of the line. */
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
    return instance;
}

/* Each line takes some bytes of what is left, so a wrong number of lines asks for no more memory than the text has. */
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
}

/* @return  false if the line is about another rule */
static bool read_rule(Reader *reader, const HieraRule *rule, int64_t rank, HieraVerdicts *verdicts, HieraKept *kept)
{
    read_word(reader);
    for (unsigned i = 0; i < 3; i++)
        verdicts->n[i] = (uint64_t)read_number(reader);
    verdicts->lasted_ns = read_number(reader);
    verdicts->first = read_instance(reader, rank);
    verdicts->worst = read_instance(reader, rank);
    int64_t n_kept = read_number(reader);
    kept->unknown = read_number(reader) == 0;
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

static void read_rank(Reader *reader, HieraOutcome *outcome, uint64_t *job)
{
    reader->wrong = reader->wrong || strcmp(read_word(reader), "rank") != 0;
    outcome->rank = read_number(reader);
    outcome->size = read_number(reader);
    *job = read_bits(reader);
    outcome->wall_ns = read_number(reader);
    outcome->wall_unknown = read_number(reader) == 0;
}

static bool fail(const char *source, char *report, const char *what)
{
    snprintf(report, HIERA_RULES_REPORT, "%s: %s", source, what);
    return false;
}

bool hiera_outcome_read(const char *source, char *text, size_t length, const HieraRules *rules, HieraOutcome *outcome,
                        uint64_t *job, char *report)
{
    unsigned n_rules, n_counters;
    const HieraRule *rule = hiera_rules_peek(rules, &n_rules);
    hiera_rules_peek_counters(rules, &n_counters);
    if (length < sizeof head - 1 || memcmp(text, head, sizeof head - 1) != 0)
        return fail(source, report, "this is no report on assertions that this version of Hiera can read");
    Reader reader = {text + sizeof head - 1, false};
    read_rank(&reader, outcome, job);
    for (unsigned i = 0; i < n_rules && !reader.wrong; i++) {
        if (!read_rule(&reader, &rule[i], outcome->rank, &outcome->verdicts[i], &outcome->kept[i]))
            return fail(source, report, "this report is about other rules: name the file that HIERA_ASSERT had");
    }
    for (unsigned i = 0; i < n_counters && !reader.wrong; i++) {
        reader.wrong = strcmp(read_word(&reader), "counter") != 0;
        outcome->totals[i] = read_number(&reader);
        outcome->unknown[i] = read_number(&reader) == 0;
    }
    if (reader.wrong || (size_t)(reader.at - text) + sizeof tail - 1 != length || strcmp(reader.at, tail) != 0)
        return fail(source, report, "this report is about other rules, or it is not whole");
    return true;
}

void hiera_outcome_clear(const HieraRules *rules, HieraOutcome *outcome)
{
    unsigned n_rules;
    hiera_rules_peek(rules, &n_rules);
    for (unsigned i = 0; i < n_rules; i++) {
        free((void *)outcome->kept[i].items);
        outcome->kept[i] = (HieraKept){0};
    }
}
