/* The functions of expressions in scripts. */
#include "expressions/units.h"
#include "firing.h"
#include "probes/format.h"
#include <math.h>
#include <string.h>

typedef enum {
    STR,
    DBL,
    ROUND,
    CEIL,
    FLOOR,
    ABS,
    SQRT,
    EXP,
    LOG,
    POW,
    RANK,
    SIZE,
    NAME,
    TIMESTAMP,
    STACK,
    INT
} Function;

static HieraValue to_text(HieraFiring *firing, const HieraValue *value)
{
    char text[HIERA_FORMAT_BYTES];
    if (value->type == HIERA_VALUE_TEXT)
        return *value;
    size_t length = hiera_format_value(value, text);
    char *room = hiera_firing_room(length, firing);
    if (!room)
        return hiera_value_missing();
    memcpy(room, text, length);
    return hiera_value_text(room, length);
}

/* Convert a text to a number; missing if it is none. */
static HieraValue to_number(const HieraValue *text)
{
    bool negative = text->length > 0 && *text->text == '-';
    const char *digits = text->text + negative;
    size_t length = text->length - negative;
    if (length == 0 || hiera_number_length(digits, length) != length)
        return hiera_value_missing();
    HieraValue value = hiera_number_value(digits, length, NULL);
    double number = value.type == HIERA_VALUE_INTEGER ? (double)value.integer : value.number;
    return value.type == HIERA_VALUE_MISSING ? value : hiera_value_number(negative ? -number : number);
}

/* Convert a number to an integer, without the decimals. */
static HieraValue to_integer(double number)
{
    if (isnan(number))
        return hiera_value_missing();
    if (fabs(number) >= 0x1p63)
        return hiera_value_integer(number < 0 ? INT64_MIN : INT64_MAX);
    return hiera_value_integer((int64_t)number);
}

static HieraValue calculate(unsigned id, const HieraValue *arguments, void *context)
{
    (void)context;
    double x = arguments[0].number;
    switch ((Function)id) {
    case INT:
        return to_integer(x);
    case ROUND:
        return hiera_value_number(round(x));
    case CEIL:
        return hiera_value_number(ceil(x));
    case FLOOR:
        return hiera_value_number(floor(x));
    case ABS:
        return hiera_value_number(fabs(x));
    case SQRT:
        return x < 0 ? hiera_value_missing() : hiera_value_number(sqrt(x));
    case EXP:
        return hiera_value_number(exp(x));
    case LOG:
        return x <= 0 ? hiera_value_missing() : hiera_value_number(log(x));
    default: {
        double power = pow(x, arguments[1].number);
        return isnan(power) ? hiera_value_missing() : hiera_value_number(power);
    }
    }
}

static HieraValue convert(unsigned id, const HieraValue *arguments, void *context)
{
    return id == STR ? to_text(context, arguments) : to_number(arguments);
}

static HieraValue ask(unsigned id, const HieraValue *arguments, void *context)
{
    (void)arguments;
    const HieraFiring *firing = context;
    const HieraProbeHost *host = &firing->state->rank->host;
    switch ((Function)id) {
    case RANK:
        return hiera_value_integer(host->rank);
    case SIZE:
        return hiera_value_integer(host->size);
    case NAME:
        return hiera_value_text(host->name, strlen(host->name));
    case STACK:
        return hiera_firing_get(HIERA_PROBE_VARIABLE_STACK, context);
    default:
        return hiera_firing_get(HIERA_PROBE_VARIABLE_TIME, context);
    }
}

#define NUMBER HIERA_VALUE_NUMBER
const HieraExpressionFunction hiera_script_functions[] = {
    {"str", HIERA_VALUE_TEXT, 1, {HIERA_VALUE_ANY}, STR, 0, convert},
    {"dbl", NUMBER, 1, {HIERA_VALUE_TEXT}, DBL, 0, convert},
    {"int", HIERA_VALUE_INTEGER, 1, {NUMBER}, INT, 0, calculate},
    {"round", NUMBER, 1, {NUMBER}, ROUND, 0, calculate},
    {"ceil", NUMBER, 1, {NUMBER}, CEIL, 0, calculate},
    {"floor", NUMBER, 1, {NUMBER}, FLOOR, 0, calculate},
    {"abs", NUMBER, 1, {NUMBER}, ABS, 0, calculate},
    {"sqrt", NUMBER, 1, {NUMBER}, SQRT, 0, calculate},
    {"exp", NUMBER, 1, {NUMBER}, EXP, 0, calculate},
    {"log", NUMBER, 1, {NUMBER}, LOG, 0, calculate},
    {"pow", NUMBER, 2, {NUMBER, NUMBER}, POW, 0, calculate},
    {"rank", HIERA_VALUE_INTEGER, 0, {HIERA_VALUE_MISSING}, RANK, 0, ask},
    {"size", HIERA_VALUE_INTEGER, 0, {HIERA_VALUE_MISSING}, SIZE, 0, ask},
    {"host", HIERA_VALUE_TEXT, 0, {HIERA_VALUE_MISSING}, NAME, 0, ask},
    {"timestamp", HIERA_VALUE_DURATION, 0, {HIERA_VALUE_MISSING}, TIMESTAMP, 0, ask},
    {"stack", HIERA_VALUE_TEXT, 0, {HIERA_VALUE_MISSING}, STACK, HIERA_SCRIPT_NEEDS_STACK, ask},
    /* names of the same functions in HpxTrace */
    {"locality_rank", HIERA_VALUE_INTEGER, 0, {HIERA_VALUE_MISSING}, RANK, 0, ask},
    {"nl", HIERA_VALUE_INTEGER, 0, {HIERA_VALUE_MISSING}, SIZE, 0, ask},
    {"locality_name", HIERA_VALUE_TEXT, 0, {HIERA_VALUE_MISSING}, NAME, 0, ask},
};
const size_t hiera_script_n_functions = sizeof hiera_script_functions / sizeof hiera_script_functions[0];
