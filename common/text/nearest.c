/* See nearest.h. The distance of two words is their edit distance (Damerau-Levenshtein): the number of letters that are
 * missing, added, changed, or swapped with the next. */
#include "nearest.h"
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 64 }; /* longer words are never similar */

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

/* Return the edit distance. rows[i % 3][j] is the distance of the first i letters of a and the first j letters of b;
 * three rows are enough. */
static size_t count_changes(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t rows[3][LONGEST + 1];
    for (size_t j = 0; j <= n_b; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n_a; i++) {
        size_t *row = rows[i % 3], *last = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            size_t differs = lower(a[i - 1]) != lower(b[j - 1]);
            row[j] = lesser(lesser(row[j - 1], last[j]) + 1, last[j - 1] + differs);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = lesser(row[j], before[j - 2] + 1);
        }
    }
    return rows[n_a % 3][n_b];
}

HieraNearest hiera_nearest_begin(const char *word, size_t length)
{
    /* in a short word, more than one wrong letter is too many: it would be a different word */
    return (HieraNearest){.word = word, .length = length, .fewest = length > 3 ? length / 3 + 2 : 2};
}

void hiera_nearest_offer(HieraNearest *nearest, const char *known)
{
    size_t n = strlen(known);
    if (nearest->length > LONGEST || n > LONGEST)
        return;
    size_t changes = count_changes(nearest->word, nearest->length, known, n);
    bool begins = nearest->length >= 3 && strncasecmp(nearest->word, known, nearest->length) == 0;
    changes = begins ? lesser(changes, 1) : changes;
    if (changes < nearest->fewest && changes < n) {
        nearest->fewest = changes;
        nearest->best = known;
    }
}

const char *hiera_nearest_of(const char *word, const char *const *known, size_t n)
{
    HieraNearest nearest = hiera_nearest_begin(word, strlen(word));
    for (size_t i = 0; i < n && known[i]; i++)
        hiera_nearest_offer(&nearest, known[i]);
    return nearest.best;
}
