#include "format.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Format a number; printf() would write a comma in some locales of the program. */
static void write_number(char *to, size_t room, double number, int digits)
{
    snprintf(to, room, "%.*g", digits, number);
    char *comma = strchr(to, ',');
    if (comma)
        *comma = '.';
}

static void write_duration(char *to, int64_t ns)
{
    static const struct {
        double ns;
        const char *unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    double size = fabs((double)ns);
    unsigned i = 0;
    while (i < 3 && size < units[i].ns)
        i++;
    write_number(to, HIERA_FORMAT_BYTES - 4, (double)ns / units[i].ns, size / units[i].ns >= 1e6 ? 15 : 6);
    strcat(strcat(to, " "), ns ? units[i].unit : "s");
}

size_t hiera_format_value(const HieraValue *value, char to[HIERA_FORMAT_BYTES])
{
    switch (value->type) {
    case HIERA_VALUE_INTEGER:
        snprintf(to, HIERA_FORMAT_BYTES, "%lld", (long long)value->integer);
        break;
    case HIERA_VALUE_NUMBER: {
        bool whole = fabs(value->number) < 0x1p53 && value->number == floor(value->number);
        write_number(to, HIERA_FORMAT_BYTES, value->number, whole ? 16 : 6);
        break;
    }
    case HIERA_VALUE_DURATION:
        write_duration(to, value->duration_ns);
        break;
    case HIERA_VALUE_TRUTH:
        strcpy(to, value->truth ? "true" : "false");
        break;
    default:
        strcpy(to, "missing");
    }
    return strlen(to);
}
