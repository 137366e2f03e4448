/* Numbers for people: a unit that fits, and three digits. 1437500000 ns → "1.44 s". */
#include "table.h"
#include <string.h>

typedef struct {
    const char *name;
    guint64 size; /* number of the smallest units (ns, bytes) in this unit */
} Unit;

static const Unit times[] = {{"ns", 1}, {"µs", 1000}, {"ms", 1000000}, {"s", 1000000000}};
static const Unit bytes[] = {{"B", 1},
                             {"kB", 1000},
                             {"MB", 1000000},
                             {"GB", 1000000000},
                             {"TB", 1000000000000},
                             {"PB", 1000000000000000},
                             {"EB", 1000000000000000000}};

static guint64 divide_rounded(guint64 number, guint64 by)
{
    return number / by + (number % by >= by - by / 2);
}

/* Find the most digits after the point with which a number has at most three digits in a unit.
 * @param rounded  becomes the digits
 * @return         number of digits after the point; -1 if there are more than three before it */
static int find_decimals(guint64 number, const Unit *unit, guint64 *rounded)
{
    static const guint64 powers[] = {1, 10, 100};
    for (int decimals = unit->size == 1 ? 0 : 2; decimals >= 0; decimals--) {
        *rounded = divide_rounded(number, unit->size / powers[decimals]);
        if (*rounded < 1000)
            return decimals;
    }
    return -1;
}

/* Write a number in the smallest unit in which it has at most three digits before the point; in the last unit it may
 * have more. */
static void format_quantity(char *buffer, gint64 number, const Unit *units, guint n_units)
{
    guint64 magnitude = number < 0 ? -(guint64)number : (guint64)number, rounded;
    guint unit = 0;
    int decimals = find_decimals(magnitude, &units[0], &rounded);
    while (decimals < 0 && unit + 1 < n_units)
        decimals = find_decimals(magnitude, &units[++unit], &rounded);
    gint64 shown = number < 0 ? -(gint64)rounded : (gint64)rounded;
    gsize length = hiera_decimal_format(buffer, shown, (guint)MAX(decimals, 0));
    if (decimals < 0)
        length = hiera_thousands_separate(buffer, length);
    if (number != 0)
        g_snprintf(buffer + length, HIERA_NUMBER_BYTES - length, " %s", units[unit].name);
}

void hiera_time_format(char *buffer, gint64 ns)
{
    format_quantity(buffer, ns, times, G_N_ELEMENTS(times));
}

void hiera_bytes_format(char *buffer, gint64 n_bytes)
{
    format_quantity(buffer, n_bytes, bytes, G_N_ELEMENTS(bytes));
}

void hiera_percent_format(char *buffer, gint64 hundredths)
{
    gint64 rest = hundredths % 10;
    gsize length = hiera_decimal_format(buffer, hundredths / 10 + (rest >= 5) - (rest <= -5), 1);
    strcpy(buffer + length, " %");
}
