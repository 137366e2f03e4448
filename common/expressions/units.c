/* See units.h. strtod() is not used because it follows the locale of the program. */
#include "units.h"
#include "text/nearest.h"
#include <math.h>
#include <string.h>

static const HieraUnit units[] = {
    {"ns", HIERA_VALUE_DURATION, 1},
    {"us", HIERA_VALUE_DURATION, 1e3},
    {"\xc2\xb5s", HIERA_VALUE_DURATION, 1e3}, /* U+00B5, the micro sign */
    {"\xce\xbcs", HIERA_VALUE_DURATION, 1e3}, /* U+03BC, the letter mu */
    {"ms", HIERA_VALUE_DURATION, 1e6},
    {"s", HIERA_VALUE_DURATION, 1e9},
    {"min", HIERA_VALUE_DURATION, 60e9},
    {"h", HIERA_VALUE_DURATION, 3600e9},
    {"B", HIERA_VALUE_INTEGER, 1},
    {"kB", HIERA_VALUE_INTEGER, 1e3},
    {"MB", HIERA_VALUE_INTEGER, 1e6},
    {"GB", HIERA_VALUE_INTEGER, 1e9},
    {"TB", HIERA_VALUE_INTEGER, 1e12},
    {"KiB", HIERA_VALUE_INTEGER, 0x1p10},
    {"MiB", HIERA_VALUE_INTEGER, 0x1p20},
    {"GiB", HIERA_VALUE_INTEGER, 0x1p30},
    {"TiB", HIERA_VALUE_INTEGER, 0x1p40},
    {"%", HIERA_VALUE_NUMBER, 0.01},
};
enum { N_UNITS = sizeof units / sizeof units[0] };

const HieraUnit *hiera_unit_find(const char *name, size_t length)
{
    for (size_t i = 0; i < N_UNITS; i++) {
        if (strlen(units[i].name) == length && memcmp(units[i].name, name, length) == 0)
            return &units[i];
    }
    return NULL;
}

const char *hiera_unit_nearest(const char *name, size_t length)
{
    HieraNearest nearest = hiera_nearest_begin(name, length);
    for (size_t i = 0; i < N_UNITS; i++)
        hiera_nearest_offer(&nearest, units[i].name);
    return nearest.best;
}

/* --- digits of numbers --- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_hex(const char *text, size_t length)
{
    return length > 2 && text[0] == '0' && text[1] == 'x' && hex_digit(text[2]) >= 0;
}

static size_t skip_digits(const char *text, size_t length, size_t at)
{
    while (at < length && is_digit(text[at]))
        at++;
    return at;
}

size_t hiera_number_length(const char *text, size_t length)
{
    size_t at = 2;
    if (is_hex(text, length)) {
        while (at < length && hex_digit(text[at]) >= 0)
            at++;
        return at;
    }
    at = skip_digits(text, length, 0);
    if (at + 1 < length && text[at] == '.' && is_digit(text[at + 1]))
        at = skip_digits(text, length, at + 1);
    size_t sign = at + 1 < length && (text[at + 1] == '-' || text[at + 1] == '+');
    bool has_exponent =
        at > 0 && at + 1 + sign < length && (text[at] == 'e' || text[at] == 'E') && is_digit(text[at + 1 + sign]);
    return has_exponent ? skip_digits(text, length, at + 1 + sign) : at;
}

/* --- values of numbers --- */

typedef struct {
    uint64_t digits; /* the first 19 or so digits, as an integer */
    int exponent;    /* exponent of ten, by which `digits` is scaled */
    bool is_whole;   /* whether the number has neither a point nor an exponent */
    bool is_cut;     /* whether there were more digits, which are ignored */
} Decimal;

static void add_digit(Decimal *decimal, int digit, bool behind_point)
{
    bool fits = decimal->digits <= (UINT64_MAX - 9) / 10;
    if (fits)
        decimal->digits = decimal->digits * 10 + (uint64_t)digit;
    decimal->is_cut = decimal->is_cut || !fits;
    decimal->exponent += !fits - behind_point;
}

static int read_exponent(const char *text, size_t length)
{
    bool is_negative = length > 0 && text[0] == '-';
    int exponent = 0;
    for (size_t i = 0; i < length; i++) {
        if (is_digit(text[i]) && exponent < 100000)
            exponent = exponent * 10 + (text[i] - '0');
    }
    return is_negative ? -exponent : exponent;
}

static Decimal read_decimal(const char *text, size_t length)
{
    Decimal decimal = {.is_whole = true};
    for (size_t i = 0; i < length; i++) {
        if (is_digit(text[i])) {
            add_digit(&decimal, text[i] - '0', !decimal.is_whole);
            continue;
        }
        decimal.is_whole = false;
        if (text[i] != '.') {
            decimal.exponent += read_exponent(text + i + 1, length - i - 1);
            break;
        }
    }
    return decimal;
}

static long double scale(Decimal decimal, double factor)
{
    if (decimal.digits == 0)
        return 0;
    long double value = (long double)decimal.digits * factor;
    return decimal.exponent < 0 ? value / powl(10, -decimal.exponent) : value * powl(10, decimal.exponent);
}

static HieraValue hex_value(const char *text, size_t length)
{
    uint64_t value = 0;
    for (size_t i = 2; i < length; i++) {
        if (value >> 60)
            return hiera_value_missing();
        value = value << 4 | (uint64_t)hex_digit(text[i]);
    }
    return hiera_value_integer((int64_t)value);
}

/* Make a value of this type: a duration, rounded to ns; else an integer or, if there is a fraction, a number. */
static HieraValue whole_value(long double value, HieraValueType type)
{
    if (value >= 0x1p63L)
        return hiera_value_missing();
    if (type == HIERA_VALUE_DURATION)
        return hiera_value_duration((int64_t)llroundl(value));
    return value == floorl(value) ? hiera_value_integer((int64_t)value) : hiera_value_number((double)value);
}

HieraValue hiera_number_value(const char *text, size_t length, const HieraUnit *unit)
{
    HieraValue hex = is_hex(text, length) ? hex_value(text, length) : hiera_value_missing();
    if (is_hex(text, length) && (!unit || hex.type == HIERA_VALUE_MISSING))
        return hex;
    Decimal decimal =
        hex.type == HIERA_VALUE_INTEGER ? (Decimal){.digits = (uint64_t)hex.integer} : read_decimal(text, length);
    long double value = scale(decimal, unit ? unit->factor : 1);
    if (unit && unit->type != HIERA_VALUE_NUMBER)
        return whole_value(value, unit->type);
    if (!unit && decimal.is_whole && !decimal.is_cut && decimal.digits <= INT64_MAX)
        return hiera_value_integer((int64_t)decimal.digits);
    return isfinite((double)value) ? hiera_value_number((double)value) : hiera_value_missing();
}
