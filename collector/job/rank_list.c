#include "rank_list.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One word of a list of ranks: "3", "0-6", or with a stride "0-6:2". */
typedef struct Range {
    long first, last, stride;
} Range;

/* Return the longest range at the begin of `ranks`: a single rank, two neighbours, or three or more of one stride. */
static Range find_run(const int *ranks, int n)
{
    int stride = n > 1 && ranks[0] >= 0 ? ranks[1] - ranks[0] : 0, count = 1;
    while (stride > 0 && count < n && ranks[count] - ranks[count - 1] == stride)
        count++;
    if (count < 3 && stride != 1)
        count = 1;
    return (Range){ranks[0], ranks[count - 1], count > 1 ? stride : 1};
}

char *hiera_rank_list_format(const int *ranks, int n)
{
    enum { LONGEST = 12 }; /* most bytes of a rank in the list, with the separator before it */
    char *list = malloc((size_t)n * LONGEST + 1);
    size_t length = 0;
    if (!list)
        return NULL;
    list[0] = '\0';
    for (int i = 0; i < n;) {
        const char *space = i > 0 ? " " : "";
        Range run = find_run(ranks + i, n - i);
        length += (size_t)(run.first < 0 ? sprintf(list + length, "%s?", space)
                                         : sprintf(list + length, "%s%ld", space, run.first));
        if (run.last > run.first)
            length += (size_t)sprintf(list + length, "-%ld", run.last);
        if (run.stride > 1)
            length += (size_t)sprintf(list + length, ":%ld", run.stride);
        i += (int)((run.last - run.first) / run.stride) + 1;
    }
    char *exact = realloc(list, length + 1);
    return exact ? exact : list;
}

/* Parse the word at `at` into *range. Returns the begin of the next word; NULL if it is no range. */
static const char *parse_range(const char *at, const char *end, Range *range)
{
    char *next = (char *)at;
    range->stride = 1;
    if (at == end || !isdigit((unsigned char)*at))
        return NULL;
    range->first = range->last = strtol(at, &next, 10);
    if (next < end && *next == '-') {
        if (!isdigit((unsigned char)next[1]))
            return NULL;
        range->last = strtol(next + 1, &next, 10);
        if (next < end && *next == ':' && isdigit((unsigned char)next[1]))
            range->stride = strtol(next + 1, &next, 10);
    }
    if (range->last < range->first || range->stride < 1 || (next < end && *next != ' '))
        return NULL;
    while (next < end && *next == ' ')
        next++;
    return next;
}

bool hiera_rank_list_is_valid(const char *text, size_t length)
{
    const char *at = text, *end = text + length;
    Range range;
    do {
        at = parse_range(at, end, &range);
    } while (at && at < end);
    return at != NULL;
}

bool hiera_rank_list_has(const char *text, size_t length, long rank)
{
    const char *at = text, *end = text + length;
    Range range;
    while (at && at < end) {
        at = parse_range(at, end, &range);
        if (at && rank >= range.first && rank <= range.last && (rank - range.first) % range.stride == 0)
            return true;
    }
    return false;
}

long hiera_rank_list_at(const char *text, long place)
{
    const char *at = text, *end = text + strlen(text);
    Range range;
    while (at && at < end) {
        bool stranger = *at == '?';
        if (stranger)
            range = (Range){-1, -1, 1};
        at = stranger ? at + 1 + (at[1] == ' ') : parse_range(at, end, &range);
        long n = (range.last - range.first) / range.stride + 1;
        if (at && place < n)
            return range.first + place * range.stride;
        place -= n;
    }
    return -1;
}
