/* Find out quickly, by a search for words, whether a source may have assertions. */
#include "parse.h"

#include <string.h>

/* Return the end of the line that contains `at`, behind its continuation lines. */
static const char *end_of_line(const char *at, const char *end)
{
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    while (line_end && line_end > at && (line_end[-1] == '\\' || (line_end[-1] == '\r' && line_end[-2] == '\\')))
        line_end = memchr(line_end + 1, '\n', (size_t)(end - line_end - 1));
    return line_end ? line_end : end;
}

bool hiera_parse_has_words(const char *text, size_t length, size_t *at)
{
    static const char pragma[] = "ragma"; /* what `pragma` and `_Pragma` have in common */
    const char *end = text + length, *found = text;
    while ((found = memmem(found, (size_t)(end - found), pragma, sizeof pragma - 1)) != NULL) {
        const char *line_end = end_of_line(found, end);
        size_t rest = (size_t)(line_end - found);
        if (memmem(found, rest, "perfAssertion", 13) || memmem(found, rest, "hiera", 5)) {
            if (at)
                *at = (size_t)(found - text) - (found > text);
            return true;
        }
        found += sizeof pragma - 1;
    }
    return false;
}
