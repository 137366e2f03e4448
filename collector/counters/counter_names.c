#include "counter_names.h"
#include "text/nesting.h"

#include <math.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

const char *hiera_names_next(const char **list, size_t *length)
{
    const char *begin = *list, *end;
    int depth = 0;
    if (*begin == '\0')
        return NULL;
    for (end = begin; *end && (*end != ',' || depth > 0); end++)
        if (*end != ')' || depth > 0)
            depth += hiera_nesting(*end, "()");
    *list = *end ? end + 1 : end;
    while (begin < end && is_blank(*begin))
        begin++;
    while (end > begin && is_blank(end[-1]))
        end--;
    *length = (size_t)(end - begin);
    return begin;
}

HieraAggregate hiera_names_aggregate(const char *text, size_t length, const char **inner, size_t *inner_length)
{
    static const char *const heads[] = {[HIERA_COUNTER_SUM] = "sum(",
                                        [HIERA_COUNTER_MEAN] = "mean(",
                                        [HIERA_COUNTER_MIN] = "min(",
                                        [HIERA_COUNTER_MAX] = "max("};
    for (int i = HIERA_COUNTER_SUM; i <= HIERA_COUNTER_MAX; i++) {
        size_t head = strlen(heads[i]);
        if (length > head && strncmp(text, heads[i], head) == 0 && text[length - 1] == ')') {
            *inner = text + head;
            *inner_length = length - head - 1;
            return (HieraAggregate)i;
        }
    }
    return HIERA_COUNTER_NONE;
}

/* After a mismatch, goes back only to the last `*`: any match of what stands before that one will do. */
bool hiera_names_match(const char *pattern, size_t length, const char *text)
{
    const char *end = pattern + length, *star = NULL, *from = NULL;
    while (*text) {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (pattern < end && (*pattern == '?' || *pattern == *text)) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

bool hiera_names_is_pattern(const char *text, size_t length)
{
    return memchr(text, '*', length) || memchr(text, '?', length);
}

/* Skips unknown values (NaN), since comparing them would raise a floating-point exception. */
double hiera_names_combine(HieraAggregate what, const double *values, unsigned n)
{
    double result = (double)NAN;
    unsigned known = 0;
    for (unsigned i = 0; i < n; i++) {
        if (isnan(values[i]))
            continue;
        if (known++ == 0)
            result = values[i];
        else if (what == HIERA_COUNTER_MIN)
            result = values[i] < result ? values[i] : result;
        else if (what == HIERA_COUNTER_MAX)
            result = values[i] > result ? values[i] : result;
        else
            result += values[i];
    }
    return what == HIERA_COUNTER_MEAN && known > 0 ? result / known : result;
}
