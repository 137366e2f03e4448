/* Lists of counter names, such as "proc:rss, sum(proc:net/dev/eth?/rx_bytes), perf:*". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* How an aggregate combines the values of its members. */
typedef enum HieraAggregate {
    HIERA_COUNTER_NONE,
    HIERA_COUNTER_SUM,
    HIERA_COUNTER_MEAN,
    HIERA_COUNTER_MIN,
    HIERA_COUNTER_MAX
} HieraAggregate;

/* The next element of a list, without blanks around it. Elements are separated by commas that are not in parentheses.
 *
 * @param list  is moved behind the element
 * @return  begin of the element, which may be empty; NULL at the end of the list */
const char *hiera_names_next(const char **list, size_t *length);

/* Which aggregate a text such as "sum(…)" names; HIERA_COUNTER_NONE if it names none. `inner` becomes the text between
 * the parentheses. */
HieraAggregate hiera_names_aggregate(const char *text, size_t length, const char **inner, size_t *inner_length);

/* Whether the pattern matches all of `text`. `*` stands for any number of characters, `?` for one. */
bool hiera_names_match(const char *pattern, size_t length, const char *text);

/* Whether the text contains a `*` or a `?`. */
bool hiera_names_is_pattern(const char *text, size_t length);

/* Combine the known values among n values, which may be NaN; NaN if none is known. */
double hiera_names_combine(HieraAggregate what, const double *values, unsigned n);
