/* See parse_numbers.h. Times are not parsed with strtod: a double cannot represent nanoseconds of a large number of
 * seconds exactly, and strtod depends on the locale. */
#include "parse_numbers.h"
#include "byte_scan.h"

#define NS_DIGITS      9
#define FITTING_DIGITS 18 /* every number with at most this many digits fits into a gint64 */

/* Read eight digits at once: combine pairs of digits to numbers of two digits, these to four digits, then to eight.
 * Return FALSE if a byte is not a digit. */
static gboolean read_eight(const char *at, guint64 *value)
{
    guint64 eight = hiera_bytes_load(at) ^ HIERA_EACH_BYTE('0');
    if ((eight | (eight + HIERA_EACH_BYTE(6))) & HIERA_EACH_BYTE(0xf0))
        return FALSE;
    eight = (eight * 10 + (eight >> 8)) & G_GUINT64_CONSTANT(0x00ff00ff00ff00ff);
    eight = (eight * 100 + (eight >> 16)) & G_GUINT64_CONSTANT(0x0000ffff0000ffff);
    *value = (eight * 10000 + (eight >> 32)) & G_MAXUINT32;
    return TRUE;
}

/* Read exactly n digits, at most FITTING_DIGITS. Return FALSE if a byte is not a digit. */
static gboolean read_exactly(const char *at, gsize n, guint64 *value)
{
    guint64 sum = 0, eight;
    gboolean odd = FALSE;
    for (; n >= sizeof eight; n -= sizeof eight, at += sizeof eight) {
        if (!read_eight(at, &eight))
            return FALSE;
        sum = sum * 100000000 + eight;
    }
    for (; n > 0; n--, at++) {
        guint digit = (guint)(guchar)*at - '0';
        odd |= digit > 9;
        sum = sum * 10 + digit;
    }
    *value = sum;
    return !odd;
}

/* Read digits from *at and move *at behind them. Return FALSE if there are none or the number does not fit. */
static gboolean read_digits(const char **at, const char *end, guint64 *value)
{
    const char *first = *at;
    guint64 sum = 0;
    while (*at < end && g_ascii_isdigit(**at)) {
        if (!g_uint64_checked_mul(&sum, sum, 10) || !g_uint64_checked_add(&sum, sum, (guint64)(**at - '0')))
            return FALSE;
        (*at)++;
    }
    *value = sum;
    return *at > first;
}

static gboolean read_sign(const char **at, const char *end)
{
    gboolean negative = *at < end && **at == '-';
    if (negative)
        (*at)++;
    return negative;
}

gboolean hiera_number_parse(const char *text, gsize length, gint64 *value)
{
    const char *at = text, *end = text + length;
    gboolean negative = read_sign(&at, end);
    guint64 magnitude;
    if (at < end && end - at <= FITTING_DIGITS) {
        if (!read_exactly(at, (gsize)(end - at), &magnitude))
            return FALSE;
    } else if (!read_digits(&at, end, &magnitude) || at != end || magnitude > G_MAXINT64) {
        return FALSE;
    }
    *value = negative ? -(gint64)magnitude : (gint64)magnitude;
    return TRUE;
}

gboolean hiera_number_parse_between(const char *text, gsize length, gint64 low, gint64 high, gint64 *value)
{
    gint64 number;
    if (!hiera_number_parse(text, length, &number) || number < low || number > high)
        return FALSE;
    *value = number;
    return TRUE;
}

gboolean hiera_number_parse_hex(const char *text, gsize length, gint64 *value)
{
    guint64 number = 0;
    for (gsize i = 0; i < length; i++) {
        if (!g_ascii_isxdigit(text[i]) || number > G_MAXINT64 >> 4)
            return FALSE;
        number = number << 4 | (guint)g_ascii_xdigit_value(text[i]);
    }
    if (length > 0)
        *value = (gint64)number;
    return length > 0;
}

gboolean hiera_number_parse_request(const char *text, gsize length, gint64 last, gint64 *value)
{
    gint64 number;
    gsize sign = length > 0 && (*text == '+' || *text == '-');
    if (length == sign || !g_ascii_isdigit(text[sign]) || !hiera_number_parse(text + sign, length - sign, &number))
        return FALSE;
    if (sign && (*text == '+' ? number > G_MAXINT64 - last : number > last))
        return FALSE;
    *value = !sign ? number : *text == '+' ? last + number : last - number;
    return TRUE;
}

gboolean hiera_number_parse_processor(const char *text, gsize length, gint64 *rank)
{
    if (length < 2 || text[0] != 'P')
        return FALSE;
    return hiera_number_parse_between(text + 1, length - 1, 0, G_MAXINT32 - 1, rank);
}

/* Read the digits after the decimal point as nanoseconds; the tenth digit decides the rounding. */
static gboolean read_fraction(const char *at, const char *end, guint64 *ns)
{
    if (end - at == NS_DIGITS)
        return read_exactly(at, NS_DIGITS, ns);
    *ns = 0;
    int digits = 0;
    gboolean up = FALSE;
    for (; at < end; at++, digits++) {
        if (!g_ascii_isdigit(*at))
            return FALSE;
        if (digits < NS_DIGITS)
            *ns = *ns * 10 + (guint64)(*at - '0');
        else if (digits == NS_DIGITS)
            up = *at >= '5';
    }
    for (int i = digits; i < NS_DIGITS; i++)
        *ns *= 10;
    *ns += up;
    return digits > 0;
}

gboolean hiera_seconds_parse(const char *text, gsize length, gint64 *ns)
{
    const char *at = text, *end = text + length;
    gboolean negative = read_sign(&at, end);
    guint64 seconds, fraction = 0, sum;
    if (!read_digits(&at, end, &seconds))
        return FALSE;
    if (at < end && (*at != '.' || !read_fraction(at + 1, end, &fraction)))
        return FALSE;
    if (!g_uint64_checked_mul(&sum, seconds, 1000000000) || !g_uint64_checked_add(&sum, sum, fraction) ||
        sum >= G_MAXINT64) /* G_MAXINT64 is reserved for HIERA_TIME_OPEN */
        return FALSE;
    *ns = negative ? -(gint64)sum : (gint64)sum;
    return TRUE;
}

/* Compare the numbers at the beginning of two texts, and move both pointers behind these numbers. */
static int compare_numbers(const char **left, const char **right)
{
    const char *a = *left + strspn(*left, "0"), *b = *right + strspn(*right, "0");
    gsize n_a = strspn(a, "0123456789"), n_b = strspn(b, "0123456789");
    *left = a + n_a;
    *right = b + n_b;
    return n_a != n_b ? (n_a > n_b) - (n_a < n_b) : memcmp(a, b, n_a);
}

int hiera_names_compare(const char *a, const char *b)
{
    while (*a && *b) {
        gboolean are_numbers = g_ascii_isdigit(*a) && g_ascii_isdigit(*b);
        int order = are_numbers ? compare_numbers(&a, &b) : (guint8)*a++ - (guint8)*b++;
        if (order != 0)
            return order;
    }
    return (guint8)*a - (guint8)*b;
}
