/* Exact numbers of cells as text. quantity.c rounds them for people. */
#include "table.h"

/* Write a decimal number without printf, which would be slow for tables with millions of numbers. */
gsize hiera_decimal_format(char *buffer, gint64 number, guint decimals)
{
    char digits[HIERA_NUMBER_BYTES];
    guint n = 0;
    for (guint64 rest = number < 0 ? -(guint64)number : (guint64)number; rest > 0 || n <= decimals; rest /= 10)
        digits[n++] = (char)('0' + rest % 10);
    char *at = buffer;
    if (number < 0)
        *at++ = '-';
    while (n > 0) {
        if (n == decimals)
            *at++ = '.';
        *at++ = digits[--n];
    }
    *at = '\0';
    return (gsize)(at - buffer);
}

gsize hiera_thousands_separate(char *number, gsize length)
{
    char *first = number + (*number == '-');
    gsize n = length - (gsize)(first - number), commas = (n - 1) / 3;
    char *to = first + n + commas;
    for (gsize i = 0; i <= n; i++) {
        *to-- = first[n - i];
        if (i > 0 && i % 3 == 0 && i < n)
            *to-- = ',';
    }
    return length + commas;
}

void hiera_seconds_format(char *buffer, gint64 ns)
{
    hiera_decimal_format(buffer, ns, 9);
}

gsize hiera_cell_format(char *buffer, const HieraColumn *column, const HieraCell *cell)
{
    if (hiera_cell_is_unknown(column, cell)) {
        *buffer = '\0';
        return 0;
    }
    guint decimals = column->type == HIERA_CELL_SECONDS ? 9 : column->type == HIERA_CELL_PERCENT ? 2 : 0;
    return hiera_decimal_format(buffer, cell->number, decimals);
}
