/* Fuzz driver: any text → compiled expression, its values for a few subjects, its tree, its error with a caret. */
#include "expressions/expression.h"
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

enum { N_SUBJECTS = 4 };

/* Values of all types for each name; the last subject lacks them all. */
static HieraValue get(unsigned id, void *context)
{
    static const int64_t integers[N_SUBJECTS] = {3, INT64_MIN, INT64_MAX, 0};
    static const double numbers[N_SUBJECTS] = {0.25, -1e308, 1e-320, 0};
    static const char *const texts[N_SUBJECTS] = {"main/TopologyGrid::exchange", "", "\xc3\xa4\xff\xe2\x82 aaaaaaaab",
                                                  ""};
    unsigned subject = *(const unsigned *)context;
    HieraValue values[] = {hiera_value_integer(integers[subject]), hiera_value_number(numbers[subject]),
                           hiera_value_duration(integers[subject]),
                           hiera_value_text(texts[subject], strlen(texts[subject])), hiera_value_truth(subject == 0)};
    return subject == N_SUBJECTS - 1 ? hiera_value_missing() : values[id];
}

static HieraValue first(unsigned id, const HieraValue *arguments, void *context)
{
    (void)context;
    return id ? hiera_value_truth(arguments[0].length < arguments[1].length) : arguments[0];
}

static const HieraExpressionName names[] = {{"rank", HIERA_VALUE_INTEGER, 0, 1, get},
                                            {"ratio", HIERA_VALUE_NUMBER, 1, 0, get},
                                            {"duration", HIERA_VALUE_DURATION, 2, 0, get},
                                            {"path", HIERA_VALUE_TEXT, 3, 0, get},
                                            {"partner.late", HIERA_VALUE_TRUTH, 4, 2, get}};
static const HieraExpressionFunction functions[] = {
    {"inside", HIERA_VALUE_TRUTH, 2, {HIERA_VALUE_TEXT, HIERA_VALUE_TEXT}, 1, 0, first},
    {"half", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_NUMBER}, 0, 0, first},
    {"later", HIERA_VALUE_DURATION, 1, {HIERA_VALUE_DURATION}, 0, 0, first}};

/* Names with signs: the letter behind the sign is the type. */
static bool bind(void *binder, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type, char *message)
{
    static const char letters[] = "indtb";
    (void)binder, (void)message;
    const char *letter = asked->length == 2 ? strchr(letters, asked->name[1]) : NULL;
    *id = letter ? (unsigned)(letter - letters) : 0;
    *type = (HieraValueType)(HIERA_VALUE_INTEGER + *id);
    return letter;
}

static HieraValue get_keyed(unsigned id, const HieraValue *keys, unsigned n_keys, void *context)
{
    for (unsigned i = 0; i < n_keys; i++) {
        if (keys[i].type == HIERA_VALUE_MISSING)
            abort();
    }
    return get(id, context);
}

static char *take_room(size_t length, void *context)
{
    static char room[4096];
    (void)context;
    return length <= sizeof room / 2 ? room + sizeof room - length : NULL;
}

static void check_value(const HieraExpression *expression, HieraValue value)
{
    static volatile unsigned sum;
    if (value.type != HIERA_VALUE_MISSING && value.type != hiera_expression_type(expression))
        abort();
    for (uint32_t i = 0; value.type == HIERA_VALUE_TEXT && i < value.length; i++)
        sum += (unsigned char)value.text[i]; /* all of it can be read */
}

static void check_error(const HieraExpressionError *error, const char *text, size_t length)
{
    const HieraExpressionPlace place = {.source = "a.txt", .line = 7, .column = 3};
    char report[HIERA_EXPRESSION_REPORT];
    if (error->at > length || error->length > length - error->at || strchr(error->message, '\n'))
        abort();
    hiera_expression_report(error, text, length, &place, report, sizeof report);
    size_t n = strlen(report);
    if (n == sizeof report - 1 || (report[n - 1] != '^' && report[n - 1] != '~'))
        abort();
}

static void check(const char *text, size_t length, const HieraExpressionHost *host)
{
    HieraExpressionError error;
    HieraExpression *expression = hiera_expression_compile(text, length, host, HIERA_VALUE_ANY, &error);
    if (!expression) {
        check_error(&error, text, length);
        return;
    }
    for (unsigned subject = 0; subject < N_SUBJECTS; subject++)
        check_value(expression, hiera_expression_evaluate(expression, &subject));
    hiera_expression_free(expression);
}

#define TABLES names, sizeof names / sizeof names[0], functions, sizeof functions / sizeof functions[0]
static const HieraExpressionHost hosts[] = {
    {TABLES, .plain = false},
    {TABLES, .plain = true, .guards_floats = true},
    {TABLES, .signs = "&:#", .bind = bind, .get_bound = get, .get_keyed = get_keyed, .text_room = take_room}};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > HIERA_EXPRESSION_LONGEST)
        return 0;
    /* A block of its own: the sanitizer sees a byte behind it that is read. */
    char *text = malloc(size ? size : 1);
    memcpy(text, data, size);
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++)
        check(text, size, &hosts[i]);
    free(text);
    return 0;
}
