/* Names of counters: a list such as "proc:rss, sum(proc:net/dev/eth?/rx_bytes), perf:*". */
#ifndef HIERA_COUNTER_NAMES_H
#define HIERA_COUNTER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* What is made of several counters. */
typedef enum HieraAggregate {
    HIERA_COUNTER_NONE,
    HIERA_COUNTER_SUM,
    HIERA_COUNTER_MEAN,
    HIERA_COUNTER_MIN,
    HIERA_COUNTER_MAX
} HieraAggregate;

/* The next element of a list whose separators are commas that are not in parentheses, without blanks around it.
 *
 * @param list  is moved behind it
 * @return  its begin; NULL at the end of the list. May be empty */
const char *hiera_names_next(const char **list, size_t *length);

/* Is it "sum(…)" or the like? Then `inner` is what is between the parentheses. */
HieraAggregate hiera_names_aggregate(const char *text, size_t length, const char **inner, size_t *inner_length);

/* Does the pattern match the whole text? `*` stands for any number of characters, `?` for one. */
bool hiera_names_match(const char *pattern, size_t length, const char *text);

/* Has it a `*` or a `?`? */
bool hiera_names_is_pattern(const char *text, size_t length);

/* The aggregate of values, of those that are known; NaN if none is. */
double hiera_names_combine(HieraAggregate what, const double *values, unsigned n);

#endif
